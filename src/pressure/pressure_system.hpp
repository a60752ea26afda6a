#pragma once

#include "exec/vector_buffer.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// What an iteration measures over all particles.
struct IterationSums {
    float compression = 0;  ///< of max(0, e)
    float residual = 0;     ///< of what Jacobi would change, in units of e
    float norm = 0;         ///< the same squared, in the norm of the diagonal
    float max = 0;          ///< largest e
};

/// The equations of a pressure solve, A p = s with p >= 0, and the passes that iterate on them. All
/// incompressible methods share them (S1 3.3); they differ in sources, starts and diagonals.
///
/// Everything is written for the relative density delta = rho / rho0 and the volumes V = m / rho0.
/// With P = p / delta^2 and g_i = sum_j V_j grad W_ij + sum_k V_k grad W_ik over fluid j and walls
/// k:
///
///     a_i     = -1/rho0_i ( sum_j V_j P_j grad W_ij + P_i g_i )                     S1 Eq. 4.8
///     (A p)_i = dt^2 ( a_i . g_i - sum_j V_j a_j . grad W_ij )                      S1 Eq. 3.39
///     A_ii    = -dt^2/delta_i^2 ( |g_i|^2 / rho0_i
///                                 + V_i sum_j V_j / rho0_j |grad W_ij|^2 )          S1 Eq. 3.60
///     s^v_i   = -dt ( sum_j V_j v*_ij . grad W_ij + sum_k V_k v*_i . grad W_ik )    S1 Eq. 3.71
///     s_i     = 1 - delta_i + s^v_i                                                 S1 Eq. 3.35
///
/// Where walls or bodies move, sum_k V_k v_k . grad W_ik is added to s^v_i / dt, and bodies give
/// way to the pressures within the solve: -dt^2 sum_k V_k a_k . grad W_ik is part of (A p)_i
/// (body_coupling.hpp).
///
/// The unknowns are Q_i = V_i P_i, for which an update is Q <- (Q + omega_i ((A p)_i - s_i))+ with
/// omega_i = omega V_i / (delta_i^2 |A_ii|) (S1 Eq. 3.62 with the sign of A_ii).
/// g does not change during the iterations, so that they need not look at the walls again.
template <int D>
class PressureSystem {
  public:
    struct Options {
        float relaxation = 0.5f;  ///< omega
        /// PCISPH: the diagonal of a particle within a full lattice of particles with the same
        /// volume for every particle (S1 Eq. 6.3)
        bool lattice_diagonal = false;
        /// rest density in place of the densities in a and A, that is P = p (S1 3.4)
        bool rest_density = false;
    };

    PressureSystem(const Device& device, const Options& options);

    /// Makes room, then finds g, omega_i and, for the velocities `predicted`, s^v.
    void prepare(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                 float dt);

    /// Q from pressures [Pa] times a factor.
    void start_from(const Device& device, const FluidView<D>& fluid, const float* pressure,
                    float factor);
    void start_from_zero();

    /// source <- s^v + (1 - delta), where the compression that is there counts by the part
    /// `correction` only, and up to `most`, and what is lacking by `freedom`: see StepLength.
    void add_density_source(const Device& device, const FluidView<D>& fluid, float correction = 1,
                            float most = 1, float freedom = 1);
    /// source <- s^v + part (1 - delta)+: a fluid below its rest density may be compressed.
    void add_freedom(const Device& device, const FluidView<D>& fluid, float part);
    /// source <- s of the velocities to which the accelerations of the last iteration, with a
    /// source s^v + part (1 - delta)+, have been applied: there s^v has become s^v - A p, known
    /// from the error.
    void density_source_from_error(const Device& device, const FluidView<D>& fluid,
                                   float correction, float most, float part, float freedom = 1);

    /// a from Q.
    void accelerate(const Device& device, const FluidView<D>& fluid);
    /// error <- A p - s from a, and the Jacobi update of Q in `updated()`; `sums` lies on the
    /// device.
    void update(const Device& device, const FluidView<D>& fluid, float dt, IterationSums* sums);

    /// v* <- v* + dt a
    void apply(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted, float dt);
    /// pressure <- kept times itself plus share times p of Q. With 1 - share and share this is a
    /// mean over the flow's own time: the pressures of a tiny step are as large as it is short, and
    /// count by their impulse.
    void store(const Device& device, const FluidView<D>& fluid, float* pressure, float kept,
               float share);
    /// The same for the start of the next solve, where too much is worse than too little: a
    /// pressure that has fallen is taken as it is. What an impact left would go on pushing. Where
    /// the next Jacobi step would take all of it, nothing is left: a solve that ends in its first
    /// iteration has changed nothing, and a single particle, which no mean notices, would keep its
    /// pressure however fast it flies.
    void store_start(const Device& device, const FluidView<D>& fluid, float* pressure, float share);

    Buffer<float>& unknowns() { return unknowns_; }  ///< Q that a belongs to
    Buffer<float>& updated() { return updated_; }    ///< Q of the next iteration
    const Buffer<float>& error() const { return error_; }
    const Buffer<float>& source() const { return source_; }
    const Buffer<float>& weights() const { return weights_; }  ///< omega_i
    const VectorBuffer<D>& weighted_acceleration() const { return weighted_acceleration_; }
    const Options& options() const { return options_; }
    std::size_t bytes() const;

  private:
    Options options_;
    Buffer<float> unknowns_, updated_, weights_, source_, error_;
    VectorBuffer<D> gradient_sum_;           ///< g_i
    VectorBuffer<D> weighted_acceleration_;  ///< V_i a_i
};

/// |A_ii| dt^-2 rho0 of a particle within a full lattice with this spacing at rest density:
/// V^2 ( |sum grad W|^2 + sum |grad W|^2 ) (S1 Eq. 6.3).
template <int D>
float lattice_diagonal(const CubicSpline<D>& kernel, float spacing);

}  // namespace millrace
