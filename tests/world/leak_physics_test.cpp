#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "geometry/mesh_file.hpp"
#include "geometry/primitives.hpp"
#include "support/seed.hpp"
#include "support/solids.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

MeshFile saved(const TriangleMesh& mesh, const std::string& name) {
    MeshFile file;
    file.file = testing::TempDir() + name;
    write_ply(mesh, file.file);
    return file;
}

/// How deep the deepest particle is in the wall [m]. An impact presses particles into it for a
/// moment; whatever is deeper than half a spacing has reached the samples and is on its way
/// through.
template <class Outside>
double deepest(const World<3>& world, Outside outside) {
    double depth = -1e30;
    for (const Vec3& x : world.fluid().position.to_host())
        depth = std::max<double>(depth, outside(x));
    return depth;
}

Scene water_in(const Boundary& wall, const Fill& fill, double spacing) {
    Scene scene;
    scene.spacing = spacing;
    scene.seed = test_seed();
    Fluid water;
    water.viscosity.nu = 1e-3;
    water.fill = {fill};
    scene.fluids = {water};
    scene.boundaries = {wall};
    return scene;
}

// Half full, and let go as a dam break: nothing gets through a sphere, a torus, a thin cup.
TEST(LeakPhysics, ASphereHolds) {
    const double r = 0.3, h = 0.03;
    Boundary shell;
    shell.shape = saved(sphere_mesh({0, 0, 0}, r, 0.03), "leak_sphere.ply");
    shell.inside = true;
    Fill fill;
    fill.shape = Box{{-r, -r, -r}, {0, r, r}};
    World<3> world(water_in(shell, fill, h), Device::cpu(2));
    while (world.time() < 2)
        world.step(2);
    const double depth = deepest(world, [&](const Vec3& x) { return double(norm(x)) - r; });
    RecordProperty("depth_in_spacings", std::to_string(depth / h));
    EXPECT_LT(depth, 0.5 * h);
    EXPECT_GT(world.fluid().count, 1500u);
}

TEST(LeakPhysics, ATorusHolds) {
    const double major = 0.4, minor = 0.16, h = 0.03;
    Boundary ring;
    ring.shape = saved(torus_mesh({0, 0, 0}, {0, 0, 1}, major, minor, 0.03), "leak_torus.ply");
    ring.inside = true;
    Fill fill;
    fill.shape = Box{{-0.6, -0.6, -0.2}, {0, 0.6, 0.2}};
    World<3> world(water_in(ring, fill, h), Device::cpu(2));
    while (world.time() < 2)
        world.step(2);
    const double depth = deepest(world, [&](const Vec3& x) {
        return std::hypot(std::hypot(double(x[0]), double(x[1])) - major, double(x[2])) - minor;
    });
    RecordProperty("depth_in_spacings", std::to_string(depth / h));
    EXPECT_LT(depth, 0.5 * h);
    EXPECT_GT(world.fluid().count, 1500u);
}

TEST(LeakPhysics, AThinCupHolds) {
    const double h = 0.025, wall = 0.4 * h;
    Boundary cup;
    cup.shape = saved(cup_mesh(0.2, 0.24, 0.45, wall), "leak_cup.ply");
    Fill fill;
    fill.shape = saved(frustum_mesh(0.2 - wall, 0.225 - wall, wall, 0.28), "leak_fill.ply");
    for (const bool at_rest : {true, false}) {
        Scene scene = water_in(cup, fill, h);
        if (!at_rest)
            scene.fluids[0].velocity = {0.3, 0, 0};  // not over the rim
        World<3> world(scene, Device::cpu(2));
        const double end = at_rest ? 5 : 1.5;
        while (world.time() < end)
            world.step(end);
        // below the rim everything is within the cup
        const double depth = deepest(world, [&](const Vec3& x) {
            const double y = x[1], outer = 0.2 + 0.04 * y / 0.45;
            return y > 0.45 ? -1.0 : std::max(-y, std::hypot(double(x[0]), double(x[2])) - outer);
        });
        EXPECT_LT(depth, 0) << (at_rest ? "at rest" : "sloshing");
        EXPECT_GT(world.fluid().count, 900u);
    }
}

}  // namespace
}  // namespace millrace
