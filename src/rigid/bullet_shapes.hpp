#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rigid/bullet_units.hpp"
#include "rigid/rigid_engine.hpp"

class btCollisionShape;

namespace millrace {

/// Shapes, and what they are made of, for as long as the engine lives.
using BulletShapes = std::vector<std::shared_ptr<void>>;

template <class Shape, class... Arguments>
Shape* make(BulletShapes& kept, Arguments&&... arguments) {
    auto shape = std::make_shared<Shape>(std::forward<Arguments>(arguments)...);
    kept.push_back(shape);
    return shape.get();
}

/// The largest extent of a body along its axes [m].
double body_extent(const BodyDescription& body);

/// The middle body is about one unit large and one unit heavy; powers of 2 leave digits alone.
BulletUnits bullet_units(const RigidDescription& description);

/// The shape of a body, its outer surface where the scene has it. `principal` turns the principal
/// axes, which are Bullet's, into the body's.
btCollisionShape* bullet_body_shape(const BodyDescription& body, const Quaterniond& principal,
                                    const BulletUnits& units, BulletShapes& kept);

/// A part of a wall and its place in the wall's frame.
struct BulletWallPart {
    btCollisionShape* shape;
    btTransform place;
};

/// The parts of a wall. Boxes, spheres, cylinders and planes are themselves where the transforms
/// leave them so, a tank is a slab behind every closed face, and all others are triangles. Slabs
/// are thick, but keep off bodies that start behind them.
std::vector<BulletWallPart> bullet_wall_parts(const WallDescription& wall,
                                              std::span<const BodyDescription> bodies,
                                              const BulletUnits& units, BulletShapes& kept);

}  // namespace millrace
