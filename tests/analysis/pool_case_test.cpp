#include "analysis/pool_case.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/s0_energy.hpp"
#include "analysis/s0_incompressibility.hpp"
#include "analysis/s0_performance.hpp"

namespace millrace {
namespace {

using Verdict = Claim::Verdict;

/// Rows of particles in a tank 3 m wide, `columns` in each, `up` apart.
std::vector<Point2> lattice(int columns, int rows, double up) {
    std::vector<Point2> points;
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < columns; ++k)
            points.push_back({3 * (static_cast<float>(k) + 0.5f) / static_cast<float>(columns),
                              static_cast<float>((row + 0.5) * up)});
    return points;
}

TEST(PoolCase, DensityOfALatticeIsThatOfItsRows) {
    const std::vector<Point2> points = lattice(30, 40, 0.08);
    EXPECT_NEAR(layer_density(points, 3, 0.01, 0, 1), 0.1 / 0.08, 1e-4);
    EXPECT_NEAR(layer_density(points, 3, 0.01, 1.11, 2.57), 0.1 / 0.08, 1e-4);
    EXPECT_TRUE(std::isnan(layer_density(points, 3, 0.01, 1, 1.05)));  // one row
    EXPECT_TRUE(std::isnan(layer_density({}, 3, 0.01, 0, 1)));
}

TEST(PoolCase, ProfileSeesTheDenserHalf) {
    std::vector<Point2> points = lattice(30, 20, 0.08);  // up to 1.6 m
    for (Point2 p : lattice(30, 20, 0.1)) {
        p.y += 1.6f;
        points.push_back(p);
    }
    EXPECT_NEAR(surface_height(points, 3, 0.1), 3.6, 1e-5);
    const DepthProfile profile = depth_profile(points, 3, 0.1, 9);  // layers of 0.4 m
    ASSERT_EQ(profile.depth.size(), 9u);
    for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(profile.depth[k], 0.4 * (static_cast<double>(k) + 0.5), 1e-5);
        EXPECT_NEAR(profile.density[k], k < 5 ? 1 : 1.25, 1e-3) << k;
    }
}

TEST(PoolCase, RowsHaveTheDensityAtRest) {
    const PoolCase c = own_case("spook");
    Pool pool = make_tank(c, 1, 3, 20);
    const double spacing = std::sqrt(k_s0_volume);
    fill_rows(pool, 3, 1000, spacing);
    EXPECT_EQ(pool.size(), 1000u);
    EXPECT_NEAR(layer_density(pool.positions(), 3, k_s0_volume, 0, 6), 1, 1e-4);
    EXPECT_NEAR(ideal_height(1000, k_s0_volume, 3), 20.0 / 3, 1e-12);
    EXPECT_NEAR(surface_height(pool.positions(), 3, spacing), 20.0 / 3, spacing);
    for (const Point2& p : pool.positions()) {
        EXPECT_GT(p.x, 0);
        EXPECT_LT(p.x, 3);
    }
    EXPECT_EQ(mean_speed(pool), 0);
    ASSERT_TRUE(pool.set_velocity(pool.ids()[0], {3, 4}));
    EXPECT_NEAR(mean_speed(pool), 0.005, 1e-9);
    EXPECT_NEAR(kinetic_energy(pool, 2), 25, 1e-6);
    int steps = 0;
    run_pool(pool, 0.05, c.dt, [&](const PoolReport&) { ++steps; });
    EXPECT_EQ(steps, 3);
}

TEST(PoolCase, EveryCaseOfTheExperimentsMakesAPool) {
    for (const PoolCase& c :
         {mueller_case(0.55, 1.0 / 120), clavet_case("squared", 1.0 / 240), clavet_table_case(),
          bodin_case("poly6h", 1, 1.0 / 120, 10), own_case("iisph"), own_case("dfsph")})
        EXPECT_EQ(make_tank(c, 1, 3, 4).size(), 0u) << c.name;
    EXPECT_EQ(bodin_case("poly6", 0.65, 1.0 / 240).name, "spook, poly6, SCP 0.65, 1/240 s");
}

TEST(S0Incompressibility, OnlyMillracesOwnCasesAreJudged) {
    const std::vector<Claim> claims =
        incompressibility_claims({{"mueller", false, 1000, 1.5, 0.7, 0},
                                  {"spook", true, 1000, 1.02, 0.985, 0},
                                  {"iisph", true, 1000, 1.04, 1, 0},
                                  {"dfsph", true, 1000, 1, 1.03, 0},
                                  {"none", true, 1000, std::nan(""), 1, 0}});
    ASSERT_EQ(claims.size(), 4u);
    EXPECT_EQ(claims[0].verdict, Verdict::holds);
    EXPECT_EQ(claims[0].figures, "1.02 and 98.5 %");
    EXPECT_EQ(claims[1].verdict, Verdict::does_not_hold);
    EXPECT_EQ(claims[2].verdict, Verdict::does_not_hold);
    EXPECT_EQ(claims[3].verdict, Verdict::not_measured);
}

TEST(S0Energy, SpookIsJudgedByItsStillPool) {
    const std::string spook = own_case("spook").name;
    EXPECT_EQ(energy_claims({}).at(0).verdict, Verdict::not_measured);
    EXPECT_EQ(energy_claims({{"other", 1}, {spook, 0.0005}}).at(0).verdict, Verdict::holds);
    const Claim claim = energy_claims({{spook, 0.002}}).at(0);
    EXPECT_EQ(claim.verdict, Verdict::does_not_hold);
    EXPECT_EQ(claim.figures, "2 mm/s");
}

TEST(S0Performance, MedianIsTheMiddleOne) {
    EXPECT_EQ(median({5, 1, 100}), 5);
    EXPECT_TRUE(std::isnan(median({})));
}

}  // namespace
}  // namespace millrace
