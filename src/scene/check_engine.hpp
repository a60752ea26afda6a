#pragma once

#include <string>

#include "millrace/scene.hpp"

namespace millrace::scene_file {

/// What the engine of a scene can do: its methods, forces, steps and rigid engines.
void check_engine(const Scene& scene, const std::string& file);

}  // namespace millrace::scene_file
