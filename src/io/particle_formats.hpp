#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/vtu.hpp"

// Particle frames in the formats of other programs (docs/formats.md). Diffuse particles are
// frames too, with the fields velocity, kind, age, lifetime and id.
namespace millrace {

/// The endings that this build can write: "vtu", "ply", "bgeo", with HDF5 "h5".
std::vector<std::string> particle_formats();

/// Throws InputError, naming the format, where this build cannot write one of them.
void check_particle_formats(const std::vector<std::string>& formats);

/// By the ending of the path. The file appears whole or not at all; throws RunError.
void write_particles(const std::filesystem::path& path, const ParticleFrame& frame);

/// Reads what write_particles has written; throws InputError with the path when the file is
/// missing, damaged or of another kind.
ParticleFrame read_particles(const std::filesystem::path& path);

}  // namespace millrace
