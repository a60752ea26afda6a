#pragma once

#include "geometry/triangle_mesh.hpp"

namespace millrace {

// Closed meshes with outward normals. Their vertices lie on the shape; no edge of a round one is
// longer than `edge` along the rings and the profile (its diagonals are).

TriangleMesh box_mesh(const Vec3d& min, const Vec3d& max);

TriangleMesh sphere_mesh(const Vec3d& center, double radius, double edge);

TriangleMesh cylinder_mesh(const Vec3d& from, const Vec3d& to, double radius, double edge);

/// from, to: the centres of the round ends
TriangleMesh capsule_mesh(const Vec3d& from, const Vec3d& to, double radius, double edge);

/// major: from the centre to the middle of the tube, whose radius is minor
TriangleMesh torus_mesh(const Vec3d& center, const Vec3d& axis, double major, double minor,
                        double edge);

}  // namespace millrace
