#pragma once

#include <cmath>

#include "exec/vector_buffer.hpp"
#include "math/vec.hpp"

namespace millrace {

/// Particles with shorter normals are not at the surface, per spacing; a flat surface has 0.5.
inline constexpr float k_least_normal = 0.2f;
/// Of every axis along the surface, per spacing: a radius of two spacings.
inline constexpr float k_largest_curvature = 0.5f;

/// Whether a colour field's gradient n is that of a particle at the surface.
template <int D>
MILLRACE_HD inline bool is_at_surface(const Vec<D>& n, float spacing) {
    return !(squared_norm(n) < k_least_normal * k_least_normal / (spacing * spacing));
}

/// The curvature of the surface at particle i (S0 Eq. 3.48, normalised after Adami, Hu, Adams
/// 2010):
///
///     kappa_i = -div n-hat = -D sum_j w_j (n-hat_j - n-hat_i) . x_ij / -sum_j w_j r^2
///
/// over the particles j at the surface, with w_j = V_j F(r), grad W_ij = F x_ij; at most (D - 1) /
/// 2 per spacing either way [1/m].
template <int D>
class CurvatureSum {
  public:
    /// n: the colour field's gradient at i, which is at the surface [1/m]
    MILLRACE_HD CurvatureSum(const Vec<D>& n, float spacing)
        : direction_i_(spread(n / norm(n))),
          spacing_(spacing),
          least2_(k_least_normal * k_least_normal / (spacing * spacing)) {}

    MILLRACE_HD void add(const Vec<D, Lanes>& n_j, const Vec<D, Lanes>& x_ij, Lanes r2, Lanes w_j) {
        const Lanes n2 = squared_norm(n_j);
        const Lanes at_surface = select(n2 < Lanes(least2_), Lanes(0.0f), Lanes(1.0f));
        const Vec<D, Lanes> direction_j = n_j * rsqrt(max(n2, Lanes(least2_)));
        const Lanes weight = at_surface * w_j;
        divergence_ += dot(direction_j - direction_i_, x_ij) * weight;
        ways_ += r2 * weight;
    }
    MILLRACE_HD float curvature() const {
        const float way = -sum_lanes(ways_);
        if (!(way > 0.0f))
            return 0.0f;
        const float largest = (D - 1) * k_largest_curvature / spacing_;
        return fmaxf(-largest, fminf(-D * sum_lanes(divergence_) / way, largest));
    }

  private:
    Vec<D, Lanes> direction_i_;
    float spacing_, least2_;
    Lanes divergence_ = Lanes(0.0f), ways_ = Lanes(0.0f);
};

}  // namespace millrace
