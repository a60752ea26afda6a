#pragma once

#include <memory>

#include "rigid/flat_bodies.hpp"

namespace millrace {

/// The bodies of a scene in a world of Box2D.
std::unique_ptr<FlatBodies> make_box2d_bodies(const FlatDescription& description);

}  // namespace millrace
