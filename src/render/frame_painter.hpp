#pragma once

#include <memory>
#include <string>

#include "passes/run_frames.hpp"
#include "render/image.hpp"
#include "render/legend.hpp"
#include "render/object_meshes.hpp"

namespace millrace {

/// How the frames of a run look; all is decided.
struct PaintStyle {
    int width = 1280, height = 720;  ///< [pixels]
    std::string style;               ///< "particles", "surface" (2D) or "water" (3D)
    std::string field;               ///< that colours the particles; empty: the fluids' colours
    Range range;                     ///< of its colours
    bool legend = true;              ///< words in the picture
    double fluid_volume = 0;         ///< [m^3]; how clear water is follows from it
};

/// Makes pictures of frames, each from its number. To be used on the thread that made it; throws
/// RunError where there is no OpenGL.
class FramePainter {
  public:
    /// `bounds` [m]: what is to be seen. `run` and `objects` must outlive it.
    FramePainter(const RecordedRun& run, const std::vector<ObjectMesh>& objects, const Box& bounds,
                 const PaintStyle& style);
    ~FramePainter();

    /// Throws InputError that names the file where a frame is missing or damaged.
    Image paint(int number);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace millrace
