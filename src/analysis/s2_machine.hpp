#pragma once

#include <functional>

#include "analysis/experiment.hpp"
#include "world/constraint_world.hpp"

namespace millrace {

/// How a machine of jointed bodies in water, a 2D scene, went.
struct MachineRun {
    double seconds = 0;
    double particles = 0;                         ///< at the start
    double lost = 0;                              ///< particles that left the domain
    double shortest = 0;                          ///< length of the shortest body [m]
    double joint_error = 0;                       ///< largest at any time [m]
    double real_time_factor = 0;                  ///< simulated time over time of computing
    std::vector<double> times = {}, errors = {};  ///< [s], joint error over the shortest body
};

/// The longest side of the shape of a 2D body [m].
double body_length(const Body& body);
/// The size of a 2D body across a direction of the world, as it stands at the start [m].
double body_width(const Body& body, const Vector& axis);

/// Runs it for so long; `look` sees the world before the first step and after each.
MachineRun run_machine(const Scene& scene, double seconds, const ExperimentOptions& options,
                       const std::function<void(const ConstraintWorld<2>&)>& look);

/// The table of a run, the chart of its joint errors and what is asked of it.
void report_machine(ExperimentReport& report, const MachineRun& run);

/// The joints hold to 1 % of the shortest body, and no particle is lost.
std::vector<Claim> machine_claims(const MachineRun& run);

}  // namespace millrace
