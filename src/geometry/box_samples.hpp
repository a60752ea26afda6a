#pragma once

#include <vector>

#include "geometry/placed_shape.hpp"

namespace millrace {

/// Samples of the faces of a box that are not open, on a lattice of about `spacing`, `depth` inside
/// the solid: within the box, or outside of it where it is hollow [m]. A box that is thinner than
/// the depth keeps a sheet of samples in its middle.
template <int D>
std::vector<Vec<D>> box_samples(const PlacedBox<D>& box, bool hollow, double spacing, double depth);

/// How many they are, edges and corners counted more than once.
template <int D>
double count_box_samples(const PlacedBox<D>& box, bool hollow, double spacing, double depth);

}  // namespace millrace
