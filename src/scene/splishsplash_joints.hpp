#pragma once

#include <map>

#include "scene/splishsplash_object.hpp"

namespace millrace::scene_file::splishsplash {

/// Names of the bodies by their ids; what does not move is the world.
using BodyNames = std::map<int, std::string>;

/// The joints of a scene whose bodies have been read.
void read_joints(const Json& root, const BodyNames& names, Scene& scene, Log& log);

}  // namespace millrace::scene_file::splishsplash
