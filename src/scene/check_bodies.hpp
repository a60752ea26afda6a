#pragma once

#include <string>

#include "millrace/scene.hpp"

// The rules between the keys of bodies and joints.
namespace millrace::scene_file {

/// Stands for the fixed world in a joint.
inline constexpr const char* k_world = "world";

void check_bodies(const Scene& scene, const std::string& file);

/// Refuses a name that no body has.
void check_body_name(const Scene& scene, const std::string& name, const std::string& file,
                     const std::string& place);

}  // namespace millrace::scene_file
