#include "world/flat_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/polygon.hpp"
#include "math/scene_vectors.hpp"
#include "world/fluid_fill.hpp"

namespace millrace {

namespace {

constexpr double k_plane_reach = 4000;  ///< in spacings; beyond, floats would be too coarse

Point2 to_point(const Vector& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1])};
}

std::vector<Point2> to_points(const std::vector<Vector>& points) {
    std::vector<Point2> result;
    for (const Vector& p : points)
        result.push_back(to_point(p));
    return result;
}

/// First scaled, then turned, then moved, as the scene says.
Vector placed(const Vector& x, const Boundary& wall) {
    Vec3d p = to_vec3d(x);
    for (int k = 0; k < 3; ++k)
        p[k] *= wall.scale[k];
    p = rotate(to_quaternion(wall.rotation), p) + to_vec3d(wall.position);
    return {p[0], p[1], p[2]};
}

std::vector<Vector> placed(std::vector<Vector> points, const Boundary& wall) {
    for (Vector& p : points)
        p = placed(p, wall);
    return points;
}

/// The faces that are not open, one chain for those that hang together.
std::vector<Shape2> faces_of(const Boundary& wall) {
    const Vector &low = wall.box->min, &high = wall.box->max;
    const std::vector<Vector> corners = placed(
        {{low[0], low[1], 0}, {high[0], low[1], 0}, {high[0], high[1], 0}, {low[0], high[1], 0}},
        wall);
    const char* faces[] = {"-y", "+x", "+y", "-x"};  // from each corner to the next
    const auto is_open = [&](std::size_t face) {
        return std::ranges::find(wall.open, faces[face % 4]) != wall.open.end();
    };
    std::size_t first = 0;  // a face after an open one, so that no chain is cut in two
    while (first < 4 && !(is_open(first + 3) && !is_open(first)))
        ++first;
    std::vector<Shape2> chains;
    for (std::size_t k = first; k < first + 4; ++k) {
        if (is_open(k))
            continue;
        if (k == first || is_open(k + 3))
            chains.push_back(Shape2::chain({to_point(corners[k % 4])}));
        chains.back().points.push_back(to_point(corners[(k + 1) % 4]));
    }
    return chains;
}

/// A slab behind the line.
Shape2 slab_of(const Boundary& wall, double spacing, Point2 middle) {
    const Vec2d point = to_vec<2, double>(placed(wall.plane->point, wall));
    Vec3d normal = to_vec3d(wall.plane->normal);
    for (int k = 0; k < 2; ++k)
        normal[k] /= wall.scale[k];
    normal = rotate(to_quaternion(wall.rotation), normal);
    const Vec2d out = normalized(Vec2d{normal[0], normal[1]}), along{-out[1], out[0]};
    const double reach = k_plane_reach * spacing;
    const Vec2d foot = point + along * dot(along, Vec2d{middle.x, middle.y} - point);
    std::vector<Point2> corners;
    for (const Vec2d& p : {foot - along * reach, foot + along * reach,
                           foot + along * reach - out * reach, foot - along * reach - out * reach})
        corners.push_back({static_cast<float>(p[0]), static_cast<float>(p[1])});
    return Shape2::polygon(std::move(corners));
}

Shape2 circle_of(const Sphere& circle) {
    return Shape2::circle(to_point(circle.center), static_cast<float>(circle.radius));
}

}  // namespace

Point2 middle_of(const Scene& scene) {
    Box around{{1e300, 1e300, 0}, {-1e300, -1e300, 0}};
    const auto include = [&](const Box& box) {
        for (int k = 0; k < 2; ++k) {
            around.min[k] = std::min(around.min[k], box.min[k]);
            around.max[k] = std::max(around.max[k], box.max[k]);
        }
    };
    if (scene.domain)
        include(*scene.domain);
    for (const Fluid& fluid : scene.fluids) {
        for (const Fill& fill : fluid.fill)
            include(fill_bounds(fill));
        for (const Emitter& emitter : fluid.emitters)
            include({emitter.position, emitter.position});
    }
    return to_point({(around.min[0] + around.max[0]) / 2, (around.min[1] + around.max[1]) / 2, 0});
}

std::vector<Shape2> shapes_of(const Boundary& wall, double spacing, Point2 middle) {
    if (wall.box && (wall.inside || !wall.open.empty()))
        return faces_of(wall);
    if (wall.box) {
        const Vector &low = wall.box->min, &high = wall.box->max;
        return {Shape2::polygon(
            to_points(placed({low, {high[0], low[1], 0}, high, {low[0], high[1], 0}}, wall)))};
    }
    if (wall.circle) {
        Sphere circle = *wall.circle;
        circle.center = placed(circle.center, wall);
        circle.radius *= std::abs(wall.scale[0]);
        return {circle_of(circle)};
    }
    if (wall.polygon)
        return {Shape2::polygon(to_points(placed(wall.polygon->points, wall)))};
    if (wall.chain)
        return {Shape2::chain(to_points(placed(wall.chain->points, wall)))};
    return {slab_of(wall, spacing, middle)};
}

Shape2 shape_of(const Box& box) {
    return Shape2::box(to_point(box.min), to_point(box.max));
}

Shape2 shape_of(const Fill& fill) {
    if (fill.box)
        return shape_of(*fill.box);
    if (fill.circle)
        return circle_of(*fill.circle);
    return Shape2::polygon(to_points(fill.polygon->points));
}

Shape2 shape_of(const Body& body) {
    if (body.box) {
        const Vector half{body.box->size[0] / 2, body.box->size[1] / 2, 0};
        return shape_of(Box{{-half[0], -half[1], 0}, half});
    }
    if (body.circle)
        return circle_of({{}, body.circle->radius});
    return Shape2::polygon(to_points(body.polygon->points));
}

double area_of(const Shape2& shape) {
    if (shape.kind == Shape2::Kind::circle)
        return std::numbers::pi * shape.radius * shape.radius;
    std::vector<Vec2d> corners;
    for (const Point2& p : shape.points)
        corners.push_back({p.x, p.y});
    return std::abs(signed_area(corners));
}

Shape2 seen_from(Point2 origin, Shape2 shape) {
    for (Point2& p : shape.points)
        p = {p.x - origin.x, p.y - origin.y};
    return shape;
}

}  // namespace millrace
