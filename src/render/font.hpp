#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "render/image.hpp"

namespace millrace {

/// Writes text into pictures, smooth, from a TrueType file of the system; where none is found it
/// uses a plain built-in font. Text is UTF-8.
class Font {
  public:
    /// Tries these files in order; those that are missing or damaged are skipped.
    explicit Font(const std::vector<std::filesystem::path>& files = system_fonts());
    ~Font();

    static std::vector<std::filesystem::path> system_fonts();

    bool is_builtin() const { return !face_; }

    /// Length of a line of text [pixels]; `size` is the height of the font [pixels].
    double width(const std::string& text, double size) const;

    /// Draws a line from x [pixels] on; `baseline` is the y of the letters' feet.
    void draw(Image& image, double x, double baseline, const std::string& text, double size,
              const Color& color, float opacity = 1) const;

  private:
    struct Face;
    std::unique_ptr<Face> face_;
};

}  // namespace millrace
