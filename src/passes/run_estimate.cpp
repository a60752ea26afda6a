#include "passes/run_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "io/schedule.hpp"
#include "millrace/error.hpp"
#include "millrace/simulation.hpp"
#include "timestep/cfl.hpp"
#include "world/advice.hpp"
#include "world/fluid_fill.hpp"
#include "world/scene_heights.hpp"

namespace millrace {

namespace {

constexpr double k_most_sampled = 3e6;  // particles that are sampled for a count
constexpr double k_trial_particles = 1500;

// Bytes on the disk, of moving fluid (docs/formats.md, docs/running.md).
constexpr double k_place = 14.4, k_cells = 3.7, k_number = 4.2, k_id = 2.9;  // of a particle
constexpr double k_flat = 0.7;          // part that is left of vectors in 2D
constexpr double k_of_checkpoint = 37;  // of a particle
constexpr int k_checkpoints = 2;        // that are kept
constexpr double k_of_step = 640;       // statistics
constexpr double k_of_surface = 52;     // of a fluid particle, at cells of 0.5
constexpr double k_of_foam = 35;        // of a fluid particle that splashes, at the default rate

double length(const Vector& v) {
    return std::hypot(v[0], v[1], v[2]);
}

/// The steps of this length in a time; frames cut them.
double steps_of(const Scene& scene, double dt, double time) {
    const double frame = 1 / scene.output.fps;
    return time * std::ceil(frame / dt - 1e-6) / frame;
}

/// How long a step may be when the fluid is so fast [s].
double step_at(const Scene& scene, double speed) {
    const double g = length(scene.gravity), height = scene_heights(scene).drop();
    return scene.engine == "constraints"
               ? allowed_time_step(scene.time_step, scene.spacing, {speed, 0, 0})
               : allowed_time_step(scene.time_step, scene.spacing,
                                   {speed, std::sqrt(g * height), g});
}

Scene coarser(Scene scene) {
    const SceneSize size = estimate_size(scene);
    const double factor = std::pow(size.fluid_particles / k_trial_particles, 1.0 / scene.dimension);
    scene.spacing *= std::max(1.0, factor);
    scene.probes.clear();
    return scene;
}

/// Bytes of a particle in one format.
double particle_bytes(const Scene& scene, const std::string& format) {
    const double flat = scene.dimension == 2 ? k_flat : 1;
    double packed = flat * k_place + k_cells, plain = 12;
    for (const std::string& field : scene.output.fields) {
        const bool is_vector = field == "velocity";
        packed += is_vector ? flat * k_place : field == "id" ? k_id : k_number;
        plain += is_vector ? 12 : 4;
    }
    if (format == "vtu")
        return packed;
    return format == "h5" ? 0.64 * plain : format == "bgeo" ? plain + 4 : plain;
}

}  // namespace

StartCount count_at_start(const Scene& scene) {
    StartCount count;
    count.of_fluids.assign(scene.fluids.size(), 0);
    const SceneSize size = estimate_size(scene);
    if (size.fluid_particles + size.boundary_particles <= k_most_sampled) {
        Simulation::Options options{"cpu", 0};
        options.settle = false;  // it takes longer than all of this, and changes a few particles
        const Simulation simulation(scene, options);
        count.fluid = static_cast<double>(simulation.fluid_count());
        count.boundary = static_cast<double>(simulation.boundary_count());
        for (const std::uint8_t fluid : simulation.fluids())
            count.of_fluids[fluid] += 1;
        count.warnings = simulation.warnings();
        count.is_exact = !comes_to_rest(scene);
        return count;
    }
    count.warnings = scene.dimension == 2 ? advice_for<2>(scene) : advice_for<3>(scene);
    count.fluid = size.fluid_particles;
    count.boundary = size.boundary_particles;
    for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
        Scene alone = scene;
        alone.fluids = {scene.fluids[f]};
        alone.boundaries.clear();
        alone.bodies.clear();
        count.of_fluids[f] = estimate_size(alone).fluid_particles;
    }
    return count;
}

double expected_speed(const Scene& scene) {
    const double g = length(scene.gravity);
    double start = 0;
    for (const Fluid& fluid : scene.fluids) {
        start = std::max(start, length(fluid.velocity));
        for (const Emitter& emitter : fluid.emitters)
            start = std::max(start, emitter.speed);
    }
    return std::hypot(start, std::sqrt(2 * g * scene_heights(scene).drop()));
}

double estimate_steps(const Scene& scene, double seconds) {
    const TimeStep& step = scene.time_step;
    if (step.mode == "fixed")
        return std::ceil(scene.end / step.dt - 1e-6);
    double steps = 0, time = 0;
    try {
        const std::clock_t start = std::clock();
        const Scene coarse = coarser(scene);
        const double factor = coarse.spacing / scene.spacing;
        const Schedule schedule(coarse);
        Simulation trial(coarse, {"cpu", 0});
        // Frame by frame: the end of one cuts a step, so that the longest tells what was allowed.
        double longest = 0, fastest = 0, frame_start = 0;
        while (scene.engine != "constraints" && !schedule.ended(trial.time()) &&
               static_cast<double>(std::clock() - start) < seconds * CLOCKS_PER_SEC) {
            const double before = trial.time();
            const StepReport report = trial.step(schedule.next(before));
            longest = std::max(longest, report.dt);
            fastest = std::max(fastest, report.max_speed);
            if (!schedule.frame(before, report.time) && !schedule.ended(report.time))
                continue;
            // most limits go with the spacing; where `max` was the limit, others may be nearer
            const double scaled = longest / factor;
            const double allowed =
                longest < 0.99 * step.max ? scaled : std::max(scaled, step_at(scene, fastest));
            steps += steps_of(scene, allowed, report.time - frame_start);
            time = frame_start = report.time;
            longest = fastest = 0;
        }
    } catch (const std::runtime_error&) {
        // a neck is too narrow for it, say: the steps so far count
    }
    if (time < scene.end) {
        // as it went so far; where that is not far, by the speed of a fall
        const double rest = scene.end - time, so_far = time > 0 ? steps * rest / time : 0;
        steps +=
            time > 0.2 * scene.end
                ? so_far
                : std::max(so_far, steps_of(scene, step_at(scene, expected_speed(scene)), rest));
    }
    return std::ceil(steps);
}

double estimate_disk(const Scene& scene, double first, double last, double steps) {
    const double frames = std::ceil(scene.end * scene.output.fps - 1e-6) + 1;
    const double particles = (first + last) / 2;
    double frame = 0;
    for (const std::string& format : scene.output.particles)
        frame += particle_bytes(scene, format) * particles;
    if (scene.output.surface)
        frame += k_of_surface * particles * scene.output.surface->keep * 0.25 /
                 (scene.output.surface->cell * scene.output.surface->cell);
    if (scene.output.diffuse)
        frame += k_of_foam * particles * scene.output.diffuse->rate / DiffuseOutput().rate;
    return frames * frame + k_checkpoints * k_of_checkpoint * last + k_of_step * steps;
}

}  // namespace millrace
