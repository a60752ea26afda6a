#pragma once

#include <epoxy/gl.h>

#include "render/image.hpp"

namespace millrace {

/// What a renderer draws into: more pixels than are shown, against jagged edges. Throws RunError
/// where the size is too large.
class Picture {
  public:
    /// Pixels drawn for each one shown, a side.
    static constexpr int k_supersampling = 2;

    Picture(int width, int height);

    /// Binds the colours, with the depth, as what is drawn into.
    void bind() const;
    GLuint depth() const { return depth_; }
    int drawn_width() const { return k_supersampling * width_; }
    int drawn_height() const { return k_supersampling * height_; }

    /// What was drawn.
    Image read_back() const;

  private:
    int width_, height_;
    GLuint depth_ = 0, target_ = 0, final_target_ = 0;
};

}  // namespace millrace
