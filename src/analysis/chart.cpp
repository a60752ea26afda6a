#include "analysis/chart.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/formatted.hpp"
#include "io/xml.hpp"

namespace millrace {

namespace {

// [px]
constexpr double k_width = 760, k_height = 460;
constexpr double k_left = 90, k_right = 190, k_top = 46, k_bottom = 64;
constexpr double k_plot_width = k_width - k_left - k_right;
constexpr double k_plot_height = k_height - k_top - k_bottom;

// distinct for the colour-blind, too (Okabe and Ito 2008)
constexpr const char* k_colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#000000"};

std::vector<double> linear_ticks(double min, double max) {
    constexpr double k_intervals = 6;
    const double least = (max - min) / k_intervals;
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = 10 * power;
    for (const double factor : {5, 2, 1})
        if (factor * power >= least * (1 - 1e-9))
            step = factor * power;
    const double first = std::floor(min / step + 1e-9), last = std::ceil(max / step - 1e-9);
    std::vector<double> ticks;
    for (double k = first; k <= last; ++k)
        ticks.push_back(k * step);
    return ticks;
}

std::vector<double> log_ticks(double min, double max) {
    const bool only_powers = max / min > 2000;
    std::vector<double> all;
    for (int k = static_cast<int>(std::floor(std::log10(min))) - 1;
         k <= static_cast<int>(std::ceil(std::log10(max))) + 1; ++k)
        for (const double factor : {1, 2, 5})
            if (factor == 1 || !only_powers)
                // a quotient of whole numbers is the nearest to 0.02
                all.push_back(k < 0 ? factor / std::pow(10, -k) : factor * std::pow(10, k));
    auto first = std::upper_bound(all.begin(), all.end(), min * (1 + 1e-9)) - 1;
    auto last = std::lower_bound(all.begin(), all.end(), max * (1 - 1e-9));
    return {first, last + 1};
}

/// Maps an axis to pixels.
class Scale {
  public:
    Scale(const Axis& axis, double from, double to)
        : logarithmic_(axis.logarithmic), from_(from), to_(to) {}

    bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
    void include(double value) {
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
    }
    void finish() {
        if (min_ > max_)
            min_ = max_ = 1;
        ticks = axis_ticks(min_, max_, logarithmic_);
    }
    double operator()(double value) const {
        const auto at = [&](double v) { return logarithmic_ ? std::log(v) : v; };
        const double part =
            (at(value) - at(ticks.front())) / (at(ticks.back()) - at(ticks.front()));
        return from_ + part * (to_ - from_);
    }

    std::vector<double> ticks;

  private:
    bool logarithmic_;
    double from_, to_;
    double min_ = 1e300, max_ = -1e300;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
    return formatted("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">", x, y, anchor) +
           xml_escaped(text) + "</text>\n";
}

std::string axes_svg(const Chart& chart, const Scale& x, const Scale& y) {
    const double bottom = k_top + k_plot_height, right = k_left + k_plot_width;
    std::string svg = formatted(
        "<rect id=\"plot\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" "
        "stroke=\"#444\"/>\n",
        k_left, k_top, k_plot_width, k_plot_height);
    const auto line = [](double x1, double y1, double x2, double y2) {
        return formatted(
            "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"#ddd\"/>\n", x1, y1, x2,
            y2);
    };
    for (const double tick : x.ticks)
        svg += line(x(tick), k_top, x(tick), bottom) +
               text_at(x(tick), bottom + 18, "middle", formatted("%g", tick));
    for (const double tick : y.ticks)
        svg += line(k_left, y(tick), right, y(tick)) +
               text_at(k_left - 8, y(tick) + 4, "end", formatted("%g", tick));
    svg += text_at(k_left + k_plot_width / 2, k_height - 18, "middle", chart.x.label);
    svg += formatted("<text transform=\"translate(22 %g) rotate(-90)\" text-anchor=\"middle\">",
                     k_top + k_plot_height / 2) +
           xml_escaped(chart.y.label) + "</text>\n";
    svg += formatted("<text x=\"%g\" y=\"26\" font-size=\"16\">", k_left) +
           xml_escaped(chart.title) + "</text>\n";
    return svg;
}

std::string series_svg(const Chart& chart, const Series& series, const char* color, const Scale& x,
                       const Scale& y) {
    std::string points, dots;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        if (!x.shows(series.x[i]) || !y.shows(series.y[i]))
            continue;
        const double px = x(series.x[i]), py = y(series.y[i]);
        points += formatted("%.2f,%.2f ", px, py);
        if (chart.markers)
            dots += formatted("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3.5\" fill=\"%s\"/>\n", px, py,
                              color);
    }
    return formatted("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" points=\"", color,
                     chart.markers ? 2.0 : 1.2) +
           points + "\"/>\n" + dots;
}

}  // namespace

std::vector<double> axis_ticks(double min, double max, bool logarithmic) {
    if (logarithmic)
        return max > min * 1.001 ? log_ticks(min, max) : log_ticks(min / 1.5, max * 1.5);
    const double size = std::max(std::abs(min), std::abs(max));
    if (max - min > 1e-6 * size)
        return linear_ticks(min, max);
    const double room = size > 0 ? 0.1 * size : 1;
    return linear_ticks(min - room, max + room);
}

std::string chart_svg(const Chart& chart) {
    Scale x(chart.x, k_left, k_left + k_plot_width), y(chart.y, k_top + k_plot_height, k_top);
    for (const Series& series : chart.series)
        for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
            if (x.shows(series.x[i]) && y.shows(series.y[i])) {
                x.include(series.x[i]);
                y.include(series.y[i]);
            }
    x.finish();
    y.finish();
    std::string svg = formatted(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
        "viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        k_width, k_height, k_width, k_height);
    svg += axes_svg(chart, x, y);
    double row = k_top + 12;
    for (std::size_t i = 0; i < chart.series.size(); ++i, row += 22) {
        const char* color = k_colors[i % std::size(k_colors)];
        svg += series_svg(chart, chart.series[i], color, x, y);
        const double left = k_left + k_plot_width + 14;
        svg += formatted("<rect x=\"%g\" y=\"%g\" width=\"18\" height=\"4\" fill=\"%s\"/>\n", left,
                         row - 6, color) +
               text_at(left + 26, row, "start", chart.series[i].name);
    }
    return svg + "</svg>\n";
}

}  // namespace millrace
