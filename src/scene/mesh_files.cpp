#include "scene/mesh_files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "scene/text.hpp"

namespace millrace::scene_file {

namespace fs = std::filesystem;

void for_each_mesh_file(Scene& scene,
                        const std::function<void(std::string&, const std::string&)>& visit) {
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        std::vector<Fill>& fill = scene.fluids[i].fill;
        for (std::size_t j = 0; j < fill.size(); ++j) {
            if (fill[j].mesh) {
                visit(fill[j].mesh->file,
                      entry("fluids", i) + "." + entry("fill", j) + ".mesh.file");
            }
        }
    }
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        if (scene.boundaries[i].mesh) {
            visit(scene.boundaries[i].mesh->file, entry("boundaries", i) + ".mesh.file");
        }
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (scene.bodies[i].mesh) {
            visit(scene.bodies[i].mesh->file, entry("bodies", i) + ".mesh.file");
        }
    }
}

void find_mesh_files(Scene& scene, const std::string& scene_path) {
    const fs::path folder = fs::absolute(scene_path).parent_path();
    for_each_mesh_file(scene, [&](std::string& file, const std::string& place) {
        const std::string path = (folder / file).lexically_normal().string();
        std::error_code ignored;
        errno = 0;
        const bool readable = std::ifstream(path, std::ios::binary).good();
        const bool is_folder = fs::is_directory(path, ignored);
        if (!readable || is_folder) {
            fail(scene_path, place,
                 std::string("cannot be read: ") + std::strerror(is_folder ? EISDIR : errno) +
                     " (" + file + ")");
        }
        file = path;
    });
}

}  // namespace millrace::scene_file
