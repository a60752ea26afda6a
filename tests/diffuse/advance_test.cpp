#include "diffuse/advance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "support/fluid_block.hpp"

namespace millrace {
namespace {

constexpr float k_h = 0.1f;
constexpr double k_dt = 1.0 / 30;

DiffuseOptions options_on_earth() {
    DiffuseOptions options;
    options.spacing = k_h;
    options.gravity = {0, -9.81, 0};
    return options;
}

/// Two blocks that run into each other; where the water is, it stops.
FluidBlock collision(int frame) {
    FluidBlock block;
    block.add_lattice({{0, 0, 0}}, {{20, 10, 10}}, k_h, [](const Vec3&) { return Vec3::all(0); });
    const float t = float(frame * k_dt);
    for (std::size_t i = 0; i < block.count(); ++i) {
        const Vec3 x = block.position(i);
        const bool left = x[0] < 1;
        const float gap = 0.2f, way = std::min(gap, 2 * t);
        const Vec3 v{{way < gap ? (left ? 2.0f : -2.0f) : 0.3f * std::sin(9 * x[1]),
                      way < gap ? 0 : 2 + std::sin(7 * x[0]), 0}};
        const Vec3 place = x + Vec3{{left ? way - gap : gap - way, 0, 0}} +
                           (way < gap ? Vec3::all(0) : v * (t - gap / 2));
        block.set(i, place, v);
    }
    // as files have them: in any order
    std::mt19937 random(static_cast<unsigned>(frame));
    for (std::size_t i = block.count() - 1; i > 0; --i) {
        const std::size_t j = random() % (i + 1);
        const Vec3 x = block.position(i), v = block.velocity(i);
        block.set(i, block.position(j), block.velocity(j));
        block.set(j, x, v);
        std::swap(block.ids[i], block.ids[j]);
    }
    return block;
}

DiffuseParticles after(int frames, const DiffuseOptions& options, DiffuseParticles particles = {},
                       int first = 0) {
    for (int i = first; i < frames; ++i)
        advance(particles, collision(i).frame(i * k_dt), collision(i + 1).frame((i + 1) * k_dt),
                {0.4, 1.5, 2}, options, {});
    return particles;
}

bool same_bits(const DiffuseParticles& a, const DiffuseParticles& b) {
    return a.positions == b.positions && a.velocities == b.velocities && a.ages == b.ages &&
           a.lifetimes == b.lifetimes && a.kinds == b.kinds && a.ids == b.ids &&
           a.next_id == b.next_id;
}

TEST(Diffuse, WaterThatCollidesFoams) {
    const DiffuseParticles particles = after(10, options_on_earth());
    EXPECT_GT(particles.count(), 10'000u);
    const std::set<DiffuseKind> kinds(particles.kinds.begin(), particles.kinds.end());
    EXPECT_EQ(kinds.size(), 3u);
    const std::set<std::uint32_t> ids(particles.ids.begin(), particles.ids.end());
    EXPECT_EQ(ids.size(), particles.count());
    EXPECT_LT(*ids.rbegin(), particles.next_id);
}

/// With thresholds of its own, and the noise that particles at rest have.
TEST(Diffuse, WaterAtRestDoesNotFoam) {
    const DiffuseOptions options = options_on_earth();
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.02f);
    std::vector<FluidBlock> blocks;
    std::vector<DiffuseThresholds> largest;
    for (int i = 0; i < 5; ++i) {
        FluidBlock block;
        block.add_lattice({{0, 0, 0}}, {{15, 10, 15}}, k_h, [&](const Vec3&) {
            return Vec3{{noise(random), noise(random), noise(random)}};
        });
        blocks.push_back(block);
        largest.push_back(largest_potentials(block.frame(i * k_dt), options));
    }
    const DiffuseThresholds thresholds = mean_thresholds(largest, options);
    DiffuseParticles particles;
    for (int i = 0; i < 4; ++i)
        advance(particles, blocks[i].frame(i * k_dt), blocks[i + 1].frame((i + 1) * k_dt),
                thresholds, options, {});
    EXPECT_EQ(particles.next_id, 0u);
}

TEST(Diffuse, ThresholdsAreMeansOfTheLargest) {
    DiffuseOptions options = options_on_earth();
    const std::vector<DiffuseThresholds> frames{{1, 8, 20}, {2, 6, 40}};
    EXPECT_EQ(mean_thresholds(frames, options), (DiffuseThresholds{1.5, 7, 30}));
    // a floor for water that hardly moves, and no frames at all
    const DiffuseThresholds floor = mean_thresholds({}, options);
    EXPECT_GT(floor.crest, 0);
    EXPECT_GT(floor.trapped, 0);
    EXPECT_GE(floor.kinetic, 0.5);  // 1 m/s
    EXPECT_EQ(mean_thresholds(std::vector<DiffuseThresholds>(3), options), floor);
    // a lone particle that flies off does not decide for 5000 others
    FluidBlock block = collision(0);
    const DiffuseThresholds before = largest_potentials(block.frame(0), options);
    EXPECT_NEAR(before.kinetic, 2, 1e-5);
    block.add(Vec3::all(50), {{100, 0, 0}});
    EXPECT_EQ(largest_potentials(block.frame(0), options), before);
}

TEST(Diffuse, TheSameBitsForAnyNumberOfThreads) {
    DiffuseOptions options = options_on_earth();
    options.threads = 1;
    const DiffuseParticles one = after(10, options);
    EXPECT_GT(one.count(), 10'000u);
    for (const int threads : {2, 5}) {
        options.threads = threads;
        EXPECT_TRUE(same_bits(one, after(10, options)));
    }
    options.seed = 2;
    EXPECT_FALSE(same_bits(one, after(10, options)));
}

TEST(Diffuse, APassThatStoppedGoesOnWithTheSameBits) {
    const DiffuseOptions options = options_on_earth();
    const DiffuseParticles half = after(5, options);
    EXPECT_GT(half.count(), 1000u);
    EXPECT_TRUE(same_bits(after(10, options), after(10, options, half, 5)));
}

TEST(Diffuse, NoMoreThanAllowed) {
    DiffuseOptions options = options_on_earth();
    options.most = 5000;
    const DiffuseParticles particles = after(10, options);
    EXPECT_LE(particles.count(), 5000u);
    EXPECT_GT(particles.count(), 4000u);
}

TEST(Diffuse, WhatLeavesTheDomainGoes) {
    DiffuseOptions options = options_on_earth();
    options.domain = Box{{0, 0, 0.4}, {1, 1, 0.6}};
    const DiffuseParticles particles = after(10, options);
    EXPECT_GT(particles.count(), 100u);
    for (const Vec3& x : particles.positions) {
        EXPECT_TRUE(x[0] >= 0 && x[0] <= 1);
        EXPECT_TRUE(x[2] >= 0.4f && x[2] <= 0.6f);
    }
}

TEST(Diffuse, WhatAWallStopsGoes) {
    Scene scene;
    scene.spacing = k_h;
    Boundary wall;
    wall.shape = Plane{{0, 0, 0.45}, {0, 0, 1}};
    scene.boundaries = {wall};
    const Obstacles obstacles(scene, {}, {});
    DiffuseParticles particles;
    const FluidBlock from = collision(2), to = collision(3);
    advance(particles, from.frame(0), to.frame(k_dt), {0.4, 1.5, 2}, options_on_earth(), obstacles);
    EXPECT_GT(particles.count(), 1000u);
    for (const Vec3& x : particles.positions)
        EXPECT_GT(x[2], 0.45);
}

TEST(Diffuse, AllOfItDissolvesInTime) {
    DiffuseOptions options = options_on_earth();
    options.rate = 200;
    options.shortest_life = 0.1;
    options.longest_life = 0.5;
    DiffuseParticles particles = after(10, options);
    EXPECT_GT(particles.count(), 100u);
    FluidBlock still;
    still.add_lattice({{-1, -0.5f, -0.5f}}, {{40, 15, 20}}, k_h,
                      [](const Vec3&) { return Vec3::all(0); });
    for (int i = 0; i < 75; ++i)
        advance(particles, still.frame(i * k_dt), still.frame((i + 1) * k_dt), {0.4, 1.5, 2},
                options, {});
    EXPECT_EQ(particles.count(), 0u);
}

TEST(Diffuse, BrokenParticlesDoNoHarm) {
    FluidBlock from = collision(2), to = collision(3);
    DiffuseParticles whole, broken;
    advance(whole, from.frame(0), to.frame(k_dt), {0.4, 1.5, 2}, options_on_earth(), {});
    for (const float bad : {NAN, INFINITY, 1e30f}) {
        from.add(Vec3::all(bad), Vec3::all(1));
        to.add(Vec3::all(1), Vec3::all(bad));
    }
    advance(broken, from.frame(0), to.frame(k_dt), {0.4, 1.5, 2}, options_on_earth(), {});
    EXPECT_TRUE(same_bits(whole, broken));
    const FluidBlock none;
    advance(broken, to.frame(0), none.frame(k_dt), {0.4, 1.5, 2}, options_on_earth(), {});
    EXPECT_GT(broken.count(), 0u);
    EXPECT_EQ(largest_potentials(none.frame(0), options_on_earth()), DiffuseThresholds{});
}

}  // namespace
}  // namespace millrace
