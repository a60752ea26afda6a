#pragma once

#include <epoxy/gl.h>

#include <span>
#include <string>

#include "math/vec.hpp"
#include "render/camera.hpp"

namespace millrace {

/// A vertex and a fragment shader; a fault in them is a RunError with the compiler's words.
class GlProgram {
  public:
    GlProgram(const std::string& vertex_source, const std::string& fragment_source);

    void use() const { glUseProgram(id_); }

    // Uniforms of the program in use; one that the compiler removed is skipped.
    void set(const char* name, const Matrix& value) const;
    void set(const char* name, const Vec3d& value) const;
    void set(const char* name, std::span<const Vec2> values) const;
    void set(const char* name, std::span<const Vec3> values) const;
    void set(const char* name, std::span<const Vec<4>> values) const;
    void set(const char* name, double value) const;
    void set(const char* name, int value) const;

    /// Binds a texture to the sampler `name`.
    void set_texture(const char* name, int unit, GLuint texture) const;

  private:
    GLuint id_ = 0;
};

}  // namespace millrace
