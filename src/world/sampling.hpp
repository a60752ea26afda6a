#pragma once

#include "fluid/fluid_view.hpp"
#include "millrace/simulation.hpp"
#include "pressure/pressure_solver.hpp"

// From the plain scene to what a World starts with.
namespace millrace {

/// Measured upper bound of what a particle of a pool takes, solvers and walls included [bytes].
inline constexpr double k_bytes_per_pool_particle = 500;

inline constexpr const char* k_nothing_filled =
    "fluids: no particle is left of the fills; make them larger than a spacing and keep them "
    "inside the domain and clear of the walls";

Materials scene_materials(const Scene& scene);
PressureSettings pressure_settings(const Scene& scene);

/// How many cells the walls' grid may have: as many as the whole scene has particles.
std::size_t wall_cell_budget(const SceneSize& size);

/// Throws InputError when the scene asks for more than the device's free memory.
void check_size(const Scene& scene, const Device& device);

}  // namespace millrace
