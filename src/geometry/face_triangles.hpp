#pragma once

#include <cstdint>
#include <span>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// The most corners that a polygon of a file may have: what has more is damaged.
constexpr std::size_t k_most_corners = 2000;

/// Adds a flat polygon, convex or not, as triangles with the same sense of rotation, one less than
/// it has edges but one. Its corners are numbers of vertices that are there, three at least.
void add_polygon(TriangleMesh& mesh, std::span<const std::uint32_t> corners);

}  // namespace millrace
