#pragma once

#include <span>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// A band of `width` along the points of the plane z = 0, with round joints and ends; three corners
/// a triangle. It is closed where the last point is the first.
std::vector<Vec3d> stroke(std::span<const Vec3d> points, double width);

/// The corners of a regular polygon around a circle's centre, fine enough to look round.
std::vector<Vec3d> circle_points(const Vec3d& center, double radius);

}  // namespace millrace
