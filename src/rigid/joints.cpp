#include "rigid/joints.hpp"

#include <limits>
#include <numbers>

#include "math/portable.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

/// A vector of length 1 at right angles to the unit vector n.
Vec3d beside(const Vec3d& n) {
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (std::abs(n[i]) < std::abs(n[k]))
            k = i;
    Vec3d e = Vec3d::all(0);
    e[k] = 1;
    const Vec3d side = cross(n, e);
    return side / norm(side);
}

JointType type_of(const Joint& joint, const std::string& place) {
    if (joint.type == "hinge")
        return JointType::hinge;
    if (joint.type == "slider")
        return JointType::slider;
    if (joint.type == "distance")
        return JointType::distance;
    if (joint.type == "weld")
        return JointType::weld;
    throw InputError(place + ".type: there is no joint \"" + joint.type +
                     "\"; use hinge, slider, distance or weld");
}

int body_number(const RigidDescription& description, const std::string& name,
                const std::string& place) {
    if (name == "world")
        return k_world;
    for (std::size_t i = 0; i < description.bodies.size(); ++i)
        if (description.bodies[i].name() == name)
            return static_cast<int>(i);
    throw InputError(place + ".bodies: there is no body \"" + name +
                     "\"; name a body of the scene or \"world\"");
}

void bind_limits(BoundJoint& bound, const Joint& joint, const std::string& place) {
    if (joint.limits.empty())
        return;
    if (bound.type == JointType::weld)
        throw InputError(place + ".limits: a weld has none; leave them out");
    if (joint.limits.size() != 2 || !(joint.limits[0] <= joint.limits[1]))
        throw InputError(place + ".limits: give two numbers, the least and the most");
    if (bound.type == JointType::hinge && (joint.limits[0] < -180 || joint.limits[1] > 180))
        throw InputError(place + ".limits: a hinge is limited from -180 to 180 degrees at most");
    if (bound.type == JointType::distance && joint.limits[0] < 0)
        throw InputError(place + ".limits: a distance is not negative");
    const double unit = bound.type == JointType::hinge ? std::numbers::pi / 180 : 1;
    bound.limited = true;
    bound.least = joint.limits[0] * unit;
    bound.most = joint.limits[1] * unit;
}

void bind_motor(BoundJoint& bound, const Joint& joint, const std::string& place) {
    if (!joint.motor)
        return;
    if (bound.type != JointType::hinge && bound.type != JointType::slider)
        throw InputError(place + ".motor: only a hinge or a slider has one; leave it out");
    const auto& strength =
        bound.type == JointType::hinge ? joint.motor->max_torque : joint.motor->max_force;
    bound.motor_speed = joint.motor->speed;
    bound.motor_strength = strength.value_or(std::numeric_limits<double>::infinity());
}

}  // namespace

Quaterniond turned(const Quaterniond& rotation, const Vec3d& angle) {
    const double size = norm(angle);
    if (size == 0)
        return rotation;
    return normalized(Quaterniond::from_axis_angle(angle, size) * rotation);
}

std::vector<BoundJoint> bind_joints(const RigidDescription& description) {
    std::vector<BoundJoint> bound_joints;
    for (std::size_t i = 0; i < description.joints.size(); ++i) {
        const Joint& joint = description.joints[i];
        const std::string place = "joints[" + std::to_string(i) + "]";
        if (joint.bodies.size() != 2)
            throw InputError(place + ".bodies: name two bodies, or a body and \"world\"");
        const int first = body_number(description, joint.bodies[0], place);
        const int second = body_number(description, joint.bodies[1], place);
        if (first == second)
            throw InputError(place + ".bodies: " +
                             (first == k_world ? "\"world\" stands twice; name a body"
                                               : "the same body stands twice; name two"));
        const bool as_written = second == k_world;  // else the second moves against the first
        BoundJoint bound;
        bound.type = type_of(joint, place);
        bound.a = as_written ? first : second;
        bound.b = as_written ? second : first;
        const BodyDescription& body_a = description.bodies[static_cast<std::size_t>(bound.a)];
        const BodyState& a = body_a.state;
        BodyState b;
        if (bound.b != k_world)
            b = description.bodies[static_cast<std::size_t>(bound.b)].state;

        Vec3d at_a = to_vec3d(joint.anchor), at_b = at_a;
        if (bound.type == JointType::distance)
            (as_written ? at_b : at_a) = to_vec3d(joint.anchor_b);
        if (bound.type == JointType::weld)  // any place will do; this one decouples the rows
            at_a = at_b = a.position;
        bound.anchor_a = rotate(conjugate(a.rotation), at_a - a.position);
        bound.anchor_b = rotate(conjugate(b.rotation), at_b - b.position);
        bound.length = norm(at_a - at_b);
        if (bound.type == JointType::distance && !(bound.length > 0))
            throw InputError(place + ".anchor_b: must not be where the anchor is");

        Vec3d axis = to_vec3d(joint.axis);
        const bool has_axis = bound.type == JointType::hinge || bound.type == JointType::slider;
        if (has_axis && !(norm(axis) > 0))
            throw InputError(place + ".axis: must not be of length 0");
        axis = has_axis ? axis / norm(axis) : Vec3d{{0, 0, 1}};
        bound.axis_a = rotate(conjugate(a.rotation), axis);
        bound.axis_b = rotate(conjugate(b.rotation), axis);
        bound.side_b[0] = beside(bound.axis_b);
        bound.side_b[1] = cross(bound.axis_b, bound.side_b[0]);
        bound.turn = conjugate(b.rotation) * a.rotation;
        bind_limits(bound, joint, place);
        bind_motor(bound, joint, place);
        bound_joints.push_back(bound);
    }
    return bound_joints;
}

/// C(a, b) and J = dC/dt of every row. p is the anchor on a body, r = p - c, u in the frame of b:
///     point:  C = (p_a - p_b) . u     J = (u, r_a x u, -u, -(p_a - c_b) x u)
///     turn:   C = angle(a, b) . u     J = (0, u, 0, -u)
/// A hinge holds 3 points and the 2 turns beside its axis, a slider 2 points beside its axis and
/// 3 turns, a weld 3 and 3, a distance the length of p_a - p_b.
JointRows joint_rows(const BoundJoint& joint, const BodyState& a, const BodyState& b) {
    const Vec3d r_a = rotate(a.rotation, joint.anchor_a);
    const Vec3d p_a = a.position + r_a;
    const Vec3d p_b = b.position + rotate(b.rotation, joint.anchor_b);
    const Vec3d gap = p_a - p_b, from_b = p_a - b.position;
    const Vec3d axis = rotate(b.rotation, joint.axis_b);
    const Vec3d sides[2] = {rotate(b.rotation, joint.side_b[0]),
                            rotate(b.rotation, joint.side_b[1])};
    const Vec3d zero = Vec3d::all(0);

    // how far a is turned against its place in b, as a quaternion in the world's axes
    Quaterniond off = a.rotation * conjugate(b.rotation * joint.turn);
    if (off.s < 0)
        off = off * -1.0;
    const double s = norm(off.v);
    const Vec3d angle = s > 1e-12 ? off.v * (2 * portable::atan2(s, off.s) / s) : off.v * 2.0;
    const Vec3d tilt = cross(axis, rotate(a.rotation, joint.axis_a));

    JointRows rows;
    const auto point = [&](const Vec3d& u) {
        return JointRow{u, cross(r_a, u), -u, -cross(from_b, u), dot(gap, u), false};
    };
    const auto turn = [&](const Vec3d& u, const Vec3d& error) {
        return JointRow{zero, u, zero, -u, dot(error, u), true};
    };
    const auto hold = [&](const JointRow& row) { rows.held[rows.count++] = row; };

    switch (joint.type) {
        case JointType::hinge:
            for (const Vec3d& u : {axis, sides[0], sides[1]})
                hold(point(u));
            for (const Vec3d& u : sides)
                hold(turn(u, tilt));
            rows.free = turn(axis, zero);
            rows.free.error = 2 * portable::atan2(dot(off.v, axis), off.s);
            break;
        case JointType::slider:
            for (const Vec3d& u : sides)
                hold(point(u));
            for (const Vec3d& u : {axis, sides[0], sides[1]})
                hold(turn(u, angle));
            rows.free = point(axis);
            break;
        case JointType::weld:
            for (const Vec3d& u : {axis, sides[0], sides[1]}) {
                hold(point(u));
                hold(turn(u, angle));
            }
            break;
        case JointType::distance: {
            const double length = norm(gap);
            // u turns with the gap, so both anchors are where the force acts
            const Vec3d u = length > 0 ? gap / length : axis;
            const Vec3d r_b = p_b - b.position;
            rows.free = {u, cross(r_a, u), -u, -cross(r_b, u), length, false};
            if (!joint.limited) {
                hold(rows.free);
                rows.held[0].error = length - joint.length;
            }
            break;
        }
    }
    return rows;
}

}  // namespace millrace
