#include "box2d/body_motion.hpp"

#include <box2d/box2d.h>
#include <gtest/gtest.h>

#include "box2d/body_shapes.hpp"

namespace millrace {
namespace {

constexpr float k_dt = 1.0f / 60;

class BodyMotionTest : public testing::Test {
  protected:
    b2Body& add_box(b2BodyType type, b2Vec2 position, float half_width = 0.5f) {
        b2BodyDef def;
        def.type = type;
        def.position = position;
        b2Body& body = *world_.CreateBody(&def);
        b2PolygonShape box;
        box.SetAsBox(half_width, 0.5f);
        body.CreateFixture(&box, 2);
        return body;
    }
    // A frame, as the coupling goes through it.
    SolidState frame(b2Body& body, const SolidPush& push = {}) {
        SolidState state = state_of(body);
        motion_.estimate(body, state);
        motion_.apply(push, k_dt, body);
        world_.Step(k_dt, 8, 3);
        return state;
    }

    b2World world_{{0, -10}};
    BodyMotion motion_;
};

TEST_F(BodyMotionTest, FallingBodyIsAcceleratedByGravity) {
    b2Body& body = add_box(b2_dynamicBody, {0, 10});
    body.SetGravityScale(0.5f);
    for (int k = 0; k < 20; ++k) {
        const SolidState state = frame(body, {{0, 0.3f}, 0, 0});
        EXPECT_NEAR(state.acceleration.x, 0, 1e-4f);
        EXPECT_NEAR(state.acceleration.y, -5, 1e-3f);
        EXPECT_NEAR(state.angular_acceleration, 0, 1e-4f);
    }
}

TEST_F(BodyMotionTest, BodyOnTheGroundIsNotAccelerated) {
    add_box(b2_staticBody, {0, 0}, 5);
    b2Body& body = add_box(b2_dynamicBody, {0, 1.01f});
    for (int k = 0; k < 60; ++k) {
        const SolidState state = frame(body);
        if (k > 30) {
            EXPECT_NEAR(state.acceleration.y, 0, 0.1f);
        }
    }
}

TEST_F(BodyMotionTest, ContactsCancelWhatTheFluidDoes) {
    // the fluid lifts the body by half of its weight: the ground bears the other half
    add_box(b2_staticBody, {0, 0}, 5);
    b2Body& body = add_box(b2_dynamicBody, {0, 1.01f});
    body.SetSleepingAllowed(false);
    const float lift = 5;
    for (int k = 0; k < 60; ++k) {
        const SolidState state = frame(body, {{0, body.GetMass() * lift * k_dt}, 0, 1});
        if (k > 30) {
            EXPECT_NEAR(state.acceleration.y, -lift, 0.1f);
        }
    }
}

TEST_F(BodyMotionTest, HangingBodyBearsAnyLoad) {
    // ten times its weight pulls it down, into a joint
    b2Body& ceiling = add_box(b2_staticBody, {0, 10});
    b2Body& body = add_box(b2_dynamicBody, {0, 5});
    b2WeldJointDef joint;
    joint.Initialize(&ceiling, &body, {0, 7});
    world_.CreateJoint(&joint);
    for (int k = 0; k < 60; ++k) {
        const SolidState state = frame(body, {{0, -body.GetMass() * 100 * k_dt}, 0, 1});
        if (k > 30) {
            EXPECT_NEAR(state.acceleration.y, 100, 5);
        }
    }
}

TEST_F(BodyMotionTest, BlowsDoNotLast) {
    add_box(b2_staticBody, {0, 0}, 5);
    b2Body& body = add_box(b2_dynamicBody, {0, 2});
    body.SetLinearVelocity({0, -20});
    for (int k = 0; k < 10; ++k)
        EXPECT_LT(std::abs(frame(body).acceleration.y), 30);  // 20 m/s in a frame are 1200 m/s^2
}

TEST_F(BodyMotionTest, ForcesAndDampingCount) {
    b2Body& body = add_box(b2_dynamicBody, {0, 10});
    body.SetLinearDamping(1);
    body.SetLinearVelocity({4, 0});
    EXPECT_NEAR(frame(body).acceleration.x, -4, 1e-3f);
    body.SetLinearDamping(0);
    for (int k = 0; k < 3; ++k) {
        body.ApplyForceToCenter({body.GetMass() * 6, 0}, true);
        const SolidState state = frame(body);
        if (k > 0) {
            EXPECT_NEAR(state.acceleration.x, 6, 1e-2f);
        }
    }
}

TEST_F(BodyMotionTest, SleepingBodyWakesWhenItsBalanceIsLost) {
    world_.SetGravity({0, -10});
    b2Body& body = add_box(b2_dynamicBody, {0, 5});
    const SolidPush holding{{0, body.GetMass() * 10 * k_dt}, 0, 1};
    for (int k = 0; k < 120 && body.IsAwake(); ++k)
        frame(body, holding);
    ASSERT_FALSE(body.IsAwake());
    const float height = body.GetPosition().y;
    SolidPush almost = holding;
    almost.impulse.y *= 1.005f;
    for (int k = 0; k < 10; ++k) {
        const SolidState state = frame(body, almost);
        EXPECT_NEAR(state.acceleration.y, -10, 1e-2f);  // what holds it would move it otherwise
    }
    EXPECT_FALSE(body.IsAwake());
    EXPECT_EQ(body.GetPosition().y, height);
    frame(body, {});  // the fluid is gone
    EXPECT_TRUE(body.IsAwake());
    EXPECT_LT(body.GetLinearVelocity().y, 0);
}

TEST_F(BodyMotionTest, SleepingBodyWithoutFluidSleepsOn) {
    b2Body& body = add_box(b2_dynamicBody, {0, 5});
    body.SetAwake(false);
    for (int k = 0; k < 10; ++k)
        EXPECT_EQ(frame(body).acceleration.y, 0);
    EXPECT_FALSE(body.IsAwake());
    frame(body, {{body.GetMass() * 0.1f, 0}, 0, 1});
    EXPECT_TRUE(body.IsAwake());
    EXPECT_GT(body.GetLinearVelocity().x, 0);
}

}  // namespace
}  // namespace millrace
