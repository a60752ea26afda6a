#pragma once

#include <vector>

#include "math/vec.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// How many samples box_samples would give; a double, since a scene may ask for too many.
template <int D>
double count_box_samples(const Boundary& boundary, double spacing, double depth);

/// Samples at most one spacing apart on the closed faces of a box, moved into the solid by
/// `depth` [m]: outwards for a tank, inwards for an obstacle.
template <int D>
std::vector<Vec<D>> box_samples(const Boundary& boundary, double spacing, double depth);

}  // namespace millrace
