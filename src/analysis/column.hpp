#pragma once

#include <functional>
#include <string>
#include <vector>

#include "millrace/simulation.hpp"
#include "timestep/performance_model.hpp"

namespace millrace {

/// The column of water at rest of S1 chapter 6 (scenes/experiments/column.json), so high [m] and
/// so fine [m], with other settings of the scene on top.
Scene column_scene(double height, double spacing, const std::vector<std::string>& settings);

/// What happened in a part of a run.
struct ColumnSample {
    double time = 0;  ///< at its end [s]
    StepSums sums;
    double wall_seconds = 0;
};

/// A run of a column; the means are over the second half, when the search has found its step.
struct ColumnRun {
    std::size_t particles = 0;
    StepSums sums;
    double constant_seconds = 0, pressure_seconds = 0;  ///< wall time of all stages but pressure
    double unconverged_steps = 0;
    /// Mean over time of |max y_i - H| [m], by the highest particle centre as in S1 6.4.
    double height_error = 0;
    /// The same by the top of the highest particle, half a spacing above its centre [m].
    double surface_error = 0;
    std::vector<ColumnSample> history;  ///< of the whole run, in equal parts

    double speed() const;  ///< simulated seconds per second of computing
    double mean_dt() const;
    double mean_iterations() const;
};

/// Runs it for so many simulated seconds; `tell` gets the time after every step. Throws RunError
/// when it blows up.
ColumnRun run_column(const Scene& scene, double seconds, const Simulation::Options& device,
                     const std::function<void(double)>& tell);

}  // namespace millrace
