#pragma once

#include <LinearMath/btTransform.h>

#include <vector>

class btCollisionShape;
class btConvexPolyhedron;

// Where shapes of Bullet are near each other, all places at once and from nothing but where they
// are: Bullet itself gathers them over several steps. Lengths are in Bullet's units.
namespace millrace {

struct BulletTouch {
    btVector3 point;   ///< midway between the surfaces
    btVector3 normal;  ///< of length 1, from b to a
    btScalar gap;      ///< below 0 they overlap
};

struct TouchingShape {
    const btCollisionShape* shape;
    btTransform at;
};

/// Lets boxes and hulls know their faces; to be called once for every shape.
void find_faces(btCollisionShape& shape);

/// The faces and corners of a box or a hull; nothing of other shapes.
const btConvexPolyhedron* polyhedron_of(const btCollisionShape& shape);

/// Adds where a and b are nearer than `reach`. False where such a pair is left to Bullet's own
/// algorithms: two round shapes, or a concave body and anything but a plane.
bool find_touches(const TouchingShape& a, const TouchingShape& b, btScalar reach,
                  std::vector<BulletTouch>& found);

/// Leaves a few of those that have about the same normal: the deepest and those far from it.
void keep_few(std::vector<BulletTouch>& touches);

}  // namespace millrace
