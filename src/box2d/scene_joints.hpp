#pragma once

#include "millrace/scene.hpp"

class b2Body;
class b2World;

namespace millrace {

/// Joins two bodies as the scene says; `ground` stands for the world. Angles, ways and speeds are
/// those of the second body against the first, of a joint to the world always those of the body.
/// Lengths are multiplied by `unit`.
void add_joint(b2World& world, const Joint& joint, b2Body& first, b2Body& second, b2Body& ground,
               float unit);

}  // namespace millrace
