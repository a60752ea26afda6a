#pragma once

#include "io/vtu.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// The particles of a simulation as they are, with the fields that the scene's output asks for and
/// the run_identity() of the scene.
ParticleFrame particle_frame(const Scene& scene, double identity, const Simulation& simulation);

}  // namespace millrace
