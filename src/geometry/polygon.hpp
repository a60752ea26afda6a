#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.hpp"

// Simple polygons of the plane, convex or not, their corners in any sense of rotation.
namespace millrace {

/// A corner that turns by less counts as none [rad].
inline constexpr double k_straight = 1e-9;

/// The points without those that repeat the one before.
template <class Point>
std::vector<Point> distinct(std::span<const Point> points) {
    std::vector<Point> result;
    for (const Point& p : points)
        if (result.empty() || !(result.back() == p))
            result.push_back(p);
    return result;
}

/// The corners of a closed outline without those that repeat the one before.
template <class Point>
std::vector<Point> distinct_corners(std::span<const Point> outline) {
    std::vector<Point> corners = distinct(outline);
    while (corners.size() > 1 && corners.front() == corners.back())
        corners.pop_back();
    return corners;
}

/// Positive where the corners run counter-clockwise.
double signed_area(std::span<const Vec2d> corners);

/// The centre of mass; the area must not be 0.
Vec2d centroid(std::span<const Vec2d> corners);

/// Whether a place lies inside, by the crossings of a ray along x.
bool holds(std::span<const Vec2d> corners, const Vec2d& place);

/// Triangles that cover the polygon once, counter-clockwise, as numbers of its corners.
std::vector<std::array<std::uint32_t, 3>> triangulated(std::span<const Vec2d> corners);

}  // namespace millrace
