#include "render/font.hpp"

#include <cmath>
#include <cstdint>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_easy_font.h>
#include <stb_truetype.h>
#pragma GCC diagnostic pop

namespace millrace {
namespace {

constexpr double k_builtin_height = 11;  // of stb_easy_font, in its own pixels

/// The code points of UTF-8 text; bytes that are not UTF-8 stand for themselves.
std::vector<int> code_points(const std::string& text) {
    std::vector<int> points;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const int length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : 1;
        if (i + length > text.size()) {
            points.push_back(lead);
            ++i;
            continue;
        }
        int point = length == 1 ? lead : lead & (length == 2 ? 31 : 15);
        for (int k = 1; k < length; ++k)
            point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 63);
        points.push_back(point);
        i += length;
    }
    return points;
}

/// What the built-in font, which knows ASCII only, writes instead.
std::string ascii(const std::string& text) {
    std::string plain;
    for (const int point : code_points(text)) {
        if (point == 0xB2 || point == 0xB3)  // superscripts
            plain += point == 0xB2 ? "^2" : "^3";
        else
            plain += point >= 32 && point < 127 ? static_cast<char>(point) : '-';
    }
    return plain;
}

struct EasyVertex {
    float x, y, z;
    std::uint8_t color[4];
};

void draw_builtin(Image& image, double x, double baseline, const std::string& text, double size,
                  const Color& color, float opacity) {
    std::string plain = ascii(text);
    std::vector<EasyVertex> quads(plain.size() * 4 * 32 + 4);
    const int count = stb_easy_font_print(0, 0, plain.data(), nullptr, quads.data(),
                                          static_cast<int>(quads.size() * sizeof(EasyVertex)));
    const double scale = size / k_builtin_height;
    const double top = baseline - 7 * scale;  // the feet of its letters are 7 below the top
    const auto overlap = [](double low, double high, int pixel) {
        return std::max(0.0, std::min(high, pixel + 1.0) - std::max(low, double(pixel)));
    };
    for (int q = 0; q < count; ++q) {
        const double x0 = x + scale * quads[4 * q].x, x1 = x + scale * quads[4 * q + 2].x;
        const double y0 = top + scale * quads[4 * q].y, y1 = top + scale * quads[4 * q + 2].y;
        for (int py = static_cast<int>(std::floor(y0)); py < y1; ++py)
            for (int px = static_cast<int>(std::floor(x0)); px < x1; ++px)
                image.blend(
                    px, py, color,
                    opacity * static_cast<float>(overlap(x0, x1, px) * overlap(y0, y1, py)));
    }
}

}  // namespace

struct Font::Face {
    std::string file;
    stbtt_fontinfo info{};

    double scale(double size) const {
        return stbtt_ScaleForPixelHeight(&info, static_cast<float>(size));
    }

    /// Calls visit(glyph, x) for every letter; returns the length of the line.
    template <class Visit>
    double layout(const std::string& text, double size, Visit&& visit) const {
        double x = 0;
        int last = 0;
        for (const int point : code_points(text)) {
            const int glyph = stbtt_FindGlyphIndex(&info, point);
            if (last)
                x += scale(size) * stbtt_GetGlyphKernAdvance(&info, last, glyph);
            visit(glyph, x);
            int advance = 0;
            stbtt_GetGlyphHMetrics(&info, glyph, &advance, nullptr);
            x += scale(size) * advance;
            last = glyph;
        }
        return x;
    }
};

Font::Font(const std::vector<std::filesystem::path>& files) {
    for (const auto& path : files) {
        auto face = std::make_unique<Face>();
        try {
            face->file = read_file(path);
        } catch (const InputError&) {
            continue;
        }
        const auto* data = reinterpret_cast<const unsigned char*>(face->file.data());
        const bool is_font = face->file.size() > 1000 && stbtt_GetFontOffsetForIndex(data, 0) == 0;
        if (is_font && stbtt_InitFont(&face->info, data, 0)) {
            face_ = std::move(face);
            return;
        }
    }
}

Font::~Font() = default;

std::vector<std::filesystem::path> Font::system_fonts() {
    return {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",    // Debian, Ubuntu
            "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",  // Fedora
            "/usr/share/fonts/TTF/DejaVuSans.ttf",                // Arch
            "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
            "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"};
}

double Font::width(const std::string& text, double size) const {
    if (face_)
        return face_->layout(text, size, [](int, double) {});
    std::string plain = ascii(text);
    return stb_easy_font_width(plain.data()) * size / k_builtin_height;
}

void Font::draw(Image& image, double x, double baseline, const std::string& text, double size,
                const Color& color, float opacity) const {
    if (!face_) {
        draw_builtin(image, x, baseline, text, size, color, opacity);
        return;
    }
    const auto scale = static_cast<float>(face_->scale(size));
    const double base = std::floor(baseline);
    std::vector<std::uint8_t> coverage;
    face_->layout(text, size, [&](int glyph, double offset) {
        const double left = std::floor(x + offset);
        const auto shift = static_cast<float>(x + offset - left);
        int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
        stbtt_GetGlyphBitmapBoxSubpixel(&face_->info, glyph, scale, scale, shift, 0, &x0, &y0, &x1,
                                        &y1);
        const int w = x1 - x0, h = y1 - y0;
        if (w <= 0 || h <= 0)
            return;
        coverage.assign(static_cast<std::size_t>(w) * h, 0);
        stbtt_MakeGlyphBitmapSubpixel(&face_->info, coverage.data(), w, h, w, scale, scale, shift,
                                      0, glyph);
        for (int j = 0; j < h; ++j)
            for (int i = 0; i < w; ++i)
                image.blend(static_cast<int>(left) + x0 + i, static_cast<int>(base) + y0 + j, color,
                            opacity * static_cast<float>(coverage[j * w + i]) / 255);
    });
}

}  // namespace millrace
