#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

/// Nothing but a nozzle, and a sink below.
Scene tap() {
    Scene scene;
    scene.name = "tap";
    scene.spacing = 0.02;
    Fluid water;
    Emitter emitter;
    emitter.position = {0, 1, 0};
    emitter.direction = {0, -1, 0};
    emitter.speed = 2;
    emitter.radius = 0.06;
    water.emitters = {emitter};
    scene.fluids = {water};
    Sink sink;
    sink.name = "drain";
    sink.box = {{-1, 0, -1}, {1, 0.4, 1}};
    scene.sinks = {sink};
    return scene;
}

// All that came in is there or has gone down the drain; the jet falls as a body does.
TEST(Flow, JetFallsAndDrains) {
    World<3> world(tap(), Device::cpu(2));
    while (world.time() < 0.6)
        world.step(0.6);
    const Snapshot s = world.snapshot();
    EXPECT_EQ(s.emitted[0], world.fluid().count + s.sunk[0]);
    EXPECT_EQ(s.next_id, s.emitted[0]);
    EXPECT_EQ(world.lost_count(), 0u);
    EXPECT_GT(s.sunk[0], 800u);
    const double area = 3.14159265 * 0.06 * 0.06, volume = std::pow(0.02, 3);
    EXPECT_NEAR(double(s.emitted[0]) * volume, area * (2 * 0.6 + 0.04), 0.05 * area * 1.2);
    // v^2 = 2^2 + 2 g (1 - y)
    const std::vector<Vec3> x = world.fluid().position.to_host(),
                            v = world.fluid().velocity.to_host();
    int below = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i][1] < 0.9f) {
            const double expected = std::sqrt(4 + 2 * 9.81 * (1 - x[i][1]));
            EXPECT_NEAR(-v[i][1], expected, 0.1 * expected);
            ++below;
        }
    EXPECT_GT(below, 300);
}

// Under water the nozzle does not take in what it sends out, against gravity.
TEST(Flow, NothingFallsBackIntoTheNozzle) {
    Scene scene = full_tank<3>(14, 0.03);
    Emitter emitter;
    emitter.position = {0.21, 0.12, 0.21};
    emitter.direction = {0, 1, 0};
    emitter.speed = 0.5;
    emitter.radius = 0.075;
    scene.fluids[0].emitters = {emitter};
    std::get<Box>(scene.boundaries[0].shape).max[1] = 1.5;
    World<3> world(scene, Device::cpu(2));
    const std::size_t before = world.fluid().count;
    while (world.time() < 0.5)
        world.step(0.5);
    const Snapshot s = world.snapshot();
    EXPECT_EQ(world.fluid().count, before + s.emitted[0]);
    for (std::size_t i = 0; i < s.ids.size(); ++i) {
        const float x = s.positions[3 * i] - 0.21f, z = s.positions[3 * i + 2] - 0.21f;
        const float y = s.positions[3 * i + 1];
        const bool within = x * x + z * z < 0.06f * 0.06f && y > 0.065f && y < 0.115f;
        if (within) {
            EXPECT_GT(s.velocities[3 * i + 1], 0.4f);
        }
    }
}

TEST(Flow, GoesOnWithTheSameBits) {
    World<3> straight(tap(), Device::cpu(2)), resumed(tap(), Device::cpu(1));
    for (int k = 0; k < 40; ++k)
        straight.step(1e9);
    resumed.restore(straight.snapshot());
    for (int k = 0; k < 20; ++k) {
        straight.step(1e9);
        resumed.step(1e9);
    }
    EXPECT_EQ(straight.snapshot().positions, resumed.snapshot().positions);
    EXPECT_EQ(straight.snapshot().ids, resumed.snapshot().ids);
}

TEST(Flow, NoMoreThanTheMost) {
    Scene scene = tap();
    scene.fluids[0].emitters[0].max_particles = 500;
    World<3> world(scene, Device::cpu(2));
    while (world.time() < 0.5)
        world.step(0.5);
    EXPECT_LE(world.snapshot().emitted[0], 500u);
    EXPECT_GT(world.snapshot().emitted[0], 400u);
}

TEST(Flow, EmittersRideOnBodies) {
    Scene scene = tap();
    scene.gravity = {0, 0, 0};
    scene.sinks.clear();
    Body body;
    body.name = "barge";
    body.shape = BodyBox{{0.2, 0.2, 0.2}};
    body.position = {1, 2, 3};
    body.velocity = {1, 0, 0};
    scene.bodies = {body};
    scene.fluids[0].emitters[0].body = "barge";
    scene.fluids[0].emitters[0].position = {0, -0.2, 0};
    World<3> world(scene, Device::cpu(2));
    while (world.time() < 0.3)
        world.step(0.3);
    // the newest particles leave where the body is now, with its speed
    const Vec3d at = world.objects().bodies()[0].position;
    EXPECT_GT(at[0], 1.2);
    const Snapshot s = world.snapshot();
    std::size_t newest = 0;
    for (std::size_t i = 0; i < s.ids.size(); ++i)
        if (s.ids[i] > s.ids[newest])
            newest = i;
    EXPECT_NEAR(s.positions[3 * newest], at[0], 0.09);
    EXPECT_NEAR(s.positions[3 * newest + 1], at[1] - 0.2, 0.05);
    EXPECT_NEAR(s.velocities[3 * newest], world.objects().bodies()[0].velocity[0], 0.1);
}

TEST(Flow, WorksInTwoDimensions) {
    Scene scene = full_tank<2>(20, 0.05);
    Emitter emitter;
    emitter.position = {0.3, 1.4, 0};
    emitter.direction = {1, -1, 0};
    emitter.speed = 1;
    emitter.radius = 0.1;
    scene.fluids[0].emitters = {emitter};
    Sink sink;
    sink.box = {{0.8, 0, 0}, {1, 0.2, 0}};
    scene.sinks = {sink};
    World<2> world(scene, Device::cpu(2));
    const std::size_t before = 20 * 20;  // some of these are in the sink at once
    while (world.time() < 0.5)
        world.step(0.5);
    const Snapshot s = world.snapshot();
    EXPECT_GT(s.emitted[0], 40u);
    EXPECT_GT(s.sunk[0], 20u);
    EXPECT_EQ(before + s.emitted[0], world.fluid().count + s.sunk[0] + world.lost_count());
}

}  // namespace
}  // namespace millrace
