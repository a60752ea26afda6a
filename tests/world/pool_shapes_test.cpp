#include "world/pool_shapes.hpp"

#include <gtest/gtest.h>

#include "boundary/scripted_motion.hpp"
#include "math/scene_vectors.hpp"
#include "support/shape_oracle.hpp"
#include "world/flat_motion.hpp"

namespace millrace {
namespace {

Boundary box_wall(std::vector<std::string> open, bool inside = true) {
    Boundary wall;
    wall.shape = Box{{0, 0, 0}, {2, 1, 0}};
    wall.inside = inside;
    wall.open = std::move(open);
    return wall;
}

using Points = std::vector<Point2>;

std::vector<Shape2> shapes_of(const Boundary& wall, Point2 middle = {}) {
    return pool_shapes(make_wall<2>(wall, 0.1), 0.1, middle);
}

TEST(PoolShapes, ATankIsAThinWallAlongItsClosedFaces) {
    const auto points = [](std::vector<std::string> open) {
        std::vector<Points> chains;
        for (const Shape2& shape : shapes_of(box_wall(std::move(open)))) {
            EXPECT_EQ(shape.kind, Shape2::Kind::chain);
            chains.push_back(shape.points);
        }
        return chains;
    };
    EXPECT_EQ(points({}), (std::vector<Points>{{{0, 0}, {2, 0}, {2, 1}, {0, 1}, {0, 0}}}));
    EXPECT_EQ(points({"+y"}), (std::vector<Points>{{{0, 1}, {0, 0}, {2, 0}, {2, 1}}}));
    EXPECT_EQ(points({"-y"}), (std::vector<Points>{{{2, 0}, {2, 1}, {0, 1}, {0, 0}}}));
    EXPECT_EQ(points({"+x", "-x"}), (std::vector<Points>{{{0, 0}, {2, 0}}, {{2, 1}, {0, 1}}}));
    EXPECT_EQ(points({"+x", "+y", "-x"}), (std::vector<Points>{{{0, 0}, {2, 0}}}));
}

TEST(PoolShapes, WallsAreScaledTurnedAndMoved) {
    Boundary wall = box_wall({}, false);
    wall.scale = {2, 1, 1};
    wall.rotation.angle = 90;
    wall.position = {10, 0, 0};
    const Shape2 shape = shapes_of(wall)[0];
    EXPECT_EQ(shape.kind, Shape2::Kind::polygon);
    EXPECT_NEAR(signed_distance(shape, {9.5f, 2}), -0.5, 1e-6);
    EXPECT_NEAR(signed_distance(shape, {9.5f, 5}), 1, 1e-6);
    EXPECT_NEAR(signed_distance(shape, {11, 2}), 1, 1e-6);

    wall.shape = Sphere{{1, 0, 0}, 0.5};
    wall.scale = {-2, 2, 1};
    const Shape2 circle = shapes_of(wall)[0];
    EXPECT_NEAR(circle.radius, 1, 1e-6);
    EXPECT_NEAR(circle.points[0].x, 10, 1e-6);
    EXPECT_NEAR(circle.points[0].y, -2, 1e-6);
}

// Everything behind the line is solid, wherever the scene is on it.
TEST(PoolShapes, APlaneIsASlab) {
    Boundary wall;
    wall.shape = Plane{{0, 1, 0}, {0, 2, 0}};
    for (const float x : {0.0f, 500.0f}) {
        const Shape2 shape = shapes_of(wall, {x, 7})[0];
        EXPECT_NEAR(signed_distance(shape, {x + 3, 1.25f}), 0.25, 1e-4);
        EXPECT_NEAR(signed_distance(shape, {x - 3, 0.75f}), -0.25, 1e-4);
        EXPECT_NEAR(signed_distance(shape, {x - 3, -30}), -31, 1e-3);
    }
    std::get<Plane>(wall.shape).normal = {1, 1, 0};
    wall.rotation.angle = -45;
    EXPECT_NEAR(signed_distance(shapes_of(wall)[0], {3, 0}), 3 - std::sqrt(0.5), 1e-4);
}

// A hollow disc or polygon holds fluid by a closed thin wall.
TEST(PoolShapes, HollowShapesAreClosedChains) {
    Boundary wall;
    wall.shape = Sphere{{1, 0, 0}, 0.5};
    wall.inside = true;
    const Shape2 round = shapes_of(wall)[0];
    EXPECT_EQ(round.kind, Shape2::Kind::chain);
    EXPECT_EQ(round.points.front(), round.points.back());
    EXPECT_NEAR(signed_distance(round, {1, 0}), 0.5, 0.01);
    wall.shape = Polygon{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    EXPECT_EQ(shapes_of(wall)[0].points, (Points{{0, 0}, {1, 0}, {0, 1}, {0, 0}}));
}

TEST(PoolShapes, BodiesAndFills) {
    Body body;
    body.shape = BodyBox{{0.6, 0.4, 0}};
    Solid<2> solid;
    solid.shape = placed_shape<2>(body);
    EXPECT_NEAR(signed_distance(pool_shapes(solid, 0.1, {})[0], {0, 0}), -0.2, 1e-6);
    Fill fill;
    fill.shape = Polygon{{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 2, 0}, {1, 1, 0}, {0, 1, 0}}};
    std::vector<std::string> warnings;
    const Shape2 l = pool_shape(make_fill<2>(fill, 0.1, "", warnings));
    EXPECT_NEAR(signed_distance(l, {0.5f, 1.5f}), 0.5, 1e-6);
    EXPECT_NEAR(signed_distance(l, {1.5f, 1.5f}), -0.5, 1e-6);
    EXPECT_EQ(seen_from({1, 2}, Shape2::circle({4, 3}, 1)).points[0], (Point2{3, 1}));
}

WallMotion turning() {
    WallMotion motion;
    motion.type = "rotate";
    motion.axis = {0, 0, 1};
    motion.center = {3, -2, 0};
    motion.rpm = 700;
    return motion;
}

// Going on with its velocities a wall is where the script has it.
TEST(FlatMotion, VelocitiesLeadToTheNextPose) {
    WallMotion swing;
    swing.type = "sine";
    swing.axis = {1, 1, 0};
    swing.amplitude = 2;
    swing.period = 0.7;
    swing.from = 0.3;
    WallMotion frames;
    frames.type = "keyframes";
    frames.center = {1, 1, 0};
    frames.keyframes = {{0, {}, {}}, {1, {2, 0, 0}, {{0, 0, 1}, 120}}, {2, {}, {{0, 0, 1}, -100}}};
    for (const WallMotion& motion : {turning(), swing, frames}) {
        constexpr double dt = 1.0 / 60;
        for (int k = 0; k < 100; ++k) {
            const SolidState a = state_between(motion, k * dt, dt);
            const SolidState b = state_between(motion, (k + 1) * dt, dt);
            EXPECT_NEAR(a.position.x + a.velocity.x * dt, b.position.x, 1e-5) << motion.type;
            EXPECT_NEAR(a.position.y + a.velocity.y * dt, b.position.y, 1e-5);
            EXPECT_NEAR(std::remainder(a.angle + a.angular_velocity * dt - b.angle, 2 * M_PI), 0,
                        1e-5);
            // a point of the wall, as in 3D
            const BodyState frame = motion_at(motion, k * dt);
            const Vec3d x{1, 2, 0}, at = rotate(frame.rotation, x) + frame.position;
            const Vec3d from = x - to_vec3d(motion.center);
            const double c = std::cos(double{a.angle}), s = std::sin(double{a.angle});
            EXPECT_NEAR(a.position.x + c * from[0] - s * from[1], at[0], 1e-5);
            EXPECT_NEAR(a.position.y + s * from[0] + c * from[1], at[1], 1e-5);
        }
    }
    EXPECT_NEAR(state_between(turning(), 1, 1.0 / 60).angular_velocity, 700 * 2 * M_PI / 60, 1e-3);
}

}  // namespace
}  // namespace millrace
