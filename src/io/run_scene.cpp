#include "io/run_scene.hpp"

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/particle_formats.hpp"
#include "io/progress.hpp"
#include "io/run_identity.hpp"
#include "io/run_recorder.hpp"
#include "millrace/error.hpp"
#include "scene/mesh_files.hpp"

namespace millrace {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the engine says about a scene, with the name of its file.
template <class Function>
auto with_file(const RunRequest& request, Function&& function) {
    try {
        return function();
    } catch (const InputError& e) {
        throw InputError(request.scene_file + ": " +
                         scene_file::with_mesh_key(request.scene, e.what()));
    }
}

/// The state of a run on one line of 60 characters at most; with the particles, 80.
std::string progress_text(const StepReport& report, double speed, bool with_particles) {
    char text[128], particles[32] = "";
    if (with_particles)
        std::snprintf(particles, sizeof particles, "%zu particles, ", report.fluid_particles);
    std::snprintf(text, sizeof text, "t %.4g s, %sdt %.2g ms, %d iterations, speed %.2g",
                  report.time, particles, 1000 * report.dt, report.iterations, speed);
    return text;
}

/// A checkpoint of a version that had no bodies, emitters and sinks.
void check_parts(const Scene& scene, const Snapshot& snapshot) {
    const char* missing = nullptr;
    if (!scene.bodies.empty() && snapshot.bodies.empty())
        missing = "bodies";
    else if (!scene.sinks.empty() && snapshot.sunk.empty())
        missing = "sinks";
    else if (has_emitters(scene) && snapshot.emitted.empty())
        missing = "emitters";
    if (missing)
        throw InputError(std::string("the checkpoint is of an older version of millrace and has no "
                                     "state of the ") +
                         missing + "; run the scene from the start");
}

/// Those after the first `said`; returns how many there are.
std::size_t say_warnings(const RunRequest& request, const Simulation& simulation,
                         std::size_t said) {
    const std::size_t count = simulation.warning_count();
    if (count > said) {
        const std::vector<std::string> warnings = simulation.warnings();
        for (; said < count; ++said)
            std::fprintf(stderr, "warning: %s: %s\n", request.scene_file.c_str(),
                         warnings[said].c_str());
    }
    return count;
}

/// Steps until the end of the scene or until someone stops it; true at the end.
bool run_to_end(const RunRequest& request, Simulation& simulation, RunRecorder& recorder) {
    const double begin = simulation.time(), end = request.scene.end;
    Progress progress(request.quiet, stdout, end > 0 ? begin / end : 0);
    const Clock::time_point start = Clock::now();
    Clock::time_point saved = start;
    std::size_t warned = simulation.warning_count();
    const bool saves = request.checkpoint_every > 0 && has_checkpoints();
    while (!recorder.schedule().ended(simulation.time())) {
        if (request.stop())
            return false;
        const StepReport report = simulation.step(recorder.schedule().next(simulation.time()));
        recorder.record(simulation, report);
        warned = say_warnings(request, simulation, warned);
        progress.update(report.time / end,
                        progress_text(report, (report.time - begin) / seconds_since(start),
                                      has_emitters(request.scene) || !request.scene.sinks.empty()));
        if (saves && seconds_since(saved) >= request.checkpoint_every) {
            recorder.write_checkpoint(simulation);
            saved = Clock::now();
        }
    }
    recorder.flush();  // what is wrong with the last frames is an error of the run
    if (saves)         // the run can then be made longer
        recorder.write_checkpoint(simulation);
    return true;
}

/// The recorder of a new or a resumed run; nothing is written before the simulation is there.
RunRecorder make_recorder(const RunRequest& request, Probes probes, const Simulation& simulation) {
    const RunFolder folder(request.out, request.scene.name);
    if (request.resume)
        return RunRecorder(folder, request.scene, std::move(probes), *request.resume,
                           request.on_frame);
    return RunRecorder(folder, request.scene, std::move(probes), simulation, request.on_frame);
}

/// Throws InputError unless the request may write to the folder.
void check_folder(const RunRequest& request, const RunFolder& folder) {
    if (!request.resume)
        return folder.check_free(request.overwrite);
    const double time = request.resume->snapshot.time;
    if (time > request.scene.end)
        throw InputError(request.scene_file +
                         ": end: the checkpoint is later, at t = " + std::to_string(time) + " s");
    // a checkpoint that was copied here from another run must not go on in this one's files
    check_same_scene(request.scene, load_scene(folder.scene().string()), folder.scene().string());
}

}  // namespace

RunOutcome run_scene(const RunRequest& request) {
    const Scene& scene = request.scene;
    Probes probes = with_file(request, [&] {
        Schedule{scene};
        check_particle_formats(scene.output.particles);
        return Probes(scene);
    });
    const RunFolder folder(request.out, scene.name);
    std::optional<FileLock> lock;
    if (std::error_code none; std::filesystem::is_directory(request.out, none))
        lock.emplace(folder.lock());
    check_folder(request, folder);
    Simulation simulation = with_file(request, [&] {
        if (request.resume)
            check_parts(scene, request.resume->snapshot);
        Progress settling(request.quiet);
        Simulation::Options options = request.device;
        options.settle = !request.resume;
        options.on_settle = [&](double part) { settling.update(part, "the fluid comes to rest"); };
        Simulation built(scene, options);
        if (request.resume)
            built.restore(request.resume->snapshot);
        return built;
    });
    say_warnings(request, simulation, 0);
    if (!request.quiet) {
        std::printf("%s: %zu fluid particles, %zu boundary particles, %s, %s\n", scene.name.c_str(),
                    simulation.fluid_count(), simulation.boundary_count(),
                    simulation.device_name().c_str(), request.out.c_str());
        std::fflush(stdout);
    }
    request.on_start(simulation);

    if (!lock) {  // others may have come first
        make_folder(request.out);
        lock.emplace(folder.lock());
        check_folder(request, folder);
    }
    RunRecorder recorder = make_recorder(request, std::move(probes), simulation);
    RunOutcome outcome;
    try {
        outcome.finished = run_to_end(request, simulation, recorder);
    } catch (const RunError& e) {
        try {
            recorder.finish(simulation, e.what());
        } catch (const RunError&) {
            // where the disk is full there is no summary either; the first error counts
        }
        throw;
    }
    if (outcome.finished)
        recorder.finish(simulation);
    else if (has_checkpoints())
        outcome.checkpoint = recorder.write_checkpoint(simulation);
    else
        recorder.flush();
    outcome.time = simulation.time();
    outcome.totals = recorder.totals();
    outcome.frames = recorder.frames();
    return outcome;
}

void check_same_scene(const Scene& scene, const Scene& earlier, const std::string& scene_file) {
    using Json = nlohmann::json;
    const Json now = Json::parse(lasting_scene(scene)), then = Json::parse(lasting_scene(earlier));
    const Json differences = Json::diff(then, now);
    if (differences.empty())
        return;
    // "/fluids/0/density" as the user writes it: fluids[0].density
    std::string key;
    const Json::json_pointer place(differences[0].at("path").get<std::string>());
    for (Json::json_pointer rest = place; !rest.empty(); rest.pop_back()) {
        const std::string part = rest.back();
        const bool index = part.find_first_not_of("0123456789") == std::string::npos;
        key = (index ? "[" + part + "]" : "." + part) + key;
    }
    throw InputError(scene_file + ": " + key.substr(1) +
                     ": differs from the scene of the checkpoint; only end, output and camera may "
                     "change in a resumed run");
}

}  // namespace millrace
