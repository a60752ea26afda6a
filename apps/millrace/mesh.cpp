#include <memory>

#include "commands.hpp"
#include "pass_options.hpp"
#include "passes/mesh_pass.hpp"
#include "platform/signals.hpp"

namespace millrace {
namespace {

struct MeshArguments {
    PassArguments pass;
    SurfaceOutput surface;
    int jobs = 0;
};

/// The scene's output.surface, changed by the options that were given.
SurfaceOutput wanted_surface(const MeshArguments& arguments, const CLI::App& command) {
    const SurfaceOutput defaults;
    SurfaceOutput surface = scene_of_run(arguments.pass.run).output.surface.value_or(defaults);
    if (command.count("--cell"))
        surface.cell = arguments.surface.cell;
    if (command.count("--smoothing"))
        surface.smoothing = arguments.surface.smoothing;
    if (command.count("--anisotropic"))
        surface.anisotropic = true;
    if (command.count("--keep"))
        surface.keep = arguments.surface.keep;
    if (command.count("--format"))
        surface.formats = arguments.pass.formats;
    return surface;
}

void mesh(MeshArguments arguments, const CLI::App& command) {
    arguments.pass.run = run_or_newest(arguments.pass.run);
    MeshRequest request;
    request.surface = wanted_surface(arguments, command);
    request.frames = start_pass(arguments.pass);
    request.run = arguments.pass.run;
    request.jobs = arguments.jobs;
    request.overwrite = arguments.pass.overwrite;
    request.quiet = arguments.pass.quiet;
    request.stop = [] { return platform::caught_signal() != 0; };
    const PassOutcome outcome = mesh_pass(request);
    end_pass(arguments.pass, outcome, "surfaces", (request.run / "surface.pvd").string());
}

}  // namespace

void add_mesh_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("mesh", "Surface meshes for the frames of a run");
    auto arguments = std::make_shared<MeshArguments>();
    add_pass_options(*command, arguments->pass);
    command
        ->add_option("--cell", arguments->surface.cell,
                     "Edge of a cell of marching cubes in spacings (0.5)")
        ->check(CLI::Range(0.25, 2.0));
    command
        ->add_option("--smoothing", arguments->surface.smoothing,
                     "Iterations of smoothing; 0: none (25)")
        ->check(CLI::Range(0, 1000));
    command->add_flag("--anisotropic", arguments->surface.anisotropic,
                      "Kernels stretched along the surface: smoother and slower");
    command
        ->add_option("--keep", arguments->surface.keep,
                     "Part of the triangles that decimation leaves, above 0 to 1 (1)")
        ->check(CLI::Range(0.001, 1.0));
    command
        ->add_option("--format", arguments->pass.formats,
                     "Files besides vtp: ply, obj, vdb; several with commas")
        ->delimiter(',')
        ->check(CLI::IsMember({"vtp", "ply", "obj", "vdb"}));
    command->add_option("--jobs", arguments->jobs, "Frames at once (as cores and memory allow)")
        ->check(CLI::Range(0, 1024));
    command->callback([arguments, command] { mesh(*arguments, *command); });
}

}  // namespace millrace
