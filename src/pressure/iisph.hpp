#pragma once

#include "pressure/pressure_solver.hpp"

namespace millrace {

/// Implicit incompressible SPH (S1 3.3, Algorithm 1 steps 6 to 14; Ihmsen et al. 2014): solves
/// A p = s, with s the predicted lack of density, by relaxed Jacobi with pressures clamped to
/// p >= 0. Walls have no pressure of their own (p_k = 0) and do not move.
template <int D>
class Iisph final : public PressureSolver<D> {
  public:
    Iisph(const Device& device, const PressureSettings& settings);

    PressureResult solve(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                         float dt, float correction = 1) override;
    std::size_t bytes() const override;

    /// The parts of an iteration, for benchmarks and tests.
    void prepare(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted, float dt,
                 float correction = 1);
    void accelerate(const Device& device, const FluidView<D>& fluid);
    void predict_error(const Device& device, const FluidView<D>& fluid, float dt);
    void relax(const Device& device, const FluidView<D>& fluid, float dt);

    const Buffer<float>& diagonal() const { return diagonal_; }
    const Buffer<float>& source() const { return source_; }
    /// V_i a_i with the pressure accelerations a of the last accelerate().
    const VectorBuffer<D>& weighted_acceleration() const { return weighted_acceleration_; }
    /// (A p)_i - s_i of the last predict_error(), relative.
    const Buffer<float>& error() const { return error_; }

  private:
    PressureSettings settings_;
    Buffer<float> diagonal_, source_, error_;
    Buffer<float> weighted_pressure_;  ///< V_i p_i / delta_i^2
    VectorBuffer<D> gradient_sum_;     ///< sum_j V_j grad W_ij + sum_k V_k grad W_ik
    VectorBuffer<D> weighted_acceleration_;
};

}  // namespace millrace
