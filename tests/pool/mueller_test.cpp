#include "pool/mueller.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/pool_bench.hpp"

namespace millrace {
namespace {

PoolBench bench(float spacing = 0.1f, float stiffness = 0) {
    PoolMethod method;
    method.name = "mueller";
    method.stiffness = stiffness;
    PoolBench pool(method, spacing);
    pool.gravity = {0, 0};
    return pool;
}

/// The particle next to the middle of all.
std::size_t middle(const PoolBench& pool) {
    Vec2 mean{0, 0};
    for (const Vec2& x : pool.x)
        mean = mean + x / static_cast<float>(pool.x.size());
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < pool.x.size(); ++i)
        if (norm(pool.x[i] - mean) < norm(pool.x[nearest] - mean))
            nearest = i;
    return nearest;
}

TEST(Mueller, SupportFollowsFromTheSelfContribution) {
    // S0 Table 6.1: particles of 2 kg at 100 kg/m^2, SCP 0.65 (Eq. 3.42)
    PoolMethod method;
    method.self_contribution = 0.65f;
    const Mueller mueller(method, std::sqrt(2.0f / 100));
    EXPECT_NEAR(mueller.support(), std::sqrt(4 * 2 / (3.14159f * 0.65f * 100)), 1e-4f);
}

TEST(Mueller, FluidAtRestHasItsDensityAndNoPressure) {
    PoolBench pool = bench();
    pool.fill({0, 0}, 12, 12);
    const std::size_t i = middle(pool);
    pool.step(1e-4f);
    EXPECT_NEAR(pool.density[i], 1, 1e-4);
    EXPECT_LT(pool.pressure[i], 1e-3 * 1000 * 368);
}

TEST(Mueller, PressureIsTheStiffnessTimesTheCompression) {
    PoolBench pool = bench(0.1f, 400);
    pool.fill({0, 0}, 12, 12);
    for (Vec2& x : pool.x)
        x = x * 0.99f;
    const std::size_t i = middle(pool);
    pool.step(1e-5f);
    EXPECT_GT(pool.density[i], 1.01f);
    EXPECT_NEAR(pool.pressure[i], 400 * 1000 * (pool.density[i] - 1), 1);
}

TEST(Mueller, SparseFluidIsNotDrawnTogether) {
    PoolBench pool = bench();
    pool.add({0, 0});
    pool.add({0.12f, 0});
    pool.run(0.1f, 1e-3f);
    EXPECT_EQ(pool.v[0], (Vec2{0, 0}));
    EXPECT_EQ(pool.v[1], (Vec2{0, 0}));
}

/// In fluid whose density grows upwards, the acceleration is -k d delta/dy: the pressure force is
/// the gradient of the pressure, not half of it.
TEST(Mueller, ForceIsTheGradientOfThePressure) {
    for (const float scp : {0.65f, 0.4f, 0.25f}) {
        PoolMethod method;
        method.name = "mueller";
        method.stiffness = 400;
        method.self_contribution = scp;
        PoolBench pool(method, 0.1f);
        pool.gravity = {0, 0};
        pool.fill({-2, -2}, 37, 43);
        for (Vec2& x : pool.x)
            x = {x[0] * 0.98f, x[1] * 0.98f - 0.01f * x[1] * x[1]};
        pool.step(1e-5f);
        double slope = 0, force = 0, weight = 0;
        for (std::size_t i = 0; i < pool.x.size(); ++i) {
            if (norm(pool.x[i]) > 1)
                continue;
            slope += pool.pressure[i] * pool.x[i][1];
            weight += pool.x[i][1] * pool.x[i][1];
        }
        int count = 0;
        for (std::size_t i = 0; i < pool.x.size(); ++i)
            if (norm(pool.x[i]) < 1) {
                force += pool.v[i][1] / 1e-5 * 1000 * pool.density[i];
                ++count;
            }
        EXPECT_NEAR(force / count / (-slope / weight), 1, 0.1) << scp;
    }
}

/// v_x = y^2 has the Laplacian 2.
TEST(Mueller, ViscosityIsKinematic) {
    const auto change = [](float nu) {
        PoolBench pool = bench();
        pool.materials[0].viscosity = nu;
        pool.fill({-1, -1}, 20, 22);
        for (std::size_t i = 0; i < pool.x.size(); ++i)
            pool.v[i] = {pool.x[i][1] * pool.x[i][1], 0};
        const std::size_t i = middle(pool);
        const float before = pool.v[i][0];
        pool.step(1e-4f);
        return pool.v[i][0] - before;
    };
    // without the artificial viscosity
    EXPECT_NEAR((change(0.5f) - change(0)) / (2 * 0.5f * 1e-4f), 1, 0.02);
}

TEST(Mueller, ViscosityNeverTurnsAnythingBack) {
    for (const float nu : {0.01f, 1.0f, 100.0f}) {
        PoolBench pool = bench();
        pool.materials[0].viscosity = nu;
        pool.add({0, 0}, {0, 1});
        pool.add({0.11f, 0}, {0, -1});
        float last = 2;
        for (int k = 0; k < 20; ++k) {
            pool.step(1e-3f);
            const float relative = pool.v[0][1] - pool.v[1][1];
            EXPECT_GE(relative, 0) << nu;
            EXPECT_LT(relative, last) << nu;
            last = relative;
        }
    }
}

TEST(Mueller, LongestSubstepKnowsStiffnessAndViscosity) {
    PoolMethod method;
    const Mueller own(method, 0.1f);
    method.stiffness = 4 * 9.81f * 30 * 0.1f / 0.08f;
    const Mueller stiff(method, 0.1f);
    FluidMaterial water, syrup;
    syrup.viscosity = 10;
    const float longest = own.longest_substep({&water, 1});
    EXPECT_NEAR(stiff.longest_substep({&water, 1}), 0.5f * longest, 1e-4f * longest);
    EXPECT_LT(own.longest_substep({&syrup, 1}), 0.5f * longest);
    EXPECT_GT(longest, 1.0f / 480);  // eight sub-steps in a frame will do
}

/// Sub-steps that are far too long make the fluid soft, and do not blow it up.
TEST(Mueller, LongSubstepsMakeItSoft) {
    PoolBench pool = bench();
    pool.gravity = {0, -9.81f};
    pool.solids = {PoolBench::Solid::wall({0, 0}, {0, 1}), PoolBench::Solid::wall({0, 0}, {1, 0}),
                   PoolBench::Solid::wall({1, 0}, {-1, 0})};
    pool.fill({0, 0}, 9, 20);
    pool.run(3, 1.0f / 60);
    for (std::size_t i = 0; i < pool.x.size(); ++i) {
        EXPECT_LT(pool.x[i][1], 4);
        EXPECT_LT(norm(pool.v[i]), 15);
    }
}

TEST(Mueller, TensionRoundsADrop) {
    PoolBench pool = bench();
    pool.materials[0].tension = 100;
    pool.materials[0].viscosity = 0.05f;
    pool.fill({0, 0}, 13, 15);
    const auto square = [&] {  // 1.8 for a square, 3 for a disc
        Vec2 c{0, 0};
        for (const Vec2& x : pool.x)
            c = c + x / static_cast<float>(pool.x.size());
        double own = 0, mixed = 0;
        for (const Vec2& x : pool.x) {
            const Vec2d r = Vec2d::from(x - c);
            own += std::pow(r[0], 4) + std::pow(r[1], 4);
            mixed += 2 * r[0] * r[0] * r[1] * r[1];
        }
        return own / mixed;
    };
    EXPECT_LT(square(), 2);
    pool.run(6, 2e-3f);
    EXPECT_GT(square(), 2.5);
}

/// The equations of mueller_tension.cpp as sums over all pairs, in double, for two fluids that
/// touch.
TEST(Mueller, TensionIsTheSumOverPairs) {
    constexpr float k_dt = 1e-3f, k_sigma = 3;
    std::mt19937 random(6);
    std::uniform_real_distribution<float> off(-0.012f, 0.012f);
    PoolBench with = bench();
    with.materials.push_back({});
    with.materials[0].tension = k_sigma;
    with.materials[1].tension = 2 * k_sigma;
    with.fill({0, 0}, 9, 5, 0);
    with.fill({0, 0.47f}, 9, 5, 1);
    for (Vec2& x : with.x)
        x = x + Vec2{off(random), off(random)};
    PoolBench without = bench();
    without.materials.push_back({});
    without.x = with.x;
    without.v = with.v;
    without.fluid = with.fluid;
    without.id = with.id;
    without.pressure = with.pressure;
    without.density = with.density;
    const std::vector<Vec2> x = with.x;
    with.step(k_dt);
    without.step(k_dt);

    const Poly6<2> kernel(with.solver->support());
    const double h = with.spacing, volume = with.solver->walls().rest().scale * h * h;
    const std::size_t n = x.size();
    const auto between = [&](std::size_t i, std::size_t j) { return Vec2d::from(x[i] - x[j]); };
    const auto for_each_like = [&](std::size_t i, const auto& body) {
        for (std::size_t j = 0; j < n; ++j)
            if (with.fluid[j] == with.fluid[i])
                body(j, between(i, j), squared_norm(between(i, j)));
    };
    std::vector<Vec2d> normal(n, Vec2d::all(0)), kappa_n(n, Vec2d::all(0));
    for (std::size_t i = 0; i < n; ++i)
        for_each_like(i, [&](std::size_t j, const Vec2d& r, double r2) {
            normal[i] += r * (volume / with.density[j] * kernel.gradient_factor(r2));
        });
    for (std::size_t i = 0; i < n; ++i) {
        double divergence = 0, ways = 0;
        for_each_like(i, [&](std::size_t j, const Vec2d& r, double r2) {
            if (norm(normal[j]) < 0.2 / h)
                return;
            const double f = kernel.gradient_factor(r2);
            divergence += f * dot(normalized(normal[j]) - normalized(normal[i]), r);
            ways -= f * r2;
        });
        if (norm(normal[i]) >= 0.2 / h && ways > 0)
            kappa_n[i] = normal[i] * std::clamp(-2 * divergence / ways, -0.5 / h, 0.5 / h);
    }
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        Vec2d a = Vec2d::all(0);
        for_each_like(i, [&](std::size_t j, const Vec2d&, double r2) {
            a += kappa_n[j] * (volume / with.density[j] * kernel.w(r2));
        });
        const FluidMaterial& material = with.materials[with.fluid[i]];
        a = a * double(material.tension / material.density);
        largest = std::max(largest, norm(a));
        const Vec2d found = Vec2d::from(with.v[i] - without.v[i]) / double(k_dt);
        EXPECT_LT(norm(found - a), 1e-4) << i;  // of about 0.1 m/s^2
    }
    EXPECT_GT(largest, 0.05);
}

TEST(Mueller, WallsRubFluidThatSticks) {
    const auto speed = [](float friction) {
        PoolBench pool = bench();
        pool.materials[0].viscosity = 0.05f;
        pool.materials[0].wall_friction = friction;
        pool.solids = {PoolBench::Solid::wall({0, 0}, {0, 1})};
        pool.fill({0, 0}, 20, 4);
        for (Vec2& v : pool.v)
            v = {1, 0};
        pool.run(0.5f, 2e-3f);
        return pool.momentum()[0] / (pool.mass(0) * double(pool.x.size()));
    };
    EXPECT_NEAR(speed(0), 1, 1e-3);
    EXPECT_LT(speed(1), 0.85);
    EXPECT_GT(speed(1), 0);
    EXPECT_LT(speed(1), speed(0.3f));
}

}  // namespace
}  // namespace millrace
