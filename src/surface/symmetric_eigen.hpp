#pragma once

#include <cmath>

#include "math/mat.hpp"

namespace millrace {

struct Eigen3 {
    Vec3d values;
    Mat3d vectors;  ///< one a column, of length 1
};

/// Eigenvalues and eigenvectors of a symmetric matrix: rotations of Jacobi, which take one entry
/// beside the diagonal to 0 each, until all are.
inline Eigen3 symmetric_eigen(Mat3d a) {
    Mat3d v = Mat3d::identity();
    const double scale = std::abs(a(0, 0)) + std::abs(a(1, 1)) + std::abs(a(2, 2));
    for (int sweep = 0; sweep < 20; ++sweep) {
        if (std::abs(a(0, 1)) + std::abs(a(0, 2)) + std::abs(a(1, 2)) <= 1e-14 * scale)
            break;
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (a(p, q) == 0)
                    continue;
                const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
                const double t =
                    (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; ++k) {  // columns, then rows
                    const double kp = a(k, p), kq = a(k, q);
                    a(k, p) = c * kp - s * kq;
                    a(k, q) = s * kp + c * kq;
                }
                for (int k = 0; k < 3; ++k) {
                    const double pk = a(p, k), qk = a(q, k);
                    a(p, k) = c * pk - s * qk;
                    a(q, k) = s * pk + c * qk;
                }
                for (int k = 0; k < 3; ++k) {
                    const double kp = v(k, p), kq = v(k, q);
                    v(k, p) = c * kp - s * kq;
                    v(k, q) = s * kp + c * kq;
                }
            }
    }
    return {{{a(0, 0), a(1, 1), a(2, 2)}}, v};
}

}  // namespace millrace
