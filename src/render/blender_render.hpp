#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "passes/pass.hpp"
#include "passes/run_frames.hpp"

namespace millrace {

/// What `millrace render --with blender` was asked for (docs/blender.md).
struct BlenderOptions {
    std::filesystem::path run;
    std::filesystem::path out;       ///< empty: `run`/render_blender
    int width = 1280, height = 720;  ///< [pixels]
    FrameChoice frames;
    int samples = 0;            ///< a pixel; 0: the script's default
    int threads = 0;            ///< 0: all cores
    std::optional<double> fps;  ///< of the video; nothing: output.fps of the scene
    bool gpu = false;
    bool video = true;
    bool overwrite = false;
    bool quiet = false;
    std::function<bool()> stop = [] { return false; };
};

struct BlenderResult {
    PassOutcome pass;
    std::filesystem::path folder;
    std::filesystem::path video;  ///< empty: none was made
};

/// Renders the frames of a run by Cycles, in the program `blender` without a window, and makes an
/// MP4 of them. Throws InputError when the folder or an option is wrong, RunError where Blender or
/// its script is missing or fails.
BlenderResult render_with_blender(const BlenderOptions& options);

}  // namespace millrace
