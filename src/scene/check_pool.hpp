#pragma once

#include <string>

#include "millrace/scene.hpp"

namespace millrace::scene_file {

/// What a scene may have that runs in the pool (runs_in_pool in millrace/scene.hpp), and what only
/// such a scene has.
void check_pool_scene(const Scene& scene, const std::string& file);

}  // namespace millrace::scene_file
