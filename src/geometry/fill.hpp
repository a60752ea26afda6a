#pragma once

#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// The points of the regular lattice with this spacing that lie inside the closed mesh. The lattice
/// is centred on the mesh's bounding box: round(extent / spacing) points along each axis, of a box
/// of whole spacings half a spacing from both sides.
std::vector<Vec3> lattice_in(const TriangleMesh& closed, double spacing);

}  // namespace millrace
