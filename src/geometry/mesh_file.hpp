#pragma once

#include <string>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// Reads OBJ, PLY, STL, glTF and GLB: all meshes of the file where their nodes put them, polygons
/// cut into triangles, equal vertices joined. InputError for what cannot be used.
TriangleMesh load_mesh(const std::string& path);

/// Whether this build can.
bool can_load_meshes();

/// Binary, little-endian, float32.
void write_ply(const TriangleMesh& mesh, const std::string& path);

}  // namespace millrace
