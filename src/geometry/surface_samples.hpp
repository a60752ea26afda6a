#pragma once

#include <optional>
#include <vector>

#include "geometry/shape_measures.hpp"
#include "geometry/solid.hpp"

namespace millrace {

/// How the surfaces of solids are sampled: flat faces on a lattice, outlines of the plane at even
/// distances, round shapes and meshes of space by Poisson disks. All hold the water off by the same
/// distance, within half a per cent. Lengths in metres.
struct SampleRules {
    double spacing;
    double depth;        ///< of the samples inside the solid
    double disk_radius;  ///< least distance of Poisson-disk samples
    std::uint64_t seed;

    static SampleRules of(double spacing, double depth, std::uint64_t seed);
};

/// Samples of a solid, in its frame. `reach` bounds what is sampled of a half space.
template <int D>
std::vector<Vec<D>> surface_samples(const Solid<D>& solid, const ShapeBounds<D>& reach,
                                    const SampleRules& rules);

/// About how many they are; those of a half space are not counted.
template <int D>
double count_surface_samples(const Solid<D>& solid, const SampleRules& rules);

/// Samples of a simple polygon, `depth` to its inside, or to its outside where it is hollow, at
/// distances of about `spacing`. Where it is thinner than two depths, in its middle.
std::vector<Vec2> outline_samples(const std::vector<Vec2d>& corners, bool hollow, double spacing,
                                  double depth);

}  // namespace millrace
