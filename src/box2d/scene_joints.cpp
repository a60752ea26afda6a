#include "box2d/scene_joints.hpp"

#include <box2d/box2d.h>

#include <numbers>

namespace millrace {

namespace {

struct Range {
    float least = 0, most = 0;
};

/// Limits times a factor, which may be negative.
Range limits_of(const Joint& joint, double factor) {
    const auto a = static_cast<float>(joint.limits[0] * factor);
    const auto b = static_cast<float>(joint.limits[1] * factor);
    return {std::min(a, b), std::max(a, b)};
}

b2RevoluteJointDef hinge(const Joint& joint, b2Body& a, b2Body& b, const b2Vec2& anchor,
                         float unit) {
    const double sense = joint.axis[2] < 0 ? -1 : 1;
    b2RevoluteJointDef def;
    def.Initialize(&a, &b, anchor);
    if (!joint.limits.empty()) {
        def.enableLimit = true;
        const Range range = limits_of(joint, sense * std::numbers::pi / 180);
        def.lowerAngle = range.least;
        def.upperAngle = range.most;
    }
    if (joint.motor) {
        def.enableMotor = true;
        def.motorSpeed = static_cast<float>(sense * joint.motor->speed);
        def.maxMotorTorque = static_cast<float>(*joint.motor->max_torque * unit * unit);
    }
    return def;
}

b2PrismaticJointDef slider(const Joint& joint, b2Body& a, b2Body& b, const b2Vec2& anchor,
                           float unit) {
    b2Vec2 axis(static_cast<float>(joint.axis[0]), static_cast<float>(joint.axis[1]));
    axis.Normalize();
    b2PrismaticJointDef def;
    def.Initialize(&a, &b, anchor, axis);
    if (!joint.limits.empty()) {
        def.enableLimit = true;
        const Range range = limits_of(joint, unit);
        def.lowerTranslation = range.least;
        def.upperTranslation = range.most;
    }
    if (joint.motor) {
        def.enableMotor = true;
        def.motorSpeed = static_cast<float>(joint.motor->speed * unit);
        def.maxMotorForce = static_cast<float>(*joint.motor->max_force * unit);
    }
    return def;
}

b2DistanceJointDef distance(const Joint& joint, b2Body& a, b2Body& b, const b2Vec2& anchor,
                            const b2Vec2& anchor_b, float unit) {
    b2DistanceJointDef def;
    def.Initialize(&a, &b, anchor, anchor_b);
    const Range range =
        joint.limits.empty() ? Range{def.length, def.length} : limits_of(joint, unit);
    def.minLength = range.least;
    def.maxLength = range.most;
    return def;
}

}  // namespace

void add_joint(b2World& world, const Joint& joint, b2Body& first, b2Body& second, b2Body& ground,
               float unit) {
    const auto point = [&](const Vector& v) {
        return b2Vec2(static_cast<float>(v[0] * unit), static_cast<float>(v[1] * unit));
    };
    const b2Vec2 anchor = point(joint.anchor), anchor_b = point(joint.anchor_b);
    // of a joint to the world, the body is what moves
    const bool swapped = &second == &ground;
    b2Body &a = swapped ? second : first, &b = swapped ? first : second;
    if (joint.type == "hinge") {
        const b2RevoluteJointDef def = hinge(joint, a, b, anchor, unit);
        world.CreateJoint(&def);
    } else if (joint.type == "slider") {
        const b2PrismaticJointDef def = slider(joint, a, b, b.GetWorldCenter(), unit);
        world.CreateJoint(&def);
    } else if (joint.type == "distance") {
        const b2DistanceJointDef def = distance(joint, first, second, anchor, anchor_b, unit);
        world.CreateJoint(&def);
    } else {
        b2WeldJointDef def;
        def.Initialize(&a, &b, b.GetWorldCenter());
        world.CreateJoint(&def);
    }
}

}  // namespace millrace
