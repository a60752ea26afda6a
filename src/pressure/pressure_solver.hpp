#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "exec/vector_buffer.hpp"
#include "fluid/fluid_view.hpp"
#include "pressure/pressure_iteration.hpp"

namespace millrace {

/// How a solve ended; errors are predicted compressions relative to the rest density.
struct PressureResult {
    int iterations = 0;
    int divergence_iterations = 0;
    double avg_error = 0;
    double max_error = 0;
    bool converged = true;
};

/// When and how a solver works; see Pressure in millrace/scene.hpp.
struct PressureSettings {
    StoppingRule stop;
    bool warm_start = true;
    float relaxation = 0.5f;
    LinearSolver linear_solver = LinearSolver::jacobi;
    bool rest_density = false;
    int divergence_iterations = 2;  ///< of dfsph, at most
    double divergence_error = 0.001;
    float sound_speed = 0;  ///< of wcsph [m/s]
    float gamma = 7;        ///< of wcsph; 1 is the linear equation of state
};

/// The length of a step and what goes with it. A flow has a time of its own, in which it moves by a
/// part of a spacing and in which a solver may undo compression and leave errors. A step that is
/// shorter, since a frame or a probe cut it or since the scene wants it so, does its share of that:
/// corrections and tolerances are rates. To undo all of a compression in a tiny step would take
/// speeds of 1/dt.
struct StepLength {
    float dt;         ///< [s]
    float share = 1;  ///< dt over the time of the flow, at most 1
    /// The most compression that this step shall undo. Where a particle is wedged between others,
    /// or between a wall and a jet, to undo it all at once would hurl it away.
    float most = 1;
    /// The part of the compression that is there already which a step of the flow's own time shall
    /// undo.
    float undone = 1;
    /// The largest mean error that may be left in the flow's own time, whatever the scene allows.
    float error = 1;
    /// The part of what a fluid lacks to its rest density that this step may close.
    float freedom = 1;

    float correction() const { return share * undone; }
    /// What this step may leave, where one of the flow's own time may leave `rule`.
    StoppingRule allowed(const StoppingRule& rule) const {
        return {share * std::min<double>(rule.avg_error, error), share * rule.max_error,
                rule.min_iterations, rule.max_iterations};
    }
};

/// A method that finds the pressures of one step.
template <int D>
class PressureSolver {
  public:
    virtual ~PressureSolver() = default;

    /// Finds pressures that keep the fluid from being compressed when it moves on with the
    /// velocities `predicted` for the time step.dt; leaves them in fluid.pressure and adds what
    /// they change to the velocities. fluid.pressure and fluid.divergence_pressure hold the last
    /// step's at the start.
    virtual PressureResult solve(const Device& device, const FluidView<D>& fluid,
                                 VectorView<D> predicted, const StepLength& step) = 0;
    /// The longest step that the method bears with this much water and speed [s].
    virtual double longest_step(double /*spacing*/, double /*max_speed*/, double /*cfl*/) const {
        return std::numeric_limits<double>::infinity();
    }
    /// Whether pressures are forces that follow from the places alone. Those keep their energy in
    /// steps of changing length only where velocities are known between the steps: they then act
    /// for half of the last step and half of this one.
    virtual bool is_explicit() const { return false; }
    virtual std::size_t bytes() const = 0;
};

/// The names that make_pressure_solver knows.
const std::vector<std::string>& pressure_methods();

template <int D>
std::unique_ptr<PressureSolver<D>> make_pressure_solver(const std::string& method,
                                                        const Device& device,
                                                        const PressureSettings& settings);

}  // namespace millrace
