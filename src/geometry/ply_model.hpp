#pragma once

#include <string_view>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// The vertices, faces and strips of a PLY file of any program: text or binary, of either order of
/// bytes. InputError, without the name of the file, where it is damaged. Every number is checked
/// before it is used, since one wrong byte in a count or an index is an ordinary damage.
TriangleMesh mesh_from_ply_model(std::string_view bytes);

}  // namespace millrace
