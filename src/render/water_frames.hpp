#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "diffuse/diffuse_particles.hpp"
#include "io/vtu.hpp"
#include "surface/surface_mesh.hpp"

namespace millrace {

/// What is drawn of the fluids of a frame in the style "water".
struct WaterFrame {
    SurfaceMesh surface;
    DiffuseParticles foam;  ///< may be empty
};

/// Gives that of a frame by its number in the run.
using LoadWater = std::function<WaterFrame(int number)>;

/// The surface of a frame, OUT/surface/NAME_000012.vtp or .ply; empty where there is none.
std::filesystem::path find_surface(const std::filesystem::path& run, const std::string& name,
                                   int number);

/// Diffuse particles from a frame with the fields velocity, kind, age, lifetime and id; those that
/// it does not have stay empty.
DiffuseParticles diffuse_of(const ParticleFrame& frame);

}  // namespace millrace
