#pragma once

#include <LinearMath/btTransform.h>

#include "math/quaternion.hpp"

namespace millrace {

/// Bullet's thresholds are made for bodies of about one unit and one mass: lengths and masses are
/// scaled on the way in and out, times and angles are not.
struct BulletUnits {
    double length = 1;  ///< units per metre
    double mass = 1;    ///< units per kilogram

    double force() const { return length * mass; }
    double torque() const { return length * length * mass; }
};

inline btVector3 to_bullet(const Vec3d& v, double scale = 1) {
    return {v[0] * scale, v[1] * scale, v[2] * scale};
}

inline Vec3d from_bullet(const btVector3& v, double scale = 1) {
    return Vec3d{{v.x(), v.y(), v.z()}} * scale;
}

inline btQuaternion to_bullet(const Quaterniond& q) {
    return {q.v[0], q.v[1], q.v[2], q.s};
}

inline Quaterniond from_bullet(const btQuaternion& q) {
    return {q.w(), {{q.x(), q.y(), q.z()}}};
}

}  // namespace millrace
