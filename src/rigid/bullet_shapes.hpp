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

/// The middle body is about one unit large and one unit heavy; powers of 2 leave digits alone.
BulletUnits bullet_units(const RigidDescription& description);

/// A shape of Bullet and its place in the frame of its solid.
struct BulletPart {
    btCollisionShape* shape;
    btTransform place;
};

/// What is no mesh as Bullet's shape of that kind; null for a mesh.
BulletPart bullet_primitive(const PlacedShape<3>& shape, const BulletUnits& units,
                            BulletShapes& kept);

/// The shape of a body, its outer surface where the scene has it. `principal` turns the principal
/// axes, which are Bullet's, into the body's.
btCollisionShape* bullet_body_shape(const BodyDescription& body, const Quaterniond& principal,
                                    const BulletUnits& units, BulletShapes& kept);

/// The parts of a wall. Solid boxes, balls, cylinders and half spaces are themselves, a tank is a
/// slab behind every closed face, and all others are triangles. Slabs are thick, but keep off
/// bodies that start behind them.
std::vector<BulletPart> bullet_wall_parts(const WallDescription& wall,
                                          std::span<const BodyDescription> bodies,
                                          const BulletUnits& units, BulletShapes& kept);

}  // namespace millrace
