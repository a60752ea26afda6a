#pragma once

#include <filesystem>
#include <functional>

#include "diffuse/advance.hpp"
#include "passes/pass.hpp"
#include "passes/pass_settings.hpp"
#include "passes/run_frames.hpp"

namespace millrace {

/// What `millrace foam` was asked for.
struct FoamRequest {
    std::filesystem::path run;
    FrameChoice frames;
    DiffuseOutput diffuse;
    bool overwrite = false;  ///< makes the frames anew, with all after them
    bool quiet = false;
    std::function<bool()> stop = [] { return false; };
};

/// Makes OUT/diffuse/NAME_000000.vtu ... and OUT/diffuse.pvd. Each frame needs the one before:
/// frames before the chosen ones that are missing are made too. Throws InputError before anything
/// is written, RunError where the disk or the memory fails.
PassOutcome foam_pass(const FoamRequest& request);

/// What the files of a folder `diffuse` are made with, but for the thresholds.
Settings foam_settings(double identity, const DiffuseOutput& diffuse);
Settings threshold_settings(const DiffuseThresholds& thresholds);
DiffuseThresholds thresholds_of(const Settings& settings);

}  // namespace millrace
