#pragma once

#include <algorithm>
#include <cmath>

#include "math/vec.hpp"
#include "millrace/pool.hpp"

namespace millrace {

/// The signed distance of a point to a shape [m] by brute force: edge by edge, inside where a ray
/// crosses the outline an odd number of times. A chain has no inside: its distance is that to the
/// thin wall, less its skin.
inline float signed_distance(const Shape2& shape, const Vec2& x) {
    const std::size_t n = shape.points.size();
    const bool polygon = shape.kind == Shape2::Kind::polygon;
    double nearest = 1e300;  // squared
    bool inside = false;
    for (std::size_t k = 0; k < n; ++k) {
        const Point2 &p = shape.points[k], &q = shape.points[k + 1 < n ? k + 1 : polygon ? 0 : k];
        const Vec2d r{{double(x[0]) - p.x, double(x[1]) - p.y}};
        const Vec2d e{{double(q.x) - p.x, double(q.y) - p.y}};
        const double length2 = dot(e, e);
        const double t = length2 > 0 ? std::clamp(dot(r, e) / length2, 0.0, 1.0) : 0;
        const double height = cross(e, r);
        nearest =
            std::min(nearest, t > 0 && t < 1 ? height * height / length2 : squared_norm(r - e * t));
        // An edge that a ray along +x crosses, upwards or downwards.
        if (polygon && (p.y > x[1]) != (q.y > x[1]) && (height > 0) == (q.y > p.y))
            inside = !inside;
    }
    return static_cast<float>((inside ? -1 : 1) * std::sqrt(nearest) - shape.radius);
}

}  // namespace millrace
