#include "box2d/body_shapes.hpp"

#include <box2d/box2d.h>
#include <gtest/gtest.h>

namespace millrace {
namespace {

class BodyShapes : public testing::Test {
  protected:
    b2Body& body(b2BodyType type = b2_dynamicBody) {
        b2BodyDef def;
        def.type = type;
        def.position.Set(3, 4);
        def.angle = 0.5f;
        return *world_.CreateBody(&def);
    }
    static b2Fixture& add_box(b2Body& body, b2Vec2 center = {0, 0}) {
        b2PolygonShape box;
        box.SetAsBox(0.5f, 0.25f, center, 0);
        return *body.CreateFixture(&box, 2);
    }

    b2World world_{{0, -10}};
    Box2dOptions options_;
};

TEST_F(BodyShapes, CircleStaysACircle) {
    b2CircleShape circle;
    circle.m_p.Set(1, 2);
    circle.m_radius = 0.7f;
    std::vector<Shape2> shapes;
    append_shape(circle, true, shapes);
    append_shape(circle, false, shapes);
    for (const Shape2& shape : shapes) {
        EXPECT_EQ(shape.kind, Shape2::Kind::circle);
        EXPECT_EQ(shape.points, (std::vector<Point2>{{1, 2}}));
        EXPECT_EQ(shape.radius, 0.7f);
    }
}

TEST_F(BodyShapes, PolygonHasItsSkinOutside) {
    b2PolygonShape triangle;
    const b2Vec2 points[]{{0, 0}, {1, 0}, {0, 1}};
    triangle.Set(points, 3);
    std::vector<Shape2> shapes;
    append_shape(triangle, true, shapes);
    append_shape(triangle, false, shapes);
    ASSERT_EQ(shapes.size(), 2u);
    EXPECT_EQ(shapes[0].kind, Shape2::Kind::polygon);
    EXPECT_EQ(shapes[0].points.size(), 3u);
    EXPECT_EQ(shapes[0].radius, b2_polygonRadius);
    EXPECT_EQ(shapes[1].radius, 0);
}

TEST_F(BodyShapes, EdgesAndChainsAreWalls) {
    b2EdgeShape edge;
    edge.SetTwoSided({0, 0}, {2, 1});
    b2ChainShape open, loop;
    const b2Vec2 points[]{{0, 0}, {2, 0}, {2, 1}};
    open.CreateChain(points, 3, {-1, 0}, {2, 2});
    loop.CreateLoop(points, 3);
    std::vector<Shape2> shapes;
    append_shape(edge, true, shapes);
    append_shape(open, true, shapes);
    append_shape(loop, false, shapes);
    ASSERT_EQ(shapes.size(), 3u);
    EXPECT_EQ(shapes[0].points, (std::vector<Point2>{{0, 0}, {2, 1}}));
    EXPECT_EQ(shapes[1].points, (std::vector<Point2>{{0, 0}, {2, 0}, {2, 1}}));
    EXPECT_EQ(shapes[2].points, (std::vector<Point2>{{0, 0}, {2, 0}, {2, 1}, {0, 0}}));
    for (const Shape2& shape : shapes)
        EXPECT_EQ(shape.kind, Shape2::Kind::chain);
    EXPECT_EQ(shapes[0].radius, b2_polygonRadius);
    EXPECT_EQ(shapes[2].radius, 0);
}

TEST_F(BodyShapes, SensorsAndFilteredFixturesAreNotSeen) {
    b2Body& one = body();
    add_box(one);
    b2Fixture& sensor = add_box(one);
    sensor.SetSensor(true);
    b2Fixture& other = add_box(one);
    b2Filter filter;
    filter.categoryBits = 4;
    other.SetFilterData(filter);
    EXPECT_EQ(shapes_of(one, options_).size(), 2u);
    options_.mask = 0xffff & ~4;
    EXPECT_EQ(shapes_of(one, options_).size(), 1u);
}

TEST_F(BodyShapes, FiltersFollowBox2d) {
    b2ContactFilter rules;
    b2Body &one = body(), &two = body();
    b2Fixture &fixture = add_box(one), &fluid = add_box(two);
    for (std::uint16_t category : {1, 2, 6})
        for (std::uint16_t mask : {0xffff, 1, 4})
            for (std::int16_t group : {0, 3, -3}) {
                for (std::int16_t own : {0, 3, -3}) {
                    options_ = {.category = 2, .mask = 0xfffd, .group = own};
                    b2Filter filter;
                    filter.categoryBits = category;
                    filter.maskBits = mask;
                    filter.groupIndex = group;
                    fixture.SetFilterData(filter);
                    filter.categoryBits = options_.category;
                    filter.maskBits = options_.mask;
                    filter.groupIndex = options_.group;
                    fluid.SetFilterData(filter);
                    EXPECT_EQ(visible(fixture, options_), rules.ShouldCollide(&fixture, &fluid));
                }
            }
}

TEST_F(BodyShapes, SignatureChangesWithWhatTheFluidSees) {
    b2Body& one = body();
    b2Fixture& box = add_box(one);
    std::vector<std::uint64_t> seen{signature_of(one, options_)};
    const auto changed = [&] {
        const std::uint64_t now = signature_of(one, options_);
        const bool is_new = std::find(seen.begin(), seen.end(), now) == seen.end();
        seen.push_back(now);
        return is_new;
    };
    one.SetTransform({7, 8}, 1);
    one.SetLinearVelocity({1, 2});
    EXPECT_FALSE(changed());
    b2Fixture& second = add_box(one, {1, 0});
    EXPECT_TRUE(changed());
    second.SetSensor(true);
    EXPECT_TRUE(changed());
    one.DestroyFixture(&second);
    EXPECT_FALSE(changed());  // as it was at first
    static_cast<b2PolygonShape*>(box.GetShape())->m_vertices[0].x -= 0.1f;
    EXPECT_TRUE(changed());
    one.SetType(b2_staticBody);
    EXPECT_TRUE(changed());
}

TEST_F(BodyShapes, StateIsThatOfTheCentreOfMass) {
    b2Body& one = body();
    add_box(one, {1, 0});
    one.SetLinearVelocity({2, 3});
    one.SetAngularVelocity(4);
    const SolidState state = state_of(one);
    EXPECT_EQ(state.position, (Point2{3, 4}));
    EXPECT_EQ(state.angle, 0.5f);
    EXPECT_EQ(state.velocity, (Point2{2, 3}));
    EXPECT_EQ(state.angular_velocity, 4);
    EXPECT_FLOAT_EQ(state.inverse_mass, 1 / (2 * 0.5f));
    EXPECT_NEAR(1 / state.inverse_inertia, (1 + 0.25f) / 12, 1e-5f);  // m (a^2 + b^2) / 12
}

TEST_F(BodyShapes, WhatCannotMoveHasNoInverseMass) {
    b2Body& turning = body();
    add_box(turning, {1, 0});
    turning.SetFixedRotation(true);
    EXPECT_GT(state_of(turning).inverse_mass, 0);
    EXPECT_EQ(state_of(turning).inverse_inertia, 0);
    for (b2BodyType type : {b2_staticBody, b2_kinematicBody}) {
        b2Body& one = body(type);
        add_box(one);
        one.SetLinearVelocity({1, 0});
        EXPECT_EQ(state_of(one).inverse_mass, 0);
        EXPECT_EQ(state_of(one).inverse_inertia, 0);
        EXPECT_EQ(state_of(one).velocity.x, type == b2_kinematicBody);
    }
}

}  // namespace
}  // namespace millrace
