#pragma once

#include <string>
#include <vector>

#include "io/vtu.hpp"
#include "render/legend.hpp"

namespace millrace {

/// One number a particle: a scalar field itself, the length of a vector. Throws InputError that
/// lists the fields of the frame when it has none of that name.
std::vector<float> field_values(const ParticleFrame& frame, const std::string& field);

/// The range that holds all but the outermost 1 % of the values at each end, widened to round
/// numbers; values that are not finite do not count. A range that begins near 0 begins at 0.
Range robust_range(std::vector<float> values);

}  // namespace millrace
