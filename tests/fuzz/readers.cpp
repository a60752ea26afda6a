#include "fuzz/readers.hpp"

#include <stdexcept>

#include "geometry/mesh_file.hpp"
#include "geometry/mesh_health.hpp"
#include "io/body_lines.hpp"
#include "io/checkpoint.hpp"
#include "io/endings.hpp"
#include "io/mesh_formats.hpp"
#include "io/particle_formats.hpp"
#include "io/ply_mesh.hpp"
#include "io/ply_particles.hpp"
#include "io/pvd.hpp"
#include "millrace/error.hpp"
#include "millrace/simulation.hpp"

namespace millrace::fuzz {
namespace {

/// A scene that is taken is written as it was read, and its size can be told; a small one is built.
void read_scene(const std::string& file) {
    std::vector<std::string> warnings;
    const Scene scene = load_scene(file, {}, &warnings);
    const std::string text = scene_to_json(scene);
    if (scene_to_json(parse_scene(text, "resolved")) != text)
        throw std::logic_error("the resolved scene is another one when it is read");
    const SceneSize size = estimate_size(scene);
#ifdef __SANITIZE_ADDRESS__
    constexpr double k_small = 0;  // the sanitizers take seconds to build one
#else
    constexpr double k_small = 3000;  // particles
#endif
    if (size.fluid_particles + size.boundary_particles < k_small)
        Simulation(scene, {.device = "cpu", .threads = 1});
}

void read_model(const std::string& file) {
    const TriangleMesh mesh = load_mesh(file);
    constexpr std::size_t k_most = 5000;  // what a small file becomes
    if (mesh.triangles.size() > k_most)
        throw std::logic_error("more triangles than so small a file can hold");
    inspect(mesh);
}

/// What is read can be written.
void read_frame(const std::filesystem::path& file) {
    if (ending_of(file) == "vtp") {
        mesh_to_ply(read_mesh(file));
        return;
    }
    const ParticleFrame frame = read_particles(file);
    check_frame(frame);
    try {
        particles_to_ply(frame);
    } catch (const RunError&) {
        // a name of a field that no PLY file can hold
    }
}

void read_surface(const std::filesystem::path& file) {
    mesh_to_ply(read_mesh(file));
}

void read_lines(const std::filesystem::path& file) {
    if (ending_of(file) == "pvd")
        read_pvd(file);
    else
        read_body_lines(file);
}

/// Whether there was none.
template <class Read>
bool expecting_errors(const Read& read) {
    try {
        read();
        return true;
    } catch (const InputError& e) {
        constexpr std::size_t k_longest = 3000;
        if (std::string(e.what()).size() > k_longest)
            throw std::logic_error("a message that nobody reads to its end");
    }
    return false;
}

}  // namespace

bool read_input(const std::string& kind, const std::filesystem::path& file) {
    const bool taken = expecting_errors([&] {
        if (kind == "scenes")
            read_scene(file);
        else if (kind == "meshes")
            read_model(file);
        else if (kind == "frames")
            read_frame(file);
        else if (kind == "checkpoints")
            read_checkpoint(file);
        else if (kind == "lines")
            read_lines(file);
        else
            throw std::logic_error("there is no kind of input '" + kind + "'");
    });
    if (taken || kind != "frames" || ending_of(file) != "ply")
        return taken;
    return expecting_errors([&] { read_surface(file); });  // by the same name
}

}  // namespace millrace::fuzz
