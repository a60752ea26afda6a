#pragma once

#include "pressure/pressure_solver.hpp"

namespace millrace {

/// Implicit incompressible SPH (S1 3.3, Algorithm 1 steps 6 to 14; Ihmsen et al. 2014): solves
/// A p = s, with s the predicted lack of density. Walls have no pressure of their own (p_k = 0) and
/// do not move.
///
/// warm start: from half the last step's pressures (S1 Eq. 3.63); cold: from zero, whose first
/// iteration is S1 Eq. 3.64.
template <int D>
class Iisph final : public PressureSolver<D> {
  public:
    Iisph(const Device& device, const PressureSettings& settings);

    PressureResult solve(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                         const StepLength& step) override;
    std::size_t bytes() const override { return system_.bytes() + iteration_.bytes(); }

  private:
    PressureSettings settings_;
    PressureSystem<D> system_;
    PressureIteration<D> iteration_;
};

}  // namespace millrace
