#pragma once

#include <string>
#include <vector>

#include "scene/scene_json.hpp"

// Scenes of SPlisHSPlasH 2.16 and before (docs/splishsplash.md).
namespace millrace::scene_file {

bool is_splishsplash_scene(const Json& root);

/// The same as a scene of ours, not yet checked; `path` is the file that meshes are relative to.
/// What cannot be honoured is added to `warnings`; a value of a wrong type is an InputError.
Scene import_splishsplash(const Json& root, const std::string& path,
                          std::vector<std::string>& warnings);

}  // namespace millrace::scene_file
