#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// A dam break with one compliance and one step.
struct StabilityCase {
    int dimension = 2;
    double compliance = 0;       ///< epsilon
    double dt = 0;               ///< [s]
    bool blew_up = false;        ///< the engine gave up
    double energy_gain = 0;      ///< largest energy over that of the start, less 1
    double kinetic_part = 0;     ///< kinetic energy at the end over the energy of the start
    double max_compression = 0;  ///< largest mean of (rho / rho0 - 1)+ of any step
    double outside = 0;          ///< particles that were through a wall at the end

    bool stable() const;
};

/// No case explodes.
std::vector<Claim> stability_claims(const std::vector<StabilityCase>& cases);

ExperimentReport run_s2_stability(const ExperimentOptions& options);

}  // namespace millrace
