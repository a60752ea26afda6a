#include "neighbors/neighbor_list.hpp"

#include <gtest/gtest.h>

#include <random>

#include "particles/fluid_particles.hpp"
#include "support/dimensions.hpp"

namespace millrace {
namespace {

using Index = std::uint32_t;
using Sets = std::vector<std::vector<Index>>;

template <int D>
Sets brute_force(const std::vector<Vec<D>>& points, const std::vector<Vec<D>>& queries,
                 float radius) {
    Sets sets(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
        for (std::size_t j = 0; j < points.size(); ++j)
            if (squared_norm(queries[i] - points[j]) < radius * radius)
                sets[i].push_back(static_cast<Index>(j));
    return sets;
}

template <int D>
std::vector<Vec<D>> random_points(std::size_t n, float low, float high, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> in(low, high);
    std::vector<Vec<D>> points(n);
    for (Vec<D>& x : points)
        for (int k = 0; k < D; ++k)
            x[k] = in(random);
    return points;
}

template <class T>
class NeighborListTest : public testing::Test {
  protected:
    static constexpr int D = T::value;

    // Sorts, searches, and compares with brute force for the points themselves and for queries.
    void expect_as_brute_force(const std::vector<Vec<D>>& points, float radius,
                               std::size_t budget = 0) {
        for (const int threads : {1, 3}) {
            const Device device = Device::cpu(threads);
            VectorBuffer<D> position(device), swap(device), query(device);
            position.assign(points);
            UniformGrid<D> grid(device);
            budget = budget ? budget : cell_budget(points.size());
            ASSERT_EQ(grid.build(device, position.view(), points.size(), radius, budget),
                      points.size());
            EXPECT_LE(grid.bytes(), 200 * (points.size() + 4096)) << "memory grows with the world";
            gather(device, grid.order(), points.size(), position, swap);
            const std::vector<Vec<D>> sorted = position.to_host();

            NeighborList<D> list(device);
            list.build(device, grid.view(), position.view(), position.view(), points.size());
            EXPECT_EQ(list.to_host(sorted, sorted), brute_force(sorted, sorted, radius));

            std::vector<Vec<D>> queries = random_points<D>(200, -2, 2, 99);
            queries.push_back(Vec<D>::all(1e6f));
            query.assign(queries);
            list.build(device, grid.view(), position.view(), query.view(), queries.size());
            EXPECT_EQ(list.to_host(sorted, queries), brute_force(sorted, queries, radius));
        }
    }
};
TYPED_TEST_SUITE(NeighborListTest, Dimensions);

TYPED_TEST(NeighborListTest, Random) {
    this->expect_as_brute_force(random_points<TypeParam::value>(2000, 0, 1), 0.1f);
}

TYPED_TEST(NeighborListTest, NegativeCoordinates) {
    this->expect_as_brute_force(random_points<TypeParam::value>(1500, -3, -2), 0.15f);
}

TYPED_TEST(NeighborListTest, Clustered) {
    constexpr int D = TypeParam::value;
    std::vector<Vec<D>> points = random_points<D>(500, 0, 0.05f);
    const std::vector<Vec<D>> second = random_points<D>(500, 1.0f, 1.02f, 2);
    const std::vector<Vec<D>> rest = random_points<D>(300, -2, 2, 3);
    points.insert(points.end(), second.begin(), second.end());
    points.insert(points.end(), rest.begin(), rest.end());
    this->expect_as_brute_force(points, 0.1f);
}

TYPED_TEST(NeighborListTest, Lattice) {
    constexpr int D = TypeParam::value;
    std::vector<Vec<D>> points;
    const int n = D == 3 ? 12 : 40;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            for (int c = 0; c < (D == 3 ? n : 1); ++c) {
                Vec<D> x;
                x[0] = 0.05f * static_cast<float>(a);
                x[1] = 0.05f * static_cast<float>(b);
                if constexpr (D == 3)
                    x[2] = 0.05f * static_cast<float>(c);
                points.push_back(x);
            }
    this->expect_as_brute_force(points, 0.099f);
}

TYPED_TEST(NeighborListTest, OneAndNone) {
    constexpr int D = TypeParam::value;
    this->expect_as_brute_force({Vec<D>::all(0.3f)}, 0.1f);
    this->expect_as_brute_force({}, 0.1f);
}

TYPED_TEST(NeighborListTest, AllInOneCellAndAllInOnePoint) {
    constexpr int D = TypeParam::value;
    this->expect_as_brute_force(random_points<D>(700, 0, 1e-3f), 0.1f);
    this->expect_as_brute_force(std::vector<Vec<D>>(100, Vec<D>::all(0.5f)), 0.1f);
}

TYPED_TEST(NeighborListTest, TwoFarApart) {
    constexpr int D = TypeParam::value;
    this->expect_as_brute_force({Vec<D>::all(-1e4f), Vec<D>::all(1e4f)}, 0.01f);
}

// The table of cells stays small and the search right: coordinates wrap around.
TYPED_TEST(NeighborListTest, OneThrownTenKilometresAway) {
    constexpr int D = TypeParam::value;
    std::vector<Vec<D>> points = random_points<D>(3000, 0, 1);
    points[17] = Vec<D>::all(1e4f);
    this->expect_as_brute_force(points, 0.08f);
    points[17][0] = 0.5f;
    points[18][1] = -1e4f;
    this->expect_as_brute_force(points, 0.08f);
}

// A table so small that every axis wraps down to the fewest rows.
TYPED_TEST(NeighborListTest, TinyTables) {
    for (const std::size_t budget : {1, 16, 20, 64, 300})
        this->expect_as_brute_force(random_points<TypeParam::value>(500, 0, 1), 0.08f, budget);
}

TYPED_TEST(NeighborListTest, NonFinitePositionsDoNotCrash) {
    constexpr int D = TypeParam::value;
    std::vector<Vec<D>> points = random_points<D>(100, 0, 1);
    points[3] = Vec<D>::all(std::nanf(""));
    points[4] = Vec<D>::all(std::numeric_limits<float>::infinity());
    const Device device = Device::cpu(1);
    VectorBuffer<D> position(device);
    position.assign(points);
    UniformGrid<D> grid(device);
    EXPECT_EQ(grid.build(device, position.view(), 100, 0.1f, cell_budget(100)), 98u);
}

TYPED_TEST(NeighborListTest, LeavesOutWhatIsNotAlive) {
    constexpr int D = TypeParam::value;
    const std::vector<Vec<D>> points = random_points<D>(1000, 0, 1);
    const Device device = Device::cpu(2);
    VectorBuffer<D> position(device), swap(device);
    position.assign(points);
    UniformGrid<D> grid(device);
    const typename UniformGrid<D>::Bounds alive{Vec<D>::all(0), Vec<D>::all(0.7f)};
    const std::size_t living =
        grid.build(device, position.view(), points.size(), 0.1f, cell_budget(1000), alive);
    gather(device, grid.order(), living, position, swap);
    std::size_t expected = 0;
    for (const Vec<D>& x : points) {
        bool inside = true;
        for (int k = 0; k < D; ++k)
            inside = inside && x[k] <= 0.7f;
        expected += inside;
    }
    EXPECT_EQ(living, expected);
    for (const Vec<D>& x : position.to_host())
        for (int k = 0; k < D; ++k)
            EXPECT_LE(x[k], 0.7f);
}

}  // namespace
}  // namespace millrace
