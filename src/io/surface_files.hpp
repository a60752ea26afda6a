#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "millrace/simulation.hpp"

// The surfaces of walls and bodies as binary PLY files, for pictures, ParaView and Blender.
namespace millrace {

/// The names of the files of a scene's objects: NAME.ply; where a wall and a body have the same
/// name, all files are wall_NAME.ply and body_NAME.ply.
struct SurfaceFiles {
    std::vector<std::string> walls, bodies;  ///< in the order of the names
};
SurfaceFiles surface_files(const std::vector<std::string>& walls,
                           const std::vector<std::string>& bodies);
SurfaceFiles surface_files(const Scene& scene);

/// Writes every surface that has triangles, each file whole or not at all; open faces of boxes are
/// left out. Makes the folder where there is something to write. Throws RunError.
void write_surfaces(const std::filesystem::path& folder, const Scene& scene,
                    const std::vector<ObjectSurface>& surfaces);

/// Reads a file of write_surfaces; throws InputError when it is missing, damaged or of another
/// kind.
TriangleMesh read_surface(const std::filesystem::path& path);

/// The surfaces of a scene's walls and bodies, in its order; empty where there is no file.
struct ObjectSurfaces {
    std::vector<TriangleMesh> walls, bodies;
};
/// From OUT/meshes, the folder of write_surfaces. Throws InputError.
ObjectSurfaces load_object_surfaces(const std::filesystem::path& run, const Scene& scene);

}  // namespace millrace
