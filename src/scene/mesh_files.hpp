#pragma once

#include <functional>
#include <string>

#include "millrace/scene.hpp"

namespace millrace::scene_file {

/// Calls `visit(file, place)` for the path of every mesh of a scene.
void for_each_mesh_file(Scene& scene,
                        const std::function<void(std::string&, const std::string&)>& visit);

/// An error of the engine, with the key of the mesh that it is about before it: a problem of the
/// file of a mesh starts with its path.
std::string with_mesh_key(const Scene& scene, const std::string& problem);

/// Makes the paths of the meshes absolute; those in the file `scene_path` are relative to it.
/// Refuses what cannot be read.
void find_mesh_files(Scene& scene, const std::string& scene_path);

}  // namespace millrace::scene_file
