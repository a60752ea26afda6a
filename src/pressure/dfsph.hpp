#pragma once

#include "pressure/pressure_solver.hpp"

namespace millrace {

/// Divergence-free SPH (S1 3.4.1, Algorithm 2; Bender and Koschier 2015): two solves of the same
/// equations. The first takes the compression out of the predicted velocities (source s^v), the
/// second what is left of the predicted compression (source s).
///
/// Warm start: each solve has pressures of its own. Those of the first are the pressures of the
/// flow and start from the last step's as they are; those of the second undo what went wrong in a
/// step, and start from half the last step's. (S1 shares one set of pressures between both; with
/// the velocities already corrected by the first solve that is no good start for the second.)
///
/// Where the fluid is below its rest density the first solve lets it close up, by a tenth of what
/// is missing in a step. Without this it would hold every volume that was gained once.
template <int D>
class Dfsph final : public PressureSolver<D> {
  public:
    Dfsph(const Device& device, const PressureSettings& settings);

    PressureResult solve(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                         const StepLength& step) override;
    std::size_t bytes() const override {
        return system_.bytes() + density_part_.bytes() + iteration_.bytes();
    }

  private:
    PressureSettings settings_;
    PressureSystem<D> system_;
    Buffer<float> density_part_;  ///< of the last step's pressures
    PressureIteration<D> iteration_;
};

}  // namespace millrace
