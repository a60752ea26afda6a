#include "spook/blocks.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace millrace {
namespace {

template <class T>
class BlocksOf : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BlocksOf, Dimensions);

constexpr float k_width = 0.1f;

/// In a box of a few cells, and where asked some of them very far away.
template <int D>
std::vector<Vec<D>> random_points(int count, int far, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> near(-0.45f, 0.45f), away(-1e6f, 1e6f);
    std::vector<Vec<D>> points(static_cast<std::size_t>(count + far));
    for (std::size_t i = 0; i < points.size(); ++i)
        for (int k = 0; k < D; ++k)
            points[i][k] = i < static_cast<std::size_t>(count) ? near(random) : away(random);
    return points;
}

/// Points by their sorted places, with what the blocks make of them.
template <int D>
struct Sorted {
    explicit Sorted(const std::vector<Vec<D>>& points) {
        blocks.sort(points, k_width, order);
        for (const std::uint32_t i : order)
            sorted.push_back(points[i]);
    }
    /// Calls body(i, j) for every point i of the block and every point j of its runs.
    template <class Body>
    void for_each_candidate(const typename Blocks<D>::Block& block, const Body& body) const {
        using Run = typename Blocks<D>::Run;
        for (std::uint32_t p = 0; p < block.count; ++p)
            blocks.for_each_cell(block.pillars[p], [&](Run points, const Run* around, int n) {
                for (std::uint32_t i = points.begin; i < points.end; ++i)
                    for (int r = 0; r < n; ++r)
                        for (std::uint32_t j = around[r].begin; j < around[r].end; ++j)
                            body(i, j);
            });
    }

    Blocks<D> blocks;
    std::vector<std::uint32_t> order;
    std::vector<Vec<D>> sorted;
};

template <int D>
std::vector<std::vector<Vec<D>>> cases() {
    return {random_points<D>(600, 0, 1), random_points<D>(600, 5, 2), random_points<D>(0, 7, 3),
            random_points<D>(1, 0, 4), random_points<D>(300, 1, 5)};
}

TYPED_TEST(BlocksOf, TheOrderIsAPermutation) {
    constexpr int D = TypeParam::value;
    for (const auto& points : cases<D>()) {
        const Sorted<D> sorted(points);
        EXPECT_EQ(sorted.blocks.count(), points.size());
        const std::set<std::uint32_t> all(sorted.order.begin(), sorted.order.end());
        EXPECT_EQ(all.size(), points.size());
        EXPECT_EQ(*all.rbegin(), points.size() - 1);
        EXPECT_LE(sorted.blocks.cells(), 8 * points.size() + 4096);
    }
}

TYPED_TEST(BlocksOf, EveryPairNearerThanTheWidthIsFoundOnce) {
    constexpr int D = TypeParam::value;
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    for (const auto& points : cases<D>()) {
        const Sorted<D> sorted(points);
        std::multiset<Pair> found;
        const auto close = [&](std::uint32_t i, std::uint32_t j) {
            return squared_norm(sorted.sorted[i] - sorted.sorted[j]) < k_width * k_width;
        };
        for (const auto& block : sorted.blocks.blocks())
            sorted.for_each_candidate(block, [&](std::uint32_t i, std::uint32_t j) {
                if (close(i, j))
                    found.insert({i, j});
            });
        std::multiset<Pair> expected;
        for (std::uint32_t i = 0; i < points.size(); ++i)
            for (std::uint32_t j = 0; j < points.size(); ++j)
                if (close(i, j))
                    expected.insert({i, j});
        EXPECT_EQ(found, expected);
    }
}

TYPED_TEST(BlocksOf, HoldEveryPointOnceAndCountThem) {
    constexpr int D = TypeParam::value;
    for (const auto& points : cases<D>()) {
        const Sorted<D> sorted(points);
        std::multiset<std::uint32_t> held;
        for (const auto& block : sorted.blocks.blocks()) {
            const std::size_t before = held.size();
            for (std::uint32_t p = 0; p < block.count; ++p)
                for (auto run = sorted.blocks.pillar(block.pillars[p]); run.begin < run.end;
                     ++run.begin)
                    held.insert(run.begin);
            EXPECT_EQ(before + block.points, held.size());
        }
        EXPECT_EQ(held.size(), points.size());
        EXPECT_EQ(std::set<std::uint32_t>(held.begin(), held.end()).size(), points.size());
    }
}

/// Not only those nearer than the width: all that the runs of a block hold.
TYPED_TEST(BlocksOf, OneColourWritesToNoPointTwice) {
    constexpr int D = TypeParam::value;
    for (const auto& points : cases<D>()) {
        const Sorted<D> sorted(points);
        std::size_t blocks = 0;
        for (int color = 0; color < Blocks<D>::k_colors; ++color) {
            std::vector<int> writer(points.size(), -1);
            for (const std::uint32_t b : sorted.blocks.of_color(color)) {
                ++blocks;
                sorted.for_each_candidate(
                    sorted.blocks.blocks()[b], [&](std::uint32_t, std::uint32_t j) {
                        EXPECT_TRUE(writer[j] == -1 || writer[j] == static_cast<int>(b));
                        writer[j] = static_cast<int>(b);
                    });
            }
        }
        EXPECT_EQ(blocks, sorted.blocks.blocks().size());
    }
}

TYPED_TEST(BlocksOf, CellsBetweenHoldThePointsOfABox) {
    constexpr int D = TypeParam::value;
    for (const auto& points : cases<D>()) {
        const Sorted<D> sorted(points);
        const Vec<D> min = Vec<D>::all(-0.17f), max = Vec<D>::all(0.23f);
        const auto range = sorted.blocks.cells_between(min, max);
        std::set<std::uint32_t> held;
        std::uint32_t place[3] = {};
        for (place[0] = range.low[0]; place[0] <= range.high[0]; ++place[0])
            for (place[1] = range.low[1]; place[1] <= range.high[1]; ++place[1])
                for (place[2] = D == 2 ? 0 : range.low[D - 1];
                     place[2] <= (D == 2 ? 0 : range.high[D - 1]); ++place[2]) {
                    const auto run = sorted.blocks.points_of(sorted.blocks.cell(place));
                    for (std::uint32_t i = run.begin; i < run.end; ++i)
                        held.insert(i);
                }
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            bool within = true;
            for (int k = 0; k < D; ++k)
                within = within && sorted.sorted[i][k] >= min[k] && sorted.sorted[i][k] <= max[k];
            EXPECT_TRUE(!within || held.count(i) == 1);
        }
    }
}

TYPED_TEST(BlocksOf, NoPointsAreNoBlocks) {
    constexpr int D = TypeParam::value;
    const Sorted<D> sorted({});
    EXPECT_EQ(sorted.blocks.count(), 0u);
    EXPECT_TRUE(sorted.blocks.blocks().empty());
}

}  // namespace
}  // namespace millrace
