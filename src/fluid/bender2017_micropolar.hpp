#pragma once

#include <cmath>

#include "exec/vector_buffer.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// Of every fluid; nu_t is 0 where it is not micropolar.
struct Micropolar {
    float nu_t[k_max_fluids] = {};       ///< couples flow and spin [m^2/s]
    float inertia[k_max_fluids] = {};    ///< Theta [m^2]
    float smoothing[k_max_fluids] = {};  ///< part of spin differences that a step removes
};

/// Particles that spin (Bender, Koschier, Kugelstadt, Weiler 2017): with the vorticity c = curl v
/// and the angular velocity omega of the particles themselves,
///
///     Dv/Dt           = nu_t curl omega,   curl omega_i = sum_j V_j grad W_ij x (omega_j -
///     omega_i) Theta Domega/Dt = nu_t (c - 2 omega)
///
/// over particles of the same fluid, c that of RotationFit. Where all spin alike there is no force,
/// at surfaces as little as within the fluid; the price of that difference is that momentum is not
/// conserved where neighbours are missing. Eringen's fluid has the term - nu_t / 2 curl c besides,
/// which is left out here as it is in the paper: without it whirls are fed as long as nu_t > 2 nu.
///
/// Computes c; 0 where the fluid is not micropolar. For a particle without neighbours to speak of,
/// c = 2 omega: its spin stays.
template <int D>
void compute_vorticity(const Device& device, const FluidView<D>& fluid,
                       const Micropolar& micropolar, VectorView<k_spin_size<D>> curl);

/// Adds nu_t curl omega.
template <int D>
void add_micropolar(const Device& device, const FluidView<D>& fluid, const Micropolar& micropolar,
                    VectorView<D> acceleration);

/// The longest step [s] of the exchange, which is explicit: a wave of wave number k grows with
/// nu_t k / sqrt(Theta) at most, and the shortest on particles has about k = 1 / h in these sums:
///
///     dt <= h sqrt(Theta) / (2 nu_t)
inline double longest_spin_step(double nu_t, double inertia, double spacing) {
    return 0.5 * spacing * std::sqrt(inertia) / nu_t;
}

/// Advances the spins by dt, the friction against the flow implicitly,
///
///     omega <- (omega + dt nu_t / Theta c) / (1 + 2 dt nu_t / Theta)
///
/// and draws them towards the mean of their neighbours, as XSPH does with velocities:
///
///     omega_i += alpha share sum_j V_j 2 / (delta_i + delta_j) (omega_j - omega_i) W_ij
///
/// `next` is scratch memory.
template <int D>
void advance_spins(const Device& device, const FluidView<D>& fluid, const Micropolar& micropolar,
                   VectorView<k_spin_size<D>> curl, float dt, float share,
                   VectorView<k_spin_size<D>> next);

}  // namespace millrace
