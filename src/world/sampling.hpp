#pragma once

#include <cstdint>
#include <vector>

#include "fluid/fluid_view.hpp"
#include "millrace/simulation.hpp"
#include "pressure/pressure_solver.hpp"

// From the plain scene to what a World starts with.
namespace millrace {

Materials scene_materials(const Scene& scene);
PressureSettings pressure_settings(const Scene& scene);

/// How many cells the walls' grid may have: as many as the whole scene has particles.
std::size_t wall_cell_budget(const Scene& scene);

template <int D>
std::vector<Vec<D>> sample_walls(const Scene& scene);

/// The fluid at the start, in the order of the scene's fills.
template <int D>
struct FluidSamples {
    std::vector<Vec<D>> positions, velocities;
    std::vector<float> volumes;
    std::vector<std::uint8_t> fluids;
};
/// A particle that lies outside the domain, within an earlier fill or a solid box, or closer than a
/// spacing to a wall sample (S1 3.1), is left out. Throws InputError when nothing is left.
template <int D>
FluidSamples<D> sample_fluid(const Scene& scene, const std::vector<Vec<D>>& walls);

/// Throws InputError when the scene asks for more than the device's free memory.
void check_size(const Scene& scene, const Device& device);

}  // namespace millrace
