#include "render/flat_objects.hpp"

#include <cmath>
#include <span>

#include "geometry/polygon.hpp"
#include "geometry/solid.hpp"
#include "render/stroke.hpp"

namespace millrace {
namespace {

constexpr double k_chain_width = 0.35;  // in spacings
constexpr double k_circle_corners = 96;

using Points = std::vector<Vec3d>;

Points in_space(std::span<const Vec2d> points) {
    Points result;
    for (const Vec2d& p : points)
        result.push_back({{p[0], p[1], 0}});
    return result;
}

std::vector<Vec2d> in_plane(const Points& points) {
    std::vector<Vec2d> result;
    for (const Vec3d& p : points)
        result.push_back({{p[0], p[1]}});
    return result;
}

void add_area(ObjectMesh& object, const Points& corners) {
    TriangleMesh area{corners, triangulated(in_plane(corners))};
    append(object.surface, area);
}

void add_outline(ObjectMesh& object, Points corners) {
    corners.push_back(corners.front());
    object.lines.push_back(std::move(corners));
}

/// Three corners a triangle.
void add_triangles(ObjectMesh& object, const Points& corners) {
    TriangleMesh more{corners, {}};
    for (std::uint32_t i = 0; i + 2 < corners.size(); i += 3)
        more.triangles.push_back({i, i + 1, i + 2});
    append(object.surface, more);
}

/// The outline of a shape that has one.
Points outline_of(const PlacedShape<2>& shape) {
    if (const auto* box = std::get_if<PlacedBox<2>>(&shape))
        return in_space(corners_of(*box));
    if (const auto* disc = std::get_if<PlacedBall<2>>(&shape))
        return in_space(corners_of(*disc, 2 * M_PI * disc->radius / k_circle_corners));
    if (const auto* polygon = std::get_if<PlacedPolygon>(&shape))
        return in_space(polygon->corners);
    return {};
}

ObjectMesh wall_object(const Boundary& wall) {
    ObjectMesh object;
    object.name = wall.name;
    object.color = wall.color;
    return object;
}

ObjectMesh body_object(const Body& body) {
    ObjectMesh object;
    object.name = body.name;
    object.is_body = true;
    object.color = body.color;
    std::vector<std::string> warnings;  // of meshes, which there are none of in 2D
    const PlacedShape<2> shape = make_body<2>(body, 1, body.name, warnings).solid.shape;
    const Points corners = outline_of(shape);
    if (const auto* disc = std::get_if<PlacedBall<2>>(&shape))  // to see it turn
        object.lines.push_back({in_space(std::array{disc->center})[0], corners[0]});
    add_area(object, corners);
    add_outline(object, corners);
    return object;
}

/// A band behind every closed face.
void add_tank(ObjectMesh& object, const PlacedBox<2>& tank, double band) {
    for (const PlacedBox<2>& slab : tank_slabs<2>(tank, band))
        add_area(object, in_space(corners_of(slab)));
}

/// Everything behind the line, as far as one sees.
void add_half_plane(ObjectMesh& object, const PlacedHalfSpace<2>& half, double reach) {
    const Vec2d out = half.normal * reach, along{{-out[1], out[0]}};
    add_area(object, in_space(std::array{half.point - along, half.point + along,
                                         half.point + along - out, half.point - along - out}));
}

}  // namespace

std::vector<ObjectMesh> flat_objects(const Scene& scene) {
    std::vector<ObjectMesh> objects;
    for (const Boundary& wall : scene.boundaries) {
        const Solid<2> solid = make_wall<2>(wall, scene.spacing);
        if (std::holds_alternative<PlacedBox<2>>(solid.shape) ||
            std::holds_alternative<PlacedHalfSpace<2>>(solid.shape))
            continue;
        ObjectMesh object = wall_object(wall);
        const Points corners = outline_of(solid.shape);
        const double width = k_chain_width * scene.spacing;
        if (const auto* chain = std::get_if<PlacedChain>(&solid.shape)) {
            add_triangles(object, stroke(in_space(chain->points), width));
        } else if (solid.hollow) {
            Points around = corners;
            around.push_back(Vec3d(around.front()));
            add_triangles(object, stroke(around, width));
        } else {
            add_area(object, corners);
            add_outline(object, corners);
        }
        objects.push_back(std::move(object));
    }
    for (const Body& body : scene.bodies)
        objects.push_back(body_object(body));
    return objects;
}

std::vector<ObjectMesh> flat_walls(const Scene& scene, double band, double reach) {
    std::vector<ObjectMesh> objects;
    for (const Boundary& wall : scene.boundaries) {
        const Solid<2> solid = make_wall<2>(wall, scene.spacing);
        ObjectMesh object = wall_object(wall);
        const auto* box = std::get_if<PlacedBox<2>>(&solid.shape);
        if (const auto* half = std::get_if<PlacedHalfSpace<2>>(&solid.shape))
            add_half_plane(object, *half, reach);
        else if (box && solid.hollow)
            add_tank(object, *box, band);
        else if (box)
            add_area(object, outline_of(solid.shape));
        else
            continue;
        objects.push_back(std::move(object));
    }
    return objects;
}

}  // namespace millrace
