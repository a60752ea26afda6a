#include "world/closed_walls.hpp"

#include <gtest/gtest.h>

#include "support/scenes.hpp"

namespace millrace {
namespace {

template <int D>
ClosedWalls<D> walls_of(const Scene& scene) {
    return ClosedWalls<D>(Device::cpu(1), make_solids<D>(scene).walls, scene.spacing);
}

// A tank of 1 m x 1.5 m x 1 m, open above; particles may go 0.1 m beyond its walls.
TEST(ClosedWalls, CountsWhatGoesThroughClosedFaces) {
    const ClosedWalls<3> walls = walls_of<3>(full_tank<3>(10, 0.1));
    ASSERT_EQ(walls.count(), 1);
    const Tank<3>& tank = walls.tanks()[0];
    const Vec3 middle{0.5f, 0.5f, 0.5f};
    EXPECT_EQ(tank.crossing(middle, {0.5f, 0.1f, 0.5f}), 0);
    EXPECT_EQ(tank.crossing(middle, {0.5f, -0.09f, 0.5f}), 0);  // in the wall, not through it
    EXPECT_EQ(tank.crossing(middle, {0.5f, -0.11f, 0.5f}), 1);
    EXPECT_EQ(tank.crossing({0.5f, -0.11f, 0.5f}, middle), -1);
    EXPECT_EQ(tank.crossing(middle, {1.2f, 0.5f, 0.5f}), 1);
    EXPECT_EQ(tank.crossing(middle, {0.5f, 0.5f, -0.2f}), 1);
    // over the rim and down outside is a fair way
    EXPECT_EQ(tank.crossing({0.95f, 1.5f, 0.5f}, {1.05f, 1.65f, 0.5f}), 0);
    EXPECT_EQ(tank.crossing({1.05f, 1.65f, 0.5f}, {1.2f, 1.5f, 0.5f}), 0);
    EXPECT_EQ(tank.crossing({1.2f, 1.5f, 0.5f}, {1.2f, -3.0f, 0.5f}), 0);
}

TEST(ClosedWalls, FollowTheTankButNotWhatMoves) {
    Scene scene = full_tank<2>(10, 0.1);
    scene.boundaries[0].position = {5, 0, 0};
    scene.boundaries[0].rotation = {{0, 0, 1}, 90};  // x is up now, y to the left
    scene.boundaries.push_back(scene.boundaries[0]);
    scene.boundaries[1].motion = WallMotion();
    Boundary obstacle = scene.boundaries[0];
    obstacle.inside = false;
    scene.boundaries.push_back(obstacle);
    const ClosedWalls<2> walls = walls_of<2>(scene);
    ASSERT_EQ(walls.count(), 1);
    const Tank<2>& tank = walls.tanks()[0];
    const Vec2 middle{4.5f, 0.5f};
    EXPECT_EQ(tank.crossing(middle, {5.2f, 0.5f}), 1);  // its floor
    EXPECT_EQ(tank.crossing(middle, {3.2f, 0.5f}), 0);  // its open side
    EXPECT_EQ(tank.crossing(middle, {4.5f, 1.2f}), 1);
}

}  // namespace
}  // namespace millrace
