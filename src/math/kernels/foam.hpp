#pragma once

#include "math/kernels/radial_kernel.hpp"

namespace millrace {

/// W = (3 / (pi H^D)) (1-q), grad W = -(3 / (pi H^(D+1))) r-hat: the potentials that generate foam.
/// S1 Eq. 5.8 with its bracket put back; 3/pi normalises it in 2D as well as in 3D.
/// The gradient jumps to 0 at the support.
template <int D>
struct Foam : RadialKernel<D> {
    static_assert(D == 2 || D == 3);
    static constexpr double k_constant = 3.0 / std::numbers::pi;
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit Foam(float support)
        : RadialKernel<D>(support, k_constant, -k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T q = this->distance(this->q2(r2)).q;
        return this->within_support(r2, T(this->w_scale_) * (T(1.0f) - q));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T inverse_q = this->distance(this->q2(r2)).inverse_q;
        return this->within_support(r2, T(this->gradient_scale_) * inverse_q);
    }
};

}  // namespace millrace
