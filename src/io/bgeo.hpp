#pragma once

#include <string>
#include <string_view>

#include "io/vtu.hpp"

// Particles in Houdini's classic binary geometry, version 5. The layout is in docs/formats.md; its
// sources are SideFX's description of the GPD library and what Partio reads.
namespace millrace {

/// Points with attributes, without primitives: `velocity` is the attribute v, `lifetime` is life,
/// other fields keep their names. The time is the detail attribute `time`. Throws RunError for
/// names that the format cannot hold.
std::string particles_to_bgeo(const ParticleFrame& frame);

/// Also points of other programs, if their attributes are numbers. Throws InputError without a file
/// name.
ParticleFrame particles_from_bgeo(std::string_view bytes);

}  // namespace millrace
