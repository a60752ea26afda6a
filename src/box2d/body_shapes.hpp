#pragma once

#include <cstdint>
#include <vector>

#include "millrace/box2d.hpp"

class b2Fixture;
class b2Shape;

namespace millrace {

/// Whether the fluid collides with a fixture, by the rules of b2ContactFilter.
bool visible(const b2Fixture& fixture, const Box2dOptions& options);

/// Appends a shape of Box2D with or without the skin that it has there.
void append_shape(const b2Shape& shape, bool skin, std::vector<Shape2>& shapes);

/// What the fluid sees of a body.
std::vector<Shape2> shapes_of(const b2Body& body, const Box2dOptions& options);

/// Changes when what the fluid sees of a body does, or its type, or its centre of mass.
std::uint64_t signature_of(const b2Body& body, const Box2dOptions& options);

/// Where a body is and how it moves, without what accelerates it.
SolidState state_of(const b2Body& body);

}  // namespace millrace
