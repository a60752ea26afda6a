#pragma once

#include "exec/vector_buffer.hpp"
#include "fluid/viscous_operator.hpp"

namespace millrace {

/// How a solve ended.
struct ViscosityResult {
    int iterations = 0;
    double error = 0;  ///< bound of the error, relative to the change of the velocities
    bool converged = true;
};

/// Viscosity at the end of the step (Weiler, Koschier, Brand, Bender 2018; backward Euler):
///
///     v - dt a(v) = v*,   a the viscous accelerations of ViscousOperator
///
/// solved for the change d = v - v*, (1 - dt a) d = dt a(v*), by conjugate gradients without a
/// matrix. In the scalar product sum_i m_i u_i . w_i the operator is symmetric with eigenvalues
/// >= 1, so the error of d is at most the residual r: we stop where |r| <= 1e-3 |d|. In the same
/// product every search direction is a sum of forces between pairs over masses: momentum and
/// angular momentum are conserved after any number of iterations, which a preconditioner other
/// than the masses would spoil. The start is d = 0, and |d| only grows from one iterate to the
/// next: a solve that is cut short leaves the fluid too thin, and no velocity runs away.
template <int D>
class ImplicitViscosity {
  public:
    static constexpr double k_tolerance = 1e-3;
    static constexpr int k_max_iterations = 500;

    explicit ImplicitViscosity(const Device& device)
        : change_(device),
          residual_(device),
          direction_(device),
          product_(device),
          scalars_(device) {}

    /// Replaces the velocities v* by v.
    ViscosityResult solve(const Device& device, const FluidView<D>& fluid,
                          const WallFriction<D>& walls, VectorView<D> velocity, float dt,
                          int max_iterations = k_max_iterations);
    std::size_t bytes() const;

  private:
    VectorBuffer<D> change_, residual_, direction_, product_;  ///< d, r, p, (1 - dt a) p
    Buffer<double> scalars_;  ///< of an iteration; they stay on the device
};

}  // namespace millrace
