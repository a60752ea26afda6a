#pragma once

#include <string>
#include <vector>

#include "io/vtu.hpp"
#include "render/flat_renderer.hpp"
#include "render/legend.hpp"

namespace millrace {

/// The values as parts of a range: 0 at its beginning, 1 at its end.
std::vector<float> part_of_range(std::vector<float> values, const Range& range);

/// The particles of a frame in the colours of a field, or without one in those of their fluids.
/// They refer to `frame`.
FlatParticles flat_particles(const ParticleFrame& frame, const std::vector<Fluid>& fluids,
                             const std::string& field, const Range& range);

}  // namespace millrace
