#pragma once

#include <string>
#include <string_view>

#include "io/mesh_formats.hpp"

// Surfaces as PLY files.
namespace millrace {

/// x y z, normals nx ny nz, velocities vx vy vz, vorticities wx wy wz, fluid; what the mesh lacks
/// is left out. The time stands in a comment.
std::string mesh_to_ply(const SurfaceFrame& surface);

/// Also a surface of a wall or a body, which has places only. Throws InputError without a file
/// name.
SurfaceFrame mesh_from_ply(std::string_view bytes);

/// Whether the header promises faces, so that it is a surface and not particles.
bool ply_has_faces(std::string_view bytes);

}  // namespace millrace
