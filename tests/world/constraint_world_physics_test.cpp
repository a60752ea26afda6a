#include <gtest/gtest.h>

#include <cmath>

#include "millrace/simulation.hpp"
#include "support/seed.hpp"
#include "world/constraint_world.hpp"

// Fluid, bodies and joints in one solve (S2), in scenes.
namespace millrace {
namespace {

Scene pool_scene(int dimension, double spacing, const Vector& tank, double level) {
    Scene scene = default_scene("constraints");
    scene.name = "pool";
    scene.seed = test_seed();
    scene.dimension = dimension;
    scene.spacing = spacing;
    scene.gravity = {0, -9.81, 0};
    Vector water = tank, top = tank;
    water[1] = level;
    top[1] = 3 * tank[1];
    if (dimension == 2)
        water[2] = top[2] = 0;
    Fluid fluid;
    fluid.viscosity.nu = 1e-4;
    if (level > 0) {
        Fill fill;
        fill.shape = Box{{0, 0, 0}, water};
        fluid.fill.push_back(fill);
    }
    scene.fluids = {fluid};
    Boundary walls;
    walls.name = "tank";
    walls.shape = Box{{0, 0, 0}, top};
    walls.inside = true;
    walls.open = {"+y"};
    scene.boundaries = {walls};
    scene.time_step.mode = "fixed";
    scene.time_step.dt = 1.0 / 120;
    return scene;
}

Body box(const std::string& name, const Vector& size, const Vector& position, double density) {
    Body body;
    body.name = name;
    body.shape = BodyBox{size};
    body.position = position;
    body.density = density;
    return body;
}

Simulation simulate(const Scene& scene, int threads = 2) {
    return Simulation(scene, {"cpu", threads});
}

class ConstraintWorldPhysics : public ::testing::TestWithParam<int> {
  protected:
    bool flat() const { return GetParam() == 2; }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, ConstraintWorldPhysics, ::testing::Values(2, 3),
                         [](const auto& info) { return std::to_string(info.param) + "D"; });

/// S2 IX A, smaller: the density at rest, and how still it lies.
TEST_P(ConstraintWorldPhysics, APillarKeepsItsDensity) {
    const double s = 0.02;
    Scene scene = pool_scene(GetParam(), s, {0.24, 0.4, 0.24}, 0.4);
    Simulation simulation = simulate(scene);
    StepReport report = simulation.advance(3);
    double height = 0, speed = 0;
    const auto x = simulation.positions(), v = simulation.velocities();
    const auto D = static_cast<std::size_t>(GetParam());
    for (std::size_t i = 0; i < simulation.fluid_count(); ++i) {
        height += x[i * D + 1];
        for (std::size_t k = 0; k < D; ++k)
            speed += v[i * D + k] * v[i * D + k];
    }
    const auto n = static_cast<double>(simulation.fluid_count());
    EXPECT_LT(report.compression, 0.003);
    EXPECT_NEAR(2 * height / n, 0.4, 0.02 * 0.4);
    EXPECT_LT(std::sqrt(speed / n), 0.02);
}

/// Archimedes: a body displaces its own mass.
TEST_P(ConstraintWorldPhysics, LightBodiesFloatAndHeavyOnesSink) {
    const double s = 0.06, side = 0.36;
    Scene scene = pool_scene(GetParam(), s, {1.5, 0.6, 0.6}, 0.6);
    const double z = flat() ? 0 : 0.3, deep = flat() ? 0 : side;
    scene.bodies = {box("light", {side, side, deep}, {0.4, 0.9, z}, 500),
                    box("heavy", {side, side, deep}, {1.1, 0.9, z}, 1500)};
    Simulation simulation = simulate(scene);
    simulation.advance(5);
    // the level rises by what both displace
    const double area = flat() ? 1.5 : 1.5 * 0.6;
    const double volume = flat() ? side * side : side * side * side;
    const double level = 0.6 + 1.5 * volume / area;
    const auto bodies = simulation.bodies();
    const double depth = level - (bodies[0].position[1] - side / 2);
    EXPECT_NEAR(depth / side, 0.5, 0.12);
    EXPECT_LT(bodies[1].position[1] - side / 2, 1.5 * s);
}

TEST_P(ConstraintWorldPhysics, AStackUnderWaterStands) {
    const double s = 0.05, high = 0.1, wide = 0.3;
    Scene scene = pool_scene(GetParam(), s, {0.7, 1.2, 0.7}, 11 * high);
    const double z = flat() ? 0 : 0.35, deep = flat() ? 0 : wide;
    for (int k = 0; k < 10; ++k)
        scene.bodies.push_back(
            box("b" + std::to_string(k), {wide, high, deep}, {0.35, (k + 0.5) * high, z}, 2500));
    Simulation simulation = simulate(scene);
    simulation.advance(3);  // the fill has settled about it
    const auto before = simulation.bodies();
    simulation.advance(1);
    const auto after = simulation.bodies();
    for (std::size_t k = 0; k < 10; ++k) {
        EXPECT_NEAR(after[k].position[1], (static_cast<double>(k) + 0.5) * high, 0.02 * high) << k;
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(after[k].position[axis], before[k].position[axis], 0.01 * wide) << k;
    }
}

/// Water and bodies that meet in empty space.
TEST_P(ConstraintWorldPhysics, MomentumStaysInAClosedSystem) {
    const double s = 0.05;
    Scene scene = pool_scene(GetParam(), s, {0.5, 0.5, 0.5}, 0.5);
    scene.gravity = {0, 0, 0};
    scene.boundaries.clear();
    scene.fluids[0].velocity = {0.8, 0.1, 0};
    scene.fluids[0].viscosity.nu = 1e-3;
    const double z = flat() ? 0 : 0.25, deep = flat() ? 0 : 0.3;
    scene.bodies = {box("a", {0.3, 0.4, deep}, {0.75, 0.3, z}, 800),
                    box("b", {0.3, 0.2, deep}, {1.05, 0.3, z}, 400)};
    Joint joint;
    joint.name = "hinge";
    joint.type = "hinge";
    joint.bodies = {"a", "b"};
    joint.anchor = {0.9, 0.3, z};
    scene.joints = {joint};
    Simulation simulation = simulate(scene);
    const auto D = static_cast<std::size_t>(GetParam());
    struct Sums {
        double linear[2] = {0, 0}, turn = 0, size = 0, energy = 0;
    };
    const auto sums = [&] {
        Sums sums;
        const auto x = simulation.positions(), v = simulation.velocities();
        const double mass = 1000 * std::pow(s, D);
        const auto add = [&](double m, const double* at, const double* speed) {
            for (int k = 0; k < 2; ++k)
                sums.linear[k] += m * speed[k];
            sums.turn += m * (at[0] * speed[1] - at[1] * speed[0]);
            sums.size += m * std::hypot(speed[0], speed[1]);
        };
        for (std::size_t i = 0; i < simulation.fluid_count(); ++i) {
            const double at[2] = {x[i * D], x[i * D + 1]}, speed[2] = {v[i * D], v[i * D + 1]};
            add(mass, at, speed);
            for (std::size_t k = 0; k < D; ++k)
                sums.energy += 0.5 * mass * v[i * D + k] * v[i * D + k];
        }
        for (std::size_t b = 0; b < 2; ++b) {
            const BodyView body = simulation.bodies()[b];
            const Vector& size = std::get<BodyBox>(scene.bodies[b].shape).size;
            const double m = scene.bodies[b].density * size[0] * size[1] * (flat() ? 1 : size[2]);
            const double inertia = m * (size[0] * size[0] + size[1] * size[1]) / 12;
            add(m, body.position.data(), body.velocity.data());
            sums.turn += inertia * body.angular_velocity[2];
            sums.energy += 0.5 * inertia * body.angular_velocity[2] * body.angular_velocity[2];
            for (int k = 0; k < 3; ++k)
                sums.energy += 0.5 * m * body.velocity[k] * body.velocity[k];
        }
        return sums;
    };
    const Sums first = sums();
    double most = 0;
    for (int k = 0; k < 60; ++k) {
        simulation.step();
        most = std::max(most, sums().energy);
    }
    const Sums last = sums();
    EXPECT_GT(std::hypot(simulation.bodies()[0].velocity[0], simulation.bodies()[0].velocity[1]),
              0.05);
    for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(last.linear[k], first.linear[k], 1e-5 * first.size);
    if (flat()) {  // in 3D bodies tilt, and turns about z are not all there is
        EXPECT_NEAR(last.turn, first.turn, 1e-5 * first.size);
    }
    EXPECT_LT(most, first.energy * (1 + 1e-6));
}

/// A dam breaks over a body: energy only falls, nothing leaks.
TEST_P(ConstraintWorldPhysics, ADamBreakLosesEnergyAndNoParticle) {
    const double s = flat() ? 0.04 : 0.06;
    Scene scene = pool_scene(GetParam(), s, {0.8, 1, 0.5}, 1);
    std::get<Box>(scene.boundaries[0].shape).max[0] = 2.4;
    const double z = flat() ? 0 : 0.25, deep = flat() ? 0 : 0.3;
    scene.bodies = {box("box", {0.3, 0.3, deep}, {1.5, 0.15, z}, 600)};
    Simulation simulation = simulate(scene);
    const double mass = 600 * 0.09 * (flat() ? 1 : 0.3);
    const auto energy = [&](const StepReport& r) {
        const BodyView body = simulation.bodies()[0];
        double e = r.kinetic_energy + r.potential_energy + mass * 9.81 * body.position[1];
        for (int k = 0; k < 3; ++k)
            e += 0.5 * mass * body.velocity[k] * body.velocity[k];
        return e;
    };
    const double first = energy(simulation.step());
    double last = first;
    while (simulation.time() < 2.5) {
        last = energy(simulation.step());
        EXPECT_LT(last, first * (1 + 1e-6)) << simulation.time();
    }
    EXPECT_LT(last, 0.9 * first);
    const auto x = simulation.positions();
    const auto D = static_cast<std::size_t>(GetParam());
    for (std::size_t i = 0; i < simulation.fluid_count(); ++i) {
        EXPECT_GT(x[i * D], -0.1 * s);
        EXPECT_LT(x[i * D], 2.4 + 0.1 * s);
        EXPECT_GT(x[i * D + 1], -0.1 * s);
    }
}

TEST_P(ConstraintWorldPhysics, TheSameBitsForAnyThreadsAndAfterARestore) {
    const double s = 0.08;
    Scene scene = pool_scene(GetParam(), s, {1.2, 0.8, 0.8}, 0.8);
    std::get<Box>(scene.boundaries[0].shape).max[0] = 2;
    const double z = flat() ? 0 : 0.4, deep = flat() ? 0 : 0.3;
    scene.bodies = {box("a", {0.3, 0.3, deep}, {1.6, 0.15, z}, 600),
                    box("b", {0.3, 0.3, deep}, {1.6, 0.47, z}, 900)};
    Simulation one = simulate(scene, 1);
    for (int k = 0; k < 40; ++k)
        one.step();
    const Snapshot middle = one.snapshot();
    for (int k = 0; k < 40; ++k)
        one.step();
    const Snapshot end = one.snapshot();
    for (const int threads : {2, 7}) {
        Simulation other = simulate(scene, threads);
        other.restore(middle);
        for (int k = 0; k < 40; ++k)
            other.step();
        const Snapshot s2 = other.snapshot();
        EXPECT_EQ(s2.positions, end.positions) << threads;
        EXPECT_EQ(s2.velocities, end.velocities) << threads;
        EXPECT_EQ(s2.bodies, end.bodies) << threads;
    }
}

/// Any viscosity is stable (S2 section X); thick fluid moves slower.
TEST_P(ConstraintWorldPhysics, AnyViscosityIsStable) {
    double last = 1e9;
    for (const double nu : {1e-6, 1e-2, 1.0, 1e4}) {
        Scene scene = pool_scene(GetParam(), 0.08, {0.5, 0.8, 0.4}, 0.8);
        std::get<Box>(scene.boundaries[0].shape).max[0] = 2;
        scene.fluids[0].viscosity.nu = nu;
        Simulation simulation = simulate(scene);
        double front = 0;
        simulation.advance(0.4);
        const auto x = simulation.positions();
        for (std::size_t i = 0; i < simulation.fluid_count(); ++i)
            front = std::max(front, double(x[i * static_cast<std::size_t>(GetParam())]));
        EXPECT_LT(front, last + 0.02) << nu;
        last = front;
    }
    EXPECT_LT(last, 0.56);
}

/// What comes in and what is taken out, by the numbers.
TEST(ConstraintWorldFlow, EmittersAndSinksCount) {
    Scene scene = pool_scene(2, 0.05, {2, 1, 0}, 0.3);
    Emitter emitter;
    emitter.name = "hose";
    emitter.position = {0.3, 1.2, 0};
    emitter.direction = {1, 0, 0};
    emitter.speed = 1;
    emitter.radius = 0.1;
    scene.fluids[0].emitters = {emitter};
    Sink sink;
    sink.name = "drain";
    sink.box = Box{{1.6, -1, 0}, {3, 0.15, 0}};
    scene.sinks = {sink};
    Simulation simulation = simulate(scene);
    const std::size_t first = simulation.fluid_count();
    simulation.advance(2);
    const double emitted = 2 * 0.2 / (0.05 * 0.05);  // speed width time over a particle's area
    const auto now = static_cast<double>(simulation.fluid_count() + simulation.sunk_counts()[0]);
    EXPECT_GT(simulation.sunk_counts()[0], 20u);
    EXPECT_NEAR(now - static_cast<double>(first), emitted, 0.05 * emitted);
}

/// S2 Eq. 26: without the boundary field water lies half a kernel off the floor.
TEST(ConstraintWorldFlow, ContactsKeepWaterOff) {
    Scene scene = pool_scene(3, 0.05, {0.4, 0.4, 0.4}, 0.4);
    scene.pressure.boundary = "contact";
    Simulation simulation = simulate(scene);
    simulation.advance(0.5);
    float lowest = 1;
    const auto x = simulation.positions();
    for (std::size_t i = 0; i < simulation.fluid_count(); ++i)
        lowest = std::min(lowest, x[3 * i + 1]);
    EXPECT_NEAR(lowest, 0.5 * 2 * 0.05, 0.01);
}

/// The residual of the rows falls with every sweep (S2 Fig. 4).
TEST(ConstraintWorldFlow, ResidualsFall) {
    Scene scene = pool_scene(3, 0.05, {0.4, 0.4, 0.4}, 0.4);
    scene.pressure.warm_start = false;
    ConstraintWorld<3> world(scene, 2);
    world.watch_residuals(true);
    for (int k = 0; k < 20; ++k)
        world.step(1e300);
    const std::vector<double>& r = world.residuals();
    ASSERT_EQ(r.size(), 16u);
    EXPECT_LT(r.back(), 0.2 * r.front());
}

}  // namespace
}  // namespace millrace
