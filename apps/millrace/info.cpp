#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "millrace/simulation.hpp"

namespace millrace {
namespace {

/// Of a particle in a frame with all fields, compressed (docs/running.md).
constexpr double k_frame_bytes_per_particle = 44;

/// "1.5 MB"
std::string bytes_text(double bytes) {
    const char* units[] = {"bytes", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 4; ++unit)
        bytes /= 1000;
    char text[64];
    std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
    return text;
}

/// A fluid or a boundary by itself.
SceneSize size_of(Scene scene, std::vector<Fluid> fluids, std::vector<Boundary> boundaries) {
    scene.fluids = std::move(fluids);
    scene.boundaries = std::move(boundaries);
    return estimate_size(scene);
}

/// The speed that the fluid may reach: v^2 = v0^2 + 2 g H, with the way H down along gravity from
/// the highest water to the lowest water or wall.
double expected_speed(const Scene& scene) {
    double g = 0;
    for (const double component : scene.gravity)
        g = std::hypot(g, component);
    double highest = -std::numeric_limits<double>::infinity(), lowest = -highest, v0 = 0;
    const auto height = [&](const Box& box, bool top) {
        double sum = 0;  // of the corner that is highest or lowest
        for (int k = 0; k < scene.dimension; ++k) {
            const double up = g > 0 ? -scene.gravity[k] / g : 0;
            sum += up * ((up > 0) == top ? box.max[k] : box.min[k]);
        }
        return sum;
    };
    for (const Fluid& fluid : scene.fluids) {
        v0 = std::max(v0, std::hypot(fluid.velocity[0], fluid.velocity[1], fluid.velocity[2]));
        for (const Fill& fill : fluid.fill) {
            highest = std::max(highest, height(fill.box, true));
            lowest = std::min(lowest, height(fill.box, false));
        }
    }
    for (const Boundary& boundary : scene.boundaries)
        lowest = std::min(lowest, height(boundary.box, false));
    return std::sqrt(v0 * v0 + 2 * g * (highest - lowest));
}

void info(const std::string& file, const std::vector<std::string>& settings) {
    const Scene scene = load_scene(file, settings);
    std::printf("%s: %dD, spacing %g m, %g s\n", scene.name.c_str(), scene.dimension, scene.spacing,
                scene.end);
    for (const Fluid& fluid : scene.fluids)
        std::printf("fluid       %s: %.0f particles, %g kg/m^3\n", fluid.name.c_str(),
                    size_of(scene, {fluid}, {}).fluid_particles, fluid.density);
    for (const Boundary& boundary : scene.boundaries)
        std::printf("wall        %s: %.0f particles\n", boundary.name.c_str(),
                    size_of(scene, {}, {boundary}).boundary_particles);
    const SceneSize size = estimate_size(scene);
    std::printf("memory      about %s for %.0f particles\n", bytes_text(size.bytes).c_str(),
                size.fluid_particles + size.boundary_particles);

    const TimeStep& step = scene.time_step;
    const double speed = expected_speed(scene);
    double dt = step.dt;
    if (step.mode == "cfl")
        dt = std::clamp(step.cfl * scene.spacing / speed, step.min, step.max);
    std::printf("time step   about %.2g ms at the largest expected speed, %.3g m/s: %.0f steps\n",
                1000 * dt, speed, std::ceil(scene.end / dt));

    const double frames = std::ceil(scene.end * scene.output.fps - 1e-6) + 1;
    const double frame_bytes =
        scene.output.particles.empty() ? 0 : k_frame_bytes_per_particle * size.fluid_particles;
    std::printf("frames      %.0f, about %s\n", frames, bytes_text(frames * frame_bytes).c_str());
    std::printf("probes      %zu\n", scene.probes.size());
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
