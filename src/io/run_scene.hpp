#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "io/checkpoint.hpp"
#include "io/run_recorder.hpp"
#include "io/run_totals.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

struct RunRequest {
    Scene scene;
    std::string scene_file;     ///< stands in messages about the scene
    std::filesystem::path out;  ///< the folder of the run
    bool overwrite = false;     ///< an earlier run in it may be replaced
    /// Where to go on; the run in `out` is the one that wrote it.
    std::optional<Checkpoint> resume;
    /// Wall time between checkpoints [s]; 0: none but at an interruption.
    double checkpoint_every = 60;
    Simulation::Options device;
    bool quiet = false;  ///< no progress
    /// Called before anything is written.
    std::function<void(const Simulation&)> on_start = [](const Simulation&) {};
    FrameListener on_frame;
    /// Asked after every step: true ends the run early, with a checkpoint.
    std::function<bool()> stop = [] { return false; };
};

struct RunOutcome {
    bool finished = true;  ///< false: interrupted
    double time = 0;       ///< simulated [s]
    RunTotals totals;
    std::int64_t frames = 0;
    std::filesystem::path checkpoint;  ///< of an interrupted run; empty without HDF5
};

/// Builds a simulation, runs it to the end of the scene and records it. Throws InputError before
/// anything is written, RunError where the run fails.
RunOutcome run_scene(const RunRequest& request);

/// Throws InputError, naming the first difference, unless `scene` may go on from `earlier`, the
/// scene of a checkpoint: only `end`, `output` and `camera` may change.
void check_same_scene(const Scene& scene, const Scene& earlier, const std::string& scene_file);

}  // namespace millrace
