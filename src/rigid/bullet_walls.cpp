#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <algorithm>
#include <numbers>

#include "math/scene_vectors.hpp"
#include "rigid/bullet_shapes.hpp"

namespace millrace {
namespace {

Vec3d scaled(const Vec3d& v, const Vector& scale) {
    return {{v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]}};
}

/// The turn and the move of a boundary; its scale comes before.
struct Place {
    Quaterniond rotation;
    Vec3d position;

    explicit Place(const Boundary& b)
        : rotation(to_quaternion(b.rotation)), position(to_vec3d(b.position)) {}

    Vec3d of(const Vec3d& x) const { return position + rotate(rotation, x); }
};

btTransform at(const Place& place, const Vec3d& x, const BulletUnits& units) {
    return btTransform(to_bullet(place.rotation), to_bullet(place.of(x), units.length));
}

bool is_open(const Boundary& wall, int axis, int side) {
    const std::string face = std::string(side ? "+" : "-") + "xyz"[axis];
    return std::find(wall.open.begin(), wall.open.end(), face) != wall.open.end();
}

/// A slab behind every closed face of the box from low to high, as thick as half the tank unless a
/// body starts there; slabs fill the corners between closed faces and end at open ones.
std::vector<BulletWallPart> tank(const Boundary& wall, const Vec3d& low, const Vec3d& high,
                                 std::span<const BodyDescription> bodies, const BulletUnits& units,
                                 BulletShapes& kept) {
    const Place place(wall);
    const Vec3d size = high - low;
    const double thickest = 0.5 * std::max({size[0], size[1], size[2]});
    double thickness = thickest;
    for (const BodyDescription& body : bodies) {
        const Vec3d x = rotate(conjugate(place.rotation), body.state.position - place.position);
        double outside = 0;
        for (int k = 0; k < 3; ++k)
            outside = std::max({outside, low[k] - x[k], x[k] - high[k]});
        const double radius = std::numbers::sqrt3 / 2 * body_extent(body);
        if (outside > 0)
            thickness = std::min(thickness, outside - radius);
    }
    thickness = std::max(thickness, 0.02 * thickest);

    std::vector<BulletWallPart> slabs;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            if (is_open(wall, axis, side))
                continue;
            Vec3d from = low, to = high;
            for (int k = 0; k < 3; ++k) {
                if (!is_open(wall, k, 0))
                    from[k] -= thickness;
                if (!is_open(wall, k, 1))
                    to[k] += thickness;
            }
            (side ? from[axis] : to[axis]) = side ? high[axis] : low[axis];
            slabs.push_back({make<btBoxShape>(kept, to_bullet((to - from) * 0.5, units.length)),
                             at(place, (from + to) * 0.5, units)});
        }
    return slabs;
}

std::vector<BulletWallPart> triangles(const TriangleMesh& surface, const BulletUnits& units,
                                      BulletShapes& kept) {
    if (surface.triangles.empty())
        return {};
    auto* mesh = make<btTriangleMesh>(kept);
    const auto corner = [&](std::uint32_t i) {
        return to_bullet(surface.vertices[i], units.length);
    };
    for (const auto& t : surface.triangles)
        mesh->addTriangle(corner(t[0]), corner(t[1]), corner(t[2]));
    auto* shape = make<btBvhTriangleMeshShape>(kept, mesh, true);
    shape->setMargin(0);
    return {{shape, btTransform::getIdentity()}};
}

}  // namespace

std::vector<BulletWallPart> bullet_wall_parts(const WallDescription& wall,
                                              std::span<const BodyDescription> bodies,
                                              const BulletUnits& units, BulletShapes& kept) {
    const Boundary& b = wall.boundary;
    const Place place(b);
    const Vector& s = b.scale;
    const bool uniform = s[0] > 0 && s[0] == s[1] && s[1] == s[2];

    if (b.box && (b.inside || b.open.empty())) {
        const Vec3d p = scaled(to_vec3d(b.box->min), s), q = scaled(to_vec3d(b.box->max), s);
        Vec3d low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(p[k], q[k]);
            high[k] = std::max(p[k], q[k]);
        }
        const bool mirrored = s[0] < 0 || s[1] < 0 || s[2] < 0;  // would swap the open faces
        if (b.inside && !(mirrored && !b.open.empty()))
            return tank(b, low, high, bodies, units, kept);
        if (!b.inside) {
            auto* box = make<btBoxShape>(kept, to_bullet((high - low) * 0.5, units.length));
            return {{box, at(place, (low + high) * 0.5, units)}};
        }
    }
    if (b.sphere && !b.inside && uniform)
        return {{make<btSphereShape>(kept, b.sphere->radius * s[0] * units.length),
                 at(place, scaled(to_vec3d(b.sphere->center), s), units)}};
    if (b.cylinder && !b.inside && uniform) {
        const Vec3d from = scaled(to_vec3d(b.cylinder->from), s),
                    to = scaled(to_vec3d(b.cylinder->to), s);
        const double r = b.cylinder->radius * s[0] * units.length, length = norm(to - from);
        auto* shape = make<btCylinderShape>(kept, btVector3(r, length * units.length / 2, r));
        shape->setMargin(0.01 * std::min(r, length * units.length / 2));
        const Vec3d axis = rotate(place.rotation, (to - from) / length);
        const btVector3 y(0, 1, 0);
        return {{shape, btTransform(shortestArcQuat(y, to_bullet(axis)),
                                    to_bullet(place.of((from + to) * 0.5), units.length))}};
    }
    if (b.plane) {
        // points scale by s, normals by 1/s
        Vec3d normal = scaled(to_vec3d(b.plane->normal), {1 / s[0], 1 / s[1], 1 / s[2]});
        normal = rotate(place.rotation, normal / norm(normal));
        const Vec3d point = place.of(scaled(to_vec3d(b.plane->point), s));
        auto* shape =
            make<btStaticPlaneShape>(kept, to_bullet(normal), dot(normal, point) * units.length);
        return {{shape, btTransform::getIdentity()}};
    }
    return triangles(wall.surface, units, kept);
}

}  // namespace millrace
