#pragma once

#include <memory>

#include "rigid/rigid_engine.hpp"

namespace millrace {

/// S1 Algorithm 5: bodies under gravity and the fluid's pushes, without contacts. Of the joints it
/// knows welds to the world, which hold a body where it is.
std::unique_ptr<RigidEngine> make_own_engine(const RigidDescription& description);

}  // namespace millrace
