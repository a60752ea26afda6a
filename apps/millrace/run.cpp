#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "exec/host_threads.hpp"
#include "io/checkpoint.hpp"
#include "io/progress.hpp"
#include "io/run_scene.hpp"
#include "load.hpp"
#include "millrace/error.hpp"
#include "passes/estimate.hpp"
#include "passes/online.hpp"
#include "passes/run_estimate.hpp"
#include "platform/signals.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr int k_most_threads = 1024;

struct RunArguments {
    std::string scene, out, resume;
    std::vector<std::string> settings;
    double until = 0, fps = 0, checkpoint_every = 60;
    Simulation::Options device;
    bool quiet = false, overwrite = false;
};

void check(bool ok, const std::string& option, const std::string& rule, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    if (!ok)
        throw InputError(option + ": must be " + rule + ", got " + text);
}

void check_numbers(const RunArguments& arguments, const CLI::App& command) {
    const auto finite = [](double x) { return std::isfinite(x); };
    const double until = arguments.until, fps = arguments.fps, every = arguments.checkpoint_every;
    check(finite(until) && until >= 0, "--until", "a time of at least 0 s", until);
    check(!command.count("--fps") || (finite(fps) && fps > 0), "--fps", "greater than 0", fps);
    check(finite(every) && every >= 0, "--checkpoint-every", "at least 0 s", every);
    check(arguments.device.threads >= 0 && arguments.device.threads <= k_most_threads, "--threads",
          "from 1 to 1024, or 0 for all cores", arguments.device.threads);
    if (command.count("--checkpoint-every") && every > 0 && !has_checkpoints())
        throw RunError("--checkpoint-every: checkpoints are not built in, they need HDF5");
}

/// OUT of OUT/checkpoints/NAME_STEP.h5; nothing for a file that lies elsewhere.
std::optional<fs::path> folder_of_checkpoint(const std::string& checkpoint) {
    fs::path folder = fs::path(checkpoint).parent_path();
    if (folder.filename() != "checkpoints")
        folder = fs::absolute(checkpoint).lexically_normal().parent_path();
    if (folder.filename() != "checkpoints")
        return {};
    return folder.has_parent_path() ? folder.parent_path() : fs::path(".");
}

/// Throws InputError where a run is writing to the folder; run_scene keeps the lock, this does not.
void check_quiet(const fs::path& folder) {
    if (std::error_code none; fs::is_directory(folder, none))
        static_cast<void>(RunFolder(folder, "").lock());
}

Checkpoint read_checkpoint_of_run(const std::string& file) {
    if (const auto folder = folder_of_checkpoint(file))
        check_quiet(*folder);  // while a run goes on, its checkpoints come and go
    return read_checkpoint(file);
}

RunRequest make_request(const RunArguments& arguments, const CLI::App& command) {
    check_numbers(arguments, command);
    if (arguments.scene.empty() && arguments.resume.empty())
        throw InputError("run: give a scene file, or --resume CHECKPOINT");
    RunRequest request;
    if (!arguments.resume.empty())
        request.resume = read_checkpoint_of_run(arguments.resume);
    request.scene_file = arguments.scene.empty() ? arguments.resume : arguments.scene;
    request.scene = arguments.scene.empty()
                        ? parse_scene(request.resume->scene, arguments.resume, arguments.settings)
                        : load_scene_aloud(arguments.scene, arguments.settings);
    if (command.count("--until"))
        request.scene.end = arguments.until;
    if (command.count("--fps"))
        request.scene.output.fps = arguments.fps;
    if (request.resume) {
        check_same_scene(request.scene, parse_scene(request.resume->scene, arguments.resume),
                         request.scene_file);
        const auto folder = folder_of_checkpoint(arguments.resume);
        if (!folder)
            throw InputError(arguments.resume +
                             ": must lie in the folder `checkpoints` of its run, which goes on");
        request.out = *folder;
    } else {
        request.out =
            arguments.out.empty() ? fs::path("out") / request.scene.name : fs::path(arguments.out);
    }
    request.overwrite = arguments.overwrite;
    request.checkpoint_every = arguments.checkpoint_every;
    request.device = arguments.device;
    request.quiet = arguments.quiet;
    request.stop = [] { return platform::caught_signal() != 0; };
    return request;
}

void report(const RunRequest& request, const RunOutcome& outcome) {
    const RunTotals& totals = outcome.totals;
    if (totals.unconverged_steps > 0)
        std::fprintf(stderr,
                     "warning: in %lld of %lld steps, first at t = %g s, the pressure solver "
                     "stopped at max_iterations (%d) before it had reached avg_error and "
                     "max_error; try a smaller time_step.max or more iterations\n",
                     static_cast<long long>(totals.unconverged_steps),
                     static_cast<long long>(totals.steps), totals.first_unconverged,
                     request.scene.pressure.max_iterations);
    if (request.quiet)
        return;
    std::printf("%s: %lld steps and %lld frames to t = %g s in %s\n",
                outcome.finished ? "done" : "interrupted", static_cast<long long>(totals.steps),
                static_cast<long long>(outcome.frames), outcome.time,
                duration_text(totals.wall_seconds).c_str());
    if (!outcome.checkpoint.empty())
        std::printf("go on with: millrace run --resume '%s'\n", outcome.checkpoint.c_str());
}

/// What the run will leave, and a warning where the disk has less.
void tell_disk(const RunRequest& request, const Simulation& simulation) {
    const Scene& scene = request.scene;
    const double first = static_cast<double>(simulation.fluid_count());
    const double last =
        has_emitters(scene) ? std::max(first, estimate_size(scene).fluid_particles) : first;
    // steps count for little here
    const double disk = estimate_disk(scene, first, last, scene.end * scene.output.fps * 10);
    if (!request.quiet) {
        std::printf("about %s on the disk\n", bytes_text(disk).c_str());
        std::fflush(stdout);
    }
    warn_of_disk(disk, request.out);
}

void run(const RunArguments& arguments, const CLI::App& command) {
    RunRequest request = make_request(arguments, command);
    if (!has_checkpoints() && !arguments.quiet)
        std::printf("no checkpoints: they are not built in, they need HDF5\n");
    if (request.device.threads > 0)
        set_host_threads(request.device.threads);  // for the writing of frames, too
    platform::catch_signals();
    request.on_start = [&](const Simulation& simulation) { tell_disk(request, simulation); };
    const Output& output = request.scene.output;
    std::unique_ptr<OnlinePasses> passes;
    if (output.surface || output.diffuse) {
        check_quiet(request.out);  // before any work
        if (!request.resume)
            RunFolder(request.out, request.scene.name).check_free(request.overwrite);
        passes = std::make_unique<OnlinePasses>(OnlinePasses::Request{
            request.scene, request.out, request.device, request.resume.has_value(), request.quiet});
        request.on_frame = [&passes](std::int64_t number, const ParticleFrame& particles,
                                     const BodyFrame& bodies) {
            passes->frame(static_cast<int>(number), particles, bodies);
        };
    }
    const RunOutcome outcome = run_scene(request);
    report(request, outcome);
    if (!outcome.finished)
        throw CLI::RuntimeError(128 + platform::caught_signal());
    if (passes)
        passes->finish();
}

}  // namespace

void add_run_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("run", "Simulate a scene and record it");
    auto arguments = std::make_shared<RunArguments>();
    command->add_option("SCENE", arguments->scene,
                        "Scene file; with --resume, that of the checkpoint where it is left out");
    CLI::Option* out = command->add_option("--out", arguments->out, "Folder to write (out/NAME)");
    command->add_option("--until", arguments->until, "Simulated time in seconds (the scene's end)");
    command->add_option("--fps", arguments->fps,
                        "Frames per simulated second (the scene's output.fps)");
    command->add_option("--device", arguments->device.device, "auto, cpu or cuda (auto)")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    command->add_option("--threads", arguments->device.threads, "Threads on the CPU (all cores)");
    command
        ->add_option("--set", arguments->settings,
                     "Another value for a key of the scene, key.path=value; may be repeated")
        ->allow_extra_args(false);
    CLI::Option* resume = command->add_option(
        "--resume", arguments->resume, "Go on from a checkpoint, OUT/checkpoints/NAME_STEP.h5");
    command->add_option("--checkpoint-every", arguments->checkpoint_every,
                        "Wall time between checkpoints in seconds; 0: only at Ctrl-C (60)");
    command->add_flag("--quiet", arguments->quiet, "Print only warnings and errors");
    CLI::Option* overwrite = command->add_flag("--overwrite", arguments->overwrite,
                                               "Replace an earlier run in the folder");
    resume->excludes(out)->excludes(overwrite);
    command->callback([arguments, command] { run(*arguments, *command); });
}

}  // namespace millrace
