// Water at rest stays at rest, whatever holds it and however fine it is.
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mesh_file.hpp"
#include "geometry/primitives.hpp"
#include "support/scenes.hpp"
#include "support/seed.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

constexpr double k_depth = 0.16, k_length = 0.5, k_width = 0.3;
constexpr double k_pi = std::numbers::pi;
constexpr double k_limit = 0.1;  ///< [m/s]; a wave on this water has 1.25
constexpr double k_end = 0.25;

Scene water_in(const Box& fill, double spacing) {
    Scene scene;
    scene.spacing = spacing;
    scene.seed = test_seed();
    Fluid water;
    water.viscosity.nu = 1e-3;
    water.fill.resize(1);
    water.fill[0].shape = fill;
    scene.fluids = {water};
    return scene;
}

Scene tank(double spacing) {
    Scene scene = water_in({{0, 0, 0}, {k_length, k_depth, k_width}}, spacing);
    Boundary walls;
    walls.shape = Box{{0, 0, 0}, {k_length, 0.4, k_width}};
    walls.inside = true;
    walls.open = {"+y"};
    scene.boundaries = {walls};
    return scene;
}

Boundary mesh_wall(const TriangleMesh& mesh, const std::string& name) {
    const std::string path = testing::TempDir() + name;
    write_ply(mesh, path);
    Boundary wall;
    wall.shape = MeshFile{path, {1, 1, 1}, {}, {}};
    return wall;
}

/// A solid prism along z of the triangle a, b, c, which runs counterclockwise as seen from +z.
TriangleMesh prism(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    TriangleMesh mesh;
    for (const double z : {-0.1, k_width + 0.1})
        for (const Vec2d& p : {a, b, c})
            mesh.vertices.push_back({p[0], p[1], z});
    mesh.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                      {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
    return mesh;
}

/// `area`: of the walls that cut the lattice. Points of a lattice tell a volume to within a tenth
/// of a cell for each that is cut, in the worst of the shapes here.
void expect_stillness(const Scene& scene, double volume, double area, double end = k_end) {
    SCOPED_TRACE("spacing " + std::to_string(scene.spacing));
    World<3> world(scene, Device::cpu(2));
    double filled = 0;
    for (const float v : world.fluid().volume.to_host())
        filled += v;
    EXPECT_NEAR(filled / volume, 1, 0.01 + 0.1 * scene.spacing * area / volume);
    double fastest = 0;
    while (world.time() < end)
        fastest = std::max(fastest, world.step(end).max_speed);
    EXPECT_LT(fastest, k_limit);
    EXPECT_EQ(world.lost_count(), 0u);
    testing::Test::RecordProperty("fastest_" + std::to_string(scene.spacing),
                                  std::to_string(fastest));
}

constexpr double k_spacings[] = {0.032, 0.025, 0.02};

// Not at 45 degrees: there whole layers of the lattice lie in the slope, and chance decides on
// them.
TEST(StillStartPhysics, OverASlopingMesh) {
    const Boundary ramp = mesh_wall(prism({0.2, -0.1}, {0.7, -0.1}, {0.7, 0.25}), "ramp.ply");
    const double dry = k_length - 0.2 - 0.1 / 0.7, height = 0.7 * dry;
    for (const double h : k_spacings) {
        Scene scene = tank(h);
        scene.boundaries.push_back(ramp);
        expect_stillness(scene, (k_length * k_depth - dry * height / 2) * k_width,
                         std::hypot(dry, height) * k_width);
    }
}

TEST(StillStartPhysics, InAMeshBowl) {
    const double r = 0.2;
    Boundary bowl = mesh_wall(sphere_mesh({0, 0, 0}, r, 0.02), "bowl.ply");
    bowl.inside = true;
    for (const double h : k_spacings) {
        Scene scene = water_in({{-r, -r, -r}, {r, k_depth - r, r}}, h);
        scene.boundaries = {bowl};
        expect_stillness(scene, k_pi * k_depth * k_depth * (r - k_depth / 3),
                         2 * k_pi * r * k_depth);
    }
}

// 143 layers: tolerances are means over all of them, and must not let them breathe (0.23 m/s).
TEST(StillStartPhysics, InAFineTube) {
    const double r = 0.008, depth = 0.2;
    Scene scene = water_in({{-r, 0, -r}, {r, depth, r}}, 0.0014);
    scene.fluids[0].viscosity.nu = 1e-4;
    scene.boundaries.resize(1);
    scene.boundaries[0].inside = true;
    scene.boundaries[0].shape = Cylinder{{0, 0, 0}, {0, 0.25, 0}, r};
    expect_stillness(scene, k_pi * r * r * depth, 2 * k_pi * r * depth, 0.03);
}

TEST(StillStartPhysics, InASphereAndACylinder) {
    const double r = 0.18;
    for (const double h : k_spacings) {
        Scene scene = water_in({{-r, -r, -r}, {r, k_depth - r, r}}, h);
        scene.boundaries.resize(1);
        scene.boundaries[0].inside = true;
        scene.boundaries[0].shape = Sphere{{0, 0, 0}, r};
        expect_stillness(scene, k_pi * k_depth * k_depth * (r - k_depth / 3),
                         2 * k_pi * r * k_depth);
        scene.boundaries[0].shape = Cylinder{{0, -r, 0}, {0, r, 0}, r};
        expect_stillness(scene, k_pi * r * r * k_depth, 2 * k_pi * r * k_depth);
    }
}

TEST(StillStartPhysics, BesideATurnedBox) {
    for (const double h : k_spacings) {
        Scene scene = tank(h);
        Boundary box;
        box.shape = Box{{-0.08, -0.03, -0.05}, {0.08, 0.03, 0.05}};
        box.position = {0.25 + 0.02 * seeded_offset(1), 0.06, 0.15};
        box.rotation = {{0.3, 1, 0.2}, 35};
        scene.boundaries.push_back(box);
        expect_stillness(scene, k_length * k_depth * k_width - 0.16 * 0.06 * 0.1, 0.0632);
    }
}

// What has no rest to come to starts as it is written: a column beside a ramp is still a column.
TEST(StillStartPhysics, AColumnIsNotLetDown) {
    Scene scene = tank(0.025);
    std::get<Box>(scene.fluids[0].fill[0].shape).max[0] = 0.25;
    scene.boundaries.push_back(
        mesh_wall(prism({0.2, -0.1}, {0.6, -0.1}, {0.6, 0.3}), "dam_ramp.ply"));
    const World<3> world(scene, Device::cpu(2));
    for (const Vec3& x : world.fluid().position.to_host())
        EXPECT_LT(x[0], 0.25f);
}

// For a snapshot that will be restored it would be in vain.
TEST(StillStartPhysics, NobodySettlesWhoDoesNotWantTo) {
    Scene scene = tank(0.04);
    scene.boundaries.push_back(
        mesh_wall(prism({0.2, -0.1}, {0.7, -0.1}, {0.7, 0.25}), "idle_ramp.ply"));
    ASSERT_TRUE(comes_to_rest(scene));
    int calls = 0;
    double last = 0;
    const World<3> settled(scene, Device::cpu(2), [&](double part) {
        ++calls;
        EXPECT_GT(part, last);
        last = part;
    });
    EXPECT_GT(calls, 100);
    EXPECT_EQ(last, 1);
    const World<3> as_filled(scene, Device::cpu(2), nullptr);
    EXPECT_NE(as_filled.fluid_count(), 0u);
    EXPECT_NE(as_filled.fluid().position.to_host()[0][1], settled.fluid().position.to_host()[0][1]);
}

double fastest_until(double end, const std::string& name, double spacing) {
    const Scene scene = example_scene(name, {"spacing=" + std::to_string(spacing)});
    World<3> world(scene, Device::cpu(2));
    double fastest = 0;
    while (world.time() < end)
        fastest = std::max(fastest, world.step(end).max_speed);
    return fastest;
}

// Finer is not wilder: the largest speed is the same to within 20 % at three spacings.
void expect_the_same_speed(const std::string& name, double end,
                           const std::vector<double>& spacings) {
    double least = 1e9, most = 0;
    for (const double spacing : spacings) {
        const double speed = fastest_until(end, name, spacing);
        testing::Test::RecordProperty("fastest_" + std::to_string(spacing), std::to_string(speed));
        least = std::min(least, speed);
        most = std::max(most, speed);
    }
    EXPECT_LT(most, 1.2 * least);
}

TEST(FinerPhysics, ADamBreaksWithTheSameSpeed) {
    expect_the_same_speed("dam_break", 0.4, {0.08, 0.06, 0.045});
}

TEST(FinerPhysics, AWaveMakerSetsOffWithTheSameSpeed) {
    expect_the_same_speed("harbour", 0.25, {0.12, 0.1, 0.08});
}

TEST(FinerPhysics, ABottleTiltsWithTheSameSpeed) {
    expect_the_same_speed("bottle", 0.25, {0.006, 0.005, 0.0042});
}

}  // namespace
}  // namespace millrace
