#include "geometry/placed_shape.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

#include "geometry/mesh_file.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/primitives.hpp"
#include "math/portable.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

/// The axis along which a direction runs, -1 for none.
int axis_along(const Vec3d& direction) {
    for (int k = 0; k < 3; ++k)
        if (std::abs(direction[k]) == norm(direction))
            return k;
    return -1;
}

[[noreturn]] void refuse(const std::string& name) {
    throw InputError("'" + name + "' has no shape that there is in this dimension");
}

template <int D>
Vec<D, double> on_y_axis(double y) {
    Vec<D, double> x = Vec<D, double>::all(0);
    x[1] = y;
    return x;
}

}  // namespace

template <int D>
bool PlacedBox<D>::has_open_faces() const {
    return std::ranges::find(open, true) != open.end();
}

struct PlacedMesh::Shared {
    TriangleMesh triangles;
    std::once_flag inspected, tested;
    bool closed = false;
    std::optional<InsideTest> inside;
};

PlacedMesh::PlacedMesh(TriangleMesh mesh) : shared_(std::make_shared<Shared>()) {
    shared_->triangles = std::move(mesh);
}

const TriangleMesh& PlacedMesh::triangles() const {
    static const TriangleMesh none;
    return shared_ ? shared_->triangles : none;
}

bool PlacedMesh::is_closed() const {
    if (!shared_)
        return false;
    std::call_once(shared_->inspected,
                   [&] { shared_->closed = inspect(shared_->triangles).closed; });
    return shared_->closed;
}

const InsideTest& PlacedMesh::inside() const {
    std::call_once(shared_->tested, [&] { shared_->inside.emplace(shared_->triangles); });
    return *shared_->inside;
}

template <int D>
Mat<D, double> matrix_of(const Quaterniond& rotation) {
    const Mat3d full = to_matrix(rotation);
    Mat<D, double> matrix;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            matrix(i, j) = full(i, j);
    return matrix;
}

template <int D>
Placement<D>::Placement(const Vector& scale, const Rotation& rotation, const Vector& position)
    : given_scale_(scale),
      turn_(to_quaternion(rotation)),
      move_(to_vec3d(position)),
      scale_(to_vec<D, double>(scale)),
      position_(to_vec<D, double>(position)),
      rotation_(matrix_of<D>(turn_)) {}

template <int D>
Placement<D>::Placement(const Boundary& wall)
    : Placement(wall.scale, wall.rotation, wall.position) {}

template <int D>
typename Placement<D>::Place Placement<D>::scaled(const Vector& x) const {
    Place r;
    for (int k = 0; k < D; ++k)
        r[k] = x[k] * scale_[k];
    return r;
}

template <int D>
typename Placement<D>::Place Placement<D>::point(const Vector& x) const {
    return position_ + rotation_ * scaled(x);
}

template <int D>
std::vector<typename Placement<D>::Place> Placement<D>::points(
    const std::vector<Vector>& points) const {
    std::vector<Place> placed;
    for (const Vector& x : points)
        placed.push_back(point(x));
    return placed;
}

template <int D>
typename Placement<D>::Place Placement<D>::normal(const Vector& normal) const {
    Place r;
    for (int k = 0; k < D; ++k)
        r[k] = normal[k] / scale_[k];
    return normalized(rotation_ * r);
}

/// The factor of all lengths but those along an axis (none: -1); 0 where they differ.
template <int D>
double Placement<D>::factor_across(int axis) const {
    const int first = axis == 0 ? 1 : 0;
    for (int k = 0; k < D; ++k)
        if (k != axis && std::abs(scale_[k]) != std::abs(scale_[first]))
            return 0;
    return std::abs(scale_[first]);
}

template <int D>
PlacedBox<D> Placement<D>::box(const Box& box, const std::vector<std::string>& open) const {
    PlacedBox<D> placed{scaled(box.min), scaled(box.max), rotation_, position_};
    for (int k = 0; k < D; ++k) {
        const bool mirrored = placed.low[k] > placed.high[k];
        if (mirrored)
            std::swap(placed.low[k], placed.high[k]);
        for (int side = 0; side < 2; ++side) {
            const std::string face{(side == 1) != mirrored ? '+' : '-', "xyz"[k]};
            placed.open[static_cast<std::size_t>(2 * k + side)] =
                std::ranges::find(open, face) != open.end();
        }
    }
    return placed;
}

template <int D>
PlacedHalfSpace<D> Placement<D>::half_space(const Plane& plane) const {
    return {point(plane.point), normal(plane.normal)};
}

template <int D>
std::optional<PlacedBall<D>> Placement<D>::ball(const Sphere& sphere) const {
    const double factor = factor_across(-1);
    if (factor == 0)
        return std::nullopt;
    return PlacedBall<D>{point(sphere.center), sphere.radius * factor};
}

template <int D>
std::optional<PlacedCylinder> Placement<D>::cylinder(const Cylinder& cylinder) const {
    if constexpr (D == 3) {
        const int axis = axis_along(to_vec3d(cylinder.to) - to_vec3d(cylinder.from));
        if (const double factor = factor_across(axis); factor != 0)
            return PlacedCylinder{point(cylinder.from), point(cylinder.to),
                                  cylinder.radius * factor};
    }
    return std::nullopt;
}

template <int D>
TriangleMesh Placement<D>::mesh(const TriangleMesh& mesh) const {
    return transformed(mesh, to_vec3d(given_scale_), turn_, move_);
}

namespace {

template <int D>
struct PlaceWall {
    const Boundary& wall;
    double edge;
    Placement<D> place{wall};

    PlacedShape<D> operator()(std::monostate) const { refuse(wall.name); }
    PlacedShape<D> operator()(const Box& box) const { return place.box(box, wall.open); }
    PlacedShape<D> operator()(const Plane& plane) const { return place.half_space(plane); }
    PlacedShape<D> operator()(const Sphere& sphere) const {
        if (const auto ball = place.ball(sphere))
            return *ball;
        if constexpr (D == 3) {
            return PlacedMesh(
                place.mesh(sphere_mesh(to_vec3d(sphere.center), sphere.radius, edge)));
        } else {
            PlacedPolygon ellipse;
            const PlacedBall<2> disc{to_vec<2, double>(sphere.center), sphere.radius};
            for (const Vec2d& x : corners_of(disc, edge))
                ellipse.corners.push_back(place.point({x[0], x[1], 0}));
            return ellipse;
        }
    }
    PlacedShape<D> operator()(const Cylinder& cylinder) const {
        if constexpr (D == 3) {
            if (const auto placed = place.cylinder(cylinder))
                return *placed;
            return PlacedMesh(place.mesh(cylinder_mesh(
                to_vec3d(cylinder.from), to_vec3d(cylinder.to), cylinder.radius, edge)));
        }
        refuse(wall.name);
    }
    PlacedShape<D> operator()(const MeshFile& mesh) const {
        if constexpr (D == 3)
            return PlacedMesh(place.mesh(
                Placement<3>(mesh.scale, mesh.rotation, mesh.position).mesh(load_mesh(mesh.file))));
        refuse(wall.name);
    }
    PlacedShape<D> operator()(const Polygon& polygon) const {
        if constexpr (D == 2)
            return PlacedPolygon{place.points(polygon.points)};
        refuse(wall.name);
    }
    PlacedShape<D> operator()(const Chain& chain) const {
        if constexpr (D == 2)
            return PlacedChain{place.points(chain.points)};
        refuse(wall.name);
    }
};

template <int D>
struct PlaceBody {
    const Body& body;

    PlacedShape<D> operator()(std::monostate) const { refuse(body.name); }
    PlacedShape<D> operator()(const BodyBox& box) const {
        const Vec<D, double> half = to_vec<D, double>(box.size) * 0.5;
        return PlacedBox<D>{-half, half};
    }
    PlacedShape<D> operator()(const BodySphere& sphere) const {
        return PlacedBall<D>{Vec<D, double>::all(0), sphere.radius};
    }
    PlacedShape<D> operator()(const BodyCylinder& cylinder) const {
        if constexpr (D == 3)
            return PlacedCylinder{on_y_axis<3>(-cylinder.height / 2),
                                  on_y_axis<3>(cylinder.height / 2), cylinder.radius};
        refuse(body.name);
    }
    PlacedShape<D> operator()(const BodyCapsule& capsule) const {
        if constexpr (D == 3) {
            const double straight = std::max(0.0, capsule.height / 2 - capsule.radius);
            return PlacedCapsule{on_y_axis<3>(-straight), on_y_axis<3>(straight), capsule.radius};
        }
        refuse(body.name);
    }
    PlacedShape<D> operator()(const BodyMesh& mesh) const {
        if constexpr (D == 3)
            return PlacedMesh(Placement<3>(mesh.scale, {}, {}).mesh(load_mesh(mesh.file)));
        refuse(body.name);
    }
    PlacedShape<D> operator()(const Polygon& polygon) const {
        if constexpr (D == 2)
            return PlacedPolygon{Placement<2>({1, 1, 1}, {}, {}).points(polygon.points)};
        refuse(body.name);
    }
};

template <int D>
struct MoveShape {
    Vec<D, double> by;

    PlacedShape<D> operator()(PlacedBox<D> box) const {
        box.position += by;
        return box;
    }
    PlacedShape<D> operator()(PlacedBall<D> ball) const {
        ball.center += by;
        return ball;
    }
    PlacedShape<D> operator()(PlacedHalfSpace<D> half_space) const {
        half_space.point += by;
        return half_space;
    }
    template <class Round>
    requires(std::is_same_v<Round, PlacedCylinder> ||
             std::is_same_v<Round, PlacedCapsule>) PlacedShape<D>
    operator()(Round round) const {
        round.from += by;
        round.to += by;
        return round;
    }
    PlacedShape<D> operator()(PlacedPolygon polygon) const {
        for (Vec2d& x : polygon.corners)
            x += by;
        return polygon;
    }
    PlacedShape<D> operator()(PlacedChain chain) const {
        for (Vec2d& x : chain.points)
            x += by;
        return chain;
    }
    PlacedShape<D> operator()(const PlacedMesh& mesh) const {
        if (by == Vec<D, double>::all(0))
            return mesh;
        return PlacedMesh(
            transformed(mesh.triangles(), Vec3d::all(1), Quaterniond::identity(), by));
    }
};

}  // namespace

template <int D>
PlacedShape<D> placed_shape(const Boundary& wall, double edge) {
    return std::visit(PlaceWall<D>{wall, edge}, wall.shape);
}

template <int D>
PlacedShape<D> placed_shape(const Body& body) {
    return std::visit(PlaceBody<D>{body}, body.shape);
}

template <int D>
PlacedShape<D> moved(const PlacedShape<D>& shape, const Vec<D, double>& by) {
    return std::visit(MoveShape<D>{by}, shape);
}

template <int D>
std::vector<PlacedBox<D>> tank_slabs(const PlacedBox<D>& tank, double thickness) {
    PlacedBox<D> outer = tank;
    outer.open = {};
    for (int k = 0; k < D; ++k) {
        outer.low[k] -= tank.is_open(k, 0) ? 0 : thickness;
        outer.high[k] += tank.is_open(k, 1) ? 0 : thickness;
    }
    std::vector<PlacedBox<D>> slabs;
    for (int axis = 0; axis < D; ++axis)
        for (int side = 0; side < 2; ++side) {
            if (tank.is_open(axis, side))
                continue;
            PlacedBox<D> slab = outer;
            (side ? slab.low[axis] : slab.high[axis]) = side ? tank.high[axis] : tank.low[axis];
            slabs.push_back(slab);
        }
    return slabs;
}

std::array<Vec2d, 4> corners_of(const PlacedBox<2>& box) {
    return {box.of_own(box.low), box.of_own({{box.high[0], box.low[1]}}), box.of_own(box.high),
            box.of_own({{box.low[0], box.high[1]}})};
}

bool is_open_edge(const PlacedBox<2>& box, std::size_t k) {
    constexpr int k_axis[] = {1, 0, 1, 0}, k_side[] = {0, 1, 1, 0};
    return box.is_open(k_axis[k % 4], k_side[k % 4]);
}

std::vector<Vec2d> corners_of(const PlacedBall<2>& disc, double edge) {
    constexpr double k_fewest = 32, k_most = 4096;
    const double around = 2 * std::numbers::pi * disc.radius;
    const auto n = static_cast<int>(std::clamp(std::ceil(around / edge), k_fewest, k_most));
    std::vector<Vec2d> corners;
    for (int k = 0; k < n; ++k) {
        const double angle = 2 * std::numbers::pi * k / n;
        corners.push_back(disc.center +
                          Vec2d{{portable::cos(angle), portable::sin(angle)}} * disc.radius);
    }
    return corners;
}

template struct PlacedBox<2>;
template struct PlacedBox<3>;
template class Placement<2>;
template class Placement<3>;
template Mat<2, double> matrix_of<2>(const Quaterniond&);
template Mat<3, double> matrix_of<3>(const Quaterniond&);
template PlacedShape<2> placed_shape<2>(const Boundary&, double);
template PlacedShape<3> placed_shape<3>(const Boundary&, double);
template PlacedShape<2> placed_shape<2>(const Body&);
template PlacedShape<3> placed_shape<3>(const Body&);
template PlacedShape<2> moved<2>(const PlacedShape<2>&, const Vec2d&);
template PlacedShape<3> moved<3>(const PlacedShape<3>&, const Vec3d&);
template std::vector<PlacedBox<2>> tank_slabs<2>(const PlacedBox<2>&, double);
template std::vector<PlacedBox<3>> tank_slabs<3>(const PlacedBox<3>&, double);

}  // namespace millrace
