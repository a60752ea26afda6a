#pragma once

#include "math/vec.hpp"

namespace millrace {

/// A square matrix of D rows; m[row][column].
template <int D, class T = float>
struct Mat {
    T m[D][D];

    MILLRACE_HD T& operator()(int row, int column) { return m[row][column]; }
    MILLRACE_HD const T& operator()(int row, int column) const { return m[row][column]; }

    MILLRACE_HD static Mat zero() {
        Mat r;
        for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j)
                r.m[i][j] = T(0);
        return r;
    }
    MILLRACE_HD static Mat identity() {
        Mat r = zero();
        for (int i = 0; i < D; ++i)
            r.m[i][i] = T(1);
        return r;
    }
    template <class U>
    MILLRACE_HD static Mat from(const Mat<D, U>& a) {
        Mat r;
        for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j)
                r.m[i][j] = static_cast<T>(a.m[i][j]);
        return r;
    }
};

using Mat2 = Mat<2>;
using Mat3 = Mat<3>;
using Mat2d = Mat<2, double>;
using Mat3d = Mat<3, double>;

template <int D, class T>
MILLRACE_HD Mat<D, T> operator+(Mat<D, T> a, const Mat<D, T>& b) {
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            a.m[i][j] = a.m[i][j] + b.m[i][j];
    return a;
}

template <int D, class T>
MILLRACE_HD Mat<D, T> operator-(Mat<D, T> a, const Mat<D, T>& b) {
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            a.m[i][j] = a.m[i][j] - b.m[i][j];
    return a;
}

template <int D, class T>
MILLRACE_HD Mat<D, T> operator*(Mat<D, T> a, T s) {
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            a.m[i][j] = a.m[i][j] * s;
    return a;
}

template <int D, class T>
MILLRACE_HD Mat<D, T> operator*(T s, const Mat<D, T>& a) {
    return a * s;
}

template <int D, class T>
MILLRACE_HD Mat<D, T>& operator+=(Mat<D, T>& a, const Mat<D, T>& b) {
    return a = a + b;
}

template <int D, class T>
MILLRACE_HD Vec<D, T> operator*(const Mat<D, T>& a, const Vec<D, T>& x) {
    Vec<D, T> r;
    for (int i = 0; i < D; ++i) {
        r.c[i] = a.m[i][0] * x.c[0];
        for (int k = 1; k < D; ++k)
            r.c[i] = r.c[i] + a.m[i][k] * x.c[k];
    }
    return r;
}

template <int D, class T>
MILLRACE_HD Mat<D, T> operator*(const Mat<D, T>& a, const Mat<D, T>& b) {
    Mat<D, T> r;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
            r.m[i][j] = a.m[i][0] * b.m[0][j];
            for (int k = 1; k < D; ++k)
                r.m[i][j] = r.m[i][j] + a.m[i][k] * b.m[k][j];
        }
    return r;
}

template <int D, class T>
MILLRACE_HD Mat<D, T> transpose(const Mat<D, T>& a) {
    Mat<D, T> r;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            r.m[i][j] = a.m[j][i];
    return r;
}

/// a b^T
template <int D, class T>
MILLRACE_HD Mat<D, T> outer(const Vec<D, T>& a, const Vec<D, T>& b) {
    Mat<D, T> r;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            r.m[i][j] = a.c[i] * b.c[j];
    return r;
}

template <int D, class T>
MILLRACE_HD T trace(const Mat<D, T>& a) {
    T sum = a.m[0][0];
    for (int i = 1; i < D; ++i)
        sum = sum + a.m[i][i];
    return sum;
}

template <class T>
MILLRACE_HD T determinant(const Mat<2, T>& a) {
    return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
}

template <class T>
MILLRACE_HD T determinant(const Mat<3, T>& a) {
    return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) +
           a(0, 1) * (a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2)) +
           a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

/// The determinant must not be 0.
template <class T>
MILLRACE_HD Mat<2, T> inverse(const Mat<2, T>& a) {
    const T s = T(1) / determinant(a);
    return {{{a(1, 1) * s, -a(0, 1) * s}, {-a(1, 0) * s, a(0, 0) * s}}};
}

/// The determinant must not be 0.
template <class T>
MILLRACE_HD Mat<3, T> inverse(const Mat<3, T>& a) {
    const T s = T(1) / determinant(a);
    Mat<3, T> r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            // the cofactor of (j, i); cyclic indices carry its sign
            const int r1 = (j + 1) % 3, r2 = (j + 2) % 3, c1 = (i + 1) % 3, c2 = (i + 2) % 3;
            r(i, j) = (a(r1, c1) * a(r2, c2) - a(r1, c2) * a(r2, c1)) * s;
        }
    return r;
}

}  // namespace millrace
