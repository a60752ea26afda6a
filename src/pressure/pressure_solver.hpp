#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/vector_buffer.hpp"
#include "fluid/fluid_view.hpp"

namespace millrace {

/// How a solve ended; errors are predicted compressions relative to the rest density.
struct PressureResult {
    int iterations = 0;
    int divergence_iterations = 0;
    double avg_error = 0;
    double max_error = 0;
    bool converged = true;
};

/// When and how a solver iterates; see Pressure in millrace/scene.hpp.
struct PressureSettings {
    double avg_error = 0.001;
    double max_error = 0.005;
    int min_iterations = 3;
    int max_iterations = 100;
    bool warm_start = true;
    float relaxation = 0.5f;
};

/// A method that finds the pressures of one step.
template <int D>
class PressureSolver {
  public:
    virtual ~PressureSolver() = default;

    /// Finds pressures that keep the fluid from being compressed when it moves on with the
    /// velocities `predicted` for the time dt; leaves them in fluid.pressure and adds what they
    /// change to the velocities. fluid.pressure holds the last step's pressures at the start.
    /// `correction` is the part of the compression that is there already which this step shall
    /// undo: 1, or less for a step that was cut short to end at a frame.
    virtual PressureResult solve(const Device& device, const FluidView<D>& fluid,
                                 VectorView<D> predicted, float dt, float correction) = 0;
    virtual std::size_t bytes() const = 0;
};

/// The names that make_pressure_solver knows.
const std::vector<std::string>& pressure_methods();

template <int D>
std::unique_ptr<PressureSolver<D>> make_pressure_solver(const std::string& method,
                                                        const Device& device,
                                                        const PressureSettings& settings);

}  // namespace millrace
