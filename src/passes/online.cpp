#include "passes/online.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/particle_formats.hpp"
#include "io/particle_frame.hpp"
#include "io/progress.hpp"
#include "io/run_identity.hpp"
#include "io/schedule.hpp"
#include "millrace/error.hpp"
#include "passes/diffuse_frames.hpp"
#include "passes/foam_pass.hpp"
#include "passes/surface_frames.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr double k_coarser = 2;  // spacing of the run for the thresholds

/// The frames so far as one animation, with one more.
void add_to_animation(const fs::path& pvd, double time, const std::string& file) {
    std::vector<PvdEntry> entries;
    if (fs::exists(pvd))
        entries = read_pvd(pvd);
    std::erase_if(entries, [&](const PvdEntry& entry) { return entry.time >= time; });
    entries.push_back({time, file});
    write_pvd(pvd, entries);
}

Scene coarser(Scene scene) {
    scene.spacing *= k_coarser;
    scene.probes.clear();
    return scene;
}

DiffuseThresholds coarse_thresholds(const OnlinePasses::Request& request) {
    const Scene scene = coarser(request.scene);
    const Schedule schedule(scene);
    const DiffuseOptions options = diffuse_options(scene, *scene.output.diffuse);
    Simulation simulation(scene, request.device);
    std::vector<DiffuseThresholds> largest;
    Progress progress(request.quiet);
    while (!schedule.ended(simulation.time())) {
        const double before = simulation.time();
        simulation.step(schedule.next(before));
        progress.update(simulation.time() / scene.end, "coarse run for the foam");
        if (schedule.frame(before, simulation.time())) {
            const ParticleFrame frame = particle_frame(scene, 0, simulation);
            largest.push_back(largest_potentials(fluid_of(frame), options));
        }
    }
    return mean_thresholds(largest, options);
}

}  // namespace

struct OnlinePasses::Foam {
    DiffuseOptions options;
    DiffuseThresholds thresholds;
    Obstacles obstacles;
    bool after_the_run = false;
    int last = -1;
    ParticleFrame fluid_before;
    BodyFrame bodies_before;
    DiffuseParticles particles;
};

OnlinePasses::OnlinePasses(Request request)
    : request_(std::move(request)), identity_(run_identity(request_.scene)) {
    const Output& output = request_.scene.output;
    if (output.surface)
        check_surface_formats(output.surface->formats);
    if (!output.diffuse)
        return;
    check_particle_formats(output.diffuse->formats);
    if (std::ranges::find(output.particles, "vtu") == output.particles.end())
        throw InputError("output.diffuse: needs `vtu` among output.particles");
    foam_ = std::make_unique<Foam>();
    foam_->options = diffuse_options(request_.scene, *output.diffuse);
    estimate_thresholds();
}

OnlinePasses::~OnlinePasses() = default;

void OnlinePasses::estimate_thresholds() {
    const Settings found = request_.resumed ? read_settings(request_.run / "diffuse") : Settings();
    if (!found.empty()) {
        foam_->thresholds = thresholds_of(found);
        return;
    }
    try {
        if (request_.resumed)
            throw InputError("the run had no foam so far");
        foam_->thresholds = coarse_thresholds(request_);
    } catch (const std::runtime_error& e) {
        std::fprintf(stderr,
                     "warning: foam will be made when the run has ended: no coarse run for its "
                     "thresholds: %s\n",
                     e.what());
        foam_->after_the_run = true;
    }
}

void OnlinePasses::make_surface_frame(int number, const ParticleFrame& particles,
                                      const BodyFrame& bodies) {
    const Scene& scene = request_.scene;
    const SurfaceOutput& output = *scene.output.surface;
    if (number == 0 || !fs::exists(request_.run / "surface"))
        agree_on_settings(request_.run / "surface", surface_settings(identity_, output));
    if (!solids_)
        solids_ = std::make_unique<SolidsInFrames>(
            load_solids(request_.run, scene, surface_options(output)));
    const std::vector<PlacedSolid> solids = solids_->placed(bodies.bodies, bodies.walls);
    write_surface_frame(request_.run, scene, number,
                        make_surface(scene, particles, surface_options(output), solids), output);
    add_to_animation(request_.run / "surface.pvd", particles.time,
                     "surface/" + frame_file(scene, number, "vtp"));
}

void OnlinePasses::frame(int number, const ParticleFrame& particles, const BodyFrame& bodies) {
    const Scene& scene = request_.scene;
    if (scene.output.surface)
        make_surface_frame(number, particles, bodies);
    if (!foam_ || foam_->after_the_run)
        return;
    Foam& foam = *foam_;
    if (foam.last < 0) {
        foam.obstacles = load_obstacles(request_.run, scene);
        if (number == 0)
            agree_on_settings(request_.run / "diffuse",
                              foam_settings(identity_, *scene.output.diffuse),
                              [&] { return threshold_settings(foam.thresholds); });
        if (number > 0) {  // a run that goes on
            const RecordedRun run = open_run(request_.run);
            foam.fluid_before = read_frame(run, number - 1);
            foam.bodies_before = bodies_at(run, foam.fluid_before.time);
            foam.particles = from_frame(read_vtu(diffuse_file(request_.run, scene, number - 1)));
            foam.last = number - 1;
        }
    }
    if (foam.last >= 0) {
        foam.obstacles.place(foam.bodies_before.bodies, foam.bodies_before.walls);
        foam.obstacles.place(bodies.bodies, bodies.walls);
        advance(foam.particles, fluid_of(foam.fluid_before), fluid_of(particles), foam.thresholds,
                foam.options, foam.obstacles);
        make_compact(foam.particles, scene);
    }
    write_diffuse_frame(request_.run, scene, number,
                        to_frame(foam.particles, particles.time, identity_),
                        scene.output.diffuse->formats);
    add_to_animation(request_.run / "diffuse.pvd", particles.time,
                     "diffuse/" + frame_file(scene, number, "vtu"));
    foam.fluid_before = particles;
    foam.bodies_before = bodies;
    foam.last = number;
}

void OnlinePasses::finish() {
    if (!foam_ || !foam_->after_the_run)
        return;
    FoamRequest request;
    request.run = request_.run;
    request.diffuse = *request_.scene.output.diffuse;
    request.quiet = request_.quiet;
    foam_pass(request);
}

}  // namespace millrace
