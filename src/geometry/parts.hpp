#pragma once

#include <vector>

#include "millrace/pool.hpp"

namespace millrace {

/// Cuts a shape into parts, at each of which a point near it sees a single surface: a polygon into
/// convex ones, a chain at its corners. In a corner that the fluid fills, a particle then touches
/// two parts; the distance to the shape as a whole would tell of the nearer only.
std::vector<Shape2> parts_of(const Shape2& shape);

}  // namespace millrace
