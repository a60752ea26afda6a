#pragma once

#include <memory>

#include "rigid/rigid_engine.hpp"

namespace millrace {

/// The bodies of a 2D scene in Box2D, behind the interface that fluids of particles know. Throws
/// InputError where the build has no Box2D, and for bodies that it cannot hold.
std::unique_ptr<RigidEngine> make_box2d_engine(const Scene& scene, const SceneSolids<2>& solids,
                                               const RigidDescription& description);

/// The engine that a scene asks for; "auto" is Bullet in space and Box2D in the plane where the
/// build has them, and `own` where not.
template <int D>
std::unique_ptr<RigidEngine> make_engine(const Scene& scene, const SceneSolids<D>& solids,
                                         const RigidDescription& description);

}  // namespace millrace
