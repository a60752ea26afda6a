#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "render/legend.hpp"
#include "render/water_frames.hpp"

namespace millrace {

/// What `millrace render` was asked for.
struct RenderOptions {
    std::filesystem::path run;       ///< folder of a run: scene.json, particles.pvd, particles/
    std::filesystem::path out;       ///< empty: `run`/render
    int width = 1280, height = 720;  ///< [pixels]
    /// "particles"; in 2D "surface", in 3D "water". Empty: a surface for scenes that run in the
    /// pool, water where the run has surfaces and no field was asked for.
    std::string style;
    LoadWater water;                 ///< reads what "water" draws; empty: it cannot be drawn
    std::vector<std::string> glass;  ///< names of walls and bodies that one looks through, in 3D
    /// Colours the particles, vectors by their length; empty: "velocity", of a surface the colours
    /// of the fluids.
    std::string field;
    std::optional<Range> range;      ///< of the colours; nothing: from the data of all frames
    std::optional<int> first, last;  ///< numbers of the frames, both included; nothing: all
    std::optional<double> fps;       ///< of the video; nothing: output.fps of the scene
    bool video = true;
    bool legend = true;
    bool quiet = false;  ///< no progress
};

struct RenderResult {
    int frames = 0;
    std::filesystem::path folder;  ///< of frame_000000.png ...
    std::filesystem::path video;   ///< empty: none was made
    Range range;                   ///< of the colours, where a field gives them
};

/// Draws the frames of a run as PNG files and as one MP4. Throws InputError when the folder or an
/// option is wrong, RunError when OpenGL, ffmpeg or the disk fails. Without the program ffmpeg it
/// warns on stderr and makes no video.
RenderResult render_run(const RenderOptions& options);

}  // namespace millrace
