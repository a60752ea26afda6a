#include "pool/sph_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pool/wall_sample.hpp"

// The pressure solvers of the world in a pool.
namespace millrace {
namespace {

constexpr float k_frame = 1.0f / 60;

class SphPool : public testing::TestWithParam<const char*> {
  protected:
    PoolOptions options(float spacing) const {
        PoolOptions o;
        o.spacing = spacing;
        o.method.name = GetParam();
        return o;
    }
};

Pool make(const PoolOptions& options) {
    Pool pool = *Pool::create(options);
    EXPECT_TRUE(pool.add_fluid({}));
    return pool;
}

/// A floor and two walls around 0 < x < width.
void add_tank(Pool& pool, float width, float height) {
    SolidOptions tank;
    tank.shapes = {Shape2::box({-1, -1}, {width + 1, 0}), Shape2::box({-1, -1}, {0, height}),
                   Shape2::box({width, -1}, {width + 1, height})};
    ASSERT_TRUE(pool.add_solid(tank));
}

void run(Pool& pool, float seconds) {
    for (int k = 0; k < static_cast<int>(std::lround(seconds / k_frame)); ++k)
        ASSERT_TRUE(pool.step(k_frame));
}

double mean_speed(const Pool& pool) {
    double sum = 0;
    for (const Point2& v : pool.velocities())
        sum += std::hypot(v.x, v.y);
    return sum / static_cast<double>(pool.size());
}

TEST(WallSample, ActsAsTheFieldSays) {
    for (const float self_contribution : {0.0f, 0.3f, 0.7f}) {
        PoolMethod method;
        method.name = "iisph";
        method.self_contribution = self_contribution;
        const float spacing = 0.1f;
        const SphSolver solver(method, spacing);
        const CubicSpline<2> kernel(solver.support());
        const WallField& field = solver.walls();
        const WallField::Value most = field.at(0);
        for (float d = -spacing; d < field.reach(); d += 0.001f * spacing) {
            const WallField::Value value = field.at(d);
            const WallSample sample = wall_sample(kernel, value.density, value.slope);
            const float r2 = sample.distance * sample.distance;
            EXPECT_NEAR(sample.volume * kernel.w(r2), value.density, 1e-4f * most.density) << d;
            EXPECT_NEAR(sample.volume * kernel.gradient_factor(r2) * sample.distance, value.slope,
                        -1e-4f * most.slope)
                << d;
        }
    }
}

TEST(WallSample, OfNothingIsNothing) {
    const CubicSpline<2> kernel(0.2f);
    EXPECT_EQ(wall_sample(kernel, 0, 0).volume, 0);
}

TEST(SphSolver, SelfContributionSetsTheSupport) {
    PoolMethod method;
    method.name = "dfsph";
    EXPECT_FLOAT_EQ(SphSolver(method, 0.1f).support(), 0.2f);
    method.self_contribution = 0.4f;
    const SphSolver solver(method, 0.1f);
    EXPECT_NEAR(0.01f * CubicSpline<2>(solver.support()).w(0.0f), 0.4f, 1e-4f);
}

TEST_P(SphPool, KernelsAreNotForChoice) {
    PoolOptions o = options(0.1f);
    o.method.kernels = "spiky";
    EXPECT_FALSE(Pool::create(o));
}

TEST_P(SphPool, AColumnKeepsItsHeight) {
    Pool pool = make(options(std::sqrt(0.005f)));
    add_tank(pool, 1, 5);
    ASSERT_NEAR(double(*pool.fill(Shape2::box({0, 0}, {1, 2}))), 400, 10);
    run(pool, 2);
    const double ideal = 0.005 * static_cast<double>(pool.size());
    std::vector<float> heights;
    double sum = 0;
    for (const Point2& x : pool.positions()) {
        heights.push_back(x.y);
        sum += x.y;
        EXPECT_GT(x.y, 0);
        EXPECT_GT(x.x, 0);
        EXPECT_LT(x.x, 1);
    }
    std::sort(heights.begin(), heights.end());
    EXPECT_NEAR(2 * sum / static_cast<double>(pool.size()), ideal, 0.03 * ideal);
    // of quarters of the particles, from below: their mean heights
    double quarter[4] = {};
    const std::size_t size = heights.size() / 4;
    for (std::size_t k = 0; k < 4 * size; ++k)
        quarter[k / size] += heights[k];
    const double bottom_over_top = (quarter[3] - quarter[2]) / (quarter[1] - quarter[0]);
    EXPECT_LT(bottom_over_top, 1.03);
    EXPECT_GT(bottom_over_top, 0.97);
    EXPECT_LT(mean_speed(pool), 0.2);
    run(pool, 2);
    EXPECT_LT(mean_speed(pool), 0.05);
}

TEST_P(SphPool, PressureCarriesTheWater) {
    Pool pool = make(options(0.1f));
    add_tank(pool, 2, 4);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {2, 2})));
    run(pool, 3);
    // at a depth of 1 m, over time: pressures of single steps fluctuate
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 60; ++k) {
        run(pool, k_frame);
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (std::abs(pool.positions()[i].y - 1) < 0.1f) {
                sum += pool.pressures()[i];
                ++count;
            }
    }
    EXPECT_NEAR(sum / count, 1000 * 9.81, 0.1 * 9810);
}

TEST_P(SphPool, OilStaysOnWater) {
    Pool pool = make(options(0.1f));
    FluidMaterial oil;
    oil.density = 500;
    ASSERT_TRUE(pool.add_fluid(oil));
    add_tank(pool, 2, 4);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {2, 1})));
    FillOptions fill;
    fill.fluid = 1;
    ASSERT_TRUE(pool.fill(Shape2::box({0, 1}, {2, 2}), fill));
    run(pool, 3);
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool.fluids()[i] == 0)
            EXPECT_LT(pool.positions()[i].y, 1.15f);
        else
            EXPECT_GT(pool.positions()[i].y, 0.85f);
    EXPECT_LT(mean_speed(pool), 0.1);
}

TEST_P(SphPool, MomentumIsConserved) {
    PoolOptions o = options(0.1f);
    o.gravity = {0, 0};
    Pool pool = make(o);
    SolidOptions disc;
    disc.shapes = {Shape2::circle({0, 0}, 0.4f)};
    disc.kind = SolidKind::dynamic;
    disc.state.position = {-1, 0.1f};
    disc.state.velocity = {3, 0};
    const float mass = 250;
    disc.state.inverse_mass = 1 / mass;
    disc.state.inverse_inertia = 2 / (mass * 0.16f);
    const SolidId id = *pool.add_solid(disc);
    ASSERT_TRUE(pool.fill(Shape2::box({0, -1}, {2, 1})));
    run(pool, 1);
    const SolidState state = *pool.solid(id);
    double x = mass * state.velocity.x, y = mass * state.velocity.y;
    for (const Point2& v : pool.velocities()) {
        x += 10 * v.x;
        y += 10 * v.y;
    }
    EXPECT_LT(state.velocity.x, 2);  // it hit the water
    EXPECT_NEAR(x, 3 * mass, 3e-4 * mass);
    EXPECT_NEAR(y, 0, 3e-4 * mass);
}

TEST_P(SphPool, AMovingWallCarriesWater) {
    PoolOptions o = options(0.1f);
    o.gravity = {0, 0};
    Pool pool = make(o);
    SolidOptions piston;
    piston.shapes = {Shape2::box({-1, -2}, {0, 2})};
    piston.kind = SolidKind::kinematic;
    piston.state.velocity = {1, 0};
    ASSERT_TRUE(pool.add_solid(piston));
    ASSERT_TRUE(pool.fill(Shape2::box({0, -1}, {1, 1})));
    run(pool, 0.5f);
    for (const Point2& x : pool.positions())
        EXPECT_GT(x.x, 0.5f);
}

TEST_P(SphPool, SameBitsForAnyNumberOfThreadsAndAfterARestore) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 7}) {
        PoolOptions o = options(0.1f);
        o.threads = threads;
        Pool pool = make(o);
        add_tank(pool, 6, 4);
        SolidOptions box;
        box.shapes = {Shape2::box({-0.5f, -0.3f}, {0.5f, 0.3f})};
        box.kind = SolidKind::dynamic;
        box.state.position = {4, 2};
        box.state.acceleration = {0, -9.81f};
        box.state.inverse_mass = 1 / 300.0f;
        box.state.inverse_inertia = 1 / 34.0f;
        ASSERT_TRUE(pool.add_solid(box));
        ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {5, 2.6f})));
        ASSERT_TRUE(pool.add_sink(Shape2::circle({1, 0.5f}, 0.1f)));
        run(pool, 0.1f);
        const std::vector<std::byte> saved = pool.save();
        run(pool, 0.1f);
        hashes.push_back(pool.hash());
        Pool other = make(o);
        ASSERT_TRUE(other.restore(saved));
        run(other, 0.1f);
        EXPECT_EQ(other.hash(), pool.hash());
    }
    EXPECT_EQ(hashes[1], hashes[0]);
    EXPECT_EQ(hashes[2], hashes[0]);
}

TEST_P(SphPool, ABoxFloatsAtItsDraught) {
    Pool pool = make(options(0.1f));
    const float width = 4, long_side = 1.6f, short_side = 0.8f;
    add_tank(pool, width, 4);
    SolidOptions box;
    box.shapes = {Shape2::box({-long_side / 2, -short_side / 2}, {long_side / 2, short_side / 2})};
    box.kind = SolidKind::dynamic;
    box.state.position = {2, 2};
    box.state.acceleration = {0, -9.81f};
    const float mass = 0.5f * 1000 * long_side * short_side;
    box.state.inverse_mass = 1 / mass;
    box.state.inverse_inertia = 12 / (mass * (long_side * long_side + short_side * short_side));
    const SolidId id = *pool.add_solid(box);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {width, 1.6f})));
    run(pool, 6);
    double y = 0, push = 0;
    for (int k = 0; k < 60; ++k) {
        run(pool, k_frame);
        y += pool.solid(id)->position.y / 60;
        push += pool.push_on(id)->impulse.y;
    }
    const double level = (0.01 * static_cast<double>(pool.size()) + mass / 1000) / width;
    EXPECT_NEAR(level - (y - short_side / 2), 0.5 * short_side, 0.05 * short_side);
    EXPECT_NEAR(pool.solid(id)->angle, 0, 0.1);
    EXPECT_NEAR(push, mass * 9.81, 0.02 * mass * 9.81);
}

INSTANTIATE_TEST_SUITE_P(Methods, SphPool, testing::Values("iisph", "dfsph"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace millrace
