#include "diffuse/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "support/fluid_block.hpp"

namespace millrace {
namespace {

constexpr float k_h = 0.1f;
constexpr double k_dt = 1.0 / 30;
const Device k_device = Device::cpu(2);

DiffuseOptions options_on_earth() {
    DiffuseOptions options;
    options.spacing = k_h;
    options.gravity = {0, -9.81, 0};
    return options;
}

SortedFluid sorted(const FluidBlock& block) {
    return SortedFluid(k_device, block.frame(0), k_h);
}

/// 2 m wide, 1 m deep, its surface at y = 0.
FluidBlock pond(const Vec3& velocity) {
    FluidBlock block;
    block.add_lattice({{-1, -1, -1}}, {{20, 10, 20}}, k_h, [&](const Vec3&) { return velocity; });
    return block;
}

TEST(DiffuseMotion, KindsFollowFromTheNeighbors) {
    EXPECT_EQ(kind_by(0), DiffuseKind::spray);
    EXPECT_EQ(kind_by(5), DiffuseKind::spray);
    EXPECT_EQ(kind_by(6), DiffuseKind::foam);
    EXPECT_EQ(kind_by(20), DiffuseKind::foam);
    EXPECT_EQ(kind_by(21), DiffuseKind::bubble);
    const FluidBlock block = pond(Vec3::all(0));
    const SortedFluid fluid = sorted(block);
    EXPECT_EQ(kind_by(near_fluid(fluid, {{0.01f, 0.3f, 0}}).count), DiffuseKind::spray);
    EXPECT_EQ(kind_by(near_fluid(fluid, {{0.01f, 0, 0}}).count), DiffuseKind::foam);
    EXPECT_EQ(kind_by(near_fluid(fluid, {{0.01f, -0.3f, 0}}).count), DiffuseKind::bubble);
}

TEST(DiffuseMotion, TheFluidAroundAPlaceIsItsWeightedMean) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> place(0, 0.6f), speed(-1, 1);
    FluidBlock block;
    for (int i = 0; i < 300; ++i)
        block.add({{place(random), place(random), place(random)}},
                  {{speed(random), speed(random), speed(random)}});
    block.add(Vec3::all(0.3f), Vec3::all(NAN));  // left out
    block.add(Vec3::all(NAN), Vec3::all(1));
    const SortedFluid fluid = sorted(block);
    EXPECT_EQ(fluid.count(), 300u);
    for (int i = 0; i < 50; ++i) {
        const Vec3 x{{place(random), place(random), place(random)}};
        int count = 0;
        double weight = 0;
        Vec3d sum = Vec3d::all(0);
        for (std::size_t j = 0; j < 300; ++j) {
            const double q = norm(Vec3d::from(x) - Vec3d::from(block.position(j))) / (2 * k_h);
            const double inner = std::max(0.0, 0.5 - q), outer = std::max(0.0, 1 - q);
            const double w = outer * outer * outer - 4 * inner * inner * inner;
            count += q < 1;
            weight += w;
            sum += Vec3d::from(block.velocity(j)) * w;
        }
        const NearFluid near = near_fluid(fluid, x);
        EXPECT_EQ(near.count, count);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(near.velocity[k], sum[k] / weight, 1e-5);
    }
}

TEST(DiffuseMotion, SprayFliesAlongAParabola) {
    const FluidBlock none;
    const SortedFluid fluid = sorted(none);
    const Vec3 x{{1, 2, 3}}, v{{2, 5, -1}};
    for (const int steps : {20, 60}) {
        MovingParticle drop{x, v, DiffuseKind::spray};
        for (int i = 0; i < steps; ++i)
            drop = moved(drop, fluid, MotionStep(1.0 / steps, options_on_earth()));
        EXPECT_EQ(drop.kind, DiffuseKind::spray);
        EXPECT_NEAR(drop.position[0], 3, 1e-4);
        EXPECT_NEAR(drop.position[1], 2 + 5 - 9.81 / 2, 1e-4);
        EXPECT_NEAR(drop.velocity[1], 5 - 9.81, 1e-4);
    }
}

/// Eq. 5.30 with steps of 1/60 s; with others the same after the same time.
TEST(DiffuseMotion, BubblesRiseAlikeWithAnyStep) {
    const Vec3 flow{{0.5f, 0, 0}}, v{{-1, 0, 2}};
    const SortedFluid fluid = sorted(pond(flow));
    const DiffuseOptions options = options_on_earth();
    const MovingParticle start{{{0, -0.5f, 0}}, v, DiffuseKind::bubble};
    const MovingParticle once = moved(start, fluid, MotionStep(1.0 / 60, options));
    const Vec3 expected = v + Vec3{{0, 0.8f * 9.81f / 60, 0}} + (flow - v) * 0.2f;
    EXPECT_EQ(once.kind, DiffuseKind::bubble);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(once.velocity[k], expected[k], 1e-5);
    const MovingParticle twice = moved(once, fluid, MotionStep(1.0 / 60, options));
    const MovingParticle at_once = moved(start, fluid, MotionStep(1.0 / 30, options));
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(twice.velocity[k], at_once.velocity[k], 1e-5);
        EXPECT_NEAR(twice.position[k], at_once.position[k], 0.005);
    }
    // where drag and buoyancy balance
    MovingParticle bubble = start;
    for (int i = 0; i < 100; ++i)
        bubble.velocity = moved({{{0, -0.5f, 0}}, bubble.velocity, DiffuseKind::bubble}, fluid,
                                MotionStep(k_dt, options))
                              .velocity;
    EXPECT_NEAR(bubble.velocity[0], 0.5, 1e-4);
    EXPECT_NEAR(bubble.velocity[1], 0.8 * 9.81 / (60 * 0.2), 1e-4);
}

TEST(DiffuseMotion, WithoutDragABubbleOnlyRises) {
    const SortedFluid fluid = sorted(pond({{3, 0, 0}}));
    DiffuseOptions options = options_on_earth();
    options.drag = 0;
    const MovingParticle bubble = moved({{{0, -0.5f, 0}}, Vec3::all(0), DiffuseKind::bubble}, fluid,
                                        MotionStep(k_dt, options));
    EXPECT_NEAR(bubble.velocity[0], 0, 1e-6);
    EXPECT_NEAR(bubble.velocity[1], 0.8 * 9.81 * k_dt, 1e-5);
}

/// Euler's method would add (omega dt)^2 / 2 to the radius in a step: 84 % in a turn.
TEST(DiffuseMotion, FoamOnTurningWaterKeepsItsRadius) {
    const double omega = 0.2 / k_dt;
    FluidBlock still = pond(Vec3::all(0));
    MovingParticle foam{{{0.5f, 0, 0}}, {{0, 0, float(-0.5 * omega)}}, DiffuseKind::foam};
    const MotionStep step(k_dt, options_on_earth());
    const int steps = static_cast<int>(2 * std::numbers::pi / 0.2);
    for (int i = 1; i <= steps; ++i) {
        FluidBlock turned = still;
        const float c = float(std::cos(0.2 * i)), s = float(std::sin(0.2 * i));
        for (std::size_t j = 0; j < still.count(); ++j) {
            const Vec3 x = still.position(j);
            const Vec3 y{{c * x[0] + s * x[2], x[1], c * x[2] - s * x[0]}};
            turned.set(j, y, Vec3{{y[2], 0, -y[0]}} * float(omega));
        }
        foam = moved(foam, sorted(turned), step);
        ASSERT_EQ(foam.kind, DiffuseKind::foam);
    }
    EXPECT_NEAR(std::hypot(foam.position[0], foam.position[2]), 0.5, 0.015);
    EXPECT_NEAR(foam.position[1], 0, 1e-3);
    // it has gone round with the water
    EXPECT_NEAR(std::atan2(-foam.position[2], foam.position[0]) + 2 * std::numbers::pi, 0.2 * steps,
                0.05 * 2 * std::numbers::pi);
}

/// In steps of up to 0.6 spacings.
TEST(DiffuseMotion, FoamStaysOnASurfaceThatHeaves) {
    const FluidBlock still = pond(Vec3::all(0));
    const double amplitude = 3 * k_h, omega = 2 * std::numbers::pi;
    const auto velocity = [&](double t) {
        return Vec3{{0.4f, float(amplitude * omega * std::cos(omega * t)), 0}};
    };
    MovingParticle foam{{{-0.4f, 0, 0}}, velocity(0), DiffuseKind::foam};
    const MotionStep step(k_dt, options_on_earth());
    double farthest = 0;
    for (int i = 1; i <= 60; ++i) {
        const double t = i * k_dt;
        const Vec3 shift{{float(0.4 * t), float(amplitude * std::sin(omega * t)), 0}};
        FluidBlock block = still;
        for (std::size_t j = 0; j < still.count(); ++j)
            block.set(j, still.position(j) + shift, velocity(t));
        foam = moved(foam, sorted(block), step);
        ASSERT_EQ(foam.kind, DiffuseKind::foam) << t;
        farthest = std::max(farthest, std::abs(double(foam.position[1] - shift[1])));
        EXPECT_NEAR(foam.position[0] - shift[0], -0.4, 1e-3);
    }
    EXPECT_LT(farthest, 0.05 * k_h);
}

TEST(DiffuseMotion, SprayThatLandsBecomesFoamOrBubbles) {
    const FluidBlock block = pond({{0.3f, 0, 0}});
    const SortedFluid fluid = sorted(block);
    const MotionStep step(k_dt, options_on_earth());
    MovingParticle drop{{{0, 1, 0}}, Vec3::all(0), DiffuseKind::spray};
    int steps = 0;
    while (drop.kind == DiffuseKind::spray && ++steps < 60)
        drop = moved(drop, fluid, step);
    EXPECT_NEAR(steps * k_dt, std::sqrt(2 * 1 / 9.81), 2 * k_dt);
    for (int i = 0; i < 60; ++i)
        drop = moved(drop, fluid, step);
    EXPECT_EQ(drop.kind, DiffuseKind::foam);
    EXPECT_NEAR(drop.position[1], 0, k_h);
    EXPECT_NEAR(drop.velocity[0], 0.3, 1e-5);
}

TEST(DiffuseMotion, FoamAgesTenTimesAsFastAsTheOthers) {
    const FluidBlock block = pond(Vec3::all(0));
    const SortedFluid fluid = sorted(block);
    DiffuseParticles particles;
    particles.positions = {{{0, 0, 0}}, {{0, 50, 0}}, {{0.2f, 0, 0}}};
    particles.velocities.assign(3, Vec3::all(0));
    particles.ages = {0, 0, 0.99f};
    particles.lifetimes = {1, 1, 1};
    particles.kinds = {DiffuseKind::foam, DiffuseKind::spray, DiffuseKind::foam};
    particles.ids = {7, 8, 9};
    move_all(particles, fluid, k_dt, options_on_earth(), {}, k_device);
    ASSERT_EQ(particles.ids, (std::vector<std::uint32_t>{7, 8}));
    EXPECT_NEAR(particles.ages[0], k_dt, 1e-6);
    EXPECT_NEAR(particles.ages[1], k_dt / 10, 1e-6);
}

}  // namespace
}  // namespace millrace
