#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "geometry/inside_test.hpp"
#include "math/mat.hpp"
#include "math/quaternion.hpp"
#include "millrace/scene.hpp"

// The shapes of a scene where they are. A scene scales, turns and moves its shapes; that is done
// here, once, and everybody after asks what came of it. Lengths in metres.
namespace millrace {

/// A box between `low` and `high` along its own axes, which are turned and then moved.
template <int D>
struct PlacedBox {
    using Place = Vec<D, double>;

    Place low = Place::all(0), high = Place::all(0);
    Mat<D, double> rotation = Mat<D, double>::identity();
    Place position = Place::all(0);  ///< of the origin of its axes
    std::array<bool, 2 * D> open{};  ///< faces that are missing: -x, +x, -y, +y, -z, +z

    Place center() const { return of_own((low + high) * 0.5); }
    Place half() const { return (high - low) * 0.5; }
    bool is_open(int axis, int side) const {
        return open[static_cast<std::size_t>(2 * axis + side)];
    }
    bool has_open_faces() const;
    /// From its own axes to where it is, and back.
    Place of_own(const Place& x) const { return position + rotation * x; }
    Place to_own(const Place& x) const { return transpose(rotation) * (x - position); }
};

/// A ball, in the plane a disc.
template <int D>
struct PlacedBall {
    Vec<D, double> center = Vec<D, double>::all(0);
    double radius = 0;
};

/// All that lies behind a plane, in 2D behind a line.
template <int D>
struct PlacedHalfSpace {
    Vec<D, double> point = Vec<D, double>::all(0);
    Vec<D, double> normal = Vec<D, double>::all(0);  ///< out of the solid, of length 1
};

/// With flat ends.
struct PlacedCylinder {
    Vec3d from, to;  ///< the middles of its ends
    double radius = 0;
};

/// With round ends.
struct PlacedCapsule {
    Vec3d from, to;  ///< the centres of its ends
    double radius = 0;
};

struct PlacedPolygon {
    std::vector<Vec2d> corners;  ///< in any sense of rotation
};

/// A wall without thickness.
struct PlacedChain {
    std::vector<Vec2d> points;  ///< closed where the last one is the first
};

/// Triangles, which all copies share, with the test of what is inside of them.
class PlacedMesh {
  public:
    PlacedMesh() = default;
    explicit PlacedMesh(TriangleMesh mesh);

    const TriangleMesh& triangles() const;
    bool is_closed() const;
    /// Of a closed mesh; made when it is first asked for.
    const InsideTest& inside() const;

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

template <int D>
struct PlacedShapes;
template <>
struct PlacedShapes<2> {
    using Any =
        std::variant<PlacedBox<2>, PlacedBall<2>, PlacedHalfSpace<2>, PlacedPolygon, PlacedChain>;
};
template <>
struct PlacedShapes<3> {
    using Any = std::variant<PlacedBox<3>, PlacedBall<3>, PlacedHalfSpace<3>, PlacedCylinder,
                             PlacedCapsule, PlacedMesh>;
};
template <int D>
using PlacedShape = typename PlacedShapes<D>::Any;

/// How a boundary is scaled, turned and moved, about the origin and in this order.
template <int D>
class Placement {
  public:
    using Place = Vec<D, double>;

    explicit Placement(const Boundary& wall);
    Placement(const Vector& scale, const Rotation& rotation, const Vector& position);

    Place point(const Vector& x) const;
    std::vector<Place> points(const std::vector<Vector>& points) const;
    /// Normals scale by the inverse; the result has length 1.
    Place normal(const Vector& normal) const;

    PlacedBox<D> box(const Box& box, const std::vector<std::string>& open) const;
    PlacedHalfSpace<D> half_space(const Plane& plane) const;
    /// None where the scale makes an ellipsoid of it.
    std::optional<PlacedBall<D>> ball(const Sphere& sphere) const;
    /// None where the scale makes its ends ellipses.
    std::optional<PlacedCylinder> cylinder(const Cylinder& cylinder) const;
    TriangleMesh mesh(const TriangleMesh& mesh) const;

  private:
    Place scaled(const Vector& x) const;
    double factor_across(int axis) const;

    Vector given_scale_;
    Quaterniond turn_;
    Vec3d move_;
    Place scale_, position_;
    Mat<D, double> rotation_;
};

/// The matrix of a turn; in 2D it is about z.
template <int D>
Mat<D, double> matrix_of(const Quaterniond& rotation);

/// The shape of a wall in the world's frame at the start. Round shapes that the scale has made
/// something else become triangles, in 2D polygons, with edges of about `edge`. Reads mesh files;
/// throws InputError for those that cannot be read.
template <int D>
PlacedShape<D> placed_shape(const Boundary& wall, double edge);

/// The shape of a body in its own frame; a mesh as its file has it.
template <int D>
PlacedShape<D> placed_shape(const Body& body);

/// The same, seen from another origin.
template <int D>
PlacedShape<D> moved(const PlacedShape<D>& shape, const Vec<D, double>& by);

/// Slabs of a thickness behind every closed face of a tank. They fill the corners between closed
/// faces and end at open ones.
template <int D>
std::vector<PlacedBox<D>> tank_slabs(const PlacedBox<D>& tank, double thickness);

/// The corners of a box in the plane, counter-clockwise; edge k runs from corner k to the next.
std::array<Vec2d, 4> corners_of(const PlacedBox<2>& box);
/// Whether edge k of these is a face that is missing.
bool is_open_edge(const PlacedBox<2>& box, std::size_t k);
/// Corners on a circle, so many that edges are no longer than `edge`.
std::vector<Vec2d> corners_of(const PlacedBall<2>& disc, double edge);

}  // namespace millrace
