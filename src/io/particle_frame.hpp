#pragma once

#include "io/vtu.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// The particles of a simulation as they are, with the fields that the scene's output asks for and
/// the run_identity() of the scene.
ParticleFrame particle_frame(const Scene& scene, double identity, const Simulation& simulation);

/// Frames that a run holds in memory at most: one that is being written and one that waits.
inline constexpr int k_most_frames = 2;

/// The memory of these, and of the file in the making [bytes].
double frame_memory(const Scene& scene, double particles);

}  // namespace millrace
