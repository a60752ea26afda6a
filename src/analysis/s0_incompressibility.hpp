#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// A pillar of water at its end.
struct PillarResult {
    std::string name;
    bool is_own = false;  ///< with Millrace's parameters
    std::size_t particles = 0;
    double density_ratio = 0;  ///< of the bottom fifth over the top fifth
    double height_ratio = 0;   ///< over that at rest
    double mean_speed = 0;     ///< [m/s]
};

/// Whether Millrace's own methods keep densities to 3 % and heights to 2 %.
std::vector<Claim> incompressibility_claims(const std::vector<PillarResult>& results);

ExperimentReport run_s0_incompressibility(const ExperimentOptions& options);

}  // namespace millrace
