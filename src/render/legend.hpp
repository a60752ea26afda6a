#pragma once

#include <string>
#include <vector>

#include "render/font.hpp"
#include "render/image.hpp"

namespace millrace {

/// The values at the two ends of the colour map.
struct Range {
    double min = 0;
    double max = 1;
};

/// Round numbers inside a range for at most about eight marks.
struct Ticks {
    std::vector<double> values;
    std::vector<std::string> labels;
};
Ticks make_ticks(const Range& range);

/// The range widened to round numbers, so that its ends get marks.
Range rounded(const Range& range);

/// "velocity [m/s]": the field with its unit, where that is known.
std::string field_title(const std::string& field);

/// What a picture says in words.
struct Legend {
    std::string title;  ///< of the colour bar; empty: there is none
    Range range;
    std::string time;     ///< simulated time, such as "t = 1.50 s"
    std::string caption;  ///< a small line under the time
    bool small = false;   ///< small and dark, for films with a bright sky
};

/// Draws the colour bar with marks on the right and the time at the top left; all sizes follow the
/// height of the picture.
void draw_legend(Image& image, const Legend& legend, const Font& font);

}  // namespace millrace
