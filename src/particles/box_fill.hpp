#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// Particles to be: positions, and the volume that each stands for.
template <int D>
struct FillSamples {
    std::vector<Vec<D>> positions;
    double volume = 0;  ///< of every particle [m^D]
};

/// How many particles box_fill would give; a double, since a scene may ask for too many.
template <int D>
double count_box_fill(const Box& box, double spacing);

/// A lattice in a box, half a step from its faces. The step along an axis is the spacing, stretched
/// or squeezed so that a whole number fits and the particles' volumes add up to the box. Positions
/// are displaced at random by `jitter` spacings (S1 3.1), the same for the same seed.
template <int D>
FillSamples<D> box_fill(const Box& box, double spacing, double jitter, std::uint64_t seed);

}  // namespace millrace
