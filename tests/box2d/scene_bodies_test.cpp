// The bodies of a scene in Box2D, without fluid.
#include "box2d/scene_bodies.hpp"

#include <gtest/gtest.h>

#include "millrace/error.hpp"
#include "millrace/simulation.hpp"
#include "world/pool_shapes.hpp"

namespace millrace {
namespace {

constexpr double k_dt = 1.0 / 60;

Body box_body(const std::string& name, const Vector& position) {
    Body body;
    body.name = name;
    body.shape = BodyBox{{0.6, 0.4, 0}};
    body.position = position;
    return body;
}

/// A world of bodies; every length is `size` times what it says.
struct Stage {
    FlatDescription description;
    Scene scene;  ///< with the body that is added
    std::unique_ptr<FlatBodies> bodies;
    double size;

    explicit Stage(double size = 1, double gravity = -10) : size(size) {
        description.gravity = {0, static_cast<float>(gravity * size)};
        description.spacing = scene.spacing = 0.1 * size;
        scene.dimension = 2;
    }
    void add(Body body) {
        for (Vector* v : {&body.position, &body.velocity})
            for (double& x : *v)
                x *= size;
        if (BodyBox* box = std::get_if<BodyBox>(&body.shape))
            for (double& x : box->size)
                x *= size;
        if (Polygon* polygon = std::get_if<Polygon>(&body.shape))
            for (Vector& p : polygon->points)
                for (double& x : p)
                    x *= size;
        scene.bodies = {body};
        description.bodies.push_back(flat_description(scene, make_solids<2>(scene)).bodies.front());
    }
    void add_floor() {
        FlatWall floor;
        const auto s = static_cast<float>(size);
        floor.shapes = {Shape2::chain({{-9 * s, 0}, {0, 0}, {9 * s, 0}})};
        floor.friction = 0.5;
        description.walls.push_back(floor);
    }
    void add_joint(Joint joint) {
        for (Vector* v : {&joint.anchor, &joint.anchor_b})
            for (double& x : *v)
                x *= size;
        description.joints.push_back(std::move(joint));
    }
    void run(double seconds) {
        if (!bodies)
            bodies = make_box2d_bodies(description);
        const std::vector<SolidPush> none(description.bodies.size());
        std::vector<SolidState> walls;
        for (const FlatWall& wall : description.walls)
            walls.push_back(wall.state);
        for (int k = 0; k < std::lround(seconds / k_dt); ++k)
            bodies->step(static_cast<float>(k_dt), none, walls);
    }
    double x(std::size_t b = 0) const { return bodies->state(b).position.x / size; }
    double y(std::size_t b = 0) const { return bodies->state(b).position.y / size; }
    double degrees(std::size_t b = 0) const { return bodies->state(b).angle * 180 / M_PI; }
};

Joint make_joint(const std::string& type, std::vector<std::string> bodies,
                 const Vector& anchor = {}) {
    Joint joint;
    joint.type = type;
    joint.bodies = std::move(bodies);
    joint.anchor = anchor;
    return joint;
}

TEST(Box2dBodies, FallFreely) {
    for (const double size : {1.0, 0.01, 100.0}) {
        Stage stage(size);
        Body body = box_body("a", {1, 50, 0});
        body.velocity = {2, 3, 0};
        body.angular_velocity = {0, 0, 1.5};
        body.rotation.angle = 20;
        stage.add(body);
        stage.run(1);
        // v_n = v_0 + n dt g, x_n = x_0 + dt (v_1 + ... + v_n)
        const double n = 60;
        EXPECT_NEAR(stage.x(), 1 + 2, 1e-4) << size;
        EXPECT_NEAR(stage.y(), 50 + 3 - 10 * k_dt * k_dt * n * (n + 1) / 2, 1e-3) << size;
        EXPECT_NEAR(stage.bodies->state(0).velocity.y / size, 3 - 10, 1e-4);
        EXPECT_NEAR(stage.degrees(), 20 + 1.5 * 180 / M_PI, 1e-3);
    }
}

// A concave polygon, an L of three squares with the corner in the origin.
TEST(Box2dBodies, MassAndInertiaAreThoseOfTheShape) {
    for (const double size : {1.0, 0.01}) {
        Stage stage(size);
        Body body = box_body("l", {});
        body.shape = Polygon{{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}};
        body.density = 200;
        stage.add(body);
        body.mass = 90;
        body.name = "given";
        stage.add(body);
        const auto bodies = make_box2d_bodies(stage.description);
        const double mass = 200 * 3 * size * size;
        EXPECT_NEAR(bodies->state(0).inverse_mass * mass, 1, 1e-5);
        EXPECT_NEAR(bodies->center(0).x / size, 2.5 / 3, 1e-5);
        EXPECT_NEAR(bodies->center(0).y / size, 2.5 / 3, 1e-5);
        // squares at (0.5, 0.5), (1.5, 0.5), (0.5, 1.5): 1/6 each, and the squares of their ways
        double inertia = 3.0 / 6;
        for (const auto& [x, y] : {std::pair{0.5, 0.5}, {1.5, 0.5}, {0.5, 1.5}})
            inertia += (x - 2.5 / 3) * (x - 2.5 / 3) + (y - 2.5 / 3) * (y - 2.5 / 3);
        inertia *= 200 * size * size * size * size;
        EXPECT_NEAR(bodies->state(0).inverse_inertia * inertia, 1, 1e-4);
        EXPECT_NEAR(bodies->state(1).inverse_mass * 90, 1, 1e-5);
    }
}

// A disc of 40 corners, which no polygon of Box2D can have.
TEST(Box2dBodies, PolygonsMayHaveManyCorners) {
    Stage stage;
    Body body = box_body("disc", {0, 0.5, 0});
    body.shape = Polygon{};
    for (int k = 0; k < 40; ++k)
        std::get<Polygon>(body.shape)
            .points.push_back({0.5 * std::cos(k * M_PI / 20), 0.5 * std::sin(k * M_PI / 20), 0});
    body.velocity = {1, 0, 0};
    stage.add(body);
    stage.add_floor();
    stage.run(2);
    const double area = 20 * 0.25 * std::sin(M_PI / 20);
    EXPECT_NEAR(1 / stage.bodies->state(0).inverse_mass, 500 * area, 0.01);
    EXPECT_NEAR(stage.y(), 0.51, 0.02);
    EXPECT_LT(stage.degrees(), -60);  // it rolls
}

TEST(Box2dBodies, RestOnWallsOfAnySize) {
    for (const double size : {1.0, 0.01, 100.0}) {
        Stage stage(size);
        stage.add(box_body("a", {-1, 0.5, 0}));
        stage.add_floor();
        stage.run(3);
        EXPECT_NEAR(stage.y(), 0.2, 0.03) << size;
        EXPECT_NEAR(stage.degrees(), 0, 0.5) << size;
    }
}

TEST(Box2dBodies, PushesMoveThem) {
    for (const double size : {1.0, 0.01}) {
        Stage stage(size, 0);
        stage.add(box_body("a", {}));
        const auto bodies = make_box2d_bodies(stage.description);
        const double mass = 1 / double(bodies->state(0).inverse_mass);
        const double inertia = 1 / double(bodies->state(0).inverse_inertia);
        SolidPush push;
        push.impulse = {static_cast<float>(mass * 2 * size), 0};
        push.angular_impulse = static_cast<float>(inertia * 3);
        bodies->step(static_cast<float>(k_dt), {{push}}, {});
        EXPECT_NEAR(bodies->state(0).velocity.x / size, 2, 1e-5);
        EXPECT_NEAR(bodies->state(0).angular_velocity, 3, 1e-5);
    }
}

TEST(Box2dBodies, AMotorTurnsAHinge) {
    for (const bool world_first : {true, false})
        for (const double axis : {1.0, -1.0}) {
            Stage stage;
            stage.add(box_body("wheel", {3, 2, 0}));
            Joint hinge = make_joint("hinge", {"wheel", "world"}, {3, 2, 0});
            if (world_first)
                std::swap(hinge.bodies[0], hinge.bodies[1]);
            hinge.axis = {0, 0, axis};
            hinge.motor = Motor{2, 1e6, {}};
            stage.add_joint(hinge);
            stage.run(0.5);
            EXPECT_NEAR(stage.degrees(), axis * 180 / M_PI, 1);
            EXPECT_NEAR(stage.x(), 3, 1e-3);
            EXPECT_NEAR(stage.y(), 2, 1e-3);
        }
}

TEST(Box2dBodies, HingesHaveLimits) {
    for (const double size : {1.0, 0.01}) {
        Stage stage(size);
        stage.add(box_body("flap", {0.3, 0, 0}));
        Joint hinge = make_joint("hinge", {"flap", "world"}, {0, 0, 0});
        hinge.limits = {-30, 10};
        stage.add_joint(hinge);
        stage.run(4);
        EXPECT_NEAR(stage.degrees(), -30, 2.5);
        EXPECT_NEAR(std::hypot(stage.x(), stage.y()), 0.3, 0.01);
    }
}

// Of two bodies the second turns against the first.
TEST(Box2dBodies, AHingeJoinsTwoBodies) {
    Stage stage(1, 0);
    Body heavy = box_body("a", {0, 0, 0});
    heavy.density = 1e6;
    stage.add(heavy);
    stage.add(box_body("b", {0.6, 0, 0}));
    Joint hinge = make_joint("hinge", {"a", "b"}, {0.3, 0, 0});
    hinge.motor = Motor{1, 1e6, {}};
    stage.add_joint(hinge);
    stage.run(0.5);
    EXPECT_NEAR(stage.degrees(1) - stage.degrees(0), 0.5 * 180 / M_PI, 1);
    EXPECT_NEAR(stage.degrees(0), 0, 0.5);
}

TEST(Box2dBodies, SlidersMoveAlongTheirAxis) {
    for (const double size : {1.0, 0.01}) {
        Stage stage(size);
        stage.add(box_body("lift", {0, 1, 0}));
        Joint slider = make_joint("slider", {"world", "lift"});
        slider.axis = {0, 3, 0};
        slider.motor = Motor{0.5 * size, {}, 1e6};
        slider.limits = {-1 * size, 0.75 * size};
        stage.add_joint(slider);
        stage.run(1);
        EXPECT_NEAR(stage.y(), 1.5, 0.02);
        EXPECT_NEAR(stage.x(), 0, 1e-3);
        stage.run(2);
        EXPECT_NEAR(stage.y(), 1.75, 0.02);
    }
}

TEST(Box2dBodies, RodsAndRopesKeepTheirLengths) {
    Stage stage;
    stage.add(box_body("rod", {1, 0, 0}));
    stage.add(box_body("rope", {6, 0, 0}));
    Joint rod = make_joint("distance", {"rod", "world"}, {1, 0, 0});
    rod.anchor_b = {0, 0, 0};
    Joint rope = make_joint("distance", {"world", "rope"}, {5, 0, 0});
    rope.anchor_b = {6, 0, 0};
    rope.limits = {0, 2};
    stage.add_joint(rod);
    stage.add_joint(rope);
    for (int k = 0; k < 20; ++k) {
        stage.run(0.1);
        EXPECT_NEAR(std::hypot(stage.x(0), stage.y(0)), 1, 0.02);
        EXPECT_LT(std::hypot(stage.x(1) - 5, stage.y(1)), 2.03);
        if (k == 3) {  // still slack, it falls
            EXPECT_NEAR(stage.y(1), -0.5 * 10 * 0.16, 0.1);
        }
    }
}

TEST(Box2dBodies, WeldsHold) {
    Stage stage;
    stage.add(box_body("a", {0, 1, 0}));
    stage.add(box_body("b", {0.6, 1, 0}));
    stage.add_joint(make_joint("weld", {"a", "world"}));
    stage.add_joint(make_joint("weld", {"a", "b"}));
    stage.run(1);
    EXPECT_NEAR(stage.y(0), 1, 0.01);
    EXPECT_NEAR(stage.y(1), 1, 0.02);
}

TEST(Box2dBodies, MovingWallsPushThem) {
    Stage stage(1, 0);
    stage.add(box_body("a", {0.5, 0, 0}));
    FlatWall piston;
    piston.shapes = {Shape2::box({-0.1f, -1}, {0.1f, 1})};
    piston.moves = true;
    piston.restitution = 0;
    stage.description.walls.push_back(piston);
    stage.description.bodies[0].restitution = 0;
    const auto bodies = make_box2d_bodies(stage.description);
    SolidState state;
    state.velocity = {1, 0};
    const std::vector<SolidPush> none(1);
    for (int k = 0; k < 60; ++k) {
        state.position = {static_cast<float>(k * k_dt), 0};
        bodies->step(static_cast<float>(k_dt), none, {{state}});
    }
    EXPECT_NEAR(bodies->state(0).velocity.x, 1, 0.01);
    EXPECT_NEAR(bodies->state(0).position.x, 1 + 0.1 + 0.3, 0.03);
}

TEST(Box2dBodies, WhatIsTooSmallIsRefused) {
    Stage stage;
    Body body = box_body("speck", {});
    body.shape = BodyBox{{0.001, 0.001, 0}};
    stage.add(body);
    EXPECT_THROW(make_box2d_bodies(stage.description), InputError);
}

TEST(Box2dBodies, NumbersOfOtherBodiesAreRefused) {
    Stage stage;
    stage.add(box_body("a", {}));
    const std::vector<double> one = make_box2d_bodies(stage.description)->save();
    stage.add(box_body("b", {}));
    EXPECT_FALSE(make_box2d_bodies(stage.description)->restore(one));
}

// In a scene: no contact with the fluid, nothing but gravity.
TEST(Box2dBodies, InASceneTheyFallFreelyAndAreSeen) {
    const Scene scene = parse_scene(R"({
      "millrace": 1, "dimension": 2, "spacing": 0.1, "gravity": [0, -10],
      "fluids": [ { "fill": [ { "box": { "min": [0, 0], "max": [1, 1] } } ] } ],
      "boundaries": [ { "box": { "min": [0, 0], "max": [1, 2] }, "inside": true } ],
      "bodies": [ { "name": "l", "density": 300, "position": [9, 50], "rotation": {"angle": 90},
                    "polygon": { "points": [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]] } } ],
      "engine": "game" })");
    Simulation simulation(scene, {"cpu", 1});
    EXPECT_EQ(simulation.bodies()[0].name, "l");
    EXPECT_NEAR(simulation.bodies()[0].position[0], 9 - 2.5 / 3, 1e-5);
    EXPECT_NEAR(simulation.bodies()[0].position[1], 50 + 2.5 / 3, 1e-5);
    simulation.advance(1);
    const BodyView view = simulation.bodies()[0];
    EXPECT_NEAR(view.position[1], 50 + 2.5 / 3 - 5, 0.1);
    EXPECT_NEAR(view.velocity[1], -10, 1e-3);
    EXPECT_NEAR(2 * std::atan2(view.rotation[3], view.rotation[0]), M_PI / 2, 1e-5);
    EXPECT_EQ(view.force[1], 0);
}

// A box in water that is held by its buoyancy: the force of the fluid is its weight.
TEST(Box2dBodies, TheFluidsForceIsReported) {
    const Scene scene = parse_scene(R"({
      "millrace": 1, "dimension": 2, "spacing": 0.1, "gravity": [0, -10],
      "fluids": [ { "fill": [ { "box": { "min": [0, 0], "max": [3, 1.5] } } ] } ],
      "boundaries": [ { "box": { "min": [0, 0], "max": [3, 3] }, "inside": true } ],
      "bodies": [ { "box": { "size": [1, 0.5] }, "density": 400, "position": [1.5, 1.6] } ],
      "engine": "game" })");
    Simulation simulation(scene, {"cpu", 1});
    simulation.advance(3);
    double sum = 0;
    for (int k = 0; k < 60; ++k) {
        simulation.step();
        sum += simulation.bodies()[0].force[1] / 60;
    }
    EXPECT_NEAR(sum, 400 * 0.5 * 10, 200);
    EXPECT_GT(simulation.bodies()[0].position[1], 1.4);
}

}  // namespace
}  // namespace millrace
