#include "pool/clavet.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/kernels/clavet.hpp"
#include "support/pool_bench.hpp"

namespace millrace {
namespace {

PoolMethod method(const std::string& kernels = "") {
    PoolMethod method;
    method.name = "clavet";
    method.kernels = kernels;
    return method;
}

PoolBench bench(const PoolMethod& of = method(), float spacing = 0.1f) {
    PoolBench pool(of, spacing);
    pool.gravity = {0, 0};
    return pool;
}

/// Particles that do not feel their densities: only what else the method does.
PoolBench without_pressure() {
    PoolMethod of = method();
    of.stiffness = of.near_stiffness = 1e-30f;
    return bench(of);
}

Vec2 center(const PoolBench& pool) {
    Vec2d sum{0, 0};
    double mass = 0;
    for (std::size_t i = 0; i < pool.x.size(); ++i) {
        sum += Vec2d::from(pool.x[i]) * double(pool.mass(i));
        mass += pool.mass(i);
    }
    return Vec2::from(sum / mass);
}

TEST(ClavetMethod, SupportIsTwoSpacingsOrFollowsFromTheSelfContribution) {
    EXPECT_FLOAT_EQ(ClavetMethod(method(), 0.1f).support(), 0.2f);
    // S0 Table 6.2: h = 0.2 m for particles of 2 kg at 100 kg/m^2
    PoolMethod of = method("hybrid");
    of.self_contribution = 0.955f;
    EXPECT_NEAR(ClavetMethod(of, std::sqrt(0.02f)).support(), 0.2f, 1e-3f);
}

TEST(ClavetMethod, FluidAtRestHasItsDensityAndNoPressure) {
    for (const char* kernels : {"original", "hybrid", "squared"}) {
        PoolBench pool = bench(method(kernels));
        pool.fill({-1, -1}, 20, 22);
        pool.step(1e-4f);
        for (std::size_t i = 0; i < pool.x.size(); ++i)
            if (norm(pool.x[i]) < 0.3f) {
                EXPECT_NEAR(pool.density[i], 1, 1e-3) << kernels;
                EXPECT_NEAR(pool.pressure[i], 0, 0.01 * 1000 * 9.81 * 2) << kernels;
            }
    }
}

TEST(ClavetMethod, CloseParticlesArePushedApart) {
    for (const char* kernels : {"original", "hybrid", "squared"}) {
        PoolBench pool = bench(method(kernels));
        pool.materials.push_back({});
        pool.materials[1].density = 250;
        pool.add({0, 0});
        pool.add({0.03f, 0.01f}, {0, 0}, 1);
        const Vec2 before = center(pool);
        pool.run(0.5f, 1.0f / 60);
        EXPECT_GT(norm(pool.x[1] - pool.x[0]), 0.05f) << kernels;
        EXPECT_LT(norm(center(pool) - before), 1e-6f) << kernels;
        EXPECT_NEAR(pool.v[1][0], -4 * pool.v[0][0], 1e-4f) << kernels;
    }
}

/// Far from the origin places have few digits; what is moved shall not be lost in them.
TEST(ClavetMethod, MomentumIsConservedFarAway) {
    PoolBench pool = bench();
    pool.fill({4000, 3000}, 10, 10);
    pool.run(0.2f, 1.0f / 120);
    EXPECT_LT(norm(pool.momentum()), 1e-3 * pool.mass(0));
}

/// The kernels whose gradients are their derivatives make a force with a potential,
/// E = 1/4 sum_i k rho_i^2 + k_near rho_near_i^2 for rho_0 = 0, per mass.
template <class Density, class Near>
void check_potential(const char* kernels) {
    PoolMethod of = method(kernels);
    of.stiffness = 3e-4f;
    of.near_stiffness = 2e-4f;
    of.rest_ratio = 1e-9f;
    PoolBench pool = bench(of);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> place(0, 0.35f);
    for (int k = 0; k < 8; ++k)
        pool.add({place(random), place(random)});
    const Density density(pool.solver->support());
    const Near near(pool.solver->support());
    std::vector<Vec2d> x;
    for (const Vec2& place : pool.x)
        x.push_back(Vec2d::from(place));
    const auto energy = [&] {
        double sum = 0;
        for (const Vec2d& a : x) {
            double rho = 0, rho_near = -near.w(0.0);
            for (const Vec2d& b : x) {
                rho += density.w(squared_norm(a - b));
                rho_near += near.w(squared_norm(a - b));
            }
            sum += 0.25 * (of.stiffness * rho * rho + of.near_stiffness * rho_near * rho_near);
        }
        return sum;
    };
    const float dt = 1e-5f;
    const std::vector<Vec2d> start = x;
    pool.step(dt);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (int axis = 0; axis < 2; ++axis) {
            x[i][axis] = start[i][axis] + 1e-4;
            const double up = energy();
            x[i][axis] = start[i][axis] - 1e-4;
            const double down = energy();
            x[i][axis] = start[i][axis];
            const double force = -(up - down) / 2e-4;
            EXPECT_NEAR(pool.v[i][axis] / dt, force, 0.01 * std::abs(force) + 1) << kernels;
        }
}

TEST(ClavetMethod, PressuresHaveAPotential) {
    check_potential<Clavet<2>, ClavetNear<2>>("original");
    check_potential<ClavetSquared<2>, ClavetSquaredNear<2>>("squared");
}

TEST(ClavetMethod, ViscosityNeverTurnsAnythingBack) {
    for (const float sigma : {0.1f, 10.0f, 1e4f})
        for (const float beta : {0.0f, 5.0f}) {
            PoolBench pool = without_pressure();
            pool.materials[0].linear_viscosity = sigma;
            pool.materials[0].quadratic_viscosity = beta;
            pool.add({0, 0}, {0.5f, 0});
            pool.add({0.1f, 0}, {-0.5f, 0});
            pool.add({5, 0}, {-0.5f, 0});  // these two part: nothing holds them back
            pool.add({5.1f, 0}, {0.5f, 0});
            pool.step(1.0f / 60);
            const float approach = pool.v[0][0] - pool.v[1][0];
            EXPECT_GE(approach, 0);
            EXPECT_LT(approach, 1);
            EXPECT_EQ(pool.v[3][0] - pool.v[2][0], 1);
        }
}

TEST(ClavetMethod, ThickFluidCalmsDown) {
    const auto energy = [](float sigma) {
        PoolBench pool = without_pressure();
        pool.materials[0].linear_viscosity = sigma;
        pool.fill({0, 0}, 12, 12);
        std::mt19937 random(4);
        std::uniform_real_distribution<float> speed(-0.3f, 0.3f);
        for (Vec2& v : pool.v)
            v = {speed(random), speed(random)};
        pool.run(0.1f, 1.0f / 60);
        return pool.kinetic_energy();
    };
    EXPECT_LT(energy(10), 0.5 * energy(0));
}

/// Two particles with a spring of the length L, r apart.
PoolBench spring(float length, float r, const FluidMaterial& material) {
    PoolBench pool = without_pressure();
    pool.materials[0] = material;
    pool.add({0, 0});
    pool.add({r, 0});
    const ClavetSprings::Spring one{0, 1, length};
    EXPECT_TRUE(pool.solver->remember(std::as_bytes(std::span(&one, 1))));
    return pool;
}

float length_of(const PoolBench& pool) {
    const std::vector<std::byte> memory = pool.solver->memory();
    ClavetSprings::Spring one{};
    EXPECT_EQ(memory.size(), sizeof one);
    if (memory.size() == sizeof one)
        std::memcpy(&one, memory.data(), sizeof one);
    return one.length;
}

FluidMaterial springy(float stiffness) {
    FluidMaterial material;
    material.spring_stiffness = stiffness;
    material.yield_ratio = 0.1f;
    material.plasticity = 5;
    return material;
}

TEST(ClavetMethod, ASpringWithinItsYieldComesBack) {
    for (const float stiffness : {300.0f, 1e6f}) {
        PoolBench pool = spring(0.12f, 0.13f, springy(stiffness));
        pool.materials[0].linear_viscosity = 10;
        pool.run(10, 1.0f / 60);
        EXPECT_FLOAT_EQ(length_of(pool), 0.12f);
        EXPECT_NEAR(norm(pool.x[1] - pool.x[0]), 0.12f, 2e-3f);
    }
}

TEST(ClavetMethod, ASpringBeyondItsYieldFlows) {
    PoolBench stretched = spring(0.12f, 0.17f, springy(50));
    stretched.run(0.1f, 1.0f / 60);
    EXPECT_GT(length_of(stretched), 0.125f);
    PoolBench pressed = spring(0.12f, 0.07f, springy(50));
    pressed.run(0.1f, 1.0f / 60);
    EXPECT_LT(length_of(pressed), 0.115f);
}

/// The rest length flows towards the yield with the rate alpha, and stops there.
TEST(ClavetMethod, RestLengthFlowsAtTheRateOfThePlasticity) {
    PoolBench pool = spring(0.12f, 0.15f, springy(1e-6f));
    pool.run(0.2f, 1e-3f);
    // dL/dt = alpha (r - 1.1 L)
    const float end = 0.15f / 1.1f;
    EXPECT_NEAR(length_of(pool), end + (0.12f - end) * std::exp(-5 * 1.1f * 0.2f), 2e-4f);
}

TEST(ClavetMethod, SpringsEndWhereTheyAreStretchedBeyondTheKernel) {
    PoolBench pool = spring(0.19f, 0.5f, springy(1e-6f));
    pool.run(0.5f, 1.0f / 60);
    EXPECT_TRUE(pool.solver->memory().empty());
}

/// A spring that reaches farther than the neighbours still pulls.
TEST(ClavetMethod, LongSpringsPull) {
    FluidMaterial material = springy(100);
    material.plasticity = 0;
    PoolBench pool = spring(0.1f, 0.9f, material);
    pool.step(1.0f / 60);
    EXPECT_GT(pool.v[0][0], 0.1f);
    EXPECT_FLOAT_EQ(pool.v[0][0], -pool.v[1][0]);
}

TEST(ClavetMethod, SpringsOfParticlesThatAreGoneEnd) {
    PoolBench pool = spring(0.12f, 0.12f, springy(100));
    pool.id[1] = 7;
    pool.step(1.0f / 60);
    const std::vector<std::byte> memory = pool.solver->memory();
    ClavetSprings::Spring one{};
    ASSERT_EQ(memory.size(), sizeof one);
    std::memcpy(&one, memory.data(), sizeof one);
    EXPECT_EQ(one.b, 7u);  // a new one
    EXPECT_GT(one.length, 0.15f);
}

TEST(ClavetMethod, OnlyItsOwnMemoryIsRemembered) {
    PoolBench pool = bench();
    EXPECT_TRUE(pool.solver->remember({}));
    std::vector<std::byte> wrong(sizeof(ClavetSprings::Spring) + 1);
    EXPECT_FALSE(pool.solver->remember(wrong));
    const ClavetSprings::Spring turned{3, 1, 0.1f};
    EXPECT_FALSE(pool.solver->remember(std::as_bytes(std::span(&turned, 1))));
}

PoolBench jelly() {
    PoolBench pool = bench();
    pool.gravity = {0, -9.81f};
    pool.materials[0] = springy(200);
    pool.solids = {PoolBench::Solid::wall({0, 0}, {0, 1})};
    pool.fill({0, 0.1f}, 12, 12);
    return pool;
}

TEST(ClavetMethod, MemoryGivesTheSameBits) {
    PoolBench pool = jelly();
    pool.run(0.3f, 1.0f / 60);
    PoolBench restored = jelly(), forgetful = jelly();
    for (PoolBench* other : {&restored, &forgetful}) {
        other->x = pool.x;
        other->v = pool.v;
        other->pressure = pool.pressure;
    }
    ASSERT_TRUE(restored.solver->remember(pool.solver->memory()));
    for (PoolBench* each : {&pool, &restored, &forgetful})
        each->run(0.3f, 1.0f / 60);
    EXPECT_EQ(restored.hash(), pool.hash());
    EXPECT_NE(forgetful.hash(), pool.hash());
}

/// A heap of jelly stands, one of water runs.
TEST(ClavetMethod, SpringsHoldAHeap) {
    const auto width = [](float stiffness) {
        PoolBench pool = jelly();
        pool.materials[0].spring_stiffness = stiffness;
        pool.materials[0].plasticity = 0.1f;
        for (std::size_t i = 0; i < pool.x.size(); ++i)
            pool.fluid[i] = 0;
        // springs at the lengths of now
        std::vector<ClavetSprings::Spring> springs;
        for (std::uint32_t a = 0; a < pool.x.size(); ++a)
            for (std::uint32_t b = a + 1; b < pool.x.size(); ++b)
                if (const float r = norm(pool.x[a] - pool.x[b]); r < 0.19f)
                    springs.push_back({a, b, r});
        EXPECT_TRUE(pool.solver->remember(std::as_bytes(std::span(springs))));
        pool.run(1.5f, 1.0f / 120);
        float least = 1e9f, most = -1e9f;
        for (const Vec2& x : pool.x) {
            least = std::min(least, x[0]);
            most = std::max(most, x[0]);
        }
        return most - least;
    };
    EXPECT_GT(width(0), 4);
    EXPECT_LT(width(3000), 2);
}

/// How much of a drop is still at the ceiling after a time.
double held(float stickiness, float seconds, Vec2 normal, Vec2 gravity) {
    PoolBench pool = bench();
    pool.gravity = gravity;
    pool.materials[0].stickiness = stickiness;
    pool.materials[0].wall_friction = stickiness > 0 ? 1 : 0;
    pool.fill({0, 0}, 8, 3);
    const float row = std::sqrt(0.5f * std::sqrt(3.0f)) * pool.spacing;
    // the lattice was made for a floor
    if (normal[1] < 0)
        for (Vec2& x : pool.x)
            x[1] = -x[1];
    else if (normal[0] > 0)
        for (Vec2& x : pool.x)
            x = {x[1], x[0]};
    pool.solids = {PoolBench::Solid::wall({0, 0}, normal)};
    pool.run(seconds, 1.0f / 120);
    double count = 0;
    for (const Vec2& x : pool.x)
        count += dot(x, normal) < 4 * row;
    return count / double(pool.x.size());
}

TEST(ClavetMethod, StickinessHoldsADropUnderACeiling) {
    EXPECT_EQ(held(0, 0.5f, {0, -1}, {0, -9.81f}), 0);
    EXPECT_GT(held(100, 0.5f, {0, -1}, {0, -9.81f}), 0.9);
    EXPECT_GT(held(100, 3, {0, -1}, {0, -9.81f}), 0.9);
}

TEST(ClavetMethod, WallsHoldLoadAndVolumeForAnyStepAndSpacing) {
    struct Case {
        const char* kernels;
        float spacing, dt;
    };
    for (const Case& one : {Case{"", 0.1f, 1.0f / 60}, Case{"", 0.1f, 1.0f / 120},
                            Case{"", 0.02f, 1.0f / 120}, Case{"", 0.5f, 1.0f / 60},
                            Case{"original", 0.1f, 1.0f / 60}, Case{"squared", 0.1f, 1.0f / 60}}) {
        PoolBench pool = bench(method(one.kernels), one.spacing);
        pool.gravity = {0, -9.81f};
        const float row = std::sqrt(0.5f * std::sqrt(3.0f)) * one.spacing;
        const float width = 14 * one.spacing * one.spacing / row;
        pool.solids = {PoolBench::Solid::wall({0, 0}, {0, 1}),
                       PoolBench::Solid::wall({0, 0}, {1, 0}),
                       PoolBench::Solid::wall({width, 0}, {-1, 0})};
        pool.fill({0, 0}, 14, 20);
        const float time = 16 * std::sqrt(one.spacing);  // falls of so many spacings
        pool.run(time, one.dt);
        double height = 0;
        for (const Vec2& x : pool.x)
            height += 2 * x[1] / double(pool.x.size());
        const double speed =
            std::sqrt(2 * pool.kinetic_energy() / (pool.mass(0) * double(pool.x.size())));
        EXPECT_NEAR(height / (20 * row), 1, 0.08) << one.kernels << one.spacing << ' ' << one.dt;
        EXPECT_LT(speed, 0.1 * std::sqrt(9.81 * one.spacing))
            << one.kernels << one.spacing << ' ' << one.dt;
    }
}

/// S0 Table 6.2, on a lattice of the spacing that 2 kg have at 100 kg/m^2: rho_0 = 5 is so small
/// that the fluid never pulls.
TEST(ClavetMethod, TakesTheParametersOfTheThesis) {
    PoolMethod of = method("hybrid");
    of.self_contribution = 0.955f;
    of.stiffness = 0.0004f;
    of.near_stiffness = 0.05f;
    of.rest_ratio = 1e-3f;
    PoolBench pool(of, std::sqrt(0.02f));
    pool.gravity = {0, -9.82f};
    pool.materials[0].density = 100;
    pool.solids = {PoolBench::Solid::wall({0, 0}, {0, 1}), PoolBench::Solid::wall({0, 0}, {1, 0}),
                   PoolBench::Solid::wall({3, 0}, {-1, 0})};
    pool.fill({0, 0}, 16, 15);
    for (Vec2& x : pool.x)  // it rests much thinner than 100 kg/m^2
        x = x * 1.2f;
    pool.run(5, 1.0f / 120);
    float top = 0;
    for (const Vec2& x : pool.x)
        top = std::max(top, x[1]);
    EXPECT_LT(top, 6);
    EXPECT_GT(top, 1);
}

}  // namespace
}  // namespace millrace
