#include "io/run_recorder.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/body_lines.hpp"
#include "io/particle_formats.hpp"
#include "io/particle_frame.hpp"
#include "io/run_identity.hpp"
#include "io/surface_files.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

using Json = nlohmann::ordered_json;

constexpr double k_flush_interval = 1;  ///< [s]

/// Adds the wall time of a block to a number of milliseconds.
class Stopwatch {
  public:
    explicit Stopwatch(double& ms) : ms_(ms) {}
    ~Stopwatch() {
        ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    double& ms_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

RunRecorder::Start RunRecorder::new_run(const RunFolder& folder, const Scene& scene,
                                        Probes probes) {
    folder.remove_run();
    make_folder(folder.root() / "particles");
    write_file(folder.scene(), scene_to_json(scene));
    write_pvd(folder.particles(), {});
    Start start{std::move(probes)};
    start.values = start.probes.header();
    return start;
}

RunRecorder::Start RunRecorder::rewound_run(const RunFolder& folder, const Scene& scene,
                                            Probes probes, const Checkpoint& checkpoint) {
    Start start{std::move(probes)};
    try {
        const Json state = Json::parse(checkpoint.recorder);
        start.totals = totals_from_json(state.at("totals"));
        start.frames = state.at("frames");
        start.probe_rows = state.at("probe_rows");
        start.probes.restore(state.at("means").get<std::vector<double>>());
    } catch (const nlohmann::json::exception&) {
        throw InputError("checkpoint: the state of the run is of another version of millrace");
    }
    start.stats = first_lines(folder.stats(), start.totals.steps);
    start.bodies = first_lines(folder.bodies(), start.frames);
    start.values = first_lines(folder.probes(), 1 + start.probe_rows);
    for (const PvdEntry& entry : read_pvd(folder.particles()))
        if (entry.time <= checkpoint.snapshot.time)
            start.animation.push_back(entry);

    // Nothing was changed up to here. The later checkpoints go first: without the lines that are
    // cut off next they would be of no use, while this one is good at every moment.
    folder.remove_after(checkpoint.snapshot.step, start.frames);
    write_pvd(folder.particles(), start.animation);
    write_file(folder.scene(), scene_to_json(scene));
    return start;
}

RunRecorder::RunRecorder(const RunFolder& folder, const Scene& scene, double time, Start start,
                         FrameListener on_frame)
    : folder_(folder),
      scene_(scene),
      identity_(run_identity(scene)),
      on_frame_(std::move(on_frame)),
      schedule_(scene),
      probes_(std::move(start.probes)),
      totals_(start.totals),
      time_(time),
      frames_(start.frames),
      probe_rows_(start.probe_rows),
      animation_(std::move(start.animation)),
      stats_(folder.stats(), std::move(start.stats)),
      bodies_(folder.bodies(), std::move(start.bodies)),
      probe_file_(folder.probes(), std::move(start.values)),
      frame_thread_(k_most_frames) {}

RunRecorder::RunRecorder(const RunFolder& folder, const Scene& scene, Probes probes,
                         const Simulation& simulation, FrameListener on_frame)
    : RunRecorder(folder, scene, simulation.time(), new_run(folder, scene, std::move(probes)),
                  std::move(on_frame)) {
    const Stopwatch watch(output_ms_);
    write_surfaces(folder_.meshes(), scene_, simulation.surfaces());
    write_frame(simulation);
    write_probes(simulation, -1);
    flush_lines();
}

RunRecorder::RunRecorder(const RunFolder& folder, const Scene& scene, Probes probes,
                         const Checkpoint& checkpoint, FrameListener on_frame)
    : RunRecorder(folder, scene, checkpoint.snapshot.time,
                  rewound_run(folder, scene, std::move(probes), checkpoint), std::move(on_frame)) {}

void RunRecorder::record(const Simulation& simulation, const StepReport& report) {
    const double before = std::exchange(time_, report.time);
    const bool is_frame = schedule_.frame(before, time_);
    {
        const Stopwatch watch(output_ms_);
        frame_thread_.check();
        totals_.add(report);
        probes_.observe(simulation, report.dt);
        if (is_frame)
            write_frame(simulation);
        write_probes(simulation, before);
    }
    stats_.append(step_stats(report, std::exchange(output_ms_, 0)).dump() + "\n");
    const Stopwatch watch(output_ms_);
    if (is_frame || Clock::now() - flushed_ > std::chrono::duration<double>(k_flush_interval))
        flush_lines();
}

void RunRecorder::write_frame(const Simulation& simulation) {
    const BodyFrame bodies{time_, simulation.bodies(), simulation.moving_walls()};
    bodies_.append(body_line(bodies, scene_.dimension));
    const std::int64_t number = frames_++;
    if (scene_.output.particles.empty() && !on_frame_)
        return;
    frame_thread_.wait_for_room();
    const auto particles =
        std::make_shared<const ParticleFrame>(particle_frame(scene_, identity_, simulation));
    frame_thread_.give(
        [this, number, particles, bodies] { write_frame_files(number, *particles, bodies); });
}

void RunRecorder::write_frame_files(std::int64_t number, const ParticleFrame& particles,
                                    const BodyFrame& bodies) {
    for (const std::string& format : scene_.output.particles) {
        write_particles(folder_.root() / folder_.frame(number, format), particles);
        if (format == "vtu") {
            animation_.push_back({particles.time, folder_.frame(number)});
            write_pvd(folder_.particles(), animation_);
        }
    }
    if (on_frame_)
        on_frame_(number, particles, bodies);
}

void RunRecorder::write_probes(const Simulation& simulation, double before) {
    const auto is_due = [&](std::size_t probe) {
        return before < 0 || schedule_.probe(probe, before, time_);
    };
    bool any = false;
    for (std::size_t i = 0; i < scene_.probes.size(); ++i)
        any |= is_due(i);
    if (any) {
        probe_file_.append(probes_.row(simulation, is_due));
        ++probe_rows_;
    }
}

void RunRecorder::flush_lines() {
    stats_.flush();
    bodies_.flush();
    probe_file_.flush();
    flushed_ = Clock::now();
}

void RunRecorder::flush() {
    flush_lines();
    frame_thread_.finish();
}

void RunRecorder::count_wall_time() {
    const Clock::time_point now = Clock::now();
    totals_.wall_seconds += std::chrono::duration<double>(now - counted_).count();
    counted_ = now;
}

std::filesystem::path RunRecorder::write_checkpoint(const Simulation& simulation) {
    const Stopwatch watch(output_ms_);
    flush();  // a checkpoint never knows more than the files
    count_wall_time();
    const Json state{{"totals", totals_to_json(totals_)},
                     {"frames", frames_},
                     {"probe_rows", probe_rows_},
                     {"means", probes_.state()}};
    const std::filesystem::path path = folder_.checkpoint(simulation.step_count());
    make_folder(path.parent_path());
    millrace::write_checkpoint(path, {simulation.snapshot(), scene_to_json(scene_), state.dump()});
    folder_.remove_old_checkpoints();
    return path;
}

void RunRecorder::finish(const Simulation& simulation, const std::string& error) {
    flush();
    count_wall_time();
    write_file(folder_.summary(), run_summary(totals_, scene_, simulation, error).dump(2) + "\n");
}

}  // namespace millrace
