#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// Wall time of steps over the number of particles, in rising order.
struct StepCosts {
    std::vector<double> particles, ms;
};

/// What S2 IX.C says of its speed, and what is asked of Millrace.
std::vector<Claim> flush_claims(const StepCosts& in_3d, const StepCosts& in_2d);

ExperimentReport run_s2_flush(const ExperimentOptions& options);

}  // namespace millrace
