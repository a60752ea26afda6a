#include "spook/columns.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <random>
#include <set>

namespace millrace {
namespace {

constexpr float k_width = 0.17f;

template <class Dimension>
class ColumnsOf : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ColumnsOf, Dimensions);

/// A random cloud on both sides of the origin, with some far strays.
template <int D>
std::vector<Vec<D>> cloud(int count, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(-1, 1.5f);
    std::vector<Vec<D>> points;
    const auto add = [&](float x, float y) {
        Vec<D> point = Vec<D>::all(place(random));
        point[0] = x;
        point[1] = y;
        points.push_back(point);
    };
    for (int k = 0; k < count; ++k)
        add(place(random), 1.2f * place(random));
    add(-90, 3);
    add(-90, 3.1f);
    add(500, -4000);
    add(-0.5f * k_width, 9000);
    add(2 * k_width, 0);          // on a boundary of columns
    points.push_back(points[0]);  // twice at one place
    return points;
}

/// Few or many points, and some of them farther away than the table of columns is wide.
template <int D>
std::vector<std::vector<Vec<D>>> clouds() {
    std::vector<std::vector<Vec<D>>> all{cloud<D>(800), cloud<D>(0), {Vec<D>::all(0.3f)}};
    std::mt19937 random(2);
    std::uniform_real_distribution<float> away(-1e6f, 1e6f);
    for (const int near : {0, 500}) {
        std::vector<Vec<D>> points = cloud<D>(near);
        for (int k = 0; k < 7; ++k) {
            Vec<D> point;
            for (int a = 0; a < D; ++a)
                point[a] = away(random);
            points.push_back(point);
        }
        all.push_back(points);
    }
    return all;
}

template <int D>
Columns<D> sorted(const std::vector<Vec<D>>& points, int threads = 1) {
    Columns<D> columns;
    columns.sort({threads}, points, k_width);
    return columns;
}

TYPED_TEST(ColumnsOf, NoPointsHaveNoStrips) {
    constexpr int D = TypeParam::value;
    const Columns<D> columns = sorted<D>({});
    EXPECT_EQ(columns.count(), 0u);
    EXPECT_TRUE(columns.strips().empty());
    columns.for_each_strip_near(Vec<D>::all(-1), Vec<D>::all(1),
                                [](std::uint32_t) { FAIL() << "there is none"; });
}

TYPED_TEST(ColumnsOf, EveryPointHasOnePlaceInOrder) {
    constexpr int D = TypeParam::value;
    const auto column_of = [](const Vec<D>& x) {
        std::array<int, D - 1> numbers;
        for (int k = 0; k < D - 1; ++k)
            numbers[k] = static_cast<int>(std::floor(x[2 * k] / k_width));
        return numbers;
    };
    const std::vector<Vec<D>> points = cloud<D>(500);
    const Columns<D> columns = sorted<D>(points);
    ASSERT_EQ(columns.count(), points.size());
    const std::set<std::uint32_t> all(columns.order().begin(), columns.order().end());
    EXPECT_EQ(all.size(), points.size());
    EXPECT_EQ(*all.rbegin(), points.size() - 1);
    std::set<std::array<int, D - 1>> seen;
    for (std::uint32_t i = 0; i < columns.count(); ++i) {
        EXPECT_EQ(columns.position(i), points[columns.order()[i]]);
        const auto here = column_of(columns.position(i));
        if (i > 0 && here == column_of(columns.position(i - 1))) {
            EXPECT_LE(columns.y()[i - 1], columns.y()[i]) << i;
        } else {
            EXPECT_TRUE(seen.insert(here).second) << "a column in two pieces";
        }
    }
}

TYPED_TEST(ColumnsOf, FarPointsDoNotMakeItLarge) {
    constexpr int D = TypeParam::value;
    for (const auto& points : clouds<D>())
        EXPECT_LT(sorted<D>(points).bytes(), 200 * points.size() + (10 << 20));
}

TYPED_TEST(ColumnsOf, StripsCoverAllPointsOnce) {
    constexpr int D = TypeParam::value;
    for (const auto& points : clouds<D>()) {
        const Columns<D> columns = sorted<D>(points);
        std::uint32_t next = 0;
        for (std::uint32_t s = 0; s < columns.strips().size(); ++s) {
            const auto& strip = columns.strips()[s];
            EXPECT_EQ(strip.begin, next);
            EXPECT_LT(strip.begin, strip.end);
            next = strip.end;
            EXPECT_EQ(columns.strip_of(strip.begin), s);
            EXPECT_EQ(columns.strip_of(strip.end - 1), s);
        }
        EXPECT_EQ(next, columns.count());
        std::vector<std::uint32_t> colored;
        for (int color = 0; color < Columns<D>::k_colors; ++color)
            colored.insert(colored.end(), columns.of_color(color).begin(),
                           columns.of_color(color).end());
        std::sort(colored.begin(), colored.end());
        for (std::uint32_t s = 0; s < colored.size(); ++s)
            EXPECT_EQ(colored[s], s);
        EXPECT_EQ(colored.size(), columns.strips().size());
    }
}

/// Every pair nearer than the width is found once.
TYPED_TEST(ColumnsOf, RunsHoldAllNeighbors) {
    constexpr int D = TypeParam::value;
    using Run = typename Columns<D>::Run;
    for (const auto& points : clouds<D>()) {
        const Columns<D> columns = sorted<D>(points);
        std::size_t visited = 0;
        const auto check = [&](std::uint32_t i, const Run* runs) {
            ++visited;
            std::set<std::uint32_t> found;
            for (int k = 0; k < Columns<D>::k_runs; ++k)
                for (std::uint32_t j = runs[k].begin; j < runs[k].end; ++j)
                    EXPECT_TRUE(found.insert(j).second) << "twice";
            for (std::uint32_t j = 0; j < columns.count(); ++j)
                EXPECT_TRUE(squared_norm(columns.position(i) - columns.position(j)) >=
                                k_width * k_width ||
                            found.count(j))
                    << i << " misses " << j;
            EXPECT_TRUE(found.count(i));
        };
        for (const auto& strip : columns.strips()) {
            columns.for_each_in(strip, check);
            columns.for_each_upwards(strip, [&](std::uint32_t i, const Run* runs) {
                check(i, runs);
                std::size_t too_low = 0;
                for (int k = 0; k < Columns<D>::k_runs; ++k)
                    for (std::uint32_t j = runs[k].begin; j < runs[k].end; ++j)
                        too_low += columns.y()[j] < columns.y()[i] - k_width;
                EXPECT_LE(too_low, Columns<D>::k_runs * 8u);
            });
        }
        EXPECT_EQ(visited, 2 * columns.count());
    }
}

TYPED_TEST(ColumnsOf, ThreadsShareTheStrips) {
    constexpr int D = TypeParam::value;
    for (const int threads : {1, 2, 3, 7, 64}) {
        const Columns<D> columns = sorted<D>(cloud<D>(300), threads);
        const std::size_t n = columns.strips().size();
        std::vector<std::atomic<int>> visits(n), of_color(n);
        columns.for_each_strip({threads}, [&](std::uint32_t s) { ++visits[s]; });
        for (int color = 0; color < Columns<D>::k_colors; ++color)
            columns.for_each_of_color({threads}, color, [&](std::uint32_t s) {
                const std::vector<std::uint32_t>& mine = columns.of_color(color);
                EXPECT_TRUE(std::binary_search(mine.begin(), mine.end(), s));
                ++of_color[s];
            });
        for (std::size_t s = 0; s < n; ++s) {
            EXPECT_EQ(visits[s], 1) << threads << " threads";
            EXPECT_EQ(of_color[s], 1) << threads << " threads";
        }
    }
}

TYPED_TEST(ColumnsOf, APartOfAColumnIsFoundByHeight) {
    constexpr int D = TypeParam::value;
    const Columns<D> columns = sorted<D>(cloud<D>(400));
    for (const auto& strip : columns.strips())
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c) {
            const auto whole = columns.between(c, -3e38f, 3e38f);
            const auto run = columns.between(c, -1.0f, 0.5f);
            for (std::uint32_t i = whole.begin; i < whole.end; ++i)
                EXPECT_EQ(i >= run.begin && i < run.end,
                          columns.y()[i] >= -1.0f && columns.y()[i] <= 0.5f);
        }
}

/// What lies in a box is in the strips and columns near it, and they are not all that there are.
TYPED_TEST(ColumnsOf, StripsAndColumnsNearABoxHoldItsPoints) {
    constexpr int D = TypeParam::value;
    for (const auto& points : clouds<D>()) {
        const Columns<D> columns = sorted<D>(points);
        for (const float from : {-0.17f, -2e6f, 0.3f}) {
            const Vec<D> min = Vec<D>::all(from), max = Vec<D>::all(0.33f);
            std::set<std::uint32_t> strips, held;
            columns.for_each_strip_near(min, max, [&](std::uint32_t s) {
                EXPECT_TRUE(strips.insert(s).second) << "twice";
                const auto& strip = columns.strips()[s];
                for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c)
                    if (columns.may_meet(c, min, max)) {
                        const auto run = columns.between(c, min[1], max[1]);
                        for (std::uint32_t i = run.begin; i < run.end; ++i)
                            held.insert(i);
                    }
            });
            for (std::uint32_t i = 0; i < columns.count(); ++i) {
                bool within = true;
                for (int k = 0; k < D; ++k)
                    within = within && columns.position(i)[k] >= min[k] &&
                             columns.position(i)[k] <= max[k];
                EXPECT_TRUE(!within || held.count(i) == 1);
            }
            EXPECT_TRUE(from != -0.17f || points.size() < 700 ||
                        strips.size() < columns.strips().size() / 2);
        }
    }
}

TYPED_TEST(ColumnsOf, StripsOfAColorShareNoNeighbors) {
    constexpr int D = TypeParam::value;
    for (const auto& points : clouds<D>()) {
        const Columns<D> columns = sorted<D>(points);
        for (int color = 0; color < Columns<D>::k_colors; ++color) {
            std::vector<int> owner(columns.count(), -1);
            for (const std::uint32_t s : columns.of_color(color))
                columns.for_each_in(
                    columns.strips()[s], [&](std::uint32_t, const typename Columns<D>::Run* runs) {
                        for (int k = 0; k < Columns<D>::k_runs; ++k)
                            for (std::uint32_t j = runs[k].begin; j < runs[k].end; ++j) {
                                EXPECT_TRUE(owner[j] < 0 || owner[j] == static_cast<int>(s));
                                owner[j] = static_cast<int>(s);
                            }
                    });
        }
    }
}

TYPED_TEST(ColumnsOf, TheOrderDoesNotDependOnThreads) {
    constexpr int D = TypeParam::value;
    const std::vector<Vec<D>> points = cloud<D>(2000);
    EXPECT_EQ(sorted<D>(points, 1).order(), sorted<D>(points, 7).order());
}

/// The order of the last time is only a start: what comes out depends on the points alone.
TYPED_TEST(ColumnsOf, TheOrderDoesNotDependOnTheLastOne) {
    constexpr int D = TypeParam::value;
    Columns<D> used;
    std::vector<Vec<D>> points = cloud<D>(3000);
    used.sort({1}, points, k_width);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> shift(-0.01f, 0.01f);
    for (Vec<D>& x : points)
        for (int k = 0; k < D; ++k)
            x[k] += shift(random);
    used.sort({1}, points, k_width);  // nearly sorted
    EXPECT_EQ(used.order(), sorted<D>(points).order());
    std::shuffle(points.begin(), points.end(), random);
    used.sort({2}, points, k_width);  // not sorted at all
    EXPECT_EQ(used.order(), sorted<D>(points).order());
    used.release_order();
    used.sort({2}, points, k_width);  // without one
    EXPECT_EQ(used.order(), sorted<D>(points).order());
    points.resize(100);
    used.sort({1}, points, k_width);  // fewer
    EXPECT_EQ(used.order(), sorted<D>(points).order());
    for (std::size_t k = 0; k < points.size(); ++k) {  // one column, from the top
        points[k] = Vec<D>::all(0.1f);
        points[k][1] = -static_cast<float>(k);
    }
    used.sort({1}, points, k_width);
    EXPECT_EQ(used.order().front(), 99u);
    EXPECT_EQ(used.order(), sorted<D>(points).order());
}

}  // namespace
}  // namespace millrace
