#include "geometry/parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/polygon.hpp"
#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr double k_corner = 0.26;  ///< a chain is cut where it turns by more: 15 degrees

double cross(Point2 a, Point2 b, Point2 c) {
    return (double(b.x) - a.x) * (double(c.y) - b.y) - (double(b.y) - a.y) * (double(c.x) - b.x);
}

bool is_convex(const std::vector<Point2>& points) {
    const std::size_t n = points.size();
    for (std::size_t k = 0; k < n; ++k)
        if (cross(points[k], points[(k + 1) % n], points[(k + 2) % n]) < 0)
            return false;
    return true;
}

/// Two polygons that share an edge as one, if it is convex; else empty.
std::vector<Point2> joined(const std::vector<Point2>& a, const std::vector<Point2>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) {
            if (!(a[i] == b[(j + 1) % b.size()]) || !(a[(i + 1) % a.size()] == b[j]))
                continue;
            std::vector<Point2> all;
            for (std::size_t k = 1; k <= a.size(); ++k)
                all.push_back(a[(i + k) % a.size()]);
            for (std::size_t k = 2; k < b.size(); ++k)
                all.push_back(b[(j + k) % b.size()]);
            return is_convex(all) ? all : std::vector<Point2>();
        }
    return {};
}

std::vector<Shape2> convex_parts(const Shape2& shape) {
    std::vector<Point2> points = shape.points;
    std::vector<Vec2d> corners;
    for (const Point2& p : points)
        corners.push_back({p.x, p.y});
    if (signed_area(corners) < 0)
        std::reverse(points.begin(), points.end());
    if (is_convex(points))
        return {shape};
    std::vector<std::vector<Point2>> parts;
    for (const auto& [a, b, c] : triangulated(corners))
        parts.push_back({shape.points[a], shape.points[b], shape.points[c]});
    for (std::size_t a = 0; a < parts.size(); ++a)
        for (std::size_t b = a + 1; b < parts.size();) {
            std::vector<Point2> both = joined(parts[a], parts[b]);
            if (both.empty()) {
                ++b;
                continue;
            }
            parts[a] = std::move(both);
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(b));
            b = a + 1;
        }
    std::vector<Shape2> shapes;
    for (std::vector<Point2>& part : parts)
        shapes.push_back(Shape2::polygon(std::move(part), shape.radius));
    return shapes;
}

std::vector<Shape2> smooth_parts(const Shape2& shape) {
    std::vector<Point2> points;
    for (const Point2& p : shape.points)
        if (points.empty() || !(points.back() == p))
            points.push_back(p);
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
            return convex_parts(shape);
        case Shape2::Kind::chain:
            return smooth_parts(shape);
        case Shape2::Kind::circle:
            break;
    }
    return {shape};
}

}  // namespace millrace
