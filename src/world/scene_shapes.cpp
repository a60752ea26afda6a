// The surfaces of a scene's walls and bodies as triangles.
#include <algorithm>

#include "geometry/mesh_file.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/point_file.hpp"
#include "geometry/primitives.hpp"
#include "geometry/remesh.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "world/scene_objects.hpp"

namespace millrace {

TriangleMesh surface_of(const MeshFile& mesh) {
    return transformed(load_mesh(mesh.file), to_vec3d(mesh.scale), to_quaternion(mesh.rotation),
                       to_vec3d(mesh.position));
}

std::vector<Vec3d> points_of(const PointFile& points) {
    TriangleMesh mesh;
    mesh.vertices = load_points(points.file);
    return transformed(mesh, to_vec3d(points.scale), to_quaternion(points.rotation),
                       to_vec3d(points.position))
        .vertices;
}

TriangleMesh surface_of(const Boundary& boundary, double edge) {
    TriangleMesh mesh;
    if (boundary.box)
        mesh = box_mesh(to_vec3d(boundary.box->min), to_vec3d(boundary.box->max));
    else if (boundary.sphere)
        mesh = sphere_mesh(to_vec3d(boundary.sphere->center), boundary.sphere->radius, edge);
    else if (boundary.cylinder)
        mesh = cylinder_mesh(to_vec3d(boundary.cylinder->from), to_vec3d(boundary.cylinder->to),
                             boundary.cylinder->radius, edge);
    else if (boundary.mesh)
        mesh = surface_of(*boundary.mesh);
    return transformed(mesh, to_vec3d(boundary.scale), to_quaternion(boundary.rotation),
                       to_vec3d(boundary.position));
}

TriangleMesh surface_of(const Body& body, double edge) {
    if (body.box) {
        const Vec3d half = to_vec3d(body.box->size) * 0.5;
        return box_mesh(-half, half);
    }
    const auto on_axis = [](double y) { return Vec3d{0, y, 0}; };
    if (body.sphere)
        return sphere_mesh(on_axis(0), body.sphere->radius, edge);
    if (body.cylinder)
        return cylinder_mesh(on_axis(-body.cylinder->height / 2),
                             on_axis(body.cylinder->height / 2), body.cylinder->radius, edge);
    if (body.capsule) {
        const double straight = std::max(0.0, body.capsule->height / 2 - body.capsule->radius);
        return capsule_mesh(on_axis(-straight), on_axis(straight), body.capsule->radius, edge);
    }
    return transformed(load_mesh(body.mesh->file), to_vec3d(body.mesh->scale),
                       Quaterniond::identity(), Vec3d::all(0));
}

Box box_around(const TriangleMesh& mesh) {
    const Bounds around = bounds(mesh);
    Box box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = around.min[k];
        box.max[k] = around.max[k];
    }
    return box;
}

Box boundary_bounds(const Boundary& boundary) {
    constexpr double k_coarse = 1e9;  // round shapes by their coarsest mesh
    return box_around(surface_of(boundary, k_coarse));
}

TriangleMesh closed_surface(const TriangleMesh& mesh, double spacing, const std::string& where,
                            std::vector<std::string>& warnings) {
    MeshHealth health = inspect(mesh);
    if (health.solid())
        return mesh;
    if (health.closed && health.oriented && !health.self_intersecting)
        return turned_over(mesh);
    const Vec3d size = bounds(mesh).size();
    const double largest = std::max({size[0], size[1], size[2]});
    const double voxel = std::max(std::min(spacing / 2, largest / 50), largest / 400);
    warnings.push_back(where + ": the mesh " + describe(health) +
                       "; a watertight surface was made from it, look whether it is the shape that "
                       "you mean");
    TriangleMesh mended = watertight(mesh, voxel);
    if (mended.triangles.empty())
        throw InputError(where + ": the mesh " + describe(health) +
                         " and encloses no volume; close its holes");
    return mended;
}

}  // namespace millrace
