#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// A column of one height with one solver.
struct ScalingCase {
    std::string solver;
    double height = 0;  ///< [m]
    double particles = 0;
    double speed = 0;            ///< simulated seconds per second, P-bar of S1
    double mean_dt = 0;          ///< [s]
    double mean_iterations = 0;  ///< of pressure and divergence, per step
    double height_error = 0;     ///< [m] by particle centres, as in S1
    double surface_error = 0;    ///< [m] by the top of the highest particle
};

/// What S1 says about its figures 6.2 to 6.5, checked with these cases; S1's solvers are "IISPH
/// cold", "IISPH warm", "DFSPH" and "PCISPH".
std::vector<Claim> scaling_claims(const std::vector<ScalingCase>& cases);

ExperimentReport run_s1_scaling(const ExperimentOptions& options);

}  // namespace millrace
