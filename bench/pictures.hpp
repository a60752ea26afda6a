#pragma once

#include <vector>

#include "benchmarks.hpp"

namespace millrace {

/// Surfaces of a block of irregular particles.
std::vector<BenchRow> bench_surface(const Device& device, double particles);

/// Foam of a dam break beside its solver.
std::vector<BenchRow> bench_foam(const Device& device, double particles);

}  // namespace millrace
