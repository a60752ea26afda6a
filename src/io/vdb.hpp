#pragma once

#include <filesystem>

#include "io/mesh_formats.hpp"

namespace millrace {

/// Whether this build can.
bool can_write_vdb();

/// The level set `surface` of an OpenVDB file: signed distances [m], negative in the fluid, within
/// three voxels of the surface; `voxel` is the edge of a cell [m]. The time is metadata of the
/// grid. The file appears whole or not at all; throws RunError.
void write_vdb(const std::filesystem::path& path, const SurfaceFrame& surface, double voxel);

}  // namespace millrace
