#pragma once

#include <numbers>

#include "math/quaternion.hpp"
#include "millrace/scene.hpp"

// The scene's vectors and angles as the engine has them.
namespace millrace {

template <int D, class T = float>
Vec<D, T> to_vec(const Vector& v) {
    Vec<D, T> r;
    for (int k = 0; k < D; ++k)
        r[k] = static_cast<T>(v[k]);
    return r;
}

inline Vec3d to_vec3d(const Vector& v) {
    return {v[0], v[1], v[2]};
}

inline Quaterniond to_quaternion(const Rotation& rotation) {
    return Quaterniond::from_axis_angle(to_vec3d(rotation.axis),
                                        rotation.angle * std::numbers::pi / 180);
}

}  // namespace millrace
