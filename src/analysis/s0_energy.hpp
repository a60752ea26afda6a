#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// Water that was filled in at rest.
struct StillPoolResult {
    std::string name;
    double mean_speed = 0;  ///< at the end [m/s]
};

/// Whether spook lies still to 1 mm/s.
std::vector<Claim> energy_claims(const std::vector<StillPoolResult>& results);

ExperimentReport run_s0_energy(const ExperimentOptions& options);

}  // namespace millrace
