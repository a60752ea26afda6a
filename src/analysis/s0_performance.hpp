#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// The middle one of some numbers; NaN where there are none.
double median(std::vector<double> values);

ExperimentReport run_s0_performance(const ExperimentOptions& options);

}  // namespace millrace
