#pragma once

#include <string>
#include <vector>

namespace millrace {

/// A curve of a chart; a point that is not finite, or not positive on a logarithmic axis, is left
/// out.
struct Series {
    std::string name;
    std::vector<double> x, y;
};

struct Axis {
    std::string label;
    bool logarithmic = false;
};

struct Chart {
    std::string title;
    Axis x, y;
    std::vector<Series> series;
    bool markers = true;  ///< a dot at every point; for curves of few points
};

/// Round numbers that divide an axis, the first at or below `min`, the last at or above `max`:
/// multiples of 1, 2 or 5 times a power of ten, on a logarithmic axis such numbers themselves.
std::vector<double> axis_ticks(double min, double max, bool logarithmic);

/// The chart as a whole SVG file. Its plot area is the rectangle with the id "plot".
std::string chart_svg(const Chart& chart);

}  // namespace millrace
