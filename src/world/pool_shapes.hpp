#pragma once

#include <vector>

#include "geometry/solid.hpp"
#include "millrace/pool.hpp"
#include "rigid/flat_bodies.hpp"

// The shapes of a 2D scene as the pool has them.
namespace millrace {

/// Where things happen in a scene: the middle of its domain, or of its fluid at the start.
Point2 middle_of(const Scene& scene, const SceneSolids<2>& solids);

/// Of a solid, in its frame. A tank, and a box with open faces, is thin walls along its faces, a
/// hollow disc or polygon a closed thin wall; a half plane is a slab that reaches 4000 spacings far
/// from `middle`.
std::vector<Shape2> pool_shapes(const Solid<2>& solid, double spacing, Point2 middle);
/// What a fluid fills; never of points.
Shape2 pool_shape(const FilledVolume<2>& fill);
Shape2 pool_shape(const Box& box);

/// The walls and bodies of a scene for an engine of the plane; the frames of walls are the world's
/// at the start.
FlatDescription flat_description(const Scene& scene, const SceneSolids<2>& solids);

/// In a frame whose origin is there.
Shape2 seen_from(Point2 origin, Shape2 shape);

}  // namespace millrace
