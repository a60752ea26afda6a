#pragma once

#include "fluid/color_field_tension.hpp"

namespace millrace {

/// Surface tension from attraction between particles and from the difference of their normals
/// (Akinci, Akinci, Teschner 2013), between particles of the same fluid:
///
///     a_i = - sigma / (rho0_i H^(D+2)) sum_j V_j 2 / (delta_i + delta_j)
///               ( 0.3 k_c C(q) x_ij / r  +  13 H^D W_ij H (n_i - n_j) )
///     C(q) = 64 (1-q)^3 q^3 for q > 1/2,  128 (1-q)^3 q^3 - 1 below,  q = r / H
///
/// with the normals n of compute_surface_normals. The forces between two particles are opposite:
/// momentum is conserved; by the first term angular momentum too. Akinci et al. add up the second
/// one without a weight, which jumps as particles come and go; we weigh it by the kernel.
///
/// A pair force f(r) between particles of the number density N has the surface tension
/// c_D N^2 int r^(D+1) f dr with c_2 = 1/3 and c_3 = pi/8, half the work per area to part the fluid
/// along a plane; k_c = 1 / (c_D int q^(D+1) C dq) makes that of the first term sigma. The factors
/// 0.3 and 13 are measured (docs/methods/surface-tension.md).
template <int D>
void add_akinci2013_cohesion(const Device& device, const FluidView<D>& fluid,
                             const Tension& tension, VectorView<D> normals,
                             VectorView<D> acceleration);

}  // namespace millrace
