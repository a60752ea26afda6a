#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/mesh_formats.hpp"
#include "io/vtu.hpp"
#include "millrace/scene.hpp"
#include "passes/pass_settings.hpp"
#include "surface/reconstruct.hpp"

namespace millrace {

SurfaceOptions surface_options(const SurfaceOutput& output);

/// The surfaces of all fluids of a frame in one mesh. Throws InputError where velocities are
/// missing.
SurfaceFrame make_surface(const Scene& scene, const ParticleFrame& frame,
                          const SurfaceOptions& options, std::span<const PlacedSolid> solids);

/// The walls and bodies of a run, on which its surfaces end, by the meshes in its folder; one whose
/// mesh is missing is left out.
SolidsInFrames load_solids(const std::filesystem::path& run, const Scene& scene,
                           const SurfaceOptions& options);

/// OUT/surface/NAME_000012.vtp
std::filesystem::path surface_file(const std::filesystem::path& run, const Scene& scene, int number,
                                   const std::string& ending = "vtp");

/// Writes the formats, vtp last: where it is, all are. Throws RunError.
void write_surface_frame(const std::filesystem::path& run, const Scene& scene, int number,
                         const SurfaceFrame& surface, const SurfaceOutput& output);

/// What the files of a folder `surface` are made with.
Settings surface_settings(double identity, const SurfaceOutput& surface);

/// Throws InputError, naming the format, where this build cannot write it.
void check_surface_formats(const std::vector<std::string>& formats);

}  // namespace millrace
