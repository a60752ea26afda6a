#pragma once

#include <functional>
#include <string>

#include "millrace/scene.hpp"

namespace millrace::scene_file {

/// Calls `visit(file, place)` for the path of every mesh of a scene.
void for_each_mesh_file(Scene& scene,
                        const std::function<void(std::string&, const std::string&)>& visit);

/// Makes the paths of the meshes absolute; those in the file `scene_path` are relative to it.
/// Refuses what cannot be read.
void find_mesh_files(Scene& scene, const std::string& scene_path);

}  // namespace millrace::scene_file
