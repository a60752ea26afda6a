#pragma once

#include <filesystem>
#include <string_view>

namespace millrace {

/// InputError, without the name of the file, that tells what is damaged in a glTF file: numbers
/// that lead past the end of a list or of a buffer, buffers that are missing or too short, nodes
/// that hang below themselves. `folder` is where its other files are.
void check_gltf(std::string_view json, const std::filesystem::path& folder);

/// The same for a binary one.
void check_glb(std::string_view bytes, const std::filesystem::path& folder);

}  // namespace millrace
