#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>

#include "millrace/pool.hpp"
#include "pool/substep.hpp"
#include "spook/wall_field.hpp"

namespace millrace {

/// A method that keeps the fluid of a pool from being compressed.
class PoolSolver {
  public:
    virtual ~PoolSolver() = default;
    virtual float support() const = 0;  ///< how far the kernel reaches [m]
    virtual const WallField& walls() const = 0;
    /// Changes velocities, pressures and densities, and pushes bodies; returns its iterations.
    virtual int solve(SubStep& step) = 0;
    /// Whether the columns and contacts that it gets are those of the places that particles reach
    /// with the velocities before the solve, instead of those where they are. Solids are where they
    /// are at the start in either case.
    virtual bool looks_ahead() const { return false; }
    /// Whether it has a viscosity of its own, in place of the pool's.
    virtual bool has_viscosity() const { return false; }
    /// Beyond it the fluid becomes softer or thinner than asked for, or not stable [s].
    virtual float longest_substep(std::span<const FluidMaterial>) const {
        return std::numeric_limits<float>::infinity();
    }
    /// What it remembers from step to step besides pressures, for Pool::save.
    virtual std::vector<std::byte> memory() const { return {}; }
    /// False: this is not what memory() gave.
    virtual bool remember(std::span<const std::byte> memory) { return memory.empty(); }
};

/// The smoothing length for which a particle contributes the part beta of its own density, with
/// W(0) = constant / h^2 (S0 Eq. 3.42).
float smoothing_length(float self_contribution, double constant, float volume);

/// What is wrong with the name of a method or of its kernels; empty: nothing.
std::string problem_of_method(const PoolMethod& settings);
/// For settings without a problem.
std::unique_ptr<PoolSolver> make_pool_solver(const PoolMethod& settings, float spacing);

}  // namespace millrace
