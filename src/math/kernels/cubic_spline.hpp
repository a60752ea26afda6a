#pragma once

#include "math/kernels/radial_kernel.hpp"

namespace millrace {

/// W = (alpha / H^D) [(1-q)+^3 - 4 (1/2-q)+^3]: the kernel of the pressure solvers.
/// S1 Eq. 2.22-2.27, with the sign of Eq. 2.26 put right: dw/dq = -3(1-q)+^2 + 12(1/2-q)+^2.
template <int D>
struct CubicSpline : RadialKernel<D> {
    static_assert(D >= 1 && D <= 3);
    static constexpr double k_constant = D == 1   ? 8.0 / 3.0
                                         : D == 2 ? 80.0 / (7.0 * std::numbers::pi)
                                                  : 16.0 / std::numbers::pi;
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit CubicSpline(float support)
        : RadialKernel<D>(support, k_constant, 3.0 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T q = this->distance(this->q2(r2)).q;
        const T outer = T(1.0f) - q;
        const T inner = max(T(0.5f) - q, T(0.0f));
        const T shape = outer * outer * outer - T(4.0f) * (inner * inner * inner);
        return this->within_support(r2, T(this->w_scale_) * shape);
    }

    /// (dw/dq) / q is 9q - 6 for q < 1/2 and -3 (1-q)^2 / q beyond: no division at r = 0.
    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T q2 = this->q2(r2);
        const auto [q, inverse_q] = this->distance(q2);
        const T inner = T(3.0f) * q - T(2.0f);
        const T outer = (T(1.0f) - q) * (q - T(1.0f)) * inverse_q;
        const T shape = select(q2 < T(0.25f), inner, outer);
        return this->within_support(r2, T(this->gradient_scale_) * shape);
    }
};

}  // namespace millrace
