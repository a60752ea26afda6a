#pragma once

#include "geometry/mass_properties.hpp"
#include "geometry/placed_shape.hpp"

// What one may ask a placed shape. A half space has no bounds, and nothing of it is measured; a
// chain and an open mesh enclose nothing. Lengths in metres.
namespace millrace {

/// The surface as triangles, of round shapes with edges of about `edge`, of boxes the faces that
/// are not open; a half space has none.
TriangleMesh triangles_of(const PlacedShape<3>& shape, double edge);

/// The box around a shape; nothing for a half space.
template <int D>
struct ShapeBounds {
    Vec<D, double> low, high;

    double largest_side() const;
};
template <int D>
std::optional<ShapeBounds<D>> bounds_of(const PlacedShape<D>& shape);

/// The distance of the farthest point from the origin; 0 for a half space.
template <int D>
double radius_of(const PlacedShape<D>& shape);

/// The area of the surface, in 2D the length of the outline.
template <int D>
double surface_area(const PlacedShape<D>& shape);

/// What the shape encloses, in 2D an area.
template <int D>
double volume_of(const PlacedShape<D>& shape);

/// Whether a place lies in the shape.
template <int D>
bool contains(const PlacedShape<D>& shape, const Vec<D, double>& place);

/// How far a place lies outside of the faces of a box, or of a ball, and below 0 inside; 0 for
/// other shapes.
template <int D>
double distance_outside(const PlacedShape<D>& shape, const Vec<D, double>& place);

/// Of the solid inside a shape with this density [kg/m^3]; of a mesh that is closed. In 2D of a
/// metre across the plane, with the inertia about z along all axes. Exact for round shapes too.
template <int D>
MassProperties mass_properties(const PlacedShape<D>& shape, double density);

}  // namespace millrace
