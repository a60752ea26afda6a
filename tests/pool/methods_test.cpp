#include "pool/method.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/pool_bench.hpp"

namespace millrace {
namespace {

/// What every method of a pool must do, whatever it does besides.
class PoolMethods : public ::testing::TestWithParam<const char*> {
  protected:
    static PoolBench bench(float spacing = 0.1f) {
        PoolMethod method;
        method.name = GetParam();
        return PoolBench(method, spacing);
    }
    static float longest(const PoolBench& bench) {
        return std::min(1.0f / 120, bench.solver->longest_substep(bench.materials));
    }
};
INSTANTIATE_TEST_SUITE_P(All, PoolMethods,
                         ::testing::Values("mueller", "clavet", "spook", "iisph", "dfsph"),
                         [](const auto& info) { return std::string(info.param); });

/// Two fluids, one over the other as dense, with random velocities and everything that a fluid
/// may have, much of it too close together.
void add_cloud(PoolBench& bench) {
    FluidMaterial goo;
    goo.viscosity = 0.1f;
    goo.linear_viscosity = 2;
    goo.quadratic_viscosity = 1;
    goo.spring_stiffness = 100;
    FluidMaterial water;
    water.density = 500;
    bench.materials = {goo, water};
    std::mt19937 random(1);
    std::uniform_real_distribution<float> place(-0.6f, 0.6f), speed(-1, 1);
    for (int k = 0; k < 150; ++k)
        bench.add({place(random), place(random)}, {1 + speed(random), speed(random)}, k % 2);
}

double whole_motion(const PoolBench& bench) {
    double sum = 0;
    for (std::size_t i = 0; i < bench.x.size(); ++i)
        sum += bench.mass(i) * norm(bench.v[i]);
    return sum;
}

TEST(PoolMethods, AnUnknownNameIsNoMethod) {
    PoolMethod method;
    method.name = "eulerian";
    EXPECT_EQ(make_pool_solver(method, 0.1f), nullptr);
    EXPECT_EQ(problem_of_method(method),
              "method.name: must be mueller, clavet, spook, iisph or dfsph, got 'eulerian'");
    method.name = "clavet";
    method.kernels = "cubic";
    EXPECT_EQ(problem_of_method(method),
              "method.kernels: of clavet must be original, hybrid or squared, got 'cubic'");
    method.kernels = "squared";
    EXPECT_EQ(problem_of_method(method), "");
}

TEST_P(PoolMethods, NoParticlesAreNoTrouble) {
    PoolBench pool = bench();
    EXPECT_EQ(pool.step(0.01f), 0);
}

TEST_P(PoolMethods, ALoneParticleFlies) {
    PoolBench pool = bench();
    pool.gravity = {0, 0};
    pool.add({0.3f, 0.2f}, {1, -2});
    pool.run(0.5f, 0.01f);
    EXPECT_EQ(pool.v[0], (Vec2{1, -2}));
}

TEST_P(PoolMethods, MomentumIsConserved) {
    PoolBench pool = bench();
    pool.gravity = {0, 0};
    add_cloud(pool);
    const Vec2d before = pool.momentum();
    double motion = whole_motion(pool);
    for (int k = 0; k < 50; ++k) {
        pool.step(longest(pool));
        motion = std::max(motion, whole_motion(pool));
    }
    EXPECT_LT(norm(pool.momentum() - before), 1e-5 * motion);
}

TEST_P(PoolMethods, BodiesGetWhatTheFluidLoses) {
    PoolBench pool = bench();
    pool.gravity = {0, 0};
    pool.solids.push_back(PoolBench::Solid::disc({0, 0}, 0.4f, 300));
    add_cloud(pool);
    for (FluidMaterial& material : pool.materials) {
        material.stickiness = 20;
        material.wall_friction = 0.5f;
    }
    const Vec2d before = pool.momentum();
    double motion = whole_motion(pool);
    for (int k = 0; k < 50; ++k) {
        pool.step(longest(pool));
        motion = std::max(motion, whole_motion(pool));
    }
    EXPECT_LT(norm(pool.momentum() - before), 1e-5 * motion);
    EXPECT_GT(norm(pool.solids[0].velocity), 0.01f);
    EXPECT_NE(pool.solids[0].spin, 0);
}

/// What the contacts of a body report is what pushes it: films are made of that.
TEST_P(PoolMethods, ContactsReportWhatABodyFeels) {
    PoolBench pool = bench();
    pool.solids.push_back(PoolBench::Solid::wall({0, 0}, {0, 1}));
    pool.fill({0, 0}, 12, 6);
    pool.solids.push_back(PoolBench::Solid::disc({0.6f, 1.1f}, 0.4f, 300));
    const float dt = longest(pool);
    for (float t = 0; t < 0.6f; t += dt)
        pool.step(dt);
    const PoolBench::Solid& disc = pool.solids[1];
    EXPECT_GT(disc.impulse[1], 0);
    // in iisph and dfsph it follows from the pressures, which change until the last iteration
    const bool by_pressures = std::string(GetParam()).ends_with("sph");
    EXPECT_LT(norm(disc.felt - disc.impulse), (by_pressures ? 0.05f : 1e-4f) * norm(disc.impulse));
}

/// A basin with a disc in it.
void add_basin(PoolBench& pool, int columns, int rows) {
    const float row = std::sqrt(0.5f * std::sqrt(3.0f)) * pool.spacing;
    const float width = static_cast<float>(columns) * pool.spacing * pool.spacing / row;
    pool.solids = {PoolBench::Solid::wall({0, 0}, {0, 1}), PoolBench::Solid::wall({0, 0}, {1, 0}),
                   PoolBench::Solid::wall({width, 0}, {-1, 0})};
    pool.fill({0, 0}, columns, rows);
}

TEST_P(PoolMethods, SameBitsForAnyNumberOfThreads) {
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 7}) {
        PoolBench pool = bench();
        pool.workers.threads = threads;
        pool.materials[0].tension = 5;
        pool.materials[0].spring_stiffness = 50;
        pool.materials[0].linear_viscosity = 0.5f;
        add_basin(pool, 30, 12);
        pool.solids.push_back(PoolBench::Solid::disc({1.6f, 1.5f}, 0.4f, 200));
        pool.v[100] = {3, 2};
        for (int k = 0; k < 40; ++k)
            pool.step(longest(pool));
        if (threads == 1)
            first = pool.hash();
        EXPECT_EQ(pool.hash(), first) << threads << " threads";
    }
}

TEST_P(PoolMethods, ParticlesStayOutOfWalls) {
    PoolBench pool = bench();
    add_basin(pool, 12, 12);
    std::mt19937 random(2);
    std::uniform_real_distribution<float> speed(-4, 4);
    for (Vec2& v : pool.v)
        v = {speed(random), speed(random)};
    float least = 1;
    for (int k = 0; k < 240; ++k) {
        pool.step(longest(pool));
        for (const Vec2& x : pool.x)
            least = std::min({least, x[1], x[0], pool.solids[2].place[0] - x[0]});
    }
    EXPECT_GT(least, 0.1f * pool.spacing);
}

/// A disc of half the density floats with its centre at the surface.
TEST_P(PoolMethods, HalfADiscFloats) {
    PoolBench pool = bench();
    const float radius = 0.5f;
    add_basin(pool, 36, 14);
    const float height = 14 * std::sqrt(0.5f * std::sqrt(3.0f)) * pool.spacing;
    const float mass = 500 * 3.1416f * radius * radius;
    const float width = pool.solids[2].place[0];
    pool.solids.push_back(
        PoolBench::Solid::disc({0.5f * width, height + radius + 0.05f}, radius, mass));
    pool.run(6, longest(pool));
    float mean = 0;
    for (int k = 0; k < 100; ++k) {
        pool.step(longest(pool));
        mean += 0.01f * pool.solids[3].place[1];
    }
    // half of the disc lifts the surface
    const float surface = height + 0.5f * 3.1416f * radius * radius / width;
    EXPECT_NEAR(mean, surface, 0.25f * radius);
}

TEST_P(PoolMethods, AColumnOfTwentyLayersSettles) {
    PoolBench pool = bench();
    add_basin(pool, 16, 20);
    double volume = 0, speed = 0, pressure = 0;
    const float dt = longest(pool);
    pool.run(4, dt);
    const int steps = static_cast<int>(2 / dt);
    for (int k = 0; k < steps; ++k) {
        pool.step(dt);
        double height = 0, mean = 0, count = 0;
        for (const Vec2& x : pool.x)
            height += 2 * x[1] / double(pool.x.size());
        for (std::size_t i = 0; i < pool.x.size(); ++i)
            if (pool.x[i][1] > 0.1f && pool.x[i][1] < 0.6f) {
                mean += pool.pressure[i] / (1000 * 9.81 * (height - pool.x[i][1]));
                ++count;
            }
        volume += height / 1.861 / steps;
        pressure += mean / count / steps;
        speed += std::sqrt(2 * pool.kinetic_energy() / (pool.x.size() * pool.mass(0))) / steps;
    }
    EXPECT_NEAR(volume, 1, 0.07);
    EXPECT_NEAR(pressure, 1, 0.15);
    EXPECT_LT(speed, 0.2);
}

/// A basin of thin walls in a pool, with a box in it and a jet.
Pool whole_pool(const char* name, int threads) {
    PoolOptions options;
    options.method.name = name;
    options.threads = threads;
    Result<Pool> pool = Pool::create(options);
    EXPECT_TRUE(pool) << pool.message();
    FluidMaterial goo;
    goo.spring_stiffness = 100;
    goo.linear_viscosity = 1;
    goo.stickiness = 10;
    EXPECT_TRUE(pool->add_fluid(goo));
    SolidOptions walls;
    walls.shapes = {Shape2::chain({{0, 3}, {0, 0}, {4, 0}, {4, 3}})};
    EXPECT_TRUE(pool->add_solid(walls));
    SolidOptions box;
    box.shapes = {Shape2::box({-0.3f, -0.3f}, {0.3f, 0.3f})};
    box.kind = SolidKind::dynamic;
    box.state.position = {2, 1.8f};
    box.state.acceleration = {0, -9.81f};
    box.state.inverse_mass = 1 / 180.0f;
    box.state.inverse_inertia = 1 / 10.8f;
    EXPECT_TRUE(pool->add_solid(box));
    EXPECT_TRUE(pool->fill(Shape2::box({0, 0}, {4, 1.2f})));
    EmitterOptions jet;
    jet.position = {0.5f, 2.5f};
    jet.direction = {1, -1};
    jet.width = 0.3f;
    jet.speed = 4;
    jet.max_particles = 60;
    EXPECT_TRUE(pool->add_emitter(jet));
    return std::move(*pool);
}

TEST_P(PoolMethods, APoolHoldsItsFluidAndGoesOnFromWhatWasSaved) {
    Pool pool = whole_pool(GetParam(), 1), parallel = whole_pool(GetParam(), 2);
    PoolReport report;
    for (int k = 0; k < 60; ++k) {
        report = *pool.step(1.0f / 60);
        ASSERT_TRUE(parallel.step(1.0f / 60));
    }
    EXPECT_EQ(parallel.hash(), pool.hash());
    Pool restored = whole_pool(GetParam(), 2);
    const Status status = restored.restore(pool.save());
    ASSERT_TRUE(status) << status.message();
    for (int k = 0; k < 60; ++k) {
        report = *pool.step(1.0f / 60);
        ASSERT_TRUE(restored.step(1.0f / 60));
    }
    EXPECT_EQ(restored.hash(), pool.hash());
    const Pool::Bounds bounds = pool.bounds();
    EXPECT_GT(bounds.min.x, 0);
    EXPECT_LT(bounds.max.x, 4);
    EXPECT_GT(bounds.min.y, 0);
    double middle = 0;
    for (const Point2& x : pool.positions())
        middle += x.y / double(pool.size());
    EXPECT_NEAR(middle, 0.7, 0.1);
    EXPECT_LT(report.mean_compression, 0.1f);
}

}  // namespace
}  // namespace millrace
