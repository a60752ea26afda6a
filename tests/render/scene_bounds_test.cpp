#include "render/scene_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/primitives.hpp"

namespace millrace {
namespace {

TEST(Bounds, AreTheTanksOrTheParticles) {
    Scene scene;
    scene.spacing = 1;
    RunFrame frame;
    frame.particles.positions = {1, 2, 3, 4, 5, 6, NAN, NAN, NAN};
    EXPECT_EQ(scene_bounds(scene, {}, {&frame}).min, (Vector{0.5, 1.5, 2.5}));
    EXPECT_EQ(scene_bounds(scene, {}, {&frame}).max, (Vector{4.5, 5.5, 6.5}));
    scene.boundaries.resize(1);
    scene.boundaries[0].shape = Box{{0, 0, 0}, {1, 2, 3}};
    scene.boundaries[0].inside = true;
    EXPECT_EQ(scene_bounds(scene, {}, {&frame}).max, (Vector{1, 2, 3}));
    scene.boundaries[0].inside = false;
    frame.particles.positions.clear();
    EXPECT_EQ(scene_bounds(scene, {}, {&frame}).max, (Vector{1, 2, 3}));
    EXPECT_EQ(scene_bounds(scene, {}, {}).max, (Vector{1, 2, 3}));
    scene.boundaries.clear();
    EXPECT_LT(scene_bounds(scene, {}, {&frame}).min[0], scene_bounds(scene, {}, {&frame}).max[0]);
}

TEST(Bounds, FollowPlacesAndMotionsAndTakeBodiesAlong) {
    Scene scene;
    scene.spacing = 0.1;
    Boundary tank;
    tank.name = "tank";
    tank.shape = Box{{0, 0, 0}, {2, 1, 1}};
    tank.inside = true;
    tank.rotation = {{0, 0, 1}, 90};
    scene.boundaries = {tank};
    RunFrame frame;
    EXPECT_NEAR(scene_bounds(scene, {}, {&frame}).max[1], 2, 1e-12);
    frame.objects.walls.resize(1);
    frame.objects.walls[0].name = "tank";
    frame.objects.walls[0].position = {0, 0.5, 0};
    EXPECT_NEAR(scene_bounds(scene, {}, {&frame}).max[1], 2.5, 1e-12);

    ObjectMesh crate{"crate", true, false, {}, box_mesh({{0, 0, 0}}, {{1, 1, 1}})};
    EXPECT_NEAR(scene_bounds(scene, {crate}, {&frame}).max[1], 2.5, 1e-12);  // it is nowhere
    frame.objects.bodies.resize(1);
    frame.objects.bodies[0].name = "crate";
    frame.objects.bodies[0].position = {0, 2, 0};
    EXPECT_NEAR(scene_bounds(scene, {crate}, {&frame}).max[1], 3, 1e-12);
}

TEST(Bounds, ALargeCoastDoesNotMakeTheWaterSmall) {
    Scene scene;
    scene.spacing = 1;
    RunFrame frame;
    frame.particles.positions = {0.5, 0.5, 0.5, 9.5, 9.5, 9.5};
    const ObjectMesh coast{
        "coast", false, false, {}, box_mesh({{-1000, -50, -1000}}, {{1000, 0, 1000}})};
    const Box box = scene_bounds(scene, {coast}, {&frame});
    for (int k = 0; k < 3; ++k)
        EXPECT_LT(box.max[k] - box.min[k], 20);
    EXPECT_LT(box.min[1], 0);
}

TEST(Bounds, LeaveOutSpray) {
    Scene scene;
    RunFrame frame;
    for (int i = 0; i < 1000; ++i)
        for (int k = 0; k < 3; ++k)
            frame.particles.positions.push_back(i == 0 ? 1e6f : 0.001f * static_cast<float>(i));
    EXPECT_NEAR(scene_bounds(scene, {}, {&frame}).max[0], 0.99, 0.01);
}

}  // namespace
}  // namespace millrace
