#pragma once

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// The closed surface, normals outward, of what the mesh encloses: with holes, self-intersections,
/// flipped faces, edges of more than two faces. Its triangles are about a voxel large; details
/// smaller than that go. InputError where the mesh encloses nothing.
TriangleMesh watertight(const TriangleMesh& mesh, double voxel);

/// The surface at this distance outside of a closed mesh; inside where it is negative. Empty where
/// nothing is left.
TriangleMesh offset_surface(const TriangleMesh& closed, double distance, double voxel);

}  // namespace millrace
