#pragma once

#include <string>

namespace millrace {

/// InputError where the file is missing, a folder, empty, of another format or shorter than it says
/// itself. Readers of meshes pass over some of this in silence.
void check_mesh_file(const std::string& path);

}  // namespace millrace
