#include "render/flat_objects.hpp"

#include <algorithm>

#include "geometry/polygon.hpp"
#include "math/scene_vectors.hpp"
#include "render/stroke.hpp"

namespace millrace {
namespace {

constexpr double k_chain_width = 0.35;  // in spacings

using Points = std::vector<Vec3d>;

Points points_of(const std::vector<Vector>& points) {
    Points result;
    for (const Vector& p : points)
        result.push_back(to_vec3d(p));
    return result;
}

Points rectangle(double x0, double y0, double x1, double y1) {
    return {{{x0, y0, 0}}, {{x1, y0, 0}}, {{x1, y1, 0}}, {{x0, y1, 0}}};
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

/// Scaled, turned and moved, as the scene says.
Points placed(Points points, const Boundary& wall) {
    const Quaterniond rotation = to_quaternion(wall.rotation);
    for (Vec3d& p : points) {
        for (int k = 0; k < 3; ++k)
            p[k] *= wall.scale[k];
        p = rotate(rotation, p) + to_vec3d(wall.position);
    }
    return points;
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
    Points corners;
    if (body.box) {
        const double x = body.box->size[0] / 2, y = body.box->size[1] / 2;
        corners = rectangle(-x, -y, x, y);
    } else if (body.circle) {
        corners = circle_points(Vec3d::all(0), body.circle->radius);
        object.lines.push_back({Vec3d::all(0), corners[0]});  // to see it turn
    } else {
        corners = points_of(body.polygon->points);
        const Vec2d center = centroid(in_plane(corners));
        for (Vec3d& p : corners)
            p -= {{center[0], center[1], 0}};
    }
    add_area(object, corners);
    add_outline(object, corners);
    return object;
}

void add_tank(ObjectMesh& object, const Boundary& wall, double band) {
    const Vector &low = wall.box->min, &high = wall.box->max;
    const auto width = [&](const char* face, int axis) {
        const bool is_open = std::ranges::find(wall.open, face) != wall.open.end();
        return is_open ? 0.0 : band / std::abs(wall.scale[axis]);
    };
    const double left = width("-x", 0), right = width("+x", 0);
    const double bottom = width("-y", 1), top = width("+y", 1);
    const auto add = [&](double x0, double y0, double x1, double y1) {
        if (x0 < x1 && y0 < y1)
            add_area(object, placed(rectangle(x0, y0, x1, y1), wall));
    };
    add(low[0] - left, low[1], low[0], high[1]);
    add(high[0], low[1], high[0] + right, high[1]);
    // the bands along x also cover the corners, where they meet one along y
    add(low[0] - left, low[1] - bottom, high[0] + right, low[1]);
    add(low[0] - left, high[1], high[0] + right, high[1] + top);
}

/// Everything behind the line, as far as one sees.
void add_half_plane(ObjectMesh& object, const Boundary& wall, double reach) {
    const Quaterniond rotation = to_quaternion(wall.rotation);
    Vec3d normal = to_vec3d(wall.plane->normal);
    for (int k = 0; k < 2; ++k)
        normal[k] /= wall.scale[k];
    normal = rotate(rotation, normal / norm(normal)) * reach;
    const Vec3d along{{-normal[1], normal[0], 0}};
    const Vec3d point = placed({to_vec3d(wall.plane->point)}, wall)[0];
    add_area(object,
             {point - along, point + along, point + along - normal, point - along - normal});
}

}  // namespace

std::vector<ObjectMesh> flat_objects(const Scene& scene) {
    std::vector<ObjectMesh> objects;
    for (const Boundary& wall : scene.boundaries) {
        if (wall.box || wall.plane)
            continue;
        ObjectMesh object = wall_object(wall);
        if (wall.chain) {
            add_triangles(object, stroke(placed(points_of(wall.chain->points), wall),
                                         k_chain_width * scene.spacing));
        } else {
            const Points corners = placed(
                wall.circle ? circle_points(to_vec3d(wall.circle->center), wall.circle->radius)
                            : points_of(wall.polygon->points),
                wall);
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
        ObjectMesh object = wall_object(wall);
        if (wall.plane)
            add_half_plane(object, wall, reach);
        else if (wall.box && wall.inside)
            add_tank(object, wall, band);
        else if (wall.box)
            add_area(object, placed(rectangle(wall.box->min[0], wall.box->min[1], wall.box->max[0],
                                              wall.box->max[1]),
                                    wall));
        else
            continue;
        objects.push_back(std::move(object));
    }
    return objects;
}

}  // namespace millrace
