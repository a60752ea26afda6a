#include "geometry/signed_distance.hpp"

#include <algorithm>
#include <string>

#include "geometry/flat_distance.hpp"
#include "geometry/line_distances.hpp"
#include "geometry/mesh_distance.hpp"
#include "geometry/shape_distances.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {
namespace {

template <int D>
using Part = std::unique_ptr<SignedDistance<D>>;

/// The matrix of a turn; in 2D it is about z.
template <int D>
Mat<D, double> matrix_of(const Quaterniond& rotation) {
    const Mat3d full = to_matrix(rotation);
    Mat<D, double> matrix;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            matrix(i, j) = full(i, j);
    return matrix;
}

/// First scaled, then turned, then moved, about the origin.
template <int D>
struct Placement {
    using Place = Vec<D, double>;

    Place scale, position;
    Mat<D, double> rotation;

    explicit Placement(const Boundary& wall)
        : scale(to_vec<D, double>(wall.scale)),
          position(to_vec<D, double>(wall.position)),
          rotation(matrix_of<D>(to_quaternion(wall.rotation))) {}

    Place scaled(const Vector& x) const {
        Place r;
        for (int k = 0; k < D; ++k)
            r[k] = x[k] * scale[k];
        return r;
    }
    Place turned_and_moved(const Place& x) const { return position + rotation * x; }
    Place of(const Vector& x) const { return turned_and_moved(scaled(x)); }
    std::vector<Place> of(const std::vector<Vector>& points) const {
        std::vector<Place> placed;
        for (const Vector& point : points)
            placed.push_back(of(point));
        return placed;
    }
    /// Normals scale by the inverse.
    Place normal_of(const Vector& normal) const {
        Place r;
        for (int k = 0; k < D; ++k)
            r[k] = normal[k] / scale[k];
        return normalized(rotation * r);
    }
    /// The factor of all lengths but those along an axis (none: -1); 0 where they differ.
    double factor_across(int axis) const {
        const int first = axis == 0 ? 1 : 0;
        for (int k = 0; k < D; ++k)
            if (k != axis && std::abs(scale[k]) != std::abs(scale[first]))
                return 0;
        return std::abs(scale[first]);
    }
};

template <int D>
Part<D> box_between(const Vec<D, double>& low, const Vec<D, double>& high,
                    const Placement<D>& placement) {
    return std::make_unique<BoxDistance<D>>(placement.turned_and_moved((low + high) * 0.5),
                                            (high - low) * 0.5, placement.rotation);
}

/// side: 0 for that towards minus, 1 for that towards plus, after the scale, which may mirror
template <int D>
bool is_open(const Boundary& wall, const Placement<D>& placement, int axis, int side) {
    const bool towards_plus = (side == 1) == (placement.scale[axis] > 0);
    const std::string face = std::string(towards_plus ? "+" : "-") + "xyz"[axis];
    return std::find(wall.open.begin(), wall.open.end(), face) != wall.open.end();
}

/// The solid box, or slabs behind its closed faces that fill the edges between them.
template <int D>
SolidParts<D> box_parts(const Boundary& wall, const Placement<D>& placement, double thickness) {
    Vec<D, double> low = placement.scaled(wall.box->min), high = placement.scaled(wall.box->max);
    for (int k = 0; k < D; ++k)
        if (low[k] > high[k])
            std::swap(low[k], high[k]);
    SolidParts<D> parts;
    if (!wall.inside && wall.open.empty()) {
        parts.push_back(box_between<D>(low, high, placement));
        return parts;
    }
    Vec<D, double> outer_low = low, outer_high = high;
    for (int k = 0; k < D; ++k) {
        outer_low[k] -= is_open(wall, placement, k, 0) ? 0 : thickness;
        outer_high[k] += is_open(wall, placement, k, 1) ? 0 : thickness;
    }
    for (int axis = 0; axis < D; ++axis) {
        Vec<D, double> inner = outer_high;
        inner[axis] = low[axis];
        if (!is_open(wall, placement, axis, 0))
            parts.push_back(box_between<D>(outer_low, inner, placement));
        inner = outer_low;
        inner[axis] = high[axis];
        if (!is_open(wall, placement, axis, 1))
            parts.push_back(box_between<D>(inner, outer_high, placement));
    }
    return parts;
}

template <int D>
Part<D> ball(const Vec<D, double>& center, double radius) {
    return std::make_unique<RoundLineDistance<D>>(std::vector<Vec<D, double>>{center}, radius);
}

/// The axis along which a direction runs, -1 for none.
int axis_along(const Vec3d& direction) {
    for (int k = 0; k < 3; ++k)
        if (std::abs(direction[k]) == norm(direction))
            return k;
    return -1;
}

/// None where the scale has made something else of it.
Part<3> cylinder(const Cylinder& shape, const Placement<3>& placement) {
    const int axis = axis_along(to_vec3d(shape.to) - to_vec3d(shape.from));
    const double factor = placement.factor_across(axis);
    if (factor == 0)
        return nullptr;
    return std::make_unique<CylinderDistance>(placement.of(shape.from), placement.of(shape.to),
                                              shape.radius * factor);
}

/// The shape of a wall that is no box, none where triangles must stand for it.
template <int D>
Part<D> simple_shape(const Boundary& wall, const Placement<D>& placement) {
    const std::optional<Sphere>& sphere = wall.sphere ? wall.sphere : wall.circle;
    const double factor = placement.factor_across(-1);
    if (sphere && factor > 0)
        return ball<D>(placement.of(sphere->center), sphere->radius * factor);
    if constexpr (D == 3) {
        if (wall.cylinder)
            return cylinder(*wall.cylinder, placement);
    } else if (wall.polygon) {
        return std::make_unique<FlatDistance>(Shape2::Kind::polygon,
                                              placement.of(wall.polygon->points));
    }
    return nullptr;
}

/// What lies outside of the shape where the wall is a tank.
template <int D>
Part<D> turned_out(Part<D> shape, const Boundary& wall, double thickness) {
    if (!wall.inside)
        return shape;
    return std::make_unique<OutsideDistance<D>>(std::move(shape), thickness);
}

template <int D>
Part<D> body_shape(const Body& body, const Vec<D, double>& middle) {
    if (body.box)
        return std::make_unique<BoxDistance<D>>(middle, to_vec<D, double>(body.box->size) * 0.5,
                                                Mat<D, double>::identity());
    if (const std::optional<BodySphere>& sphere = body.sphere ? body.sphere : body.circle)
        return ball<D>(middle, sphere->radius);
    if constexpr (D == 3) {
        const auto on_axis = [&](double y) { return middle + Vec3d{0, y, 0}; };
        if (const auto& shape = body.cylinder)
            return std::make_unique<CylinderDistance>(on_axis(-shape->height / 2),
                                                      on_axis(shape->height / 2), shape->radius);
        if (const auto& shape = body.capsule) {
            const double straight = std::max(0.0, shape->height / 2 - shape->radius);
            return std::make_unique<RoundLineDistance<3>>(
                std::vector<Vec3d>{on_axis(-straight), on_axis(straight)}, shape->radius);
        }
    } else if (body.polygon) {
        std::vector<Vec2d> corners;
        for (const Vector& point : body.polygon->points)
            corners.push_back(middle + to_vec<2, double>(point));
        return std::make_unique<FlatDistance>(Shape2::Kind::polygon, corners);
    }
    return nullptr;
}

}  // namespace

template <int D>
SolidParts<D> wall_distances(const Boundary& boundary, const TriangleMesh& surface,
                             double thickness, double reach, double spacing) {
    const Placement<D> placement(boundary);
    if (boundary.box)
        return box_parts<D>(boundary, placement, thickness);
    SolidParts<D> parts;
    if (boundary.plane) {
        parts.push_back(std::make_unique<HalfSpaceDistance<D>>(
            placement.of(boundary.plane->point), placement.normal_of(boundary.plane->normal)));
    } else if (boundary.chain) {
        parts.push_back(std::make_unique<RoundLineDistance<D>>(placement.of(boundary.chain->points),
                                                               spacing / 4));
    } else if (Part<D> shape = simple_shape<D>(boundary, placement)) {
        parts.push_back(turned_out<D>(std::move(shape), boundary, thickness));
    } else if constexpr (D == 3) {
        if (surface.triangles.empty())
            return parts;
        auto mesh = std::make_unique<MeshDistance>(surface, reach, spacing);
        if (mesh->is_closed())
            parts.push_back(turned_out<3>(std::move(mesh), boundary, thickness));
        else
            parts.push_back(std::move(mesh));
    }
    return parts;
}

template <int D>
SolidParts<D> body_distances(const Body& body, const TriangleMesh& surface, const Vec3d& center,
                             double reach, double spacing) {
    Vec<D, double> middle;  // the origin of the body's own frame
    for (int k = 0; k < D; ++k)
        middle[k] = -center[k];
    SolidParts<D> parts;
    if (Part<D> shape = body_shape<D>(body, middle)) {
        parts.push_back(std::move(shape));
    } else if constexpr (D == 3) {
        if (!surface.triangles.empty())
            parts.push_back(std::make_unique<MeshDistance>(surface, reach, spacing));
    }
    return parts;
}

template SolidParts<2> wall_distances<2>(const Boundary&, const TriangleMesh&, double, double,
                                         double);
template SolidParts<3> wall_distances<3>(const Boundary&, const TriangleMesh&, double, double,
                                         double);
template SolidParts<2> body_distances<2>(const Body&, const TriangleMesh&, const Vec3d&, double,
                                         double);
template SolidParts<3> body_distances<3>(const Body&, const TriangleMesh&, const Vec3d&, double,
                                         double);

}  // namespace millrace
