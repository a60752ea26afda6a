#pragma once

#include <memory>

#include "rigid/flat_bodies.hpp"

namespace millrace {

bool has_box2d();

/// Throws InputError where the build has no Box2D, and for bodies that it cannot hold.
std::unique_ptr<FlatBodies> make_flat_bodies(const FlatDescription& description);

}  // namespace millrace
