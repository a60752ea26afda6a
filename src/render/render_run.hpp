#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "passes/pass.hpp"
#include "passes/run_frames.hpp"
#include "render/legend.hpp"

namespace millrace {

/// What `millrace render` was asked for.
struct RenderOptions {
    std::filesystem::path run;       ///< folder of a run: scene.json, particles.pvd, particles/
    std::filesystem::path out;       ///< empty: `run`/render
    int width = 1280, height = 720;  ///< [pixels]
    /// "particles", in 2D "surface", in 3D "water"; empty: a surface for scenes that run in the
    /// pool, water where the run has surfaces
    std::string style;
    /// Colours the particles, vectors by their length; empty: "velocity", of a surface the colours
    /// of the fluids.
    std::string field;
    std::optional<Range> range;  ///< of the colours; nothing: from the data of the run
    FrameChoice frames;
    std::optional<double> fps;  ///< of the video; nothing: output.fps of the scene
    bool video = true;
    bool legend = true;
    bool overwrite = false;  ///< makes the pictures anew, all where the options are others
    bool quiet = false;      ///< no progress
    std::function<bool()> stop = [] { return false; };
};

struct RenderResult {
    PassOutcome pass;
    std::filesystem::path folder;  ///< of frame_000000.png ...
    std::filesystem::path video;   ///< empty: none was made
    Range range;                   ///< of the colours, where a field gives them
};

/// Draws the frames of a run as PNG files and makes one MP4 of them. Pictures that are there are
/// left alone. Throws InputError when the folder or an option is wrong, RunError when OpenGL,
/// ffmpeg or the disk fails. Without the program ffmpeg it warns on stderr and makes no video.
RenderResult render_run(const RenderOptions& options);

}  // namespace millrace
