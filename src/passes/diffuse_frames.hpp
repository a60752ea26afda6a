#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "diffuse/advance.hpp"
#include "io/body_lines.hpp"
#include "io/vtu.hpp"
#include "millrace/scene.hpp"

namespace millrace {

DiffuseOptions diffuse_options(const Scene& scene, const DiffuseOutput& output);

/// A particle frame as the fluid that makes foam; it must outlive the result. Throws InputError
/// where velocities or numbers are missing.
FluidFrame fluid_of(const ParticleFrame& frame);

/// Rounds them as their files have them, so that these are small: places to a 16th of the spacing
/// or less, velocities to such a way in a frame, ages to 2^-14 s, lifetimes to 2^-6 s. Done after
/// every step: a pass that goes on from a file has the same particles as one that never stopped.
void make_compact(DiffuseParticles& particles, const Scene& scene);

/// Diffuse particles as a frame with the fields velocity, kind, age, lifetime and id, in the order
/// of the ids, and back: with all that the next step needs, bit for bit. from_frame throws
/// InputError for another frame.
ParticleFrame to_frame(const DiffuseParticles& particles, double time, double identity);
DiffuseParticles from_frame(const ParticleFrame& frame);

/// The walls and bodies of a run, by the meshes in its folder; one whose mesh is missing is left
/// out.
Obstacles load_obstacles(const std::filesystem::path& run, const Scene& scene);

/// OUT/diffuse/NAME_000012.vtu
std::filesystem::path diffuse_file(const std::filesystem::path& run, const Scene& scene, int number,
                                   const std::string& ending = "vtu");

/// Writes the formats, vtu last: where it is, all are. Throws RunError.
void write_diffuse_frame(const std::filesystem::path& run, const Scene& scene, int number,
                         const ParticleFrame& frame, const std::vector<std::string>& formats);

}  // namespace millrace
