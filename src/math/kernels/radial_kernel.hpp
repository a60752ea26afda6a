#pragma once

#include <numbers>

#include "math/annotate.hpp"
#include "math/scalar.hpp"

namespace millrace {

/// What every smoothing kernel is built on. With r = |x_ij|, the support radius H and q = r / H:
///
///     W      = (constant / H^D) shape(q)
///     grad W = F x_ij,  F = (gradient_constant / H^(D+2)) gradient_shape(q)
///
/// where x_ij = x_i - x_j; both are exactly 0 for r >= H. A kernel offers
///
///     T w(T r2)                 W [1/m^D] from the squared distance [m^2]
///     T gradient_factor(T r2)   F [1/m^(D+2)]
///     k_integral                the integral of W over its support
///
/// T is float, double or a pack of floats: constructible from float, with the operators and the
/// functions of math/scalar.hpp. No function branches on a T.
template <int D>
struct RadialKernel {
    static constexpr int k_dimension = D;

    MILLRACE_HD float support() const { return support_; }

  protected:
    float support_;
    float inverse_support2_;
    float w_scale_;
    float gradient_scale_;

    /// support: H [m], greater than 0
    MILLRACE_HD constexpr RadialKernel(float support, double constant, double gradient_constant)
        : support_(support),
          inverse_support2_(static_cast<float>(1.0 / (double(support) * support))) {
        double volume = 1.0;
        for (int k = 0; k < D; ++k)
            volume *= support;
        w_scale_ = static_cast<float>(constant / volume);
        gradient_scale_ =
            static_cast<float>(gradient_constant / (volume * (double(support) * support)));
    }

    template <class T>
    struct Distance {
        T q;
        T inverse_q;
    };

    /// Below q = 1e-6, 1/q stays at 1e6: F x_ij of a kernel whose gradient has the length of a
    /// constant times the direction r-hat is then finite near r = 0, and 0 at r = 0.
    static constexpr float k_smallest_q2 = 1e-12f;

    template <class T>
    MILLRACE_HD T q2(T r2) const {
        return r2 * T(inverse_support2_);
    }

    template <class T>
    MILLRACE_HD static Distance<T> distance(T q2, float smallest_q2 = k_smallest_q2) {
        const T inverse_q = rsqrt(max(q2, T(smallest_q2)));
        return {q2 * inverse_q, inverse_q};
    }

    /// The product is formed in T: rounding of H^2 to float would leave a sliver at r = H.
    template <class T>
    MILLRACE_HD T within_support(T r2, T value) const {
        return select(r2 < T(support_) * T(support_), value, T(0.0f));
    }
};

}  // namespace millrace
