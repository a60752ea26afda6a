#include "geometry/face_triangles.hpp"

#include <cmath>
#include <vector>

#include "geometry/polygon.hpp"

namespace millrace {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// Twice the vector area of a polygon (Newell).
Vec3d normal_of(const TriangleMesh& mesh, std::span<const std::uint32_t> corners) {
    Vec3d sum = Vec3d::all(0);
    const Vec3d& origin = mesh.vertices[corners[0]];
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        sum += cross(mesh.vertices[corners[i]] - origin, mesh.vertices[corners[i + 1]] - origin);
    return sum;
}

/// All triangles at corner `tip`, as numbers of corners.
Triangles fan(std::size_t corners, std::size_t tip) {
    Triangles triangles;
    for (std::size_t i = 1; i + 1 < corners; ++i)
        triangles.push_back({static_cast<std::uint32_t>(tip),
                             static_cast<std::uint32_t>((tip + i) % corners),
                             static_cast<std::uint32_t>((tip + i + 1) % corners)});
    return triangles;
}

/// Whether no triangle is turned over.
bool is_upright(const Triangles& triangles, std::span<const Vec2d> flat) {
    for (const auto& [a, b, c] : triangles)
        if (cross(flat[b] - flat[a], flat[c] - flat[a]) < 0)
            return false;
    return true;
}

/// The polygon seen along the axis nearest to its normal, from the side where it runs
/// counter-clockwise.
std::vector<Vec2d> flattened(const TriangleMesh& mesh, std::span<const std::uint32_t> corners) {
    const Vec3d normal = normal_of(mesh, corners);
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(normal[k]) > std::abs(normal[axis]))
            axis = k;
    const int u = (axis + (normal[axis] < 0 ? 2 : 1)) % 3;
    const int v = 3 - axis - u;
    std::vector<Vec2d> flat;
    for (const std::uint32_t corner : corners)
        flat.push_back({{mesh.vertices[corner][u], mesh.vertices[corner][v]}});
    return flat;
}

/// Every corner stays a corner of a triangle, so that neighbours still meet.
Triangles cut(const TriangleMesh& mesh, std::span<const std::uint32_t> corners) {
    const Triangles first = fan(corners.size(), 0);
    if (corners.size() == 3)
        return first;
    const std::vector<Vec2d> flat = flattened(mesh, corners);
    if (is_upright(first, flat))
        return first;
    if (const Triangles second = fan(corners.size(), 1); is_upright(second, flat))
        return second;
    const Triangles ears = triangulated(flat);
    return ears.size() + 2 == corners.size() ? ears : first;
}

}  // namespace

void add_polygon(TriangleMesh& mesh, std::span<const std::uint32_t> corners) {
    for (const auto& [a, b, c] : cut(mesh, corners))
        mesh.triangles.push_back({corners[a], corners[b], corners[c]});
}

}  // namespace millrace
