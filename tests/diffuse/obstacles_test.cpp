#include "diffuse/obstacles.hpp"

#include <gtest/gtest.h>

#include "geometry/primitives.hpp"

namespace millrace {
namespace {

Scene empty_scene() {
    Scene scene;
    scene.spacing = 0.1;
    return scene;
}

Boundary box_wall(const Vector& min, const Vector& max) {
    Boundary wall;
    wall.name = "wall";
    wall.shape = Box{min, max};
    return wall;
}

BodyView view_of(const std::string& name, const Vector& position) {
    BodyView view;
    view.name = name;
    view.position = position;
    return view;
}

TEST(DiffuseObstacles, WithoutAnyNothingIsBlocked) {
    EXPECT_FALSE(Obstacles().blocks(Vec3::all(0), Vec3::all(100)));
    EXPECT_FALSE(Obstacles(empty_scene(), {}, {}).blocks(Vec3::all(0), Vec3::all(100)));
}

TEST(DiffuseObstacles, ATankHoldsWhatDoesNotLeaveThroughAnOpenFace) {
    Scene scene = empty_scene();
    Boundary tank = box_wall({0, 0, 0}, {2, 1, 2});
    tank.inside = true;
    tank.open = {"+y"};
    scene.boundaries = {tank};
    const Obstacles obstacles(scene, {}, {});
    const Vec3 middle{{1, 0.5f, 1}};
    EXPECT_FALSE(obstacles.blocks(middle, {{1.98f, 0.02f, 0.02f}}));
    EXPECT_FALSE(obstacles.blocks(middle, {{1, 5, 1}}));  // out of the open face
    EXPECT_FALSE(obstacles.blocks({{1, 5, 1}}, middle));  // and in
    EXPECT_TRUE(obstacles.blocks(middle, {{2.05f, 0.5f, 1}}));
    EXPECT_TRUE(obstacles.blocks(middle, {{1, -0.01f, 1}}));
    EXPECT_TRUE(obstacles.blocks(middle, {{9, 0.5f, 1}}));    // through a wall
    EXPECT_TRUE(obstacles.blocks(middle, {{1, -40, 1.2f}}));  // through the floor
    EXPECT_TRUE(obstacles.blocks({{9, 0.5f, 1}}, middle));    // from outside
}

TEST(DiffuseObstacles, ThinWallsAreNotJumpedOver) {
    Scene scene = empty_scene();
    Boundary sheet;
    sheet.name = "sheet";
    sheet.shape = MeshFile{};
    scene.boundaries = {box_wall({1, 0, 0}, {1.004, 1, 1}), sheet};
    TriangleMesh mesh;  // open: a wall of half a spacing around x = 3
    mesh.vertices = {{3, -1, -1}, {3, 3, -1}, {3, -1, 3}};
    mesh.triangles = {{0, 1, 2}};
    const Obstacles obstacles(scene, {{}, mesh}, {});
    for (int i = 0; i < 200; ++i) {
        const float z = 0.004f * float(i), x = 0.5f * z;
        EXPECT_TRUE(obstacles.blocks({{x, 0.5f, z}}, {{1.9f + z, 0.4f, z}})) << i;
        EXPECT_TRUE(obstacles.blocks({{2.1f + x, 0.5f, z}}, {{3.9f + z, 0.4f, z}})) << i;
    }
    EXPECT_FALSE(obstacles.blocks({{0, 1.1f, 0.5f}}, {{2, 1.2f, 0.5f}}));  // over the first
    EXPECT_FALSE(obstacles.blocks({{2, 2, 2}}, {{4, 2, 2}}));              // beside the triangle
}

TEST(DiffuseObstacles, PlanesSpheresAndMeshesBlock) {
    Scene scene = empty_scene();
    Boundary ground, ball, rock;
    ground.shape = Plane{};
    ball.shape = Sphere{{0, 1, 0}, 0.5};
    rock.shape = MeshFile{};
    scene.boundaries = {ground, ball, rock};
    const TriangleMesh mesh = box_mesh({2, 0.5, -0.5}, {3, 1.5, 0.5});
    const Obstacles obstacles(scene, {{}, {}, mesh}, {});
    EXPECT_TRUE(obstacles.blocks({{5, 1, 0}}, {{5, -0.1f, 0}}));
    EXPECT_FALSE(obstacles.blocks({{5, 1, 0}}, {{5, 0.1f, 0}}));
    EXPECT_TRUE(obstacles.blocks({{-2, 1, 0}}, {{1.5f, 1, 0}}));
    EXPECT_FALSE(obstacles.blocks({{-2, 1, 0.55f}}, {{1.5f, 1, 0.55f}}));
    EXPECT_TRUE(obstacles.blocks({{2.5f, 2, 0}}, {{2.5f, 1.4f, 0}}));
    EXPECT_TRUE(obstacles.blocks({{2.5f, 2.5f, 0}}, {{2.5f, 0.2f, 0}}));
    EXPECT_FALSE(obstacles.blocks({{2.5f, 2, 0}}, {{2.5f, 1.6f, 0}}));
}

TEST(DiffuseObstacles, BodiesAreWhereTheyWerePlaced) {
    Scene scene = empty_scene();
    Body body;
    body.name = "crate";
    body.shape = BodyBox{{1, 1, 1}};
    scene.bodies = {body};
    Obstacles obstacles(scene, {}, {});
    EXPECT_FALSE(obstacles.blocks(Vec3::all(-2), Vec3::all(2)));
    obstacles.place({view_of("crate", {0, 0, 0})}, {});
    EXPECT_TRUE(obstacles.blocks(Vec3::all(-2), Vec3::all(2)));
    BodyView turned = view_of("crate", {10, 0, 0});
    const double eighth = 3.14159265358979 / 8;  // by 45 degrees about z
    turned.rotation = {std::cos(eighth), 0, 0, std::sin(eighth)};
    obstacles.place({turned}, {});
    obstacles.place({turned}, {});
    EXPECT_FALSE(obstacles.blocks(Vec3::all(-2), Vec3::all(2)));
    EXPECT_TRUE(obstacles.blocks({{10.65f, 0, 0}}, {{10.65f, 0, 0}}));
    EXPECT_FALSE(obstacles.blocks({{10.45f, 0.45f, 0}}, {{10.45f, 0.45f, 0}}));
}

/// Seen from a wall that moves, a point may come towards it or go along with it.
TEST(DiffuseObstacles, AMovingWallTakesAlongWhatMovesWithIt) {
    Scene scene = empty_scene();
    Boundary paddle = box_wall({-1, 0, 0}, {0, 1, 1});
    paddle.motion = WallMotion{};
    scene.boundaries = {paddle};
    Obstacles obstacles(scene, {}, {});
    obstacles.place({}, {view_of("wall", {0, 0, 0})});
    obstacles.place({}, {view_of("wall", {0.3, 0, 0})});
    EXPECT_FALSE(obstacles.blocks({{0.05f, 0.5f, 0.5f}}, {{0.35f, 0.5f, 0.5f}}));  // carried along
    EXPECT_TRUE(obstacles.blocks({{0.2f, 0.5f, 0.5f}}, {{0.2f, 0.5f, 0.5f}}));     // run over
    obstacles.place({}, {view_of("wall", {0, 0, 0})});
    EXPECT_FALSE(obstacles.blocks({{0.35f, 0.5f, 0.5f}}, {{0.05f, 0.5f, 0.5f}}));  // follows it
}

}  // namespace
}  // namespace millrace
