#pragma once

namespace millrace {

/// An OpenGL 3.3 context without a window, through EGL: on a GPU or in Mesa's software renderer.
/// It is current on the thread that made it, from the constructor to the destructor (one at a time
/// on a thread), and takes every GL object with it when it goes. Throws RunError where there is no
/// OpenGL.
class GlContext {
  public:
    GlContext();
    ~GlContext();
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

  private:
    void* display_ = nullptr;
    void* context_ = nullptr;
    void* surface_ = nullptr;
};

}  // namespace millrace
