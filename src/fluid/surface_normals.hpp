#pragma once

#include <cmath>

#include "exec/device.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// The gradient of each fluid's colour field, which is 1 in the fluid and 0 outside (S0 Eq. 3.47):
///
///     n_i = sum_j V_j / delta_j grad W_ij + sum_k V_k grad W_ik      [1/m]
///
/// over the particles j of the same fluid and the walls k, so that a wall is no surface. It points
/// into the fluid and is about 0 away from the surface.
template <int D>
void compute_surface_normals(const Device& device, const FluidView<D>& fluid,
                             VectorView<D> normals);

/// The longest step [s] that a force of surface tension allows:
///
///     dt <= sqrt(rho0 h^3 / sigma) / 4
///
/// The shortest capillary wave on particles, of the length 2 h, has the frequency
/// sqrt(sigma (pi / h)^3 / rho0); the step is 0.7 of what semi-implicit Euler follows, 2 /
/// frequency (compare Brackbill, Kothe, Zemach 1992).
inline double longest_capillary_step(double sigma, double rest_density, double spacing) {
    return 0.25 * std::sqrt(rest_density * spacing * spacing * spacing / sigma);
}

}  // namespace millrace
