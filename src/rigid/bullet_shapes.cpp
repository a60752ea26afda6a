#include "rigid/bullet_shapes.hpp"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <cmath>

#include "math/portable.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

// Rounding of edges where Bullet needs some, in sizes of the shape; surfaces stay where they are.
constexpr double k_margin = 0.005;
// A mesh whose hull has at most this times its volume is taken as its hull.
constexpr double k_convex = 1.05;

double volume_of(const btConvexHullComputer& hull) {
    double sum = 0;
    for (int f = 0; f < hull.faces.size(); ++f) {
        const auto* first = &hull.edges[hull.faces[f]];
        const btVector3& a = hull.vertices[first->getSourceVertex()];
        for (const auto* e = first->getNextEdgeOfFace(); e != first; e = e->getNextEdgeOfFace())
            sum += a.dot(
                hull.vertices[e->getSourceVertex()].cross(hull.vertices[e->getTargetVertex()]));
    }
    return std::abs(sum) / 6;
}

/// A mesh as its hull where that is nearly the same, or as triangles. The vertices are turned into
/// Bullet's axes.
btCollisionShape* mesh_shape(const TriangleMesh& surface, double extent,
                             const Quaterniond& principal, const BulletUnits& units,
                             BulletShapes& kept) {
    std::vector<btVector3> vertices;
    for (const Vec3d& v : surface.vertices)
        vertices.push_back(to_bullet(rotate(conjugate(principal), v), units.length));
    const double margin = k_margin * extent * units.length;

    btConvexHullComputer hull;
    const int count = static_cast<int>(vertices.size());
    const auto compute = [&](double shrink) {
        return hull.compute(vertices.front().m_floats, sizeof(btVector3), count, shrink, 0);
    };
    compute(0);
    const double scale = units.length * units.length * units.length;
    if (volume_of(hull) <= k_convex * scale * std::abs(signed_volume(surface))) {
        // the margin lies around the hull, so the hull shrinks by it, where it is thick enough
        const bool shrunk = compute(margin) == margin;
        if (!shrunk)
            compute(0);
        auto* shape = make<btConvexHullShape>(kept);
        for (int i = 0; i < hull.vertices.size(); ++i)
            shape->addPoint(hull.vertices[i], false);
        shape->recalcLocalAabb();
        shape->setMargin(shrunk ? margin : 0.01 * margin);
        return static_cast<btCollisionShape*>(shape);
    }
    auto* mesh = make<btTriangleMesh>(kept);
    for (const auto& t : surface.triangles)
        mesh->addTriangle(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
    auto* shape = make<btGImpactMeshShape>(kept, mesh);
    shape->setMargin(0.1 * margin);  // lies around the triangles
    shape->updateBound();
    return static_cast<btCollisionShape*>(shape);
}

/// From Bullet's y axis to another.
btQuaternion from_y_axis(const Vec3d& axis) {
    return shortestArcQuat(btVector3(0, 1, 0), to_bullet(axis));
}

btMatrix3x3 to_bullet_matrix(const Mat3d& rotation) {
    btMatrix3x3 matrix;
    for (int k = 0; k < 3; ++k)
        matrix[k].setValue(rotation(k, 0), rotation(k, 1), rotation(k, 2));
    return matrix;
}

/// A convex shape of Bullet and where it is in the solid's frame; null for other shapes.
struct MakePrimitive {
    const BulletUnits& units;
    BulletShapes& kept;

    BulletPart operator()(const PlacedBox<3>& box) const {
        const btVector3 half = to_bullet(box.half(), units.length);
        auto* shape = make<btBoxShape>(kept, half);
        shape->setMargin(2 * k_margin * half[half.minAxis()]);  // inside the given size
        return {shape,
                btTransform(to_bullet_matrix(box.rotation), to_bullet(box.center(), units.length))};
    }
    BulletPart operator()(const PlacedBall<3>& ball) const {
        return {make<btSphereShape>(kept, ball.radius * units.length),
                btTransform(btQuaternion::getIdentity(), to_bullet(ball.center, units.length))};
    }
    BulletPart operator()(const PlacedCylinder& c) const {
        const double r = c.radius * units.length, length = norm(c.to - c.from);
        const btVector3 half(r, length * units.length / 2, r);
        auto* shape = make<btCylinderShape>(kept, half);
        shape->setMargin(2 * k_margin * half[half.minAxis()]);
        return {shape, btTransform(from_y_axis((c.to - c.from) / length),
                                   to_bullet((c.from + c.to) * 0.5, units.length))};
    }
    BulletPart operator()(const PlacedCapsule& c) const {
        const double length = norm(c.to - c.from);
        auto* shape = make<btCapsuleShape>(kept, c.radius * units.length, length * units.length);
        return {shape, btTransform(length > 0 ? from_y_axis((c.to - c.from) / length)
                                              : btQuaternion::getIdentity(),
                                   to_bullet((c.from + c.to) * 0.5, units.length))};
    }
    BulletPart operator()(const PlacedHalfSpace<3>& half) const {
        auto* shape = make<btStaticPlaneShape>(kept, to_bullet(half.normal),
                                               dot(half.normal, half.point) * units.length);
        return {shape, btTransform::getIdentity()};
    }
    BulletPart operator()(const PlacedMesh&) const { return {nullptr, btTransform::getIdentity()}; }
};

}  // namespace

BulletPart bullet_primitive(const PlacedShape<3>& shape, const BulletUnits& units,
                            BulletShapes& kept) {
    return std::visit(MakePrimitive{units, kept}, shape);
}

BulletUnits bullet_units(const RigidDescription& description) {
    std::vector<double> extents, masses;
    for (const BodyDescription& body : description.bodies) {
        extents.push_back(extent_of(body));
        masses.push_back(body.mass);
    }
    if (extents.empty())
        return {};
    const auto median = [](std::vector<double>& v) {
        const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
        std::nth_element(v.begin(), middle, v.end());
        return portable::nearest_power_of_two(*middle);
    };
    return {1 / median(extents), 1 / median(masses)};
}

btCollisionShape* bullet_body_shape(const BodyDescription& body, const Quaterniond& principal,
                                    const BulletUnits& units, BulletShapes& kept) {
    const Solid<3>& solid = std::get<Solid<3>>(body.solid);
    if (const auto* mesh = std::get_if<PlacedMesh>(&solid.shape)) {
        if (mesh->triangles().triangles.empty())
            throw InputError("bodies: \"" + solid.name + "\" has no surface; give it a shape");
        return mesh_shape(mesh->triangles(), extent_of(body), principal, units, kept);
    }
    const BulletPart part = bullet_primitive(solid.shape, units, kept);
    const btTransform to_principal(to_bullet(conjugate(principal)), btVector3(0, 0, 0));
    const btTransform place = to_principal * part.place;
    if (place == btTransform::getIdentity())
        return part.shape;
    auto* placed = make<btCompoundShape>(kept);
    placed->addChildShape(place, part.shape);
    return placed;
}

}  // namespace millrace
