#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigid/rigid_engine.hpp"

// Joints as rows of constraints, whatever engine solves them.
namespace millrace {

constexpr int k_world = -1;

enum class JointType { hinge, slider, distance, weld };

/// A joint, bound to its bodies at the start. `a` is never the world; with two bodies `a` is the
/// second of the scene, so that angles, ways and motor speeds are of the second body against the
/// first, and with the world always of the body. Vectors are in the frames of a and b: axes of the
/// body, from its centre of mass; of the world where b is the world.
struct BoundJoint {
    JointType type;
    int a, b;                  ///< numbers of the bodies; b may be k_world
    Vec3d anchor_a, anchor_b;  ///< [m]
    Vec3d axis_a, axis_b;      ///< of length 1
    Vec3d side_b[2];           ///< at right angles to axis_b and to each other
    Quaterniond turn;          ///< of a in the frame of b at the start
    double length = 0;         ///< of "distance" at the start [m]
    bool limited = false;
    double least = 0, most = 0;  ///< [rad] or [m]
    std::optional<double> motor_speed;
    double motor_strength = 0;  ///< largest torque or force [N m] or [N]
};

/// Binds the joints of the scene; throws InputError for one that makes no sense.
std::vector<BoundJoint> bind_joints(const RigidDescription& description);

/// One row J of a constraint: J v = linear_a . v_a + angular_a . omega_a + linear_b . v_b + ...
/// is the rate of the error.
struct JointRow {
    Vec3d linear_a, angular_a, linear_b, angular_b;
    double error;   ///< [m] or [rad]
    bool is_angle;  ///< its error is an angle
};

/// The rows that a joint always holds, and its free coordinate.
struct JointRows {
    JointRow held[6];
    int count = 0;
    JointRow free;  ///< of hinge, slider and distance; `error` is the angle, the way or the length
};

JointRows joint_rows(const BoundJoint& joint, const BodyState& a, const BodyState& b);

/// The frame of the joint's second body.
inline BodyState second_state(const BoundJoint& joint, std::span<const BodyState> states) {
    return joint.b == k_world ? BodyState{} : states[static_cast<std::size_t>(joint.b)];
}

/// Turns by the rotation vector `angle` [rad].
Quaterniond turned(const Quaterniond& rotation, const Vec3d& angle);

}  // namespace millrace
