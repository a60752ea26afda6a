#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "passes/pass.hpp"
#include "passes/run_frames.hpp"

// What the commands that make something of every frame of a run have in common.
namespace millrace {

struct PassArguments {
    std::string run, frames;
    std::vector<std::string> formats;
    int threads = 0;
    bool overwrite = false, quiet = false;
};

/// OUT, --frames, --threads, --overwrite and --quiet.
void add_pass_options(CLI::App& command, PassArguments& arguments);

/// The folder that was given; without one, the run in `out` that was written to last. Throws
/// InputError where there is none.
std::string run_or_newest(const std::string& run);

/// The scene of a run folder, for its defaults; throws InputError.
Scene scene_of_run(const std::string& run);

/// Sets the threads and the signals; returns the frames.
FrameChoice start_pass(const PassArguments& arguments);

/// Prints what was made; throws InputError where frames could not be made, and ends the program
/// with the code of an interruption.
void end_pass(const PassArguments& arguments, const PassOutcome& outcome, const std::string& what,
              const std::string& files);

}  // namespace millrace
