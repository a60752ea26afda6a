#pragma once

#include "exec/device.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// acceleration_i += nu <laplace v>_i (S1 Eq. 3.2), in a form that conserves momentum between
/// fluids of different density and viscosity:
///
///     a_i = 2 (D + 2) / rho0_i  sum_j  mu_ij V_j / delta_ij  (v_ij . x_ij) / (r^2 + 0.01 h^2) grad
///     W_ij
///
/// with mu_ij and delta_ij the means of both particles. Walls slip (S1 4.1.2).
template <int D>
void add_standard_viscosity(const Device& device, const FluidView<D>& fluid,
                            VectorView<D> acceleration);

}  // namespace millrace
