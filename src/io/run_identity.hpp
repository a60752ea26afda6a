#pragma once

#include <string>

#include "millrace/scene.hpp"

namespace millrace {

/// In `numbers` of every frame of a run.
inline const std::string k_run_identity = "RunIdentity";

/// Tells the frames of one run from those of another: a hash of the scene without what may change
/// when a run goes on (`end`, `output`, `camera`, and colours). A whole number that a double holds
/// exactly.
double run_identity(const Scene& scene);

/// The scene as JSON without those keys.
std::string lasting_scene(const Scene& scene);

}  // namespace millrace
