#pragma once

#include <memory>

#include "rigid/rigid_engine.hpp"

namespace millrace {

/// Bodies with contacts and joints as rows of one constraint system, beside any fluid in 3D.
std::unique_ptr<RigidEngine> make_spook_engine(const RigidDescription& description);

}  // namespace millrace
