#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "load.hpp"
#include "millrace/simulation.hpp"
#include "passes/estimate.hpp"
#include "timestep/cfl.hpp"
#include "world/flat_shapes.hpp"
#include "world/fluid_fill.hpp"
#include "world/pool_world.hpp"

namespace millrace {
namespace {

/// Of a particle in a frame with all fields, compressed (docs/running.md).
constexpr double k_frame_bytes_per_particle = 44;

/// A fluid, a boundary or a body by itself.
SceneSize size_of(Scene scene, std::vector<Fluid> fluids, std::vector<Boundary> boundaries,
                  std::vector<Body> bodies) {
    scene.fluids = std::move(fluids);
    scene.boundaries = std::move(boundaries);
    scene.bodies = std::move(bodies);
    return estimate_size(scene);
}

/// How far the fluid may fall [m]: along gravity, from the highest water to the lowest water or
/// wall, of those that are not meshes.
double drop_height(const Scene& scene, double g) {
    double highest = -std::numeric_limits<double>::infinity(), lowest = -highest;
    const auto height = [&](const Box& box, bool top) {
        double sum = 0;  // of the corner that is highest or lowest
        for (int k = 0; k < scene.dimension; ++k) {
            const double up = g > 0 ? -scene.gravity[k] / g : 0;
            sum += up * ((up > 0) == top ? box.max[k] : box.min[k]);
        }
        return sum;
    };
    for (const Fluid& fluid : scene.fluids) {
        for (const Fill& fill : fluid.fill)
            if (!fill.mesh) {
                highest = std::max(highest, height(fill_bounds(fill), true));
                lowest = std::min(lowest, height(fill_bounds(fill), false));
            }
        for (const Emitter& emitter : fluid.emitters)
            highest = std::max(highest, height({emitter.position, emitter.position}, true));
    }
    for (const Boundary& boundary : scene.boundaries)
        if (boundary.box)
            lowest = std::min(lowest, height(*boundary.box, false));
    return highest > lowest ? highest - lowest : 0;
}

double length(const Vector& v) {
    return std::hypot(v[0], v[1], v[2]);
}

/// The fastest that the fluid is expected to be [m/s].
double expected_speed(const Scene& scene, double g, double height) {
    double start = 0;
    for (const Fluid& fluid : scene.fluids) {
        start = std::max(start, length(fluid.velocity));
        for (const Emitter& emitter : fluid.emitters)
            start = std::max(start, emitter.speed);
    }
    return std::hypot(start, std::sqrt(2 * g * height));
}

void print_objects(const Scene& scene) {
    for (const Boundary& boundary : scene.boundaries)
        std::printf("wall        %s: %.0f particles\n", boundary.name.c_str(),
                    size_of(scene, {}, {boundary}, {}).boundary_particles);
    for (const Body& body : scene.bodies)
        std::printf("body        %s: %.0f particles\n", body.name.c_str(),
                    size_of(scene, {}, {}, {body}).boundary_particles);
}

/// Of a 2D scene that runs in the pool or as constraints: its walls and bodies have no samples.
void print_flat_objects(const Scene& scene) {
    for (const Boundary& boundary : scene.boundaries)
        std::printf("wall        %s\n", boundary.name.c_str());
    for (const Body& body : scene.bodies)
        std::printf("body        %s: %.3g kg\n", body.name.c_str(),
                    body.mass ? *body.mass : body.density * area_of(shape_of(body)));
    const double radius =
        runs_in_pool(scene) ? kernel_radius(scene) : scene.support * scene.spacing;
    std::printf("kernel      radius %.3g m, of method %s\n", radius, scene.pressure.method.c_str());
}

void print_time_step(const Scene& scene) {
    const double g = length(scene.gravity), height = drop_height(scene, g);
    const double speed = expected_speed(scene, g, height);
    if (runs_in_pool(scene)) {
        const TimeStep& step = scene.time_step;
        const bool fixed = step.mode == "fixed";
        const double dt = fixed ? step.dt : step.max;
        const double parts = fixed ? 1 : std::ceil(dt * speed / (step.cfl * scene.spacing));
        std::printf(
            "time step   %.3g ms: %.0f steps, of about %.0f parts at the largest expected "
            "speed, %.3g m/s\n",
            1000 * dt, std::ceil(scene.end / dt - 1e-6), std::max(1.0, parts), speed);
        return;
    }
    const double dt =
        runs_as_constraints(scene)
            ? allowed_time_step(scene.time_step, scene.spacing, {speed, 0, 0})
            : allowed_time_step(scene.time_step, scene.spacing, {speed, std::sqrt(g * height), g});
    std::printf("time step   about %.2g ms at the largest expected speed, %.3g m/s: %.0f steps\n",
                1000 * dt, speed, std::ceil(scene.end / dt));
}

void info(const std::string& file, const std::vector<std::string>& settings) {
    const Scene scene = load_scene_aloud(file, settings);
    std::printf("%s: %dD, spacing %g m, %g s\n", scene.name.c_str(), scene.dimension, scene.spacing,
                scene.end);
    for (const Fluid& fluid : scene.fluids)
        std::printf("fluid       %s: %.0f particles, %g kg/m^3\n", fluid.name.c_str(),
                    size_of(scene, {fluid}, {}, {}).fluid_particles, fluid.density);
    if (runs_in_pool(scene) || (scene.dimension == 2 && runs_as_constraints(scene)))
        print_flat_objects(scene);
    else
        print_objects(scene);
    const SceneSize size = estimate_size(scene);
    std::printf("memory      about %s for %.0f particles\n", bytes_text(size.bytes).c_str(),
                size.fluid_particles + size.boundary_particles);
    print_time_step(scene);

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
