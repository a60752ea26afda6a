#pragma once

#include <filesystem>
#include <functional>

#include "passes/pass.hpp"
#include "passes/run_frames.hpp"

namespace millrace {

/// What `millrace mesh` was asked for.
struct MeshRequest {
    std::filesystem::path run;
    FrameChoice frames;
    SurfaceOutput surface;
    int jobs = 0;            ///< frames at once; 0: as many as there are cores and memory for
    bool overwrite = false;  ///< makes the frames anew; all of them where the options are others
    bool quiet = false;
    std::function<bool()> stop = [] { return false; };
};

/// Makes OUT/surface/NAME_000000.vtp ... and OUT/surface.pvd. Throws InputError before anything is
/// written, RunError where the disk or the memory fails.
PassOutcome mesh_pass(const MeshRequest& request);

}  // namespace millrace
