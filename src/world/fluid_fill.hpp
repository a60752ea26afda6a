#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/solid.hpp"

namespace millrace {

/// The fluid at the start, in the order of the scene's fills.
template <int D>
struct FluidSamples {
    std::vector<Vec<D>> positions, velocities;
    std::vector<float> volumes;
    std::vector<std::uint8_t> fluids;
};

/// Tells which of some places fluid cannot fill: sets their flags.
template <int D>
using SolidTest = std::function<void(std::span<const Vec<D>> places, std::vector<std::uint8_t>&)>;

/// How close to the samples of a wall a fill may begin.
enum class AtWalls {
    /// A spacing off (S1 3.1): nothing is compressed, but where the wall cuts the lattice there is
    /// room for up to half a layer more.
    clear,
    /// At the wall's surface: the particles make up the volume of the fill, and some are too close.
    full
};

/// A particle that lies outside the domain, within an earlier fill or a solid, or too close to a
/// wall sample, is left out; `in_solids` tells of the solids. Throws InputError when nothing is
/// left.
template <int D>
FluidSamples<D> sample_fluid(const Scene& scene, const SceneSolids<D>& solids,
                             const std::vector<Vec<D>>& wall_samples, const SolidTest<D>& in_solids,
                             AtWalls at_walls = AtWalls::clear);

/// Whether a World lets its fluid come to rest before the first step: where it starts at rest
/// beside walls that its lattice does not fit.
bool comes_to_rest(const Scene& scene);

}  // namespace millrace
