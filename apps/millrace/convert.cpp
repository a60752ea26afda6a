#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "io/atomic_file.hpp"
#include "io/endings.hpp"
#include "io/mesh_formats.hpp"
#include "io/particle_formats.hpp"
#include "io/ply_mesh.hpp"
#include "load.hpp"
#include "millrace/error.hpp"
#include "scene/mesh_files.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
    std::string in, out;
    std::vector<std::string> settings;
    double voxel = 0;  ///< [m]; 0: the mean edge of the triangles
    bool overwrite = false;
};

enum class Kind { scene, particles, surface };

/// A PLY file may be either; its header tells.
Kind kind_of_ply(const std::string& file) {
    const std::string bytes = read_file(file);
    try {
        return ply_has_faces(bytes) ? Kind::surface : Kind::particles;
    } catch (const InputError& e) {
        throw InputError(file + ": " + e.what());
    }
}

Kind kind_of(const std::string& file) {
    const std::string ending = ending_of(file);
    if (ending == "json")
        return Kind::scene;
    if (ending == "ply")
        return kind_of_ply(file);
    if (is_one_of(ending, particle_formats()))
        return Kind::particles;
    if (ending == "vtp")
        return Kind::surface;
    std::vector<std::string> known = particle_formats();
    known.insert(known.end(), {"vtp", "json"});
    reject_ending(file, "convert to read", known);
}

double mean_edge(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            sum += norm(mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]);
    return sum > 0 ? sum / (3. * static_cast<double>(mesh.triangles.size())) : 1;
}

void check_free(const ConvertArguments& arguments) {
    std::error_code none;
    const fs::file_status there = fs::status(arguments.out, none);
    if (fs::exists(there) && !fs::is_regular_file(there))  // a device would be replaced by a file
        throw InputError(arguments.out + ": is there and is not a file; choose another name");
    if (fs::exists(there) && !arguments.overwrite)
        throw InputError(arguments.out + ": is there already; --overwrite replaces it");
}

void convert_scene(const ConvertArguments& arguments) {
    Scene scene = load_scene_aloud(arguments.in, arguments.settings);
    if (ending_of(arguments.out) != "json")
        reject_ending(arguments.out, "scenes", {"json"});
    check_free(arguments);
    const fs::path folder = fs::absolute(arguments.out).lexically_normal().parent_path();
    scene_file::for_each_mesh_file(scene, [&](std::string& file, const std::string&) {
        const fs::path from_here = fs::path(file).lexically_relative(folder);
        if (!from_here.empty())
            file = from_here.string();
    });
    write_file(arguments.out, scene_to_json(scene));
}

void convert(const ConvertArguments& arguments) {
    const Kind kind = kind_of(arguments.in);
    if (kind == Kind::scene)
        return convert_scene(arguments);
    if (!arguments.settings.empty())
        throw InputError("--set: is for scenes only");
    check_free(arguments);
    if (kind == Kind::particles)
        return write_particles(arguments.out, read_particles(arguments.in));
    const SurfaceFrame surface = read_mesh(arguments.in);
    write_mesh(arguments.out, surface,
               arguments.voxel > 0 ? arguments.voxel : mean_edge(surface.mesh));
}

}  // namespace

void add_convert_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "convert",
        "Write a scene of SPlisHSPlasH as a native one, every default written out; or a frame of "
        "particles or a surface in another format");
    auto arguments = std::make_shared<ConvertArguments>();
    command->add_option("IN", arguments->in, "Scene, frame or surface")->required();
    command->add_option("OUT", arguments->out, "File to write; the ending tells the format")
        ->required();
    command
        ->add_option("--voxel", arguments->voxel,
                     "Edge of the voxels of a .vdb file [m] (the mean edge of the triangles)")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--set", arguments->settings,
                     "Another value for a key of the native scene, key.path=value; may be repeated")
        ->allow_extra_args(false);
    command->add_flag("--overwrite", arguments->overwrite, "Replace the file");
    command->callback([arguments] { convert(*arguments); });
}

}  // namespace millrace
