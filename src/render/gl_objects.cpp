#include "render/gl_objects.hpp"

#include <numeric>

#include "millrace/error.hpp"

namespace millrace {
namespace {

GLuint new_buffer() {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    return buffer;
}

}  // namespace

GLuint make_texture(GLint format, int width, int height, GLenum layout, GLenum type,
                    const void* data) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, layout, type, data);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    return texture;
}

void smooth(GLuint texture) {
    glBindTexture(GL_TEXTURE_2D, texture);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
}

GLuint make_target(std::initializer_list<GLuint> colors, GLuint depth) {
    GLuint target = 0;
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    std::vector<GLenum> outputs;
    for (const GLuint color : colors) {
        outputs.push_back(static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + outputs.size()));
        glFramebufferTexture2D(GL_FRAMEBUFFER, outputs.back(), GL_TEXTURE_2D, color, 0);
    }
    if (outputs.empty())
        outputs.push_back(GL_NONE);
    glDrawBuffers(static_cast<GLsizei>(outputs.size()), outputs.data());
    if (depth)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw RunError("OpenGL cannot draw pictures of this size; try a smaller --size");
    return target;
}

Mesh::Mesh(std::initializer_list<int> attributes) : Mesh(attributes, new_buffer(), 0) {}

Mesh Mesh::instances_of(const Mesh& mesh, std::initializer_list<int> attributes) {
    return Mesh(attributes, mesh.buffer_, 1);
}

Mesh::Mesh(std::initializer_list<int> attributes, GLuint buffer, GLuint divisor) : buffer_(buffer) {
    glGenVertexArrays(1, &array_);
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    const int stride = std::accumulate(attributes.begin(), attributes.end(), 0);
    int offset = 0;
    GLuint location = 0;
    for (const int floats : attributes) {
        glEnableVertexAttribArray(location);
        glVertexAttribPointer(location, floats, GL_FLOAT, GL_FALSE,
                              static_cast<GLsizei>(stride * sizeof(float)),
                              reinterpret_cast<const void*>(offset * sizeof(float)));
        glVertexAttribDivisor(location, divisor);
        offset += floats;
        ++location;
    }
}

void Mesh::upload_triangles(const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    if (!index_buffer_)
        index_buffer_ = new_buffer();
    indices_ = static_cast<GLsizei>(3 * triangles.size());
    glBindVertexArray(array_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_buffer_);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                 static_cast<GLsizeiptr>(triangles.size() * sizeof(triangles[0])), triangles.data(),
                 GL_STREAM_DRAW);
}

void Mesh::draw(GLenum kind) const {
    if (!index_buffer_)
        return draw(kind, count_);
    glBindVertexArray(array_);
    glDrawElements(kind, indices_, GL_UNSIGNED_INT, nullptr);
}

void Mesh::draw(GLenum kind, GLsizei vertices) const {
    glBindVertexArray(array_);
    glDrawArrays(kind, 0, vertices);
}

void Mesh::draw_instances(GLsizei vertices, GLsizei instances) const {
    glBindVertexArray(array_);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, vertices, instances);
}

}  // namespace millrace
