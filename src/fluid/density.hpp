#pragma once

#include "exec/device.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// delta_i = sum_j V_j W_ij + sum_k V_k W_ik over fluid j and walls k (S1 Eq. 4.7).
template <int D>
void compute_density(const Device& device, const FluidView<D>& fluid);

}  // namespace millrace
