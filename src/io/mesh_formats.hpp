#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "surface/surface_mesh.hpp"

// Surfaces of fluids in the formats of other programs (docs/formats.md).
namespace millrace {

/// A surface and when it was.
struct SurfaceFrame {
    double time = 0;  ///< [s]
    SurfaceMesh mesh;
};

/// The endings that this build can write: "vtp", "ply", "obj", with OpenVDB "vdb".
std::vector<std::string> mesh_formats();

/// By the ending of the path. OBJ holds places, normals and triangles only. VDB is a level set
/// `surface` of signed distances with `voxel` [m] as its cell. The file appears whole or not at
/// all; throws RunError.
void write_mesh(const std::filesystem::path& path, const SurfaceFrame& surface, double voxel);

/// Reads a vtp or ply file of write_mesh; throws InputError with the path when the file is missing,
/// damaged or of another kind.
SurfaceFrame read_mesh(const std::filesystem::path& path);

}  // namespace millrace
