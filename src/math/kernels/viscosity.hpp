#pragma once

#include "math/kernels/radial_kernel.hpp"

namespace millrace {

/// The kernel of viscosity forces, made for its Laplacian: (l / H^(D+2)) (1-q), never negative.
template <int D>
struct Viscosity;

/// W = (c / H^2) (q^2 - 4/9 q^3), c = 90/(29 pi), Laplacian (4 c / H^4) (1-q). S0 Eq. A.22-A.24.
/// Only its Laplacian is of use: W is 0 at r = 0, grows outwards and jumps from
/// 50/(29 pi H^2) to 0 at the support.
template <>
struct Viscosity<2> : RadialKernel<2> {
    static constexpr double k_constant = 90.0 / (29.0 * std::numbers::pi);
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit Viscosity(float support)
        : RadialKernel<2>(support, k_constant, k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T q2 = this->q2(r2);
        const T q = distance(q2).q;
        return within_support(r2, T(w_scale_) * q2 * (T(1.0f) - T(4.0f / 9.0f) * q));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T q = distance(this->q2(r2)).q;
        return within_support(r2, T(gradient_scale_) * (T(2.0f) - T(4.0f / 3.0f) * q));
    }

    template <class T>
    MILLRACE_HD T laplacian(T r2) const {
        const T q = distance(this->q2(r2)).q;
        return within_support(r2, T(4.0f * gradient_scale_) * (T(1.0f) - q));
    }
};

/// W = (c / H^3) (-q^3/2 + q^2 + 1/(2q) - 1) = (c / H^3) (1-q)^3 (1+q) / (2q), c = 15/(2 pi),
/// Laplacian (6 c / H^5) (1-q). Mueller 2003; S0 Eq. A.10, A.17.
/// W grows as 1/q and its gradient as 1/q^2 towards r = 0: below q = 1e-3 the q in their
/// denominators stays at 1e-3, so that W and F are finite. The Laplacian needs no such care.
template <>
struct Viscosity<3> : RadialKernel<3> {
    static constexpr double k_constant = 15.0 / (2.0 * std::numbers::pi);
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit Viscosity(float support)
        : RadialKernel<3>(support, 0.5 * k_constant, -0.5 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const auto [q, inverse_q] = distance(this->q2(r2), k_smallest_singular_q2);
        const T a = T(1.0f) - q;
        return within_support(r2, T(w_scale_) * (a * a * a) * (T(1.0f) + q) * inverse_q);
    }

    /// dw/dq = -(1-q)^2 (1 + 2q + 3q^2) / (2q^2)
    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T q2 = this->q2(r2);
        const auto [q, inverse_q] = distance(q2, k_smallest_singular_q2);
        const T a = T(1.0f) - q;
        const T shape = (a * a) * (T(1.0f) + T(2.0f) * q + T(3.0f) * q2);
        return within_support(r2, T(gradient_scale_) * shape * (inverse_q * inverse_q * inverse_q));
    }

    template <class T>
    MILLRACE_HD T laplacian(T r2) const {
        const T q = distance(this->q2(r2)).q;
        return within_support(r2, T(-12.0f * gradient_scale_) * (T(1.0f) - q));
    }

  private:
    static constexpr float k_smallest_singular_q2 = 1e-6f;
};

}  // namespace millrace
