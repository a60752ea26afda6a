#pragma once

#include <string>
#include <vector>

#include "rigid/rigid_engine.hpp"

// From the walls and bodies of a scene to what a rigid engine is told of them.
namespace millrace {

/// Of a body with this surface, in its own frame.
BodyDescription describe_body(const Body& body, const TriangleMesh& surface);
/// The same in the plane: a metre across. Its inertia is the one about z along all axes.
BodyDescription describe_flat_body(const Body& body);

/// All walls and bodies, in 2D and 3D; in 2D they have no surfaces. Throws InputError for a mesh
/// that cannot be used; `warnings` get those that were mended.
RigidDescription describe_rigid(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace millrace
