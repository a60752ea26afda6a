#include "render/gl_program.hpp"

#include "millrace/error.hpp"

namespace millrace {
namespace {

GLuint compile(GLenum kind, const std::string& source) {
    const GLuint shader = glCreateShader(kind);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        char log[2000] = "";
        glGetShaderInfoLog(shader, sizeof log, nullptr, log);
        throw RunError("OpenGL cannot compile a shader: " + std::string(log));
    }
    return shader;
}

}  // namespace

GlProgram::GlProgram(const std::string& vertex_source, const std::string& fragment_source)
    : id_(glCreateProgram()) {
    for (const GLuint shader :
         {compile(GL_VERTEX_SHADER, vertex_source), compile(GL_FRAGMENT_SHADER, fragment_source)}) {
        glAttachShader(id_, shader);
        glDeleteShader(shader);  // goes with the program
    }
    glLinkProgram(id_);
    GLint good = 0;
    glGetProgramiv(id_, GL_LINK_STATUS, &good);
    if (!good) {
        char log[2000] = "";
        glGetProgramInfoLog(id_, sizeof log, nullptr, log);
        throw RunError("OpenGL cannot link a shader: " + std::string(log));
    }
}

void GlProgram::set(const char* name, const Matrix& value) const {
    glUniformMatrix4fv(glGetUniformLocation(id_, name), 1, GL_FALSE, value.data());
}

void GlProgram::set(const char* name, const Vec3d& value) const {
    const Vec3 v = Vec3::from(value);
    glUniform3f(glGetUniformLocation(id_, name), v[0], v[1], v[2]);
}

void GlProgram::set(const char* name, std::span<const Vec2> values) const {
    glUniform2fv(glGetUniformLocation(id_, name), static_cast<GLsizei>(values.size()),
                 values.front().c);
}

void GlProgram::set(const char* name, std::span<const Vec3> values) const {
    if (!values.empty())
        glUniform3fv(glGetUniformLocation(id_, name), static_cast<GLsizei>(values.size()),
                     values.front().c);
}

void GlProgram::set(const char* name, std::span<const Vec<4>> values) const {
    if (!values.empty())
        glUniform4fv(glGetUniformLocation(id_, name), static_cast<GLsizei>(values.size()),
                     values.front().c);
}

void GlProgram::set(const char* name, double value) const {
    glUniform1f(glGetUniformLocation(id_, name), static_cast<float>(value));
}

void GlProgram::set(const char* name, int value) const {
    glUniform1i(glGetUniformLocation(id_, name), value);
}

void GlProgram::set_texture(const char* name, int unit, GLuint texture) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture);
    set(name, unit);
}

}  // namespace millrace
