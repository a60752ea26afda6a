#pragma once

#include <cmath>

#include "math/annotate.hpp"

namespace millrace {

/// A vector of D components; T is float, double or a pack of floats.
template <int D, class T = float>
struct Vec {
    T c[D];

    MILLRACE_HD T& operator[](int axis) { return c[axis]; }
    MILLRACE_HD const T& operator[](int axis) const { return c[axis]; }

    template <class U>
    MILLRACE_HD static Vec from(const Vec<D, U>& v) {
        Vec r;
        for (int k = 0; k < D; ++k)
            r.c[k] = static_cast<T>(v.c[k]);
        return r;
    }
    MILLRACE_HD static Vec all(T value) {
        Vec r;
        for (int k = 0; k < D; ++k)
            r.c[k] = value;
        return r;
    }
};

using Vec2 = Vec<2>;
using Vec3 = Vec<3>;
using Vec2d = Vec<2, double>;
using Vec3d = Vec<3, double>;

template <int D, class T>
MILLRACE_HD Vec<D, T> operator+(Vec<D, T> a, const Vec<D, T>& b) {
    for (int k = 0; k < D; ++k)
        a.c[k] = a.c[k] + b.c[k];
    return a;
}

template <int D, class T>
MILLRACE_HD Vec<D, T> operator-(Vec<D, T> a, const Vec<D, T>& b) {
    for (int k = 0; k < D; ++k)
        a.c[k] = a.c[k] - b.c[k];
    return a;
}

template <int D, class T>
MILLRACE_HD Vec<D, T> operator-(Vec<D, T> a) {
    for (int k = 0; k < D; ++k)
        a.c[k] = -a.c[k];
    return a;
}

template <int D, class T>
MILLRACE_HD Vec<D, T> operator*(Vec<D, T> a, T s) {
    for (int k = 0; k < D; ++k)
        a.c[k] = a.c[k] * s;
    return a;
}

template <int D, class T>
MILLRACE_HD Vec<D, T> operator*(T s, const Vec<D, T>& a) {
    return a * s;
}

template <int D, class T>
MILLRACE_HD Vec<D, T> operator/(Vec<D, T> a, T s) {
    for (int k = 0; k < D; ++k)
        a.c[k] = a.c[k] / s;
    return a;
}

template <int D, class T>
MILLRACE_HD Vec<D, T>& operator+=(Vec<D, T>& a, const Vec<D, T>& b) {
    return a = a + b;
}

template <int D, class T>
MILLRACE_HD Vec<D, T>& operator-=(Vec<D, T>& a, const Vec<D, T>& b) {
    return a = a - b;
}

template <int D, class T>
MILLRACE_HD Vec<D, T>& operator*=(Vec<D, T>& a, T s) {
    return a = a * s;
}

template <int D, class T>
MILLRACE_HD bool operator==(const Vec<D, T>& a, const Vec<D, T>& b) {
    for (int k = 0; k < D; ++k)
        if (!(a.c[k] == b.c[k]))
            return false;
    return true;
}

template <int D, class T>
MILLRACE_HD T dot(const Vec<D, T>& a, const Vec<D, T>& b) {
    T sum = a.c[0] * b.c[0];
    for (int k = 1; k < D; ++k)
        sum = sum + a.c[k] * b.c[k];
    return sum;
}

template <int D, class T>
MILLRACE_HD T squared_norm(const Vec<D, T>& a) {
    return dot(a, a);
}

template <int D, class T>
MILLRACE_HD T norm(const Vec<D, T>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}

template <class T>
MILLRACE_HD Vec<3, T> cross(const Vec<3, T>& a, const Vec<3, T>& b) {
    return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

/// The z component of the 3D cross product.
template <class T>
MILLRACE_HD T cross(const Vec<2, T>& a, const Vec<2, T>& b) {
    return a[0] * b[1] - a[1] * b[0];
}

/// The length must not be 0.
template <int D, class T>
MILLRACE_HD Vec<D, T> normalized(const Vec<D, T>& v) {
    return v * (T(1) / std::sqrt(squared_norm(v)));
}

}  // namespace millrace
