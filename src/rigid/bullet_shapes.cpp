#include "rigid/bullet_shapes.hpp"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
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

btCollisionShape* mesh_shape(const BodyDescription& body, const Quaterniond& principal,
                             const BulletUnits& units, BulletShapes& kept) {
    std::vector<btVector3> vertices;
    for (const Vec3d& v : body.surface.vertices)
        vertices.push_back(to_bullet(rotate(conjugate(principal), v), units.length));
    const double margin = k_margin * body_extent(body) * units.length;

    btConvexHullComputer hull;
    const int count = static_cast<int>(vertices.size());
    const auto compute = [&](double shrink) {
        return hull.compute(vertices.front().m_floats, sizeof(btVector3), count, shrink, 0);
    };
    compute(0);
    const double scale = units.length * units.length * units.length;
    if (volume_of(hull) <= k_convex * scale * std::abs(signed_volume(body.surface))) {
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
    for (const auto& t : body.surface.triangles)
        mesh->addTriangle(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
    auto* shape = make<btGImpactMeshShape>(kept, mesh);
    shape->setMargin(0.1 * margin);  // lies around the triangles
    shape->updateBound();
    return static_cast<btCollisionShape*>(shape);
}

btCollisionShape* primitive_shape(const Body& body, double scale, BulletShapes& kept) {
    if (body.sphere)
        return make<btSphereShape>(kept, body.sphere->radius * scale);
    if (body.capsule)
        return make<btCapsuleShape>(kept, body.capsule->radius * scale,
                                    (body.capsule->height - 2 * body.capsule->radius) * scale);
    btConvexInternalShape* shape;
    btVector3 half;
    if (body.box) {
        half = btVector3(body.box->size[0], body.box->size[1], body.box->size[2]) * (scale / 2);
        shape = make<btBoxShape>(kept, half);
    } else {
        const double r = body.cylinder->radius * scale;
        half = btVector3(r, body.cylinder->height * scale / 2, r);
        shape = make<btCylinderShape>(kept, half);
    }
    shape->setMargin(2 * k_margin * half[half.minAxis()]);  // inside the given size
    return shape;
}

}  // namespace

double body_extent(const BodyDescription& d) {
    const Body& body = d.body;
    if (body.box)
        return *std::max_element(body.box->size.begin(), body.box->size.end());
    if (body.sphere)
        return 2 * body.sphere->radius;
    if (body.cylinder)
        return std::max(2 * body.cylinder->radius, body.cylinder->height);
    if (body.capsule)
        return std::max(2 * body.capsule->radius, body.capsule->height);
    double extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = 0, high = 0;
        for (const Vec3d& v : d.surface.vertices) {
            low = std::min(low, v[axis]);
            high = std::max(high, v[axis]);
        }
        extent = std::max(extent, high - low);
    }
    return extent;
}

BulletUnits bullet_units(const RigidDescription& description) {
    std::vector<double> extents, masses;
    for (const BodyDescription& body : description.bodies) {
        extents.push_back(body_extent(body));
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
    const Body& b = body.body;
    if (!b.box && !b.sphere && !b.cylinder && !b.capsule) {
        if (body.surface.triangles.empty())
            throw InputError("bodies: \"" + b.name + "\" has no surface; give it a shape");
        return mesh_shape(body, principal, units, kept);
    }
    btCollisionShape* shape = primitive_shape(b, units.length, kept);
    constexpr double k_rounding = 1e-12;  // of the centre of a box that was summed up
    if (norm(principal.v) == 0 && norm(body.center) <= k_rounding * body_extent(body))
        return shape;
    const Quaterniond back = conjugate(principal);
    auto* placed = make<btCompoundShape>(kept);
    placed->addChildShape(
        btTransform(to_bullet(back), to_bullet(rotate(back, -body.center), units.length)), shape);
    return placed;
}

}  // namespace millrace
