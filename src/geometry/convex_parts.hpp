#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// Convex polygons that cover a simple polygon once, counter-clockwise, as numbers of its corners.
/// Triangles are joined while they stay convex (Hertel and Mehlhorn 1983), which makes at most four
/// times as many parts as there have to be. Corners that turn nowhere may be left out.
std::vector<std::vector<std::uint32_t>> convex_parts(std::span<const Vec2d> corners);

}  // namespace millrace
