#pragma once

#include <string>

#include "io/mesh_formats.hpp"

namespace millrace {

/// A surface as Wavefront OBJ: places, normals where the mesh has them, triangles; with as many
/// digits as bring every number back exactly.
std::string mesh_to_obj(const SurfaceFrame& surface);

}  // namespace millrace
