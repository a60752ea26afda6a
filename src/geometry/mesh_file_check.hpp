#pragma once

#include <string>

namespace millrace {

/// The bytes of a mesh file. InputError where it is missing, no file, empty, of another format,
/// shorter than it says itself, or damaged where readers of meshes would end the program, hang or
/// pass over it in silence.
std::string checked_mesh_file(const std::string& path);

/// ".obj" of "SHIP.OBJ"
std::string mesh_format(const std::string& path);

}  // namespace millrace
