#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// The points of a Houdini geometry (.bgeo, version 5), compressed by gzip or not; everything else
/// in the file is passed over. InputError for what cannot be used.
std::vector<Vec3d> load_points(const std::string& path);

}  // namespace millrace
