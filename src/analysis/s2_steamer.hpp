#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

ExperimentReport run_s2_steamer(const ExperimentOptions& options);

}  // namespace millrace
