#include "pool/spook.hpp"

#include <gtest/gtest.h>

#include <random>

#include "spook/fluid_step.hpp"
#include "support/pool_bench.hpp"
#include "support/pool_scenes.hpp"

namespace millrace {
namespace {

constexpr float k_spacing = 0.1f;

PoolMethod spook(const char* kernels, int iterations = 0) {
    PoolMethod method;
    method.name = "spook";
    method.kernels = kernels;
    method.iterations = iterations;
    return method;
}

/// The kernels whose gradient is that of the density.
class SpookRows : public ::testing::TestWithParam<const char*> {
  protected:
    /// A bench whose rows are solved to the end.
    static PoolBench bench() {
        PoolMethod method = spook(GetParam(), 400);
        method.warm_start = false;
        method.over_relaxation = 1;
        PoolBench bench(method, k_spacing);
        bench.gravity = {0, 0};
        return bench;
    }
    /// What a step asks for: with phi > 0 the part 1 - 4 xi of it is left, and with phi < 0 there
    /// may be no more than 0. Where there is pressure, it is exactly that.
    static void expect_rows_hold(PoolBench& bench) {
        constexpr float k_dt = 1e-3f, k_left = 1 - 4 / 9.0f;  // of tau = 2 steps
        bench.step(k_dt);
        const std::vector<float> before = bench.density, pressure = bench.pressure;
        bench.step(k_dt);
        int pressed = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            const float phi = before[i] - 1, after = bench.density[i] - 1;
            const float asked = phi > 0 ? k_left * phi : 0;
            EXPECT_LT(after, asked + 0.05f * std::abs(phi) + 2e-4f) << i;
            if (pressure[i] > 0) {
                ++pressed;
                EXPECT_NEAR(after, asked, 0.05f * std::abs(phi) + 2e-4f) << i;
            }
        }
        EXPECT_GT(pressed, 0);
    }
};
INSTANTIATE_TEST_SUITE_P(Kernels, SpookRows, ::testing::Values("spiky", "poly6"),
                         [](const auto& info) { return std::string(info.param); });

/// The distance of two particles at which their density is 1 + phi.
float distance_of_pair(const char* kernels, float phi) {
    float near = 0, far = 0.2f;
    for (int k = 0; k < 20; ++k) {
        PoolBench probe(spook(kernels, 1), k_spacing);
        probe.add({0, 0});
        probe.add({0.5f * (near + far), 0});
        probe.step(1e-6f);
        (probe.density[0] > 1 + phi ? near : far) = 0.5f * (near + far);
    }
    return near;
}

void add_pair(PoolBench& bench, float r) {
    bench.add({0, 0});
    bench.add({0.6f * r, 0.8f * r});
}

TEST_P(SpookRows, APairIsPushedApart) {
    PoolBench pair = bench();
    add_pair(pair, distance_of_pair(GetParam(), 0.02f));
    expect_rows_hold(pair);
    const Vec2 r = pair.x[1] - pair.x[0], v = pair.v[1] - pair.v[0];
    EXPECT_GT(dot(r, v), 0);
    EXPECT_NEAR(r[0] * v[1], r[1] * v[0], 1e-3f * norm(r) * norm(v));
}

TEST_P(SpookRows, APairThatMeetsIsStoppedAtItsDensity) {
    PoolBench pair = bench();
    add_pair(pair, distance_of_pair(GetParam(), -0.01f));
    pair.v = {{6, 8}, {-6, -8}};
    expect_rows_hold(pair);
}

TEST_P(SpookRows, ABlockAtAWallAndADisc) {
    PoolBench block = bench();
    block.fill({0, 0}, 5, 4);
    for (Vec2& x : block.x)  // two parts in a hundred denser, and not quite a lattice
        x = x * 0.99f;
    block.solids = {PoolBench::Solid::wall({0, 0}, {0, 1}),
                    PoolBench::Solid::disc({0.25f, 0.36f + 0.25f}, 0.25f, 20)};
    expect_rows_hold(block);
    EXPECT_GT(block.solids[1].velocity[1], 0);
}

TEST_P(SpookRows, APairAtAWallThatComesNearer) {
    PoolBench pair = bench();
    add_pair(pair, distance_of_pair(GetParam(), -0.05f));
    pair.solids = {PoolBench::Solid::wall({0, -0.04f}, {0, 1})};
    pair.solids[0].velocity = {0, 0.5f};
    expect_rows_hold(pair);
}

class SpookKernels : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, SpookKernels, ::testing::Values("spiky", "poly6", "poly6h"),
                         [](const auto& info) { return std::string(info.param); });

/// Impulses act along the line between two particles: nothing turns by itself.
TEST_P(SpookKernels, AngularMomentumIsConserved) {
    PoolBench bench(spook(GetParam()), k_spacing);
    bench.gravity = {0, 0};
    std::mt19937 random(4);
    std::uniform_real_distribution<float> place(-0.5f, 0.5f), speed(-1, 1);
    for (int k = 0; k < 120; ++k)
        bench.add({place(random), place(random)}, {speed(random), speed(random)});
    const auto turning = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < bench.x.size(); ++i)
            sum += double(bench.x[i][0]) * bench.v[i][1] - double(bench.x[i][1]) * bench.v[i][0];
        return sum;
    };
    const auto motion = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < bench.x.size(); ++i)
            sum += double(norm(bench.x[i])) * double(norm(bench.v[i]));
        return sum;
    };
    const double before = turning();
    for (int k = 0; k < 40; ++k) {
        bench.step(1.0f / 120);
        EXPECT_NEAR(turning(), before, 1e-5 * motion());
    }
}

/// The pressure of standing water is that of the water above.
TEST_P(SpookKernels, PressureIsHydrostatic) {
    PoolOptions options;
    options.method.kernels = GetParam();
    options.longest_substep = 1.0f / 120;  // S0's step
    Pool pool = make_pool(options);
    add_tank(pool, 2, 3);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {2, 1.5f})));
    run(pool, 180);
    double ratio = 0, count = 0;
    for (int frame = 0; frame < 60; ++frame) {
        run(pool, 1);
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const Point2 x = pool.positions()[i];
            if (x.y > 0.2f && x.y < 0.9f) {
                ratio += pool.pressures()[i] / (1000 * 9.81 * (1.5 - x.y));
                ++count;
            }
        }
    }
    // the gradient of poly6 is flat where particles are close, that of poly6h is not its own
    EXPECT_NEAR(ratio / count, 1, std::string(GetParam()) == "spiky" ? 0.1 : 0.2);
}

/// They have no direction in which to be parted, and stay as they are.
TEST_P(SpookKernels, ParticlesAtOnePlaceDoNotExplode) {
    PoolBench bench(spook(GetParam()), k_spacing);
    bench.gravity = {0, 0};
    for (int k = 0; k < 3; ++k)
        bench.add({1, 3}, {1, 2});
    bench.step(0.01f);
    for (const Vec2& v : bench.v)
        EXPECT_EQ(v, (Vec2{1, 2}));
}

/// A pool has its solids in floats of the plane, a constraint world in doubles of space: the rows
/// between them are the same, and so are the velocities that they find, up to rounding.
TEST(Spook, RowsOfPoolsAndOfConstraintWorldsAgree) {
    constexpr float k_dt = 1.0f / 120;
    constexpr std::uint32_t k_count = 400;
    DensitySettings settings;
    settings.spacing = k_spacing;
    settings.support = 1.93f * k_spacing;
    DensityRows<SubStep> in_pool(settings);
    DensityRows<FluidStep<2>> in_world(settings);

    std::mt19937 random(9);
    std::uniform_real_distribution<float> off(-0.015f, 0.015f), speed(-1, 1);
    std::vector<Vec2> places, velocities;
    for (std::uint32_t k = 0; k < k_count; ++k) {
        const auto column = static_cast<float>(k % 20), row = static_cast<float>(k / 20);
        places.push_back(
            {0.05f + 0.096f * column + off(random), 0.05f + 0.096f * row + off(random)});
        velocities.push_back({speed(random), speed(random)});
    }
    const Workers workers{1};
    Columns<2> columns;
    columns.sort(workers, places, settings.support);

    // a floor that moves along, and a body whose face is x = 0
    std::vector<SolidMotion> solids{{{0, 0}, {0.3f, 0.1f}, 0, 0, 0, {0, 0}, 0},
                                    {{-0.2f, 0.9f}, {0.4f, -0.3f}, 1.5f, 0.3f, 4, {0, 0}, 0}};
    ConstraintSystem bodies;
    for (const SolidMotion& solid : solids) {
        SpookBody& body = bodies.bodies().emplace_back();
        body.center = {{solid.center[0], solid.center[1], 0}};
        body.velocity = {{solid.velocity[0], solid.velocity[1], 0}};
        body.angular_velocity = {{0, 0, solid.spin}};
        body.inverse_mass = solid.inverse_mass;
        body.inverse_inertia(2, 2) = solid.inverse_inertia;
    }
    std::vector<SolidContact<2>> contacts;
    std::vector<std::uint32_t> start{0};
    for (std::uint32_t i = 0; i < k_count; ++i) {
        for (std::uint32_t axis = 0; axis < 2; ++axis) {
            const float d = columns.position(i)[axis];
            const WallField::Value value = in_pool.walls().at(d);
            if (d < in_pool.walls().reach())
                contacts.push_back({i, 1 - axis, axis == 0 ? Vec2{1, 0} : Vec2{0, 1}, d,
                                    value.density, value.slope});
        }
        start.push_back(static_cast<std::uint32_t>(contacts.size()));
    }
    const std::vector<FluidMaterial> materials(1);
    const std::vector<std::uint8_t> fluid(k_count, 0);
    const std::vector<ParticleId> id(k_count, 0);
    std::vector<float> inverse_mass(k_count), density(k_count), felt(contacts.size(), 0);
    for (std::uint32_t i = 0; i < k_count; ++i)
        inverse_mass[i] = i % 3 == 0 ? 0.1f : 0.2f;
    std::vector<float> pressure[2] = {std::vector<float>(k_count, 500),
                                      std::vector<float>(k_count, 500)};
    std::vector<Vec2> velocity[2] = {velocities, velocities};
    std::vector<BodyPush> pushes(2);
    const SubStep sub{{k_dt, k_dt}, workers, columns,      k_spacing,   k_spacing * k_spacing,
                      materials,    fluid,   id,           start,       contacts,
                      felt,         solids,  inverse_mass, velocity[0], pressure[0],
                      density};
    const FluidStep<2> step{{k_dt, k_dt}, workers, columns, inverse_mass,
                            contacts,     start,   bodies,  pushes};
    in_pool.start(sub, velocity[0], pressure[0]);
    in_world.start(step, velocity[1], pressure[1]);
    for (int k = 0; k < 10; ++k) {
        in_pool.sweep(sub, k % 2 != 0);
        in_world.sweep(step, k % 2 != 0);
    }
    in_pool.finish(sub, velocity[0], pressure[0]);
    in_world.finish(step, velocity[1], pressure[1]);
    for (std::uint32_t i = 0; i < k_count; ++i) {
        EXPECT_LT(norm(velocity[0][i] - velocity[1][i]), 1e-4f) << i;  // of about 1 m/s
        EXPECT_NEAR(pressure[0][i], pressure[1][i], 1e-4f * 1e4f) << i;
    }
    EXPECT_GT(norm(solids[1].impulse), 0.1f);
    EXPECT_NEAR(solids[1].impulse[0], pushes[1].impulse[0], 1e-3f * norm(solids[1].impulse));
    EXPECT_NEAR(solids[1].angular_impulse, pushes[1].turn[2], 1e-3f * norm(solids[1].impulse));
    EXPECT_NEAR(solids[1].velocity[0], bodies.bodies()[1].velocity[0], 1e-4f);
}

TEST(Spook, MoreIterationsCompressLess) {
    float last = 1;
    for (const int iterations : {1, 4, 32}) {
        PoolOptions options;
        options.method.iterations = iterations;
        Pool pool = make_pool(options);
        add_tank(pool, 1, 5);
        ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {1, 2.5f})));
        float compression = 0;
        for (int k = 0; k < 90; ++k)
            compression += run(pool, 1).mean_compression / 90;
        EXPECT_LT(compression, 0.9f * last) << iterations;
        last = compression;
    }
    EXPECT_LT(last, 0.01f);
}

TEST(Spook, IterationsAreWhatWasAskedFor) {
    PoolOptions options;
    options.method.iterations = 3;
    options.max_substeps = 1;
    Pool pool = make_pool(options);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {1, 1})));
    EXPECT_EQ(run(pool, 1).iterations, 3);
}

}  // namespace
}  // namespace millrace
