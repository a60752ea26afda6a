#pragma once

#include "exec/device.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// Surface tension of every fluid [N/m]; 0 where a fluid has none.
struct Tension {
    float sigma[k_max_fluids] = {};
};

/// Surface tension from the colour field, after S0 3.4.4 and Mueller et al. 2003:
///
///     a_i = sigma / rho0_i sum_j V_j / delta_j kappa_j n_j W_ij                   S0 Eq. 3.49
///     kappa_j = -div n-hat = -D sum_l V_l (n-hat_l - n-hat_j) . grad W_jl         S0 Eq. 3.48
///                            / sum_l V_l (x_l - x_j) . grad W_jl
///
/// over particles of the same fluid, with the normals n of compute_surface_normals; kappa is 0
/// where |n| < 0.2 / h, away from the surface, such particles do not count among the l, and it
/// stays within (D - 1) / (2 h). Two things differ from S0. Its curvature is -lap c / |n|, which is
/// not 0 at a flat surface; the divergence of the unit normals, normalised after Adami, Hu, Adams
/// 2010, holds where half of the neighbourhood is empty. And the traction is spread over the
/// neighbours by the kernel, without which surfaces boil. Momentum is not conserved: S0 calls the
/// model crude. `curvature` is scratch memory for kappa n.
template <int D>
void add_color_field_tension(const Device& device, const FluidView<D>& fluid,
                             const Tension& tension, VectorView<D> normals, VectorView<D> curvature,
                             VectorView<D> acceleration);

}  // namespace millrace
