#pragma once

#include "math/kernels/poly6.hpp"
#include "math/kernels/spiky.hpp"

// The three pairs of kernels of the double-density relaxation (Clavet 2005): one for the density,
// one for the near density. S0 gives them in 2D; the 3D constants follow from the same shapes.
namespace millrace {

/// W = (c / H^D) (1-q)^2, grad W = -(2 c / H^(D+1)) r-hat (1-q). S0 Eq. A.25, A.27.
template <int D>
struct Clavet : RadialKernel<D> {
    static_assert(D == 2 || D == 3);
    static constexpr double k_constant =
        D == 2 ? 6.0 / std::numbers::pi : 15.0 / (2.0 * std::numbers::pi);
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit Clavet(float support)
        : RadialKernel<D>(support, k_constant, -2.0 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T a = T(1.0f) - this->distance(this->q2(r2)).q;
        return this->within_support(r2, T(this->w_scale_) * (a * a));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const auto [q, inverse_q] = this->distance(this->q2(r2));
        return this->within_support(r2, T(this->gradient_scale_) * (T(1.0f) - q) * inverse_q);
    }
};

/// W = (c / H^D) (1-q)^3: the spiky kernel under another name. S0 Eq. A.26, A.28.
template <int D>
using ClavetNear = Spiky<D>;

/// W = (c / H^D) (1-q^2)^2, grad = -(2 c / H^(D+1)) r-hat (1-q^2), with the c of Clavet: no square
/// root for densities, and close particles still push each other. S0 Eq. A.30, A.32.
/// By intent neither normalised nor is the gradient the derivative of W.
template <int D>
struct ClavetHybrid : RadialKernel<D> {
    static constexpr double k_constant = Clavet<D>::k_constant;
    static constexpr double k_integral = D == 2 ? 2.0 : 16.0 / 7.0;

    MILLRACE_HD constexpr explicit ClavetHybrid(float support)
        : RadialKernel<D>(support, k_constant, -2.0 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T a = T(1.0f) - this->q2(r2);
        return this->within_support(r2, T(this->w_scale_) * (a * a));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T q2 = this->q2(r2);
        const T inverse_q = this->distance(q2).inverse_q;
        return this->within_support(r2, T(this->gradient_scale_) * (T(1.0f) - q2) * inverse_q);
    }
};

/// W = (c / H^D) (1-q^2)^3, grad = -(3 c / H^(D+1)) r-hat (1-q^2)^2, with the c of ClavetNear.
/// S0 Eq. A.31, A.33. By intent neither normalised nor is the gradient the derivative of W.
template <int D>
struct ClavetHybridNear : RadialKernel<D> {
    static constexpr double k_constant = ClavetNear<D>::k_constant;
    static constexpr double k_integral = D == 2 ? 5.0 / 2.0 : 64.0 / 21.0;

    MILLRACE_HD constexpr explicit ClavetHybridNear(float support)
        : RadialKernel<D>(support, k_constant, -3.0 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T a = T(1.0f) - this->q2(r2);
        return this->within_support(r2, T(this->w_scale_) * (a * a * a));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        const T q2 = this->q2(r2);
        const T a = T(1.0f) - q2;
        const T inverse_q = this->distance(q2).inverse_q;
        return this->within_support(r2, T(this->gradient_scale_) * (a * a) * inverse_q);
    }
};

/// W = (c / H^D) (1-q^2)^2, grad W = -(4 c / H^(D+2)) r-vec (1-q^2): no square root at all, but the
/// push between particles fades as they meet. S0 Eq. A.34, A.36.
template <int D>
struct ClavetSquared : RadialKernel<D> {
    static_assert(D == 2 || D == 3);
    static constexpr double k_constant =
        D == 2 ? 3.0 / std::numbers::pi : 105.0 / (32.0 * std::numbers::pi);
    static constexpr double k_integral = 1.0;

    MILLRACE_HD constexpr explicit ClavetSquared(float support)
        : RadialKernel<D>(support, k_constant, -4.0 * k_constant) {}

    template <class T>
    MILLRACE_HD T w(T r2) const {
        const T a = T(1.0f) - this->q2(r2);
        return this->within_support(r2, T(this->w_scale_) * (a * a));
    }

    template <class T>
    MILLRACE_HD T gradient_factor(T r2) const {
        return this->within_support(r2, T(this->gradient_scale_) * (T(1.0f) - this->q2(r2)));
    }
};

/// W = (c / H^D) (1-q^2)^3: poly6 under another name. S0 Eq. A.35, A.37.
template <int D>
using ClavetSquaredNear = Poly6<D>;

}  // namespace millrace
