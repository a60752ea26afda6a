#pragma once

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// The middle of a solid's walls where they are thinner than `limit`: its triangles moved inwards
/// by half of the thickness below them, at most by `depth`. `piece` is the largest edge of the
/// result. The solid lies on the side away from the normals.
TriangleMesh thin_walls(const TriangleMesh& solid, double limit, double depth, double piece);

}  // namespace millrace
