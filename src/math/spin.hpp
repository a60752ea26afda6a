#pragma once

#include "math/vec.hpp"

// What turns: in 3D a vector along the axis, in 2D a single number, about z.
namespace millrace {

template <int D>
inline constexpr int k_spin_size = D == 3 ? 3 : 1;

template <int D, class T = float>
using Spin = Vec<k_spin_size<D>, T>;

/// omega x r: the velocity of the place r of something that turns.
template <class T>
MILLRACE_HD Vec<3, T> spin_velocity(const Vec<3, T>& omega, const Vec<3, T>& r) {
    return cross(omega, r);
}
template <class T>
MILLRACE_HD Vec<2, T> spin_velocity(const Vec<1, T>& omega, const Vec<2, T>& r) {
    return {-omega[0] * r[1], omega[0] * r[0]};
}

/// r x f: the torque of a force at the place r.
template <class T>
MILLRACE_HD Vec<3, T> moment(const Vec<3, T>& r, const Vec<3, T>& f) {
    return cross(r, f);
}
template <class T>
MILLRACE_HD Vec<1, T> moment(const Vec<2, T>& r, const Vec<2, T>& f) {
    return {r[0] * f[1] - r[1] * f[0]};
}

}  // namespace millrace
