#pragma once

#include "fluid/fluid_view.hpp"
#include "fluid/same_fluid.hpp"
#include "math/mat.hpp"

namespace millrace {

/// How the neighbours of a particle turn around it:
///
///     s = sum_j V_j (v_i - v_j) x grad W_ij,   M = sum_j V_j |F_ij| (r^2 1 - x_ij x_ij^T)
///
/// over particles of the same fluid, grad W = F x; in 2D M is the number sum_j V_j |F_ij| r^2.
/// Neighbours that turn about i like a solid with the angular velocity Omega have s = M Omega, so
/// that the curl of the velocity, 2 M^-1 s, is right for every arrangement of them. Within the
/// fluid M is about twice the unit matrix.
template <int D>
struct RotationFit;

template <>
struct RotationFit<2> {
    Spin<2> sum = Spin<2>::all(0.0f);
    float moment_sum = 0;

    /// Alone, or in a corner with few neighbours: there M says little.
    MILLRACE_HD bool is_lonely() const { return !(moment_sum > 0.3f); }

    /// 2 M^-1 u
    MILLRACE_HD Spin<2> normalized(const Spin<2>& u) const { return u * (2.0f / moment_sum); }
};

template <>
struct RotationFit<3> {
    Spin<3> sum = Spin<3>::all(0.0f);
    Mat3 moments = Mat3::zero();

    MILLRACE_HD bool is_lonely() const { return !(determinant(moments) > 0.1f); }
    MILLRACE_HD Spin<3> normalized(const Spin<3>& u) const { return inverse(moments) * u * 2.0f; }
};

MILLRACE_HD inline RotationFit<2> fit_rotation(const FluidView<2>& f, std::uint32_t i) {
    const float own = f.fluid[i];
    const Vec<2, Lanes> v_i = spread(f.velocity.get(i));
    Lanes sum(0.0f), moments(0.0f);
    f.fluid_neighbors.for_each(
        i, f.position.get(i), [&](LaneIndex j, const Vec<2, Lanes>& x_ij, Lanes r2) {
            const Lanes weight = same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                                 f.kernel.gradient_factor(r2);
            sum += moment(x_ij, v_i - f.velocity.lanes(j))[0] * weight;
            moments += r2 * weight;
        });
    return {{{-sum_lanes(sum)}}, -sum_lanes(moments)};
}

MILLRACE_HD inline RotationFit<3> fit_rotation(const FluidView<3>& f, std::uint32_t i) {
    const float own = f.fluid[i];
    const Vec<3, Lanes> v_i = spread(f.velocity.get(i));
    Vec<3, Lanes> sum = Vec<3, Lanes>::all(Lanes(0.0f)), squares = sum, products = sum;
    f.fluid_neighbors.for_each(
        i, f.position.get(i), [&](LaneIndex j, const Vec<3, Lanes>& x_ij, Lanes r2) {
            const Lanes weight = same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                                 f.kernel.gradient_factor(r2);
            sum += moment(x_ij, v_i - f.velocity.lanes(j)) * weight;
            for (int k = 0; k < 3; ++k) {
                squares[k] += x_ij[k] * x_ij[k] * weight;
                products[k] += x_ij[(k + 1) % 3] * x_ij[(k + 2) % 3] * weight;
            }
        });
    const Vec3 xx = -sum_lanes(squares), yz = -sum_lanes(products);
    const float all = xx[0] + xx[1] + xx[2];
    RotationFit<3> fit;
    fit.sum = -sum_lanes(sum);
    fit.moments = {{{all - xx[0], -yz[2], -yz[1]},
                    {-yz[2], all - xx[1], -yz[0]},
                    {-yz[1], -yz[0], all - xx[2]}}};
    return fit;
}

}  // namespace millrace
