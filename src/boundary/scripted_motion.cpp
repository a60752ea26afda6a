#include "boundary/scripted_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/portable.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {

namespace {

constexpr double k_degree = std::numbers::pi / 180;

/// A displacement, a turn about the centre, and their rates.
struct Pose {
    Vec3d displacement = Vec3d::all(0), velocity = Vec3d::all(0);
    Quaterniond rotation = Quaterniond::identity();
    Vec3d angular_velocity = Vec3d::all(0);
};

Pose sine(const WallMotion& motion, double t) {
    const Vec3d axis = to_vec3d(motion.axis);
    const Vec3d way = axis * (motion.amplitude / norm(axis));
    const double omega = 2 * std::numbers::pi / motion.period, phase = motion.phase * k_degree;
    Pose pose;
    pose.displacement = way * (portable::sin(omega * t + phase) - portable::sin(phase));
    pose.velocity = way * (omega * portable::cos(omega * t + phase));
    return pose;
}

Pose linear(const WallMotion& motion, double t) {
    Pose pose;
    pose.velocity = to_vec3d(motion.velocity);
    pose.displacement = pose.velocity * t;
    return pose;
}

Pose rotate(const WallMotion& motion, double t) {
    const Vec3d axis = to_vec3d(motion.axis);
    const double omega = motion.rpm * 2 * std::numbers::pi / 60;
    Pose pose;
    pose.rotation = Quaterniond::from_axis_angle(axis, omega * t);
    pose.angular_velocity = axis * (omega / norm(axis));
    return pose;
}

Pose keyframes(const WallMotion& motion, double time) {
    Pose pose;
    const std::vector<Keyframe>& keys = motion.keyframes;
    if (keys.empty())
        return pose;
    const auto next = std::find_if(keys.begin(), keys.end(),
                                   [&](const Keyframe& key) { return key.time > time; });
    if (next == keys.begin() || next == keys.end()) {
        const Keyframe& key = next == keys.end() ? keys.back() : keys.front();
        pose.displacement = to_vec3d(key.position);
        pose.rotation = to_quaternion(key.rotation);
        return pose;
    }
    const Keyframe &a = *(next - 1), &b = *next;
    const double span = b.time - a.time, part = (time - a.time) / span;
    const Vec3d from = to_vec3d(a.position), to = to_vec3d(b.position);
    pose.velocity = (to - from) * (1 / span);
    pose.displacement = from + (to - from) * part;
    // the turn that leads from one to the other, the short way
    const Quaterniond start = to_quaternion(a.rotation);
    Quaterniond way = to_quaternion(b.rotation) * conjugate(start);
    if (way.s < 0)
        way = way * -1.0;
    const double sine = norm(way.v);
    pose.rotation = start;
    if (sine > 1e-12) {
        const double angle = 2 * portable::atan2(sine, way.s);
        pose.rotation = Quaterniond::from_axis_angle(way.v, angle * part) * start;
        pose.angular_velocity = way.v * (angle / (span * sine));
    }
    return pose;
}

}  // namespace

BodyState motion_at(const WallMotion& motion, double time) {
    const double until = std::max(motion.from, motion.until);
    const double at = std::clamp(time, motion.from, until), t = at - motion.from;
    Pose pose;
    if (motion.type == "sine")
        pose = sine(motion, t);
    else if (motion.type == "linear")
        pose = linear(motion, t);
    else if (motion.type == "rotate")
        pose = rotate(motion, t);
    else if (motion.type == "keyframes")
        pose = keyframes(motion, at);
    if (time < motion.from || time >= until)
        pose.velocity = pose.angular_velocity = Vec3d::all(0);

    // x = c + d + R (x' - c)
    const Vec3d center = to_vec3d(motion.center);
    BodyState frame;
    frame.rotation = pose.rotation;
    frame.position = center + pose.displacement - rotate(pose.rotation, center);
    frame.velocity =
        pose.velocity + cross(pose.angular_velocity, frame.position - center - pose.displacement);
    frame.angular_velocity = pose.angular_velocity;
    return frame;
}

}  // namespace millrace
