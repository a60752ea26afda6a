#pragma once

#include <algorithm>
#include <cstdlib>

#include "render/image.hpp"

// What is to be seen in a picture.
namespace millrace::test {

struct Pixel {
    int r, g, b;

    int light() const { return r + g + b; }
};

inline Pixel at(const Image& image, int x, int y) {
    const std::uint8_t* p = image.pixel(x, y);
    return {p[0], p[1], p[2]};
}

inline bool is_blue(const Pixel& p) {
    return p.b > p.r + 60;
}

inline bool is_red(const Pixel& p) {
    return p.r > p.b + 60 && p.r > p.g + 60;
}

inline bool is_white(const Pixel& p) {
    return p.r > 170 && p.g > 170 && p.b > 170;
}

/// Pixels that differ clearly, and where they are.
struct Difference {
    int count = 0, left, right = -1, top, bottom = -1;
};

inline Difference compare(const Image& a, const Image& b) {
    Difference d{.left = a.width, .top = a.height};
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            const Pixel p = at(a, x, y), q = at(b, x, y);
            if (std::abs(p.r - q.r) + std::abs(p.g - q.g) + std::abs(p.b - q.b) < 60)
                continue;
            ++d.count;
            d.left = std::min(d.left, x);
            d.right = std::max(d.right, x);
            d.top = std::min(d.top, y);
            d.bottom = std::max(d.bottom, y);
        }
    return d;
}

}  // namespace millrace::test
