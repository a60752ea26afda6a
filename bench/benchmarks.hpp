#pragma once

#include <string>
#include <vector>

#include "exec/device.hpp"

namespace millrace {

/// A measured figure.
struct BenchRow {
    std::string name;
    double value = 0;
    std::string unit;
    std::string note;
};

struct Benchmark {
    std::string name;
    std::string purpose;
    /// `particles` is about the number of fluid particles.
    std::vector<BenchRow> (*run)(const Device& device, double particles);
};

/// "step", "pressure", "memory", "samples", "surface", "foam", "frame", "probes".
const std::vector<Benchmark>& benchmarks();

}  // namespace millrace
