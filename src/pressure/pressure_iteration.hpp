#pragma once

#include "pressure/pressure_system.hpp"

namespace millrace {

/// When the iterations of a solve end (S1 Eq. 3.67): both errors are predicted compressions,
/// relative to the rest density. Beyond S1, too much pressure counts: where there is pressure,
/// the mean of what it would decompress, max(0, s - A p), must be below half of avg_error. A warm
/// start may hold too much, which compresses nothing but drives the fluid apart.
struct StoppingRule {
    double avg_error = 0.001;
    double max_error = 0.005;
    int min_iterations = 3;
    int max_iterations = 100;
};

struct IterationResult {
    int iterations = 0;
    double avg_error = 0;
    double max_error = 0;
    bool converged = true;
};

enum class LinearSolver { jacobi, nncg };

/// Iterates on a prepared PressureSystem with a source and a start, until the stopping rule holds.
/// The unknowns left behind are those that the accelerations left behind belong to, and the errors
/// are theirs.
///
/// jacobi: Q <- (Q + omega_i e_i)+, relaxed Jacobi (S1 Eq. 3.62).
/// nncg: the same step as the gradient of a non-smooth nonlinear conjugate gradient method
/// (Silcowitz-Hansen et al. 2010); docs/methods/pressure-iterations.md.
template <int D>
class PressureIteration {
  public:
    PressureIteration(const Device& device, LinearSolver solver);

    IterationResult solve(const Device& device, const FluidView<D>& fluid,
                          PressureSystem<D>& system, float dt, const StoppingRule& rule);
    std::size_t bytes() const;

  private:
    LinearSolver solver_;
    Buffer<float> direction_;     ///< d of nncg
    Buffer<float> scales_;        ///< s of nncg, of this iteration and the last
    Buffer<IterationSums> sums_;  ///< of this iteration and the last
};

}  // namespace millrace
