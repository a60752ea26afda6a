#pragma once

#include <epoxy/gl.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace millrace {

// Objects of the current context, which takes them with it when it goes.

/// A texture with hard texels; `data` may be null.
GLuint make_texture(GLint format, int width, int height, GLenum layout, GLenum type,
                    const void* data = nullptr);

/// Lets look-ups between the texels of a texture mix them; leaves it bound.
void smooth(GLuint texture);

/// What a pass draws into: its outputs in order, and the depth, 0: none. Throws RunError where the
/// size is too large.
GLuint make_target(std::initializer_list<GLuint> colors, GLuint depth);

/// Vertices in a buffer, made of floats.
class Mesh {
  public:
    /// The number of floats in each attribute of a vertex, in order.
    explicit Mesh(std::initializer_list<int> attributes);

    /// The vertices of another mesh, each of them used for a whole instance.
    static Mesh instances_of(const Mesh& mesh, std::initializer_list<int> attributes);

    template <class Vertex>
    void upload(const std::vector<Vertex>& vertices) {
        count_ = static_cast<GLsizei>(vertices.size());
        glBindBuffer(GL_ARRAY_BUFFER, buffer_);
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)),
                     vertices.data(), GL_STREAM_DRAW);
    }

    /// Three vertices a triangle: from now on `draw` draws these.
    void upload_triangles(const std::vector<std::array<std::uint32_t, 3>>& triangles);

    void draw(GLenum kind) const;                    ///< all vertices, or all triangles
    void draw(GLenum kind, GLsizei vertices) const;  ///< so many, made up by the shader
    void draw_instances(GLsizei vertices, GLsizei instances) const;  ///< as triangle strips

    GLsizei count() const { return count_; }

  private:
    Mesh(std::initializer_list<int> attributes, GLuint buffer, GLuint divisor);

    GLuint array_ = 0, buffer_ = 0, index_buffer_ = 0;
    GLsizei count_ = 0, indices_ = 0;
};

}  // namespace millrace
