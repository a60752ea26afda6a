#pragma once

#include "math/kernels/radial_kernel.hpp"

namespace millrace {

/// W = (c / H^D) (1 - q^2)^3: densities, without a square root.
/// Mueller 2003; S0 Eq. A.1 and A.38 (3D), A.8 (2D); the gradient of A.39, A.41 with r-vec in place
/// of r-hat and a minus sign.
template <int D>
struct Poly6 : RadialKernel<D> {
    static_assert(D == 2 || D == 3);
    static constexpr double k_constant =
        D == 2 ? 4.0 / std::numbers::pi : 315.0 / (64.0 * std::numbers::pi);
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit Poly6(float support)
        : RadialKernel<D>(support, k_constant, -6.0 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T a = T(1.0f) - this->q2(r2);
        return this->within_support(r2, T(this->w_scale_) * (a * a * a));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T a = T(1.0f) - this->q2(r2);
        return this->within_support(r2, T(this->gradient_scale_) * (a * a));
    }
};

/// Poly6 with the vector r of its gradient replaced by H r-hat, so that close particles still push
/// each other: grad = -(6 c / H^(D+1)) r-hat (1 - q^2)^2. By intent not the derivative of W.
/// Nilsson 2009; S0 Eq. A.40 (3D), A.42 (2D), with a minus sign.
template <int D>
struct Poly6h : Poly6<D> {
    using Poly6<D>::Poly6;

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T q2 = this->q2(r2);
        const T a = T(1.0f) - q2;
        const T inverse_q = this->distance(q2).inverse_q;
        return this->within_support(r2, T(this->gradient_scale_) * (a * a) * inverse_q);
    }
};

}  // namespace millrace
