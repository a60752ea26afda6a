#pragma once

#include <string>
#include <vector>

#include "millrace/scene.hpp"

namespace millrace {

/// load_scene() that prints its warnings on stderr.
Scene load_scene_aloud(const std::string& file, const std::vector<std::string>& settings = {});

}  // namespace millrace
