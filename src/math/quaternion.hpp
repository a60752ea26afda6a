#pragma once

#include "math/mat.hpp"
#include "math/portable.hpp"
#include "math/scalar.hpp"

namespace millrace {

/// The quaternion [s, v] = s + x i + y j + z k; of unit length it is a rotation.
template <class T = float>
struct Quaternion {
    T s;
    Vec<3, T> v;

    MILLRACE_HD static Quaternion identity() { return {T(1), Vec<3, T>::all(T(0))}; }

    /// axis: any length but 0; angle [rad], right-handed
    MILLRACE_HD static Quaternion from_axis_angle(const Vec<3, T>& axis, T angle) {
        const T half = angle * T(0.5);
        return {portable::cos(half), axis * (portable::sin(half) / norm(axis))};
    }

    MILLRACE_HD static Quaternion from_matrix(const Mat<3, T>& rotation);
};

using Quaterniond = Quaternion<double>;

template <class T>
MILLRACE_HD Quaternion<T> operator+(const Quaternion<T>& a, const Quaternion<T>& b) {
    return {a.s + b.s, a.v + b.v};
}

template <class T>
MILLRACE_HD Quaternion<T> operator*(const Quaternion<T>& a, T factor) {
    return {a.s * factor, a.v * factor};
}

/// [s1 s2 - v1 . v2, s1 v2 + s2 v1 + v1 x v2]: as rotations, b first and then a. S1 Eq. 4.25.
template <class T>
MILLRACE_HD Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
    return {a.s * b.s - dot(a.v, b.v), a.s * b.v + b.s * a.v + cross(a.v, b.v)};
}

/// [s, -v]: of a unit quaternion, the inverse rotation.
template <class T>
MILLRACE_HD Quaternion<T> conjugate(const Quaternion<T>& q) {
    return {q.s, -q.v};
}

template <class T>
MILLRACE_HD T squared_norm(const Quaternion<T>& q) {
    return q.s * q.s + dot(q.v, q.v);
}

/// The length must not be 0.
template <class T>
MILLRACE_HD Quaternion<T> normalized(const Quaternion<T>& q) {
    return q * rsqrt(squared_norm(q));
}

/// q [0, x] q* for a unit q, as x + 2 v x (v x x + s x).
template <class T>
MILLRACE_HD Vec<3, T> rotate(const Quaternion<T>& q, const Vec<3, T>& x) {
    return x + T(2) * cross(q.v, cross(q.v, x) + q.s * x);
}

/// The rotation matrix of a unit quaternion. S1 Eq. 4.28.
template <class T>
MILLRACE_HD Mat<3, T> to_matrix(const Quaternion<T>& q) {
    const T s = q.s, x = q.v[0], y = q.v[1], z = q.v[2];
    const T one = T(1), two = T(2);
    return {{{one - two * (y * y + z * z), two * (x * y - s * z), two * (x * z + s * y)},
             {two * (x * y + s * z), one - two * (x * x + z * z), two * (y * z - s * x)},
             {two * (x * z - s * y), two * (y * z + s * x), one - two * (x * x + y * y)}}};
}

/// The orientation after dt [s] at the angular velocity omega [rad/s], given in the world's frame:
/// q + dt/2 [0, omega] q, then normalised. S1 Eq. 4.26-4.27.
/// A step turns by 2 atan(|omega| dt / 2): short by a fraction of (|omega| dt)^2 / 12.
template <class T>
MILLRACE_HD Quaternion<T> integrate(const Quaternion<T>& q, const Vec<3, T>& omega, T dt) {
    const Quaternion<T> rate = Quaternion<T>{T(0), omega} * q * T(0.5);
    return normalized(q + rate * dt);
}

/// The inverse of Eq. 4.28, from its largest component so that no small number is divided by
/// (Shepperd 1978). Of the two quaternions of a rotation, that whose largest component is positive.
template <class T>
MILLRACE_HD Quaternion<T> Quaternion<T>::from_matrix(const Mat<3, T>& rotation) {
    const Mat<3, T>& o = rotation;
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (o(i, i) > o(k, k))
            k = i;

    Quaternion q;
    if (trace(o) > o(k, k)) {
        q.s = T(1) + trace(o);
        q.v = {{o(2, 1) - o(1, 2), o(0, 2) - o(2, 0), o(1, 0) - o(0, 1)}};
    } else {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        q.s = o(b, a) - o(a, b);
        q.v[k] = T(1) + o(k, k) - o(a, a) - o(b, b);
        q.v[a] = o(a, k) + o(k, a);
        q.v[b] = o(b, k) + o(k, b);
    }
    return normalized(q);
}

}  // namespace millrace
