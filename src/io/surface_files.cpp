#include "io/surface_files.hpp"

#include <algorithm>

#include "geometry/mesh_file.hpp"
#include "io/atomic_file.hpp"
#include "io/ply_mesh.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

bool contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

template <class Object>
std::vector<std::string> names_of(const std::vector<Object>& objects) {
    std::vector<std::string> names;
    for (const Object& object : objects)
        names.push_back(object.name);
    return names;
}

TriangleMesh to_mesh(const ObjectSurface& surface) {
    TriangleMesh mesh;
    for (const Vector& x : surface.vertices)
        mesh.vertices.push_back({{x[0], x[1], x[2]}});
    mesh.triangles = surface.triangles;
    return mesh;
}

void write_surface(const fs::path& path, const TriangleMesh& mesh) {
    PendingFile pending(path);
    try {
        write_ply(mesh, pending.temporary().string());
    } catch (const RunError&) {  // it names the temporary file
        throw RunError(path.string() +
                       ": cannot be written; check the folder and the space on the disk");
    }
    pending.commit();
}

}  // namespace

SurfaceFiles surface_files(const std::vector<std::string>& walls,
                           const std::vector<std::string>& bodies) {
    const bool shared = std::any_of(walls.begin(), walls.end(), [&](const std::string& name) {
        return contains(bodies, name);
    });
    SurfaceFiles files;
    for (const std::string& name : walls)
        files.walls.push_back((shared ? "wall_" : "") + name + ".ply");
    for (const std::string& name : bodies)
        files.bodies.push_back((shared ? "body_" : "") + name + ".ply");
    return files;
}

SurfaceFiles surface_files(const Scene& scene) {
    return surface_files(names_of(scene.boundaries), names_of(scene.bodies));
}

void write_surfaces(const fs::path& folder, const Scene& scene,
                    const std::vector<ObjectSurface>& surfaces) {
    const SurfaceFiles files = surface_files(scene);
    const auto write = [&](const std::string& name, bool is_body, const std::string& file) {
        for (const ObjectSurface& surface : surfaces) {
            if (surface.name != name || surface.is_body != is_body)
                continue;
            const TriangleMesh mesh = to_mesh(surface);
            if (mesh.triangles.empty())
                continue;
            make_folder(folder);
            write_surface(folder / file, mesh);
        }
    };
    for (std::size_t w = 0; w < scene.boundaries.size(); ++w)
        write(scene.boundaries[w].name, false, files.walls[w]);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        write(scene.bodies[b].name, true, files.bodies[b]);
}

TriangleMesh read_surface(const fs::path& path) {
    const std::string bytes = read_file(path);
    try {
        const SurfaceMesh surface = mesh_from_ply(bytes).mesh;
        TriangleMesh mesh;
        for (const Vec3& x : surface.vertices)
            mesh.vertices.push_back(Vec3d::from(x));
        mesh.triangles = surface.triangles;
        return mesh;
    } catch (const InputError& e) {
        throw InputError(path.string() + ": " + e.what());
    }
}

ObjectSurfaces load_object_surfaces(const fs::path& run, const Scene& scene) {
    const auto load = [&](const std::string& file) {
        const fs::path path = run / "meshes" / file;
        return fs::exists(path) ? read_surface(path) : TriangleMesh();
    };
    const SurfaceFiles files = surface_files(scene);
    ObjectSurfaces surfaces;
    for (const std::string& file : files.walls)
        surfaces.walls.push_back(load(file));
    for (const std::string& file : files.bodies)
        surfaces.bodies.push_back(load(file));
    return surfaces;
}

}  // namespace millrace
