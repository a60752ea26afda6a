#pragma once

#include "boundary/body_coupling.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "math/spin.hpp"
#include "neighbors/neighbor_list.hpp"

namespace millrace {

inline constexpr int k_max_fluids = 16;

/// What the fluids of a scene are made of.
struct Materials {
    float rest_density[k_max_fluids] = {};  ///< [kg/m^D]
    float nu[k_max_fluids] = {};            ///< kinematic viscosity [m^2/s]
};

/// Everything that a physical pass reads of the fluid in one step. Densities are relative to the
/// rest density of the particle's own fluid and follow from volumes instead of masses, so that
/// fluids of different density can touch: delta_i = sum_j V_j W_ij. With one fluid this is S1's
/// rho_i = sum_j m_j W_ij divided by rho0.
template <int D>
struct FluidView {
    std::uint32_t count;
    float spacing;  ///< [m]
    CubicSpline<D> kernel;
    NeighborView<D> fluid_neighbors;
    NeighborView<D> wall_neighbors;
    VectorView<D> position;
    VectorView<D> velocity;
    const float* volume;
    const float* wall_volume;
    float* pressure;  ///< [Pa]
    /// With which the next solve begins: of dfsph the part that kept velocities free of divergence
    float* divergence_pressure;
    float* density;               ///< relative
    const float* rest_density;    ///< of every particle [kg/m^D]
    const float* mu;              ///< dynamic viscosity of every particle
    const float* fluid;           ///< which of the scene's fluids, as a number that packs can load
    CouplingView<D> moving = {};  ///< what passes read of moving walls and bodies
    BodyCoupling<D>* coupling = nullptr;   ///< the same for the host; null: nothing moves
    VectorView<k_spin_size<D>> spin = {};  ///< of the particles themselves [rad/s]; null: none
};

}  // namespace millrace
