#include "render/object_meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "io/surface_files.hpp"

namespace millrace {
namespace {

constexpr double k_hard_angle = 40 * M_PI / 180;

Vec3d unit(const Vec3d& v) {
    const double length = norm(v);
    return length > 0 ? v / length : v;
}

std::vector<Vec3d> unit_normals(const TriangleMesh& mesh) {
    std::vector<Vec3d> normals;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        normals.push_back(unit(mesh.normal(t)));
    return normals;
}

/// Of a triangle at one of its vertices [rad].
double angle_at(const TriangleMesh& mesh, std::size_t triangle, std::uint32_t vertex) {
    const auto& t = mesh.triangles[triangle];
    const int k = t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
    const Vec3d a = mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[vertex];
    const Vec3d b = mesh.vertices[t[(k + 2) % 3]] - mesh.vertices[vertex];
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

/// The triangles around every vertex, one list after the other.
struct Around {
    std::vector<std::size_t> first;  ///< of the list of a vertex; one more at the end
    std::vector<std::size_t> triangles;

    explicit Around(const TriangleMesh& mesh) : first(mesh.vertices.size() + 1, 0) {
        for (const auto& triangle : mesh.triangles)
            for (const std::uint32_t v : triangle)
                ++first[v + 1];
        for (std::size_t v = 1; v < first.size(); ++v)
            first[v] += first[v - 1];
        triangles.resize(first.back());
        std::vector<std::size_t> next(first.begin(), first.end() - 1);
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            for (const std::uint32_t v : mesh.triangles[t])
                triangles[next[v]++] = t;
    }
};

}  // namespace

std::vector<ObjectMesh> load_object_meshes(const std::filesystem::path& run, const Scene& scene) {
    const SurfaceFiles files = surface_files(scene);
    std::vector<ObjectMesh> objects;
    const auto add = [&](ObjectMesh object, const std::string& file) {
        const std::filesystem::path path = run / "meshes" / file;
        if (!std::filesystem::exists(path)) {
            std::fprintf(stderr, "warning: %s is missing: '%s' is not drawn\n", path.c_str(),
                         object.name.c_str());
            return;
        }
        object.surface = read_surface(path);
        objects.push_back(std::move(object));
    };
    for (std::size_t w = 0; w < scene.boundaries.size(); ++w) {
        const Boundary& wall = scene.boundaries[w];
        if (!std::holds_alternative<Box>(wall.shape) && !std::holds_alternative<Plane>(wall.shape))
            add({wall.name, false, wall.inside || wall.glass, wall.color, {}}, files.walls[w]);
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        add({scene.bodies[b].name, true, scene.bodies[b].glass, scene.bodies[b].color, {}},
            files.bodies[b]);
    return objects;
}

std::vector<Corner> shaded_corners(const TriangleMesh& given) {
    const TriangleMesh mesh = welded(given);
    const std::vector<Vec3d> normals = unit_normals(mesh);
    const Around around(mesh);
    const double least = std::cos(k_hard_angle);
    std::vector<Corner> corners;
    corners.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const std::uint32_t v : mesh.triangles[t]) {
            Vec3d sum = Vec3d::all(0);
            for (std::size_t k = around.first[v]; k < around.first[v + 1]; ++k) {
                const std::size_t other = around.triangles[k];
                if (other == t || dot(normals[t], normals[other]) > least)
                    sum += normals[other] * angle_at(mesh, other, v);
            }
            corners.push_back({Vec3::from(mesh.vertices[v]), Vec3::from(unit(sum))});
        }
    return corners;
}

std::vector<std::array<Vec3d, 2>> hard_edges(const TriangleMesh& given) {
    const TriangleMesh mesh = welded(given);
    const std::vector<Vec3d> normals = unit_normals(mesh);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> sides;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            sides[std::minmax(a, b)].push_back(t);
        }
    std::vector<std::array<Vec3d, 2>> edges;
    for (const auto& [ends, triangles] : sides)
        if (triangles.size() != 2 ||
            dot(normals[triangles[0]], normals[triangles[1]]) < std::cos(k_hard_angle))
            edges.push_back({mesh.vertices[ends.first], mesh.vertices[ends.second]});
    return edges;
}

}  // namespace millrace
