#pragma once

#include "fluid/viscous_operator.hpp"

namespace millrace {

/// What fluid that does not slip pulls moving walls and bodies along with: for every contact the
/// opposite of the force that ViscousOperator puts on the particle,
///
///     f = 2 g_i mu_i V_i / delta_i  sum_k V_k |F_ik| (v_i - v)
///
/// over the samples k of the object, with its velocity v at x_i, and the torque about its reference
/// point. It acts where the particle is: the force is not along the line to the sample, and only so
/// do both together keep their angular momentum.
template <int D>
void compute_wall_drag(const Device& device, const FluidView<D>& fluid,
                       const WallFriction<D>& walls, VectorView<D> velocity,
                       Buffer<Push<D>>& pushes);

}  // namespace millrace
