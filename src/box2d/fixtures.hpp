#pragma once

#include "millrace/pool.hpp"

class b2Body;

namespace millrace {

/// What a fixture is made of.
struct FixtureMaterial {
    float density = 0;
    float friction = 0, restitution = 0;
};

/// Gives a body the fixtures of a shape, its lengths multiplied by `unit`: circles, convex polygons
/// of at most 8 corners, and thin walls that are smooth on both sides. Parts that are thinner than
/// Box2D can hold are left out.
void add_fixtures(b2Body& body, const Shape2& shape, float unit, const FixtureMaterial& material);

}  // namespace millrace
