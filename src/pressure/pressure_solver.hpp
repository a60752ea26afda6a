#pragma once

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

/// The length of a step and what a solver must know when it was cut short to end at a frame.
struct StepLength {
    float dt;  ///< [s]
    /// The part of the compression that is there already which this step shall undo: dt over the
    /// step that would have been taken. To undo it all in a tiny step would take speeds of 1/dt.
    float correction = 1;
    /// The most compression that this step shall undo. Where a particle is wedged between others,
    /// or between a wall and a jet, to undo it all at once would hurl it away.
    float most = 1;
    /// The last step over this one, at most 1: the pressures that acted in a tiny step are as
    /// large as it was short, and no good start for a longer one.
    float warm_scale = 1;
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
    virtual std::size_t bytes() const = 0;
};

/// The names that make_pressure_solver knows.
const std::vector<std::string>& pressure_methods();

template <int D>
std::unique_ptr<PressureSolver<D>> make_pressure_solver(const std::string& method,
                                                        const Device& device,
                                                        const PressureSettings& settings);

}  // namespace millrace
