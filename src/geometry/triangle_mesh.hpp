#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/quaternion.hpp"

namespace millrace {

/// Triangles over shared vertices; of a solid, counter-clockwise as seen from outside.
struct TriangleMesh {
    std::vector<Vec3d> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    const Vec3d& corner(std::size_t triangle, int k) const {
        return vertices[triangles[triangle][k]];
    }
    /// Twice the area long, to the side from which the corners run counter-clockwise.
    Vec3d normal(std::size_t triangle) const {
        const Vec3d& a = corner(triangle, 0);
        return cross(corner(triangle, 1) - a, corner(triangle, 2) - a);
    }
};

struct Bounds {
    Vec3d min, max;

    Vec3d size() const { return max - min; }
    Vec3d center() const { return (min + max) * 0.5; }
    void include(const Vec3d& point);
    static Bounds empty();
};

/// Of the corners of the triangles; empty without triangles.
Bounds bounds(const TriangleMesh& mesh);

double area(const TriangleMesh& mesh);

/// Positive for a closed mesh with outward normals.
double signed_volume(const TriangleMesh& mesh);

/// x -> position + rotation (scale x). Under a mirroring scale the triangles are turned over, so
/// that outward normals stay outward.
TriangleMesh transformed(const TriangleMesh& mesh, const Vec3d& scale, const Quaterniond& rotation,
                         const Vec3d& position);

void append(TriangleMesh& mesh, const TriangleMesh& more);

/// Every triangle with its other side out.
TriangleMesh turned_over(TriangleMesh mesh);

/// Vertices at the same place become one; unused ones go. Triangles stay, in their order.
TriangleMesh welded(const TriangleMesh& mesh);

}  // namespace millrace
