#pragma once

#include <memory>

#include "rigid/rigid_engine.hpp"

namespace millrace {

/// Bodies with contacts and joints, in Bullet's world.
std::unique_ptr<RigidEngine> make_bullet_engine(const RigidDescription& description);

}  // namespace millrace
