#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace millrace {

/// A colour as it goes into a file: red, green, blue of sRGB from 0 to 1.
struct Color {
    float r = 0, g = 0, b = 0;
};

/// A picture: red, green, blue from 0 to 255, row by row from the top.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    Image() = default;
    Image(int width, int height);

    std::uint8_t* pixel(int x, int y) {
        return &rgb[3 * (static_cast<std::size_t>(y) * width + x)];
    }
    const std::uint8_t* pixel(int x, int y) const {
        return &rgb[3 * (static_cast<std::size_t>(y) * width + x)];
    }

    /// Mixes `color` into a pixel; does nothing outside the picture.
    void blend(int x, int y, const Color& color, float opacity);
};

/// Writes a PNG file atomically; throws RunError.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace millrace
