#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/mass_properties.hpp"
#include "geometry/mesh_file.hpp"
#include "geometry/primitives.hpp"
#include "support/seed.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

constexpr double k_spacing = 0.02, k_size = 0.2;  // ten particles across
constexpr double k_width = 0.52, k_depth = 0.34;

/// A tank of water with a body of the given relative density, about where it will float.
Scene tank_with(Body body, double density, double draught) {
    Scene scene;
    scene.spacing = k_spacing;
    scene.seed = test_seed();
    Fluid water;
    water.viscosity.nu = 1e-3;
    Fill fill;
    fill.shape = Box{{0, 0, 0}, {k_width, k_depth, k_width}};
    water.fill = {fill};
    scene.fluids = {water};
    Boundary tank;
    tank.name = "tank";
    tank.shape = Box{{0, 0, 0}, {k_width, 0.8, k_width}};
    tank.inside = true;
    tank.open = {"+y"};
    scene.boundaries = {tank};
    body.name = "body";
    body.density = 1000 * density;
    body.position = {k_width / 2, k_depth + k_size / 2 - draught, k_width / 2};
    scene.bodies = {body};
    return scene;
}

Body box_body(double height) {
    Body body;
    body.shape = BodyBox{{k_size, height, k_size}};
    return body;
}

Body sphere_body() {
    Body body;
    body.shape = BodySphere{k_size / 2};
    return body;
}

struct Floating {
    double height = 0;  ///< mean height of the centre
    double tilt = 0;    ///< largest cosine lost against upright
    double force = 0;   ///< mean lift of the fluid [N]
    double water = 0;   ///< volume [m^3]
};

Floating float_for(const Scene& scene, double end) {
    World<3> world(scene, Device::cpu(2));
    Floating result;
    for (const float v : world.fluid().volume.to_host())
        result.water += v;
    double weight = 0;
    while (world.time() < end) {
        const double dt = world.step(end).dt;
        const BodyState& body = world.objects().bodies()[0];
        const Vec3d up = rotate(body.rotation, Vec3d{0, 1, 0});
        result.tilt = std::max(result.tilt, 1 - up[1]);
        if (world.time() > end / 2) {
            result.height += dt * body.position[1];
            result.force += dt * world.objects().pushes()[0].force[1];
            weight += dt;
        }
    }
    EXPECT_EQ(world.lost_count(), 0u);
    result.height /= weight;
    result.force /= weight;
    return result;
}

/// Where the surface is when the body takes up this much of the water.
double level(const Floating& run, double displaced) {
    return (run.water + displaced) / (k_width * k_width);
}

/// Depth d of a floating sphere: s 4 R^3 = d^2 (3 R - d).
double sphere_draught(double s) {
    const double r = k_size / 2;
    double low = 0, high = 2 * r;
    for (int k = 0; k < 60; ++k) {
        const double d = (low + high) / 2;
        (d * d * (3 * r - d) < s * 4 * r * r * r ? low : high) = d;
    }
    return low;
}

constexpr double k_pi = std::numbers::pi;

/// Keeps a measured figure with the test's result; a second one of the name gets a number.
void note(const std::string& name, double value) {
    static int number = 0;
    testing::Test::RecordProperty(name + "_" + std::to_string(number++), std::to_string(value));
}

// Archimedes: what floats displaces its weight. Flat boxes, which are stable upright.
TEST(FloatingPhysics, BoxesFloatWithTheirDraught) {
    for (const double s : {0.25, 0.5, 0.75, 0.9}) {
        const double height = 0.1;
        const double draught = s * height;
        Scene scene = tank_with(box_body(height), s, draught);
        scene.bodies[0].position[1] = k_depth + height / 2 - draught;
        const Floating run = float_for(scene, 1.6);
        const double volume = k_size * k_size * height;
        const double measured = level(run, s * volume) - (run.height - height / 2);
        note("box", (measured - draught) / height);
        // 5 % are the aim for ten particles; the height has five
        EXPECT_NEAR(measured, draught, 0.06 * height) << "relative density " << s;
        EXPECT_LT(run.tilt, 0.02) << "relative density " << s;
        EXPECT_NEAR(run.force, s * volume * 9810, 0.03 * volume * 9810);
    }
}

TEST(FloatingPhysics, SpheresFloatWithTheirDraught) {
    for (const double s : {0.25, 0.5, 0.75, 0.9}) {
        const double draught = sphere_draught(s);
        const Floating run = float_for(tank_with(sphere_body(), s, draught), 1.6);
        const double volume = k_pi / 6 * k_size * k_size * k_size;
        const double measured = level(run, s * volume) - (run.height - k_size / 2);
        note("sphere", (measured - draught) / k_size);
        EXPECT_NEAR(measured, draught, 0.05 * k_size) << "relative density " << s;
    }
}

TEST(FloatingPhysics, HeavyBodiesSinkAndStayDown) {
    for (const double s : {1.2, 2.0})
        for (const bool box : {true, false}) {
            Scene scene = tank_with(box ? box_body(k_size) : sphere_body(), s, k_size);
            World<3> world(scene, Device::cpu(2));
            double highest = 0;
            while (world.time() < 2) {
                world.step(2);
                if (world.time() > 1.5)
                    highest = std::max(highest, world.objects().bodies()[0].position[1]);
            }
            note(box ? "box_gap" : "sphere_gap", (highest - k_size / 2) / k_spacing);
            // a layer of particles may stay below it
            EXPECT_LT(highest - k_size / 2, k_spacing) << s << (box ? " box" : " sphere");
            EXPECT_GT(highest - k_size / 2, -0.1 * k_spacing);
            EXPECT_EQ(world.lost_count(), 0u);
        }
}

// A body that is held under water is lifted by the weight of the water that it displaces.
TEST(FloatingPhysics, HeldBodiesFeelTheWeightOfTheWater) {
    const std::string torus = testing::TempDir() + "floating_torus.ply";
    const TriangleMesh ring = torus_mesh({0, 0, 0}, {0, 1, 0}, 0.12, 0.08, 0.01);
    write_ply(ring, torus);
    Body ring_body;
    ring_body.shape = BodyMesh{torus, {1, 1, 1}};
    struct Case {
        Body body;
        double volume;
        double most_off;  // worst of all seeds and processors tried: 3.0, 3.6 and 4.2 % short
    };
    // Around curved faces the water comes a little closer than before the planes that the depth of
    // the samples is made for.
    // Samples have no pressure of their own, so that the water in the first layer presses too
    // little: the limits are a percent above the worst, not what one would like to have.
    const Case cases[] = {{box_body(k_size), std::pow(k_size, 3), 0.04},
                          {sphere_body(), k_pi / 6 * std::pow(k_size, 3), 0.046},
                          {ring_body, mass_properties(ring, 1).volume, 0.052}};
    for (const Case& c : cases) {
        Scene scene = tank_with(c.body, 0.5, 0);
        std::get<Box>(scene.fluids[0].fill[0].shape).max[1] = 0.5;
        scene.bodies[0].position[1] = 0.2;
        Joint weld;
        weld.type = "weld";
        weld.bodies = {"body", "world"};
        scene.joints = {weld};
        const Floating run = float_for(scene, 2.4);
        EXPECT_NEAR(run.height, 0.2, 1e-6);
        note("lift", run.force / (9810 * c.volume) - 1);
        EXPECT_NEAR(run.force / (9810 * c.volume), 1, c.most_off) << c.volume;
    }
}

}  // namespace
}  // namespace millrace
