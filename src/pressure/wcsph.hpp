#pragma once

#include "pressure/pressure_solver.hpp"

namespace millrace {

/// Weakly compressible SPH (S3 17.3-17.7, S2 III; Becker and Teschner 2007), the baseline:
/// pressures follow from the densities by an equation of state, without a solve,
///
///     p = rho0 c^2 / gamma ((rho / rho0)^gamma - 1)+
///
/// with the speed of sound c; gamma = 7 is Tait's equation, gamma = 1 the linear one. The fluid is
/// compressed by about (v / c)^2 / 2, and a step must be shorter than the time in which sound
/// passes a particle.
template <int D>
class Wcsph final : public PressureSolver<D> {
  public:
    Wcsph(const Device& device, const PressureSettings& settings);

    PressureResult solve(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                         const StepLength& step) override;
    /// dt <= cfl h / (c + max |v|) (S3 17.5.1)
    double longest_step(double spacing, double max_speed, double cfl) const override;
    bool is_explicit() const override { return true; }
    std::size_t bytes() const override { return unknowns_.bytes(); }

  private:
    PressureSettings settings_;
    Buffer<float> unknowns_;  ///< V_i p_i / delta_i^2
};

}  // namespace millrace
