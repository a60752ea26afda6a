#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// A run with one way to choose the steps.
struct ControllerCase {
    std::string name;
    bool fixed = false;
    double mean_dt = 0;          ///< [s]
    double mean_iterations = 0;  ///< per step
    double speed = 0;            ///< simulated seconds per second, measured
    double model_speed = 0;      ///< by the costs of a step and an iteration, the same for all runs
};

/// Whether every search is within 10 % of the best fixed step, and ends at 3 to 10 iterations.
std::vector<Claim> controller_claims(const std::vector<ControllerCase>& cases);

ExperimentReport run_s1_controller(const ExperimentOptions& options);

}  // namespace millrace
