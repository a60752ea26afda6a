#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "geometry/solid.hpp"
#include "io/particle_frame.hpp"
#include "io/run_totals.hpp"
#include "load.hpp"
#include "millrace/error.hpp"
#include "millrace/simulation.hpp"
#include "passes/estimate.hpp"
#include "passes/run_estimate.hpp"
#include "scene/mesh_files.hpp"
#include "world/pool_world.hpp"

namespace millrace {
namespace {

constexpr double k_trial_seconds = 4;  // of the run that tells how fast the fluid will be

/// A fluid, a boundary or a body by itself.
SceneSize size_of(Scene scene, std::vector<Fluid> fluids, std::vector<Boundary> boundaries,
                  std::vector<Body> bodies) {
    scene.fluids = std::move(fluids);
    scene.boundaries = std::move(boundaries);
    scene.bodies = std::move(bodies);
    return estimate_size(scene);
}

void print_objects(const Scene& scene) {
    for (const Boundary& boundary : scene.boundaries)
        std::printf("wall        %s: about %.0f particles\n", boundary.name.c_str(),
                    size_of(scene, {}, {boundary}, {}).boundary_particles);
    for (const Body& body : scene.bodies)
        std::printf("body        %s: about %.0f particles\n", body.name.c_str(),
                    size_of(scene, {}, {}, {body}).boundary_particles);
}

/// Of a 2D scene that runs in the pool or as constraints: its walls and bodies have no samples.
void print_flat_objects(const Scene& scene) {
    std::vector<std::string> warnings;
    for (const Boundary& boundary : scene.boundaries)
        std::printf("wall        %s\n", boundary.name.c_str());
    for (const Body& body : scene.bodies)
        std::printf("body        %s: %.3g kg\n", body.name.c_str(),
                    make_body<2>(body, scene.spacing, body.name, warnings).mass);
    const double radius =
        scene.engine == "game" ? kernel_radius(scene) : scene.support * scene.spacing;
    std::printf("kernel      radius %.3g m, of method %s\n", radius, scene.pressure.method.c_str());
}

double print_time_step(const Scene& scene) {
    if (scene.engine == "game") {
        const TimeStep& step = scene.time_step;
        const double speed = expected_speed(scene);
        const bool fixed = step.mode == "fixed";
        const double dt = fixed ? step.dt : step.max;
        const double parts = fixed ? 1 : std::ceil(dt * speed / (step.cfl * scene.spacing));
        const double steps = std::ceil(scene.end / dt - 1e-6);
        std::printf(
            "time step   %.3g ms: %.0f steps, of about %.0f parts at the largest expected "
            "speed, %.3g m/s\n",
            1000 * dt, steps, std::max(1.0, parts), speed);
        return steps;
    }
    const double steps = estimate_steps(scene, k_trial_seconds);
    const double mean = 1000 * scene.end / std::max(steps, 1.0);
    if (scene.time_step.mode == "fixed")
        std::printf("time step   %.3g ms: %.0f steps\n", 1000 * scene.time_step.dt, steps);
    else
        std::printf(
            "time step   about %.2g ms on average: about %.2g steps; an estimate, within a factor "
            "of 2\n",
            mean, steps);
    return steps;
}

void print_scene(const Scene& scene, const std::string& file) {
    std::printf("%s: %dD, spacing %g m, %g s\n", scene.name.c_str(), scene.dimension, scene.spacing,
                scene.end);
    std::printf("engine      %s\n", scene.engine.c_str());
    const StartCount count = count_at_start(scene);
    const SceneSize size = estimate_size(scene);
    const double last = std::max(size.fluid_particles, count.fluid);
    const char* about = count.is_exact ? "" : "about ";
    for (std::size_t f = 0; f < scene.fluids.size(); ++f)
        std::printf("fluid       %s: %s%.0f particles at the start, %g kg/m^3\n",
                    scene.fluids[f].name.c_str(), about, count.of_fluids[f],
                    scene.fluids[f].density);
    if (scene.engine == "game" || (scene.dimension == 2 && scene.engine == "constraints"))
        print_flat_objects(scene);
    else
        print_objects(scene);
    std::printf("particles   %s%.0f of fluid at the start, %s%.0f of walls and bodies\n", about,
                count.fluid, about, count.boundary);
    if (has_emitters(scene))
        std::printf("emitters    up to %.0f particles of fluid at the end\n", last);
    std::printf("memory      about %s\n",
                bytes_text(size.bytes + frame_memory(scene, last)).c_str());
    const double steps = print_time_step(scene);
    const double frames = std::ceil(scene.end * scene.output.fps - 1e-6) + 1;
    std::printf("frames      %.0f\n", frames);
    const double disk =
        estimate_disk(scene, count.fluid, has_emitters(scene) ? last : count.fluid, steps);
    std::printf("disk        about %s for all that the run leaves\n", bytes_text(disk).c_str());
    std::printf("probes      %zu\n", scene.probes.size());
    std::fflush(stdout);
    warn_of_disk(disk, std::filesystem::current_path());
    for (const std::string& warning : count.warnings)
        std::fprintf(stderr, "warning: %s: %s\n", file.c_str(), warning.c_str());
}

void info(const std::string& file, const std::vector<std::string>& settings) {
    const Scene scene = load_scene_aloud(file, settings);
    try {
        static_cast<void>(estimate_size(scene));  // what is wrong, before the first line
        print_scene(scene, file);
    } catch (const InputError& e) {
        throw InputError(file + ": " + scene_file::with_mesh_key(scene, e.what()));
    }
}

}  // namespace

void add_info_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "info", "What a scene contains: particles, memory, time step, frames, disk space");
    auto file = std::make_shared<std::string>();
    auto settings = std::make_shared<std::vector<std::string>>();
    command->add_option("SCENE", *file, "Scene file")->required();
    command
        ->add_option("--set", *settings,
                     "Another value for a key of the scene, key.path=value; may be repeated")
        ->allow_extra_args(false);
    command->callback([file, settings] { info(*file, *settings); });
}

}  // namespace millrace
