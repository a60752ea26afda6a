#include "world/pool_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/shape_measures.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {

namespace {

constexpr double k_plane_reach = 4000;  ///< in spacings; beyond, floats would be too coarse

Point2 to_point(const Vec2d& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1])};
}

template <class Points>
std::vector<Point2> to_points(const Points& points) {
    std::vector<Point2> result;
    for (const Vec2d& p : points)
        result.push_back(to_point(p));
    return result;
}

Shape2 closed_chain(std::vector<Point2> points) {
    points.push_back(points.front());
    return Shape2::chain(std::move(points));
}

/// The faces that are not open, one chain for those that hang together.
std::vector<Shape2> faces_of(const PlacedBox<2>& box) {
    const std::array<Vec2d, 4> corners = corners_of(box);
    std::size_t first = 0;  // a face after an open one, so that no chain is cut in two
    while (first < 4 && !(is_open_edge(box, first + 3) && !is_open_edge(box, first)))
        ++first;
    std::vector<Shape2> chains;
    for (std::size_t k = first; k < first + 4; ++k) {
        if (is_open_edge(box, k))
            continue;
        if (k == first || is_open_edge(box, k + 3))
            chains.push_back(Shape2::chain({to_point(corners[k % 4])}));
        chains.back().points.push_back(to_point(corners[(k + 1) % 4]));
    }
    return chains;
}

/// A slab behind the line.
Shape2 slab_of(const PlacedHalfSpace<2>& half, double spacing, Point2 middle) {
    const Vec2d out = half.normal, along{{-out[1], out[0]}};
    const double reach = k_plane_reach * spacing;
    const Vec2d foot = half.point + along * dot(along, Vec2d{{middle.x, middle.y}} - half.point);
    return Shape2::polygon(to_points(std::vector<Vec2d>{foot - along * reach, foot + along * reach,
                                                        foot + along * reach - out * reach,
                                                        foot - along * reach - out * reach}));
}

struct MakeShapes {
    const Solid<2>& solid;
    double spacing;
    Point2 middle;

    std::vector<Shape2> operator()(const PlacedBox<2>& box) const {
        if (solid.hollow || box.has_open_faces())
            return faces_of(box);
        return {Shape2::polygon(to_points(corners_of(box)))};
    }
    std::vector<Shape2> operator()(const PlacedBall<2>& disc) const {
        if (solid.hollow)
            return {closed_chain(to_points(corners_of(disc, spacing)))};
        return {Shape2::circle(to_point(disc.center), static_cast<float>(disc.radius))};
    }
    std::vector<Shape2> operator()(const PlacedHalfSpace<2>& half) const {
        return {slab_of(half, spacing, middle)};
    }
    std::vector<Shape2> operator()(const PlacedPolygon& polygon) const {
        if (solid.hollow)
            return {closed_chain(to_points(polygon.corners))};
        return {Shape2::polygon(to_points(polygon.corners))};
    }
    std::vector<Shape2> operator()(const PlacedChain& chain) const {
        return {Shape2::chain(to_points(chain.points))};
    }
};

}  // namespace

Point2 middle_of(const Scene& scene, const SceneSolids<2>& solids) {
    ShapeBounds<2> around{Vec2d::all(1e300), Vec2d::all(-1e300)};
    const auto include = [&](const Vec2d& low, const Vec2d& high) {
        for (int k = 0; k < 2; ++k) {
            around.low[k] = std::min(around.low[k], low[k]);
            around.high[k] = std::max(around.high[k], high[k]);
        }
    };
    if (scene.domain)
        include(to_vec<2, double>(scene.domain->min), to_vec<2, double>(scene.domain->max));
    for (const auto& fills : solids.fills)
        for (const FilledVolume<2>& fill : fills)
            if (fill.shape) {
                const ShapeBounds<2> box = *bounds_of<2>(*fill.shape);
                include(box.low, box.high);
            }
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters)
            include(to_vec<2, double>(emitter.position), to_vec<2, double>(emitter.position));
    return to_point((around.low + around.high) * 0.5);
}

std::vector<Shape2> pool_shapes(const Solid<2>& solid, double spacing, Point2 middle) {
    return std::visit(MakeShapes{solid, spacing, middle}, solid.shape);
}

Shape2 pool_shape(const FilledVolume<2>& fill) {
    Solid<2> solid;
    solid.shape = *fill.shape;
    return pool_shapes(solid, 1, {}).front();
}

Shape2 pool_shape(const Box& box) {
    return Shape2::box(to_point(to_vec<2, double>(box.min)), to_point(to_vec<2, double>(box.max)));
}

FlatDescription flat_description(const Scene& scene, const SceneSolids<2>& solids) {
    FlatDescription flat;
    flat.gravity = to_point(to_vec<2, double>(scene.gravity));
    flat.spacing = scene.spacing;
    flat.joints = scene.joints;
    const Point2 middle = middle_of(scene, solids);
    for (const Solid<2>& solid : solids.walls) {
        FlatWall wall;
        wall.shapes = pool_shapes(solid, scene.spacing, middle);
        wall.moves = solid.moves;
        wall.friction = solid.friction;
        wall.restitution = solid.restitution;
        flat.walls.push_back(std::move(wall));
    }
    for (std::size_t b = 0; b < solids.bodies.size(); ++b) {
        const SolidBody<2>& made = solids.bodies[b];
        const Vec2d center{{made.center[0], made.center[1]}};
        Solid<2> in_own_frame = made.solid;
        in_own_frame.shape = moved<2>(made.solid.shape, center);
        const Body& given = scene.bodies[b];
        const double sense = given.rotation.axis[2] < 0 ? -1 : 1;
        FlatBody body;
        body.name = made.solid.name;
        body.shape = pool_shapes(in_own_frame, scene.spacing, {}).front();
        body.center = to_point(center);
        body.mass = made.mass;
        body.inertia = made.inertia(2, 2);
        body.state.position = to_point(to_vec<2, double>(given.position));
        body.state.angle =
            static_cast<float>(sense * given.rotation.angle * std::numbers::pi / 180);
        body.state.velocity = to_point(to_vec<2, double>(given.velocity));
        body.state.angular_velocity = static_cast<float>(given.angular_velocity[2]);
        body.friction = made.solid.friction;
        body.restitution = made.solid.restitution;
        flat.bodies.push_back(std::move(body));
    }
    return flat;
}

Shape2 seen_from(Point2 origin, Shape2 shape) {
    for (Point2& p : shape.points)
        p = {p.x - origin.x, p.y - origin.y};
    return shape;
}

}  // namespace millrace
