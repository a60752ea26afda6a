#include "render/picture.hpp"

#include <cstring>
#include <string>

#include "millrace/error.hpp"
#include "render/gl_objects.hpp"

namespace millrace {

Picture::Picture(int width, int height) : width_(width), height_(height) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    const int w = drawn_width(), h = drawn_height();
    if (w > largest || h > largest)
        throw RunError("OpenGL draws pictures of at most " +
                       std::to_string(largest / k_supersampling) + " pixels a side here");
    depth_ = make_texture(GL_DEPTH_COMPONENT24, w, h, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    target_ = make_target({make_texture(GL_RGBA8, w, h, GL_RGBA, GL_UNSIGNED_BYTE)}, depth_);
    final_target_ =
        make_target({make_texture(GL_RGBA8, width, height, GL_RGBA, GL_UNSIGNED_BYTE)}, 0);
}

void Picture::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, target_);
    glViewport(0, 0, drawn_width(), drawn_height());
}

Image Picture::read_back() const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target_);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, final_target_);
    glBlitFramebuffer(0, 0, drawn_width(), drawn_height(), 0, 0, width_, height_,
                      GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, final_target_);
    std::vector<std::uint8_t> pixels(4 * static_cast<std::size_t>(width_) * height_);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    if (glGetError() != GL_NO_ERROR)
        throw RunError("OpenGL failed while drawing (out of memory?)");
    Image image(width_, height_);
    for (int y = 0; y < height_; ++y)  // OpenGL's rows start at the bottom
        for (int x = 0; x < width_; ++x)
            std::memcpy(image.pixel(x, y),
                        &pixels[4 * (static_cast<std::size_t>(height_ - 1 - y) * width_ + x)], 3);
    return image;
}

}  // namespace millrace
