#pragma once

#include "exec/vector_buffer.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// The part alpha of velocity differences that XSPH removes in a step, of every fluid.
struct XsphStrength {
    float alpha[k_max_fluids] = {};
};

/// Draws velocities towards the mean of their neighbours (Schechter, Bridson 2012; XSPH after
/// Monaghan 1989):
///
///     v_i += alpha sum_j V_j / delta_ij (v_j - v_i) W_ij
///
/// over the particles j of the same fluid, with delta_ij the mean of both. It conserves momentum,
/// but not angular momentum. `smoothed` is scratch memory.
template <int D>
void smooth_velocities(const Device& device, const FluidView<D>& fluid,
                       const XsphStrength& strength, VectorBuffer<D>& smoothed,
                       VectorView<D> velocity);

}  // namespace millrace
