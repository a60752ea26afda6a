#pragma once

#include <string>
#include <string_view>

#include "io/vtu.hpp"

// Particles as PLY files: vertices without faces.
namespace millrace {

/// x y z, vx vy vz for `velocity`, other fields by name, those with three components as NAME_x
/// NAME_y NAME_z. Time, dimension and fields stand in comments, so that it comes back as it was.
std::string particles_to_ply(const ParticleFrame& frame);

/// Throws InputError without a file name.
ParticleFrame particles_from_ply(std::string_view bytes);

}  // namespace millrace
