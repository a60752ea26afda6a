#include "world/world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/dimensions.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

template <class T>
class WorldTest : public testing::Test {};
TYPED_TEST_SUITE(WorldTest, Dimensions);

template <int D>
Scene small_dam() {
    Scene scene = full_tank<D>(D == 3 ? 18 : 75, 0.03);  // enough for every parallel branch
    std::get<Box>(scene.boundaries[0].shape).max[0] *= 2;
    return scene;
}

template <int D>
Snapshot after_steps(const Scene& scene, int threads, int steps) {
    World<D> world(scene, Device::cpu(threads));
    for (int k = 0; k < steps; ++k)
        world.step(1e9);
    return world.snapshot();
}

template <int D>
void expect_same_bits(const Snapshot& a, const Snapshot& b) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.ids, b.ids);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_EQ(a.pressures, b.pressures);
    EXPECT_EQ(a.divergence_pressures, b.divergence_pressures);
}

TYPED_TEST(WorldTest, SameBitsTwiceAndForAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const Snapshot one = after_steps<D>(small_dam<D>(), 1, 12);
    expect_same_bits<D>(one, after_steps<D>(small_dam<D>(), 1, 12));
    expect_same_bits<D>(one, after_steps<D>(small_dam<D>(), 2, 12));
    expect_same_bits<D>(one, after_steps<D>(small_dam<D>(), 7, 12));
}

TYPED_TEST(WorldTest, RestoredWorldGoesOnWithTheSameBits) {
    constexpr int D = TypeParam::value;
    World<D> straight(small_dam<D>(), Device::cpu(2)), resumed(small_dam<D>(), Device::cpu(1));
    for (int k = 0; k < 10; ++k)
        straight.step(1e9);
    resumed.restore(straight.snapshot());
    for (int k = 0; k < 10; ++k) {
        straight.step(1e9);
        resumed.step(1e9);
    }
    expect_same_bits<D>(straight.snapshot(), resumed.snapshot());
    EXPECT_EQ(straight.step_count(), resumed.step_count());
}

// Spray bounds the step less than water: which of them a particle is must not change on the way.
TYPED_TEST(WorldTest, SprayGoesOnWithTheSameBits) {
    constexpr int D = TypeParam::value;
    const Scene scene = free_block<D>(12, 0.03);
    World<D> straight(scene, Device::cpu(2)), resumed(scene, Device::cpu(1));
    Snapshot s = straight.snapshot();
    std::mt19937 random(6);
    for (std::size_t i = 0; i < s.positions.size(); ++i) {
        s.positions[i] *= D == 3 ? 1.35f : 1.6f;
        s.velocities[i] = 8 * (static_cast<float>(random()) * 0x1p-32f - 0.5f);
    }
    straight.restore(s);
    for (int k = 0; k < 20; ++k) {
        straight.step(1e9);
        resumed.restore(straight.snapshot());
        resumed.step(1e9);
        straight.step(1e9);
        expect_same_bits<D>(straight.snapshot(), resumed.snapshot());
    }
}

// Also in the middle of an episode of the search.
TYPED_TEST(WorldTest, MetropolisGoesOnWithTheSameBits) {
    constexpr int D = TypeParam::value;
    Scene scene = small_dam<D>();
    scene.time_step.mode = "metropolis";
    scene.time_step.cost_constant = 0.01;
    scene.time_step.cost_iteration = 0.001;
    World<D> straight(scene, Device::cpu(2));
    for (int k = 0; k < 7; ++k)
        straight.step(1e9);
    World<D> resumed(scene, Device::cpu(1));
    resumed.restore(straight.snapshot());
    for (int k = 0; k < 30; ++k) {
        const StepReport a = straight.step(1e9), b = resumed.step(1e9);
        ASSERT_EQ(a.dt, b.dt);
    }
    expect_same_bits<D>(straight.snapshot(), resumed.snapshot());
    EXPECT_EQ(straight.snapshot().time_step, resumed.snapshot().time_step);
}

// The growth of the steps is bounded by what the last one would have been without the frame.
TYPED_TEST(WorldTest, AStepCutForAFrameDoesNotShortenTheNext) {
    constexpr int D = TypeParam::value;
    World<D> world(small_dam<D>(), Device::cpu(1));
    const double whole = world.step(1e9).dt;
    EXPECT_LT(world.step(world.time() + whole / 100).dt, whole / 99);
    EXPECT_GT(world.step(1e9).dt, 0.8 * whole);
}

TYPED_TEST(WorldTest, RefusesASnapshotThatDoesNotFit) {
    constexpr int D = TypeParam::value;
    World<D> world(small_dam<D>(), Device::cpu(1));
    Snapshot s = world.snapshot();
    s.pressures.pop_back();
    EXPECT_THROW(world.restore(s), InputError);
    s = world.snapshot();
    s.fluids[0] = 9;
    EXPECT_THROW(world.restore(s), InputError);
}

TYPED_TEST(WorldTest, RemovesAndCountsWhatLeavesTheDomain) {
    constexpr int D = TypeParam::value;
    Scene scene = free_block<D>(6, 0.1);
    scene.gravity = {0, -9.81, 0};
    scene.domain = Box{{-1, -1, -1}, {2, 2, 2}};
    World<D> world(scene, Device::cpu(2));
    const std::size_t all = world.fluid().count;
    while (world.time() < 0.5)
        world.step(0.5);
    EXPECT_GT(world.lost_count(), 0u);
    EXPECT_EQ(world.lost_count() + world.fluid().count, all);
    while (world.time() < 1)
        world.step(1);
    EXPECT_EQ(world.fluid().count, 0u);
    EXPECT_EQ(world.lost_count(), all);
    EXPECT_NO_THROW(world.step(2));  // an empty world goes on
}

TYPED_TEST(WorldTest, BlowUpIsAnErrorAlsoInADomain) {
    constexpr int D = TypeParam::value;
    Scene scene = free_block<D>(4, 0.1);
    scene.domain = Box{{-9, -9, -9}, {9, 9, 9}};
    World<D> world(scene, Device::cpu(1));
    Snapshot s = world.snapshot();
    s.velocities[0] = std::nanf("");
    EXPECT_THROW(
        {
            world.restore(s);
            world.step(1);
        },
        RunError);
}

TYPED_TEST(WorldTest, SmallSupportKeepsTheFill) {
    constexpr int D = TypeParam::value;
    Scene scene = full_tank<D>(8, 0.1);
    const std::size_t all = World<D>(scene, Device::cpu(1)).fluid().count;
    scene.support = 1.5;
    EXPECT_EQ(World<D>(scene, Device::cpu(1)).fluid().count, all);
}

TYPED_TEST(WorldTest, StepsEndWhereTheyMust) {
    constexpr int D = TypeParam::value;
    World<D> world(small_dam<D>(), Device::cpu(1));
    for (const double end : {0.0123, 0.0124, 0.02}) {
        while (world.time() < end)
            EXPECT_LE(world.step(end).time, end);
        EXPECT_EQ(world.time(), end);
    }
}

TYPED_TEST(WorldTest, FillsDoNotOverlapWallsOrEachOther) {
    constexpr int D = TypeParam::value;
    Scene scene = full_tank<D>(10, 0.1);
    const std::size_t once = World<D>(scene, Device::cpu(1)).fluid().count;
    scene.fluids[0].fill.push_back(scene.fluids[0].fill[0]);
    EXPECT_EQ(World<D>(scene, Device::cpu(1)).fluid().count, once);
    Boundary pillar;
    pillar.name = "pillar";
    pillar.shape = Box{{0.3, 0, 0.3}, {0.6, 0.8, 0.6}};
    scene.boundaries.push_back(pillar);
    const World<D> world(scene, Device::cpu(1));
    EXPECT_LT(world.fluid().count, once);
    for (const Vec<D>& x : world.fluid().position.to_host())
        for (const Vec<D>& wall : world.walls().host_positions())
            ASSERT_GE(norm(x - wall), 0.0999f);
}

}  // namespace
}  // namespace millrace
