#pragma once

#include "exec/vector_buffer.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// Strength of every fluid's vorticity confinement [m/s]; 0 where it has none.
struct Confinement {
    float strength[k_max_fluids] = {};
};

/// Drives whirls (Steinhoff, Underhill 1994; Fedkiw, Stam, Jensen 2001; for particles Macklin,
/// Mueller 2013): with the vorticity c = curl v of RotationFit,
///
///     a_i = epsilon N_i x c_i,   N = eta / (|eta| + 0.1 |c| / h),
///     eta_i = sum_j V_j (|c_j| - |c_i|) grad W_ij
///
/// over particles of the same fluid. N points to where the whirl is strongest; the second term
/// below keeps it from pointing anywhere in fluid that turns like a solid. It adds energy, and does
/// not conserve momentum. `curl` and `curl_size` are scratch memory.
template <int D>
void add_vorticity_confinement(const Device& device, const FluidView<D>& fluid,
                               const Confinement& confinement, VectorView<k_spin_size<D>> curl,
                               float* curl_size, VectorView<D> acceleration);

}  // namespace millrace
