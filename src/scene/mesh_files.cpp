#include "scene/mesh_files.hpp"

#include <filesystem>

#include "files/whole_file.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file {

namespace fs = std::filesystem;

void for_each_mesh_file(Scene& scene,
                        const std::function<void(std::string&, const std::string&)>& visit) {
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        std::vector<Fill>& fill = scene.fluids[i].fill;
        for (std::size_t j = 0; j < fill.size(); ++j) {
            const std::string place = entry("fluids", i) + "." + entry("fill", j);
            if (MeshFile* mesh = std::get_if<MeshFile>(&fill[j].shape)) {
                visit(mesh->file, place + ".mesh.file");
            }
            if (PointFile* points = std::get_if<PointFile>(&fill[j].shape)) {
                visit(points->file, place + ".points.file");
            }
        }
    }
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        if (MeshFile* mesh = std::get_if<MeshFile>(&scene.boundaries[i].shape)) {
            visit(mesh->file, entry("boundaries", i) + ".mesh.file");
        }
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (BodyMesh* mesh = std::get_if<BodyMesh>(&scene.bodies[i].shape)) {
            visit(mesh->file, entry("bodies", i) + ".mesh.file");
        }
    }
}

std::string with_mesh_key(const Scene& scene, const std::string& problem) {
    std::string key;
    Scene copy = scene;
    for_each_mesh_file(copy, [&](const std::string& file, const std::string& place) {
        if (key.empty() && problem.starts_with(file + ": ")) {
            key = place + ": ";
        }
    });
    return key + problem;
}

void find_mesh_files(Scene& scene, const std::string& scene_path) {
    const fs::path folder = fs::absolute(scene_path).parent_path();
    for_each_mesh_file(scene, [&](std::string& file, const std::string& place) {
        const std::string path = (folder / file).lexically_normal().string();
        const std::string problem = file_problem(path);
        if (!problem.empty()) {
            fail(scene_path, place, "cannot be read: " + problem + " (" + file + ")");
        }
        file = path;
    });
}

}  // namespace millrace::scene_file
