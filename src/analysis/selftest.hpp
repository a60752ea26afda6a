#pragma once

#include <string>
#include <vector>

#include "exec/device.hpp"

namespace millrace {

/// One comparison between the CPU and another device.
struct SelftestCheck {
    std::string name;
    double difference = 0;
    double tolerance = 0;  ///< 0: the results must be equal
    std::string note;      ///< what was compared
    bool passed() const { return difference <= tolerance; }
};

/// Does the same work on one CPU thread and on the device and compares: every primitive, the
/// neighbour search, densities, and runs of the solver.
std::vector<SelftestCheck> selftest(const Device& device);

}  // namespace millrace
