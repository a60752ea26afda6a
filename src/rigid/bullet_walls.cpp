#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include "rigid/bullet_shapes.hpp"

namespace millrace {
namespace {

std::vector<BulletPart> triangles(const TriangleMesh& surface, const BulletUnits& units,
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

std::vector<BulletPart> bullet_wall_parts(const WallDescription& description,
                                          std::span<const BodyDescription> bodies,
                                          const BulletUnits& units, BulletShapes& kept) {
    const Solid<3>& wall = std::get<Solid<3>>(description.solid);
    const auto* box = std::get_if<PlacedBox<3>>(&wall.shape);
    if (box && wall.hollow) {
        std::vector<BulletPart> slabs;
        for (const PlacedBox<3>& slab : tank_slabs<3>(*box, tank_thickness<3>(wall, bodies)))
            slabs.push_back(bullet_primitive(slab, units, kept));
        return slabs;
    }
    if (!wall.hollow && !(box && box->has_open_faces()))
        if (const BulletPart part = bullet_primitive(wall.shape, units, kept); part.shape)
            return {part};
    return triangles(wall.surface(), units, kept);
}

}  // namespace millrace
