#include "render/legend.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "render/color_map.hpp"

namespace millrace {
namespace {

constexpr Color k_text{0.95f, 0.97f, 1.00f};
constexpr Color k_faint_text{0.66f, 0.72f, 0.80f};
constexpr Color k_dark_text{0.08f, 0.12f, 0.18f};
constexpr Color k_panel{0.03f, 0.04f, 0.06f};
constexpr double k_most_steps = 8;

struct FieldUnit {
    const char* field;
    const char* unit;
};
constexpr FieldUnit k_units[] = {
    {"velocity", "m/s"},   {"density", "kg/m³"}, {"pressure", "Pa"}, {"acceleration", "m/s²"},
    {"vorticity", "1/s"},  {"mass", "kg"},       {"volume", "m³"},   {"viscosity", "m²/s"},
    {"temperature", "°C"}, {"force", "N"},
};

/// The step of 1, 2, 2.5 or 5 times a power of ten that is next above `step` > 0.
double nice_step(double step) {
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (factor * power >= step * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

std::string label_of(double value, double step) {
    char text[64];
    const double largest = std::max(std::abs(value), step);
    if (value != 0 && (largest >= 1e7 || step < 1e-5)) {
        std::snprintf(text, sizeof text, "%.3g", value);
        return text;
    }
    // as many digits as the step has: 0.25 needs two
    int digits = 0;
    while (digits < 9 &&
           std::abs(step * std::pow(10, digits) - std::round(step * std::pow(10, digits))) > 1e-6)
        ++digits;
    std::snprintf(text, sizeof text, "%.*f", digits, value + 0.0);
    return text;
}

/// A filled rectangle with round corners and smooth edges.
void draw_panel(Image& image, double x0, double y0, double x1, double y1, double corner,
                const Color& color, float opacity) {
    for (int y = static_cast<int>(y0) - 1; y <= y1 + 1; ++y)
        for (int x = static_cast<int>(x0) - 1; x <= x1 + 1; ++x) {
            // distance outside the rectangle that the corners are rounded around
            const double dx = std::max({x0 + corner - x - 0.5, x + 0.5 - x1 + corner, 0.0});
            const double dy = std::max({y0 + corner - y - 0.5, y + 0.5 - y1 + corner, 0.0});
            const double cover = std::clamp(corner + 0.5 - std::hypot(dx, dy), 0.0, 1.0);
            image.blend(x, y, color, opacity * static_cast<float>(cover));
        }
}

}  // namespace

Ticks make_ticks(const Range& range) {
    Ticks ticks;
    const double span = range.max - range.min;
    if (!(span > 0) || !std::isfinite(span))
        return ticks;
    const double step = nice_step(span / k_most_steps);
    const double slack = 1e-6 * span;
    for (double i = std::ceil((range.min - slack) / step); i * step <= range.max + slack; ++i) {
        ticks.values.push_back(i * step);
        ticks.labels.push_back(label_of(i * step, step));
        if (ticks.values.size() > 100)
            break;  // the range is so narrow that the step is lost in rounding
    }
    return ticks;
}

Range rounded(const Range& range) {
    const double step = nice_step((range.max - range.min) / k_most_steps);
    return {std::floor(range.min / step + 1e-6) * step, std::ceil(range.max / step - 1e-6) * step};
}

std::string field_title(const std::string& field) {
    for (const FieldUnit& known : k_units)
        if (field == known.field)
            return field + " [" + known.unit + "]";
    return field;
}

void draw_legend(Image& image, const Legend& legend, const Font& font) {
    const double unit = image.height / 720.0;  // all sizes below are for 720 rows
    const double size = 17 * unit, margin = 24 * unit, padding = 14 * unit;
    const Ticks ticks = make_ticks(legend.range);

    if (legend.small) {
        font.draw(image, margin, margin + 8 * unit, legend.time, 18 * unit, k_dark_text);
        font.draw(image, margin, margin + 26 * unit, legend.caption, 12 * unit, k_dark_text);
        return;
    }
    font.draw(image, margin, margin + 22 * unit, legend.time, 28 * unit, k_text);
    font.draw(image, margin, margin + 46 * unit, legend.caption, 15 * unit, k_faint_text);
    if (legend.title.empty())
        return;

    // the panel in the lower right: title above, bar on the left, labels on its right
    double label_width = 0;
    for (const std::string& label : ticks.labels)
        label_width = std::max(label_width, font.width(label, size));
    const double bar_width = 16 * unit, bar_height = 220 * unit, gap = 10 * unit;
    const double inner_width =
        std::max(bar_width + gap + label_width, font.width(legend.title, size));
    const double right = image.width - margin, bottom = image.height - margin;
    const double left = right - inner_width - 2 * padding;
    const double top = bottom - bar_height - 2 * padding - 30 * unit;
    draw_panel(image, left, top, right, bottom, 10 * unit, k_panel, 0.45f);
    font.draw(image, left + padding, top + padding + 13 * unit, legend.title, size, k_text);

    const double bar_left = left + padding, bar_bottom = bottom - padding;
    const double bar_top = bar_bottom - bar_height;
    for (int y = static_cast<int>(std::lround(bar_top)); y < std::lround(bar_bottom); ++y)
        for (int x = static_cast<int>(std::lround(bar_left)); x < std::lround(bar_left + bar_width);
             ++x)
            image.blend(x, y, water_color((bar_bottom - y - 0.5) / bar_height), 1);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
        const double at =
            (ticks.values[i] - legend.range.min) / (legend.range.max - legend.range.min);
        const double y = bar_bottom - at * bar_height;
        draw_panel(image, bar_left + bar_width, y - 0.6 * unit, bar_left + bar_width + 5 * unit,
                   y + 0.6 * unit, 0, k_text, 0.8f);
        font.draw(image, bar_left + bar_width + gap, y + 6 * unit, ticks.labels[i], size, k_text);
    }
}

}  // namespace millrace
