#pragma once

#include "math/kernels/radial_kernel.hpp"

namespace millrace {

/// W = (c / H^D) (1-q)^3, grad W = -(3 c / H^(D+1)) r-hat (1-q)^2: pressure forces, which must not
/// vanish between close particles. Mueller 2003; S0 Eq. A.9 (3D), A.13, A.15 (2D).
template <int D>
struct Spiky : RadialKernel<D> {
    static_assert(D == 2 || D == 3);
    static constexpr double k_constant = D == 2 ? 10.0 / std::numbers::pi : 15.0 / std::numbers::pi;
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit Spiky(float support)
        : RadialKernel<D>(support, k_constant, -3.0 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T a = T(1.0f) - this->distance(this->q2(r2)).q;
        return this->within_support(r2, T(this->w_scale_) * (a * a * a));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const auto [q, inverse_q] = this->distance(this->q2(r2));
        const T a = T(1.0f) - q;
        return this->within_support(r2, T(this->gradient_scale_) * (a * a) * inverse_q);
    }
};

}  // namespace millrace
