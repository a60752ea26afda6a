#pragma once

#include <vector>

#include "millrace/pool.hpp"
#include "millrace/scene.hpp"

// The shapes of a 2D scene as the pool has them.
namespace millrace {

/// Where things happen in a scene: the middle of its domain, or of its fluid at the start.
Point2 middle_of(const Scene& scene);

/// Of a wall in the world's frame, before it moves. A tank and a box with open faces are thin walls
/// along their faces, a plane is a slab that reaches 4000 spacings far from `middle`.
std::vector<Shape2> shapes_of(const Boundary& wall, double spacing, Point2 middle);
Shape2 shape_of(const Fill& fill);
Shape2 shape_of(const Box& box);
/// In the body's frame.
Shape2 shape_of(const Body& body);

double area_of(const Shape2& shape);  ///< [m^2]

/// In a frame whose origin is there.
Shape2 seen_from(Point2 origin, Shape2 shape);

}  // namespace millrace
