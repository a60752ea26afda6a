#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "millrace/scene.hpp"
#include "world/scene_objects.hpp"

namespace millrace {

/// The fluid at the start, in the order of the scene's fills.
template <int D>
struct FluidSamples {
    std::vector<Vec<D>> positions, velocities;
    std::vector<float> volumes;
    std::vector<std::uint8_t> fluids;
    std::vector<std::string> warnings;  ///< meshes that were mended
};

/// A particle that lies outside the domain, within an earlier fill or a solid, or closer than a
/// spacing to a wall sample (S1 3.1), is left out. Throws InputError when nothing is left.
template <int D>
FluidSamples<D> sample_fluid(const Scene& scene, const std::vector<Vec<D>>& walls,
                             const std::vector<SolidTest<D>>& solids);

/// The box around a fill.
Box fill_bounds(const Fill& fill);

}  // namespace millrace
