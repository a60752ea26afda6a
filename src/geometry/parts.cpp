#include "geometry/parts.hpp"

#include <cmath>
#include <numbers>

#include "geometry/convex_parts.hpp"
#include "geometry/polygon.hpp"
#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr double k_corner = 0.26;  ///< a chain is cut where it turns by more: 15 degrees

/// A convex shape stays as it is.
std::vector<Shape2> convex_shapes(const Shape2& shape) {
    const std::vector<Point2> points = distinct_corners<Point2>(shape.points);
    std::vector<Vec2d> corners;
    for (const Point2& p : points)
        corners.push_back({p.x, p.y});
    const std::vector<std::vector<std::uint32_t>> parts = convex_parts(corners);
    if (parts.size() <= 1)
        return {shape};
    std::vector<Shape2> shapes;
    for (const std::vector<std::uint32_t>& part : parts) {
        std::vector<Point2>& own = shapes.emplace_back(Shape2::polygon({}, shape.radius)).points;
        for (const std::uint32_t corner : part)
            own.push_back(points[corner]);
    }
    return shapes;
}

std::vector<Shape2> smooth_parts(const Shape2& shape) {
    const std::vector<Point2> points = distinct<Point2>(shape.points);
    const auto turns = [](Point2 a, Point2 b, Point2 c) {
        const double u = portable::atan2(double(b.y) - a.y, double(b.x) - a.x);
        const double v = portable::atan2(double(c.y) - b.y, double(c.x) - b.x);
        return std::abs(std::remainder(v - u, 2 * std::numbers::pi)) > k_corner;
    };
    std::vector<Shape2> shapes;
    std::vector<Point2> part{points[0]};
    for (std::size_t k = 1; k < points.size(); ++k) {
        part.push_back(points[k]);
        if (k + 1 < points.size() && !turns(points[k - 1], points[k], points[k + 1]))
            continue;
        shapes.push_back(Shape2::chain(part, shape.radius));
        part = {points[k]};
    }
    return shapes;
}

}  // namespace

std::vector<Shape2> parts_of(const Shape2& shape) {
    switch (shape.kind) {
        case Shape2::Kind::polygon:
            return convex_shapes(shape);
        case Shape2::Kind::chain:
            return smooth_parts(shape);
        case Shape2::Kind::circle:
            break;
    }
    return {shape};
}

}  // namespace millrace
