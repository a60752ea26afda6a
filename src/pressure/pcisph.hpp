#pragma once

#include "pressure/pressure_solver.hpp"

namespace millrace {

/// Predictive-corrective incompressible SPH (S1 6.1, Algorithm 6; Solenthaler and Pajarola 2009).
/// Pressures start at zero and grow by k (rho* - rho0)+ with one stiffness k for all particles,
/// that of a particle within a full lattice (S1 Eq. 6.2-6.3). In the terms of PressureSystem this
/// is relaxed Jacobi with omega = 1/2, which S1's factor 2 holds, and the diagonal of the lattice:
///
///     k = rho0^2 / (2 dt^2 m^2 sum |grad W|^2) = 1/2 / |A_lattice|
///
/// The density ahead is predicted with the velocities that include the pressure accelerations (see
/// docs/errata.md), from the neighbours at the start of the step.
template <int D>
class Pcisph final : public PressureSolver<D> {
  public:
    Pcisph(const Device& device, const PressureSettings& settings);

    PressureResult solve(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                         const StepLength& step) override;
    std::size_t bytes() const override { return system_.bytes() + iteration_.bytes(); }

  private:
    PressureSettings settings_;
    PressureSystem<D> system_;
    PressureIteration<D> iteration_;
};

}  // namespace millrace
