#include "pass_options.hpp"

#include <cstdio>
#include <filesystem>

#include "exec/host_threads.hpp"
#include "io/atomic_file.hpp"
#include "millrace/error.hpp"
#include "platform/signals.hpp"

namespace millrace {

namespace {

constexpr int k_most_threads = 1024;

}  // namespace

void add_pass_options(CLI::App& command, PassArguments& arguments) {
    command.add_option("OUT", arguments.run,
                       "Folder that `millrace run` has written (the newest in out/)");
    command.add_option("--frames", arguments.frames,
                       "Frames A:B, counted from 0, both included (all)");
    command.add_option("--threads", arguments.threads, "Threads on the CPU (all cores)")
        ->check(CLI::Range(0, k_most_threads));
    command.add_flag("--overwrite", arguments.overwrite,
                     "Make anew what is there, also with other options");
    command.add_flag("--quiet", arguments.quiet, "Print only warnings and errors");
}

std::string run_or_newest(const std::string& run) {
    namespace fs = std::filesystem;
    if (!run.empty())
        return run;
    fs::path newest;
    fs::file_time_type written;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator("out", none)) {
        const fs::path frames = entry.path() / "particles.pvd";
        if (!fs::exists(frames) || (!newest.empty() && fs::last_write_time(frames) <= written))
            continue;
        newest = entry.path();
        written = fs::last_write_time(frames);
    }
    if (newest.empty())
        throw InputError("no run in out/: give the OUT folder of `millrace run`");
    return newest.string();
}

Scene scene_of_run(const std::string& run) {
    std::error_code none;
    if (!std::filesystem::is_directory(run, none))
        throw InputError(
            run + (std::filesystem::exists(run, none) ? ": is not a folder" : ": no such folder") +
            "; give the OUT folder of `millrace run`");
    const std::filesystem::path file = std::filesystem::path(run) / "scene.json";
    if (!std::filesystem::exists(file))
        throw InputError(run + ": no scene.json in it; give the OUT folder of `millrace run`");
    return parse_scene(read_file(file), file.string());
}

FrameChoice start_pass(const PassArguments& arguments) {
    if (arguments.threads > 0)
        set_host_threads(arguments.threads);
    platform::catch_signals();
    return arguments.frames.empty() ? FrameChoice() : parse_frames(arguments.frames);
}

void end_pass(const PassArguments& arguments, const PassOutcome& outcome, const std::string& what,
              const std::string& files) {
    if (!arguments.quiet) {
        std::printf("%s: %s (%d made", what.c_str(), files.c_str(), outcome.made);
        if (outcome.found > 0)
            std::printf(", %d were there", outcome.found);
        std::printf(")\n");
    }
    if (outcome.stopped) {
        if (!arguments.quiet)
            std::printf("interrupted; the same command goes on\n");
        throw CLI::RuntimeError(128 + platform::caught_signal());
    }
    if (!outcome.errors.empty())
        throw InputError(
            std::to_string(outcome.errors.size()) + " of " +
            std::to_string(outcome.made + outcome.found + static_cast<int>(outcome.errors.size())) +
            " frames could not be made; the others are done");
}

}  // namespace millrace
