#include "render/image.hpp"

#include <png.h>

#include <cmath>
#include <string>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"

namespace millrace {

Image::Image(int width, int height)
    : width(width), height(height), rgb(3 * static_cast<std::size_t>(width) * height) {}

void Image::blend(int x, int y, const Color& color, float opacity) {
    if (x < 0 || y < 0 || x >= width || y >= height)
        return;
    const float channels[] = {color.r, color.g, color.b};
    std::uint8_t* p = pixel(x, y);
    for (int k = 0; k < 3; ++k)
        p[k] = static_cast<std::uint8_t>(
            std::lround(p[k] + opacity * (255 * channels[k] - static_cast<float>(p[k]))));
}

void write_png(const std::filesystem::path& path, const Image& image) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGB;
    header.flags = PNG_IMAGE_FLAG_FAST;  // a fifth of the time for a third more bytes
    std::string file(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
    png_alloc_size_t size = file.size();
    if (!png_image_write_to_memory(&header, file.data(), &size, 0, image.rgb.data(), 0, nullptr))
        throw RunError(path.string() + ": " + header.message);
    file.resize(size);
    write_file(path, file);
}

}  // namespace millrace
