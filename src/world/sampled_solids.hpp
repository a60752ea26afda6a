#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "boundary/boundary_particles.hpp"
#include "geometry/solid.hpp"
#include "rigid/rigid_engine.hpp"

namespace millrace {

/// The solids of a scene with their samples, and as a rigid engine is told of them.
template <int D>
struct SampledSolids {
    SceneSolids<D> solids;
    /// The scene's walls, then its bodies, then the walls of nozzles that stand alone.
    std::vector<BoundaryObject<D>> objects;
    std::vector<double> radii;  ///< distance of the farthest sample from the reference point [m]
    RigidDescription rigid;
    std::vector<std::string> warnings;

    /// Sets the flags of places that lie in a wall or a body at the start.
    void mark_inside(std::span<const Vec<D>> places, std::vector<std::uint8_t>& flags) const;
};

template <int D>
SampledSolids<D> sample_solids(const Scene& scene, SceneSolids<D> solids);

/// How many samples that would make, roughly; planes are not counted.
template <int D>
double count_samples(const Scene& scene, const SceneSolids<D>& solids);

/// Where the walls are at the start: the start of a motion by keyframes need not be the place in
/// the scene.
std::vector<BodyState> wall_frames(const Scene& scene);

}  // namespace millrace
