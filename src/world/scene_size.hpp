#pragma once

#include "exec/device.hpp"
#include "geometry/solid.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// Measured upper bound of what a particle of a pool takes, solvers and walls included [bytes].
inline constexpr double k_bytes_per_pool_particle = 500;

inline constexpr const char* k_nothing_filled =
    "fluids: no particle is left of the fills; make them larger than a spacing and keep them "
    "inside the domain and clear of the walls";

/// As estimate_size(scene), of solids that were made before.
template <int D>
SceneSize estimate_size(const Scene& scene, const SceneSolids<D>& solids);

/// How many cells the walls' grid may have: as many as the whole scene has particles.
std::size_t wall_cell_budget(const SceneSize& size);

/// Throws InputError when a scene of this size asks for more than the device's free memory.
void check_size(const SceneSize& size, const Device& device);

}  // namespace millrace
