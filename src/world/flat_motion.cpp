#include "world/flat_motion.hpp"

#include <cmath>
#include <numbers>

#include "boundary/scripted_motion.hpp"
#include "math/portable.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {

namespace {

struct Pose {
    Vec3d position;  ///< of the centre
    double angle;
};

Pose pose_at(const WallMotion& motion, double time) {
    const BodyState frame = motion_at(motion, time);
    return {frame.position + rotate(frame.rotation, to_vec3d(motion.center)),
            2 * portable::atan2(frame.rotation.v[2], frame.rotation.s)};
}

}  // namespace

SolidState state_between(const WallMotion& motion, double time, double dt) {
    const Pose a = pose_at(motion, time), b = pose_at(motion, time + dt);
    const Vec3d velocity = (b.position - a.position) * (1 / dt);
    // whole turns do not show in the angles
    const double turn = motion_at(motion, time + dt / 2).angular_velocity[2] * dt;
    const double rest = std::remainder(b.angle - a.angle - turn, 2 * std::numbers::pi);
    SolidState state;
    state.position = {static_cast<float>(a.position[0]), static_cast<float>(a.position[1])};
    state.angle = static_cast<float>(std::remainder(a.angle, 2 * std::numbers::pi));
    state.velocity = {static_cast<float>(velocity[0]), static_cast<float>(velocity[1])};
    state.angular_velocity = static_cast<float>((turn + rest) / dt);
    return state;
}

}  // namespace millrace
