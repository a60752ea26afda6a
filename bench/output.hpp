#pragma once

#include "benchmarks.hpp"

// Measurements of what a run writes.
namespace millrace {

std::vector<BenchRow> bench_frame(const Device& device, double particles);
std::vector<BenchRow> bench_probes(const Device& device, double particles);

}  // namespace millrace
