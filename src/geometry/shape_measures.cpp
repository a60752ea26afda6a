#include "geometry/shape_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/polygon.hpp"
#include "geometry/primitives.hpp"

namespace millrace {

namespace {

constexpr double k_pi = std::numbers::pi;

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

template <int D>
ShapeBounds<D> bounds_of_points(std::span<const Vec<D, double>> points, double margin) {
    ShapeBounds<D> box{points[0], points[0]};
    for (const Vec<D, double>& x : points)
        for (int k = 0; k < D; ++k) {
            box.low[k] = std::min(box.low[k], x[k]);
            box.high[k] = std::max(box.high[k], x[k]);
        }
    const auto more = Vec<D, double>::all(margin);
    return {box.low - more, box.high + more};
}

/// A shape that turns about the line from `from` to `to`: how far it reaches along every axis.
ShapeBounds<3> bounds_of_cylinder(const PlacedCylinder& c) {
    const Vec3d axis = normalized(c.to - c.from);
    ShapeBounds<3> box = bounds_of_points<3>(std::array{c.from, c.to}, 0);
    for (int k = 0; k < 3; ++k) {
        const double across = c.radius * std::sqrt(std::max(0.0, 1 - axis[k] * axis[k]));
        box.low[k] -= across;
        box.high[k] += across;
    }
    return box;
}

double length_of(std::span<const Vec2d> points, bool closed) {
    double length = closed ? norm(points.front() - points.back()) : 0;
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
        length += norm(points[k + 1] - points[k]);
    return length;
}

template <int D>
double farthest_of(std::span<const Vec<D, double>> points) {
    double farthest = 0;
    for (const Vec<D, double>& x : points)
        farthest = std::max(farthest, norm(x));
    return farthest;
}

template <int D>
std::vector<Vec<D, double>> corners_of_box(const PlacedBox<D>& box) {
    std::vector<Vec<D, double>> corners;
    for (int corner = 0; corner < 1 << D; ++corner) {
        Vec<D, double> x;
        for (int k = 0; k < D; ++k)
            x[k] = corner >> k & 1 ? box.high[k] : box.low[k];
        corners.push_back(box.of_own(x));
    }
    return corners;
}

/// Whether a triangle with this normal, along the box's own axes, is of a face that is missing.
bool is_on_open_face(const PlacedBox<3>& box, const Vec3d& normal) {
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(normal[k]) > std::abs(normal[axis]))
            axis = k;
    return box.is_open(axis, normal[axis] > 0);
}

/// I' = R I R^T.
Mat3d turned(const Mat3d& inertia, const Mat3d& rotation) {
    return rotation * inertia * transpose(rotation);
}

Mat3d diagonal(double x, double y, double z) {
    Mat3d m = Mat3d::zero();
    m(0, 0) = x;
    m(1, 1) = y;
    m(2, 2) = z;
    return m;
}

/// Of a body of revolution, from the moments along and across its axis.
Mat3d about_axis(const Vec3d& axis, double along, double across) {
    return Mat3d::identity() * across + outer(axis, axis) * (along - across);
}

MassProperties in_plane(double density, double area, const Vec2d& center, double inertia) {
    return {
        density * area, area, {{center[0], center[1], 0}}, Mat3d::identity() * (inertia * density)};
}

MassProperties in_space(double density, double volume, const Vec3d& center, const Mat3d& inertia) {
    return {density * volume, volume, center, inertia * density};
}

}  // namespace

TriangleMesh triangles_of(const PlacedShape<3>& shape, double edge) {
    return std::visit(
        Overloaded{
            [&](const PlacedBox<3>& box) {
                TriangleMesh mesh = box_mesh(box.low, box.high);
                std::erase_if(mesh.triangles, [&](const auto& t) {
                    return is_on_open_face(box, cross(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                                                      mesh.vertices[t[2]] - mesh.vertices[t[0]]));
                });
                for (Vec3d& x : mesh.vertices)
                    x = box.of_own(x);
                return mesh;
            },
            [&](const PlacedBall<3>& ball) { return sphere_mesh(ball.center, ball.radius, edge); },
            [&](const PlacedHalfSpace<3>&) { return TriangleMesh(); },
            [&](const PlacedCylinder& c) { return cylinder_mesh(c.from, c.to, c.radius, edge); },
            [&](const PlacedCapsule& c) { return capsule_mesh(c.from, c.to, c.radius, edge); },
            [&](const PlacedMesh& mesh) { return mesh.triangles(); }},
        shape);
}

template <int D>
double ShapeBounds<D>::largest_side() const {
    double largest = 0;
    for (int k = 0; k < D; ++k)
        largest = std::max(largest, high[k] - low[k]);
    return largest;
}

template <int D>
std::optional<ShapeBounds<D>> bounds_of(const PlacedShape<D>& shape) {
    using Found = std::optional<ShapeBounds<D>>;
    const auto common =
        Overloaded{[](const PlacedBox<D>& box) -> Found {
                       return bounds_of_points<D>(corners_of_box(box), 0);
                   },
                   [](const PlacedBall<D>& ball) -> Found {
                       return bounds_of_points<D>(std::array{ball.center}, ball.radius);
                   },
                   [](const PlacedHalfSpace<D>&) -> Found { return std::nullopt; }};
    if constexpr (D == 2)
        return std::visit(Overloaded{common,
                                     [](const PlacedPolygon& polygon) -> Found {
                                         return bounds_of_points<2>(polygon.corners, 0);
                                     },
                                     [](const PlacedChain& chain) -> Found {
                                         return bounds_of_points<2>(chain.points, 0);
                                     }},
                          shape);
    else
        return std::visit(
            Overloaded{common,
                       [](const PlacedCylinder& c) -> Found { return bounds_of_cylinder(c); },
                       [](const PlacedCapsule& c) -> Found {
                           return bounds_of_points<3>(std::array{c.from, c.to}, c.radius);
                       },
                       [](const PlacedMesh& mesh) -> Found {
                           const Bounds box = bounds(mesh.triangles());
                           if (mesh.triangles().triangles.empty())
                               return std::nullopt;
                           return ShapeBounds<3>{box.min, box.max};
                       }},
            shape);
}

template <int D>
double radius_of(const PlacedShape<D>& shape) {
    const auto common =
        Overloaded{[](const PlacedBox<D>& box) { return farthest_of<D>(corners_of_box(box)); },
                   [](const PlacedBall<D>& ball) { return norm(ball.center) + ball.radius; },
                   [](const PlacedHalfSpace<D>&) { return 0.0; }};
    if constexpr (D == 2)
        return std::visit(
            Overloaded{common,
                       [](const PlacedPolygon& polygon) { return farthest_of<2>(polygon.corners); },
                       [](const PlacedChain& chain) { return farthest_of<2>(chain.points); }},
            shape);
    else
        return std::visit(
            Overloaded{
                common,
                [](const PlacedCylinder& c) {
                    const Vec3d axis = normalized(c.to - c.from);
                    double farthest = 0;
                    for (const Vec3d& end : {c.from, c.to}) {
                        const double along = dot(end, axis);
                        const double off = norm(end - axis * along) + c.radius;
                        farthest = std::max(farthest, std::sqrt(along * along + off * off));
                    }
                    return farthest;
                },
                [](const PlacedCapsule& c) {
                    return std::max(norm(c.from), norm(c.to)) + c.radius;
                },
                [](const PlacedMesh& mesh) { return farthest_of<3>(mesh.triangles().vertices); }},
            shape);
}

template <int D>
double surface_area(const PlacedShape<D>& shape) {
    if constexpr (D == 2)
        return std::visit(
            Overloaded{[](const PlacedBox<2>& box) {
                           return 2 * (box.high[0] - box.low[0] + box.high[1] - box.low[1]);
                       },
                       [](const PlacedBall<2>& disc) { return 2 * k_pi * disc.radius; },
                       [](const PlacedHalfSpace<2>&) { return 0.0; },
                       [](const PlacedPolygon& p) { return length_of(p.corners, true); },
                       [](const PlacedChain& chain) { return length_of(chain.points, false); }},
            shape);
    else
        return std::visit(
            Overloaded{
                [](const PlacedBox<3>& box) {
                    const Vec3d s = box.high - box.low;
                    return 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
                },
                [](const PlacedBall<3>& ball) { return 4 * k_pi * ball.radius * ball.radius; },
                [](const PlacedHalfSpace<3>&) { return 0.0; },
                [](const PlacedCylinder& c) {
                    return 2 * k_pi * c.radius * (c.radius + norm(c.to - c.from));
                },
                [](const PlacedCapsule& c) {
                    return 2 * k_pi * c.radius * (2 * c.radius + norm(c.to - c.from));
                },
                [](const PlacedMesh& mesh) { return area(mesh.triangles()); }},
            shape);
}

template <int D>
double volume_of(const PlacedShape<D>& shape) {
    if constexpr (D == 2)
        return std::visit(
            Overloaded{[](const PlacedBox<2>& box) {
                           return (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]);
                       },
                       [](const PlacedBall<2>& disc) { return k_pi * disc.radius * disc.radius; },
                       [](const PlacedHalfSpace<2>&) { return 0.0; },
                       [](const PlacedPolygon& p) { return std::abs(signed_area(p.corners)); },
                       [](const PlacedChain&) { return 0.0; }},
            shape);
    else
        return std::visit(
            Overloaded{[](const PlacedBox<3>& box) {
                           const Vec3d s = box.high - box.low;
                           return s[0] * s[1] * s[2];
                       },
                       [](const PlacedBall<3>& ball) {
                           return 4.0 / 3 * k_pi * ball.radius * ball.radius * ball.radius;
                       },
                       [](const PlacedHalfSpace<3>&) { return 0.0; },
                       [](const PlacedCylinder& c) {
                           return k_pi * c.radius * c.radius * norm(c.to - c.from);
                       },
                       [](const PlacedCapsule& c) {
                           return k_pi * c.radius * c.radius *
                                  (norm(c.to - c.from) + 4.0 / 3 * c.radius);
                       },
                       [](const PlacedMesh& mesh) {
                           // seen from its middle, so that holes cost little
                           const Vec3d middle = bounds(mesh.triangles()).center();
                           return std::abs(signed_volume(transformed(
                               mesh.triangles(), Vec3d::all(1), Quaterniond::identity(), -middle)));
                       }},
            shape);
}

template <int D>
bool contains(const PlacedShape<D>& shape, const Vec<D, double>& place) {
    const auto common = Overloaded{
        [&](const PlacedBox<D>& box) {
            const Vec<D, double> x = box.to_own(place);
            for (int k = 0; k < D; ++k)
                if (x[k] < box.low[k] || x[k] > box.high[k])
                    return false;
            return true;
        },
        [&](const PlacedBall<D>& ball) {
            return squared_norm(place - ball.center) <= ball.radius * ball.radius;
        },
        [&](const PlacedHalfSpace<D>& half) { return dot(place - half.point, half.normal) < 0; }};
    if constexpr (D == 2)
        return std::visit(
            Overloaded{common,
                       [&](const PlacedPolygon& polygon) { return holds(polygon.corners, place); },
                       [](const PlacedChain&) { return false; }},
            shape);
    else
        return std::visit(
            Overloaded{common,
                       [&](const PlacedCylinder& c) {
                           const Vec3d axis = c.to - c.from, x = place - c.from;
                           const double along = dot(x, axis) / squared_norm(axis);
                           return along >= 0 && along <= 1 &&
                                  squared_norm(x - axis * along) <= c.radius * c.radius;
                       },
                       [&](const PlacedCapsule& c) {
                           const Vec3d axis = c.to - c.from, x = place - c.from;
                           const double length2 = squared_norm(axis);
                           const double along =
                               length2 > 0 ? std::clamp(dot(x, axis) / length2, 0.0, 1.0) : 0;
                           return squared_norm(x - axis * along) <= c.radius * c.radius;
                       },
                       [&](const PlacedMesh& mesh) {
                           return mesh.is_closed() && mesh.inside().contains(place);
                       }},
            shape);
}

template <int D>
double distance_outside(const PlacedShape<D>& shape, const Vec<D, double>& place) {
    if (const auto* box = std::get_if<PlacedBox<D>>(&shape)) {
        const Vec<D, double> x = box->to_own(place);
        double outside = -1e300;
        for (int k = 0; k < D; ++k)
            outside = std::max({outside, box->low[k] - x[k], x[k] - box->high[k]});
        return outside;
    }
    if (const auto* ball = std::get_if<PlacedBall<D>>(&shape))
        return norm(place - ball->center) - ball->radius;
    return 0;
}

template <int D>
MassProperties mass_properties(const PlacedShape<D>& shape, double density) {
    const double v = volume_of<D>(shape);
    if constexpr (D == 2)
        return std::visit(
            Overloaded{
                [&](const PlacedBox<2>& box) {
                    const double w = box.high[0] - box.low[0], h = box.high[1] - box.low[1];
                    return in_plane(density, v, box.center(), v * (w * w + h * h) / 12);
                },
                [&](const PlacedBall<2>& disc) {
                    return in_plane(density, v, disc.center, v * disc.radius * disc.radius / 2);
                },
                [&](const PlacedPolygon& polygon) {
                    const Vec2d c = centroid(polygon.corners);
                    double inertia = 0;  // of triangles from c: |a x b| (a.a + a.b + b.b) / 12
                    const std::size_t n = polygon.corners.size();
                    for (std::size_t k = 0; k < n; ++k) {
                        const Vec2d a = polygon.corners[k] - c;
                        const Vec2d b = polygon.corners[(k + 1) % n] - c;
                        inertia += cross(a, b) * (dot(a, a) + dot(a, b) + dot(b, b)) / 12;
                    }
                    return in_plane(density, v, c, std::abs(inertia));
                },
                [](const auto&) { return in_plane(0, 0, Vec2d::all(0), 0); }},
            shape);
    else
        return std::visit(
            Overloaded{
                [&](const PlacedBox<3>& box) {
                    const Vec3d s = box.high - box.low;
                    const double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
                    return in_space(density, v, box.center(),
                                    turned(diagonal(y + z, z + x, x + y) * (v / 12), box.rotation));
                },
                [&](const PlacedBall<3>& ball) {
                    return in_space(density, v, ball.center,
                                    Mat3d::identity() * (0.4 * v * ball.radius * ball.radius));
                },
                [&](const PlacedCylinder& c) {
                    const double r2 = c.radius * c.radius, h = norm(c.to - c.from);
                    return in_space(
                        density, v, (c.from + c.to) * 0.5,
                        about_axis((c.to - c.from) / h, v * r2 / 2, v * (3 * r2 + h * h) / 12));
                },
                [&](const PlacedCapsule& c) {
                    const double r = c.radius, r2 = r * r, h = norm(c.to - c.from);
                    const double tube = k_pi * r2 * h, ball = 4.0 / 3 * k_pi * r2 * r;
                    const Vec3d axis = h > 0 ? (c.to - c.from) / h : Vec3d{0, 1, 0};
                    return in_space(
                        density, v, (c.from + c.to) * 0.5,
                        about_axis(axis, tube * r2 / 2 + 0.4 * ball * r2,
                                   tube * (3 * r2 + h * h) / 12 +
                                       ball * (0.4 * r2 + h * h / 4 + 3.0 / 8 * h * r)));
                },
                [&](const PlacedMesh& mesh) { return mass_properties(mesh.triangles(), density); },
                [](const PlacedHalfSpace<3>&) {
                    return in_space(0, 0, Vec3d::all(0), Mat3d::zero());
                }},
            shape);
}

template struct ShapeBounds<2>;
template struct ShapeBounds<3>;
template std::optional<ShapeBounds<2>> bounds_of<2>(const PlacedShape<2>&);
template std::optional<ShapeBounds<3>> bounds_of<3>(const PlacedShape<3>&);
template double radius_of<2>(const PlacedShape<2>&);
template double radius_of<3>(const PlacedShape<3>&);
template double surface_area<2>(const PlacedShape<2>&);
template double surface_area<3>(const PlacedShape<3>&);
template double volume_of<2>(const PlacedShape<2>&);
template double volume_of<3>(const PlacedShape<3>&);
template bool contains<2>(const PlacedShape<2>&, const Vec2d&);
template bool contains<3>(const PlacedShape<3>&, const Vec3d&);
template double distance_outside<2>(const PlacedShape<2>&, const Vec2d&);
template double distance_outside<3>(const PlacedShape<3>&, const Vec3d&);
template MassProperties mass_properties<2>(const PlacedShape<2>&, double);
template MassProperties mass_properties<3>(const PlacedShape<3>&, double);

}  // namespace millrace
