#pragma once

#include "exec/device.hpp"
#include "fluid/viscous_operator.hpp"

namespace millrace {

/// acceleration_i += nu <laplace v>_i (S1 Eq. 3.2) with the velocities at the start of the step.
template <int D>
void add_standard_viscosity(const Device& device, const FluidView<D>& fluid,
                            const WallFriction<D>& walls, VectorView<D> acceleration);

/// The longest step [s] of standard viscosity:
///
///     dt <= h^2 / (2 c nu),  c = sum_j 2 (D + 2) / D  h^(D+2) r^2 / (r^2 + 0.01 h^2) |F_ij|
///
/// with the sum over a lattice. c nu / h^2 is the diagonal of the operator and its eigenvalues are
/// at most twice that (Gershgorin): on a lattice nothing overshoots. Euler turns unstable at twice
/// the step, which leaves room for disorder, surfaces and walls. `support` is in spacings.
template <int D>
double longest_viscous_step(double nu, double spacing, double support);

}  // namespace millrace
