#include "analysis/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <regex>
#include <string>

namespace millrace {
namespace {

/// Every tag is closed in order, every attribute is quoted, no bare & or <.
void expect_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    const std::regex tag(R"re(<(/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(/?)>)re");
    std::size_t end = 0;
    for (std::sregex_iterator it(xml.begin(), xml.end(), tag), none; it != none; ++it) {
        const std::string between = xml.substr(end, it->position() - end);
        EXPECT_EQ(between.find_first_of("<>"), std::string::npos) << between;
        end = it->position() + it->length();
        if ((*it)[1].length()) {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(open.back(), (*it)[2]);
            open.pop_back();
        } else if (!(*it)[4].length()) {
            open.push_back((*it)[2]);
        }
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(xml.substr(end), "\n");
    EXPECT_TRUE(std::regex_search(xml, std::regex("^<svg xmlns=\"http://www.w3.org/2000/svg\"")));
    const std::regex bare("&(?!(amp|lt|gt|quot);)");
    EXPECT_FALSE(std::regex_search(xml, bare));
}

struct Point {
    double x, y;
};

/// All points of the curves and of the dots.
std::vector<Point> points_of(const std::string& svg) {
    std::vector<Point> points;
    const std::regex pair(R"(([-\d.eninf]+),([-\d.eninf]+) )");
    const std::regex dot("<circle cx=\"([^\"]*)\" cy=\"([^\"]*)\"");
    for (const std::regex& regex : {pair, dot})
        for (std::sregex_iterator it(svg.begin(), svg.end(), regex), none; it != none; ++it)
            points.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
    return points;
}

void expect_inside(const std::string& svg, std::size_t count) {
    std::smatch m;
    ASSERT_TRUE(std::regex_search(
        svg, m,
        std::regex("id=\"plot\" x=\"(.*?)\" y=\"(.*?)\" width=\"(.*?)\" height=\"(.*?)\"")));
    const double x = std::stod(m[1]), y = std::stod(m[2]), w = std::stod(m[3]), h = std::stod(m[4]);
    const std::vector<Point> points = points_of(svg);
    EXPECT_EQ(points.size(), count);
    for (const Point& p : points) {
        EXPECT_GE(p.x, x - 0.01);
        EXPECT_LE(p.x, x + w + 0.01);
        EXPECT_GE(p.y, y - 0.01);
        EXPECT_LE(p.y, y + h + 0.01);
    }
}

/// 1, 2 or 5 times a power of ten.
bool is_round(double x) {
    const double mantissa = x / std::pow(10, std::floor(std::log10(x) + 1e-9));
    for (const double round : {1, 2, 5})
        if (std::abs(mantissa - round) < 1e-9)
            return true;
    return false;
}

TEST(Chart, TicksAreRoundAndEncloseTheData) {
    std::mt19937 random(1);
    const auto uniform = [&] { return random() * 0x1p-32; };
    for (int k = 0; k < 2000; ++k) {
        const double size = std::pow(10, 12 * uniform() - 6);
        const double min = size * (uniform() - 0.5), max = min + size * uniform();
        const std::vector<double> ticks = axis_ticks(min, max, false);
        ASSERT_GE(ticks.size(), 2u);
        ASSERT_LE(ticks.size(), 9u);
        const double step = ticks[1] - ticks[0];
        EXPECT_TRUE(is_round(step)) << step;
        EXPECT_LE(ticks.front(), min + 1e-6 * step);
        EXPECT_GE(ticks.back(), max - 1e-6 * step);
        for (std::size_t i = 1; i < ticks.size(); ++i)
            EXPECT_NEAR(ticks[i] - ticks[i - 1], step, 1e-6 * step);

        const double low = size, high = size * std::pow(10, 5 * uniform());
        const std::vector<double> logs = axis_ticks(low, high, true);
        ASSERT_GE(logs.size(), 2u);
        ASSERT_LE(logs.size(), 14u);
        for (const double tick : logs)
            EXPECT_TRUE(is_round(tick)) << tick;
        EXPECT_LE(logs.front(), low * (1 + 1e-6));
        EXPECT_GE(logs.back(), high * (1 - 1e-6));
    }
    EXPECT_EQ(axis_ticks(0, 1, false),
              (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
    EXPECT_EQ(axis_ticks(0.5, 16, true), (std::vector<double>{0.5, 1, 2, 5, 10, 20}));
    EXPECT_EQ(axis_ticks(0.02, 0.03, true), (std::vector<double>{0.02, 0.05}));
}

TEST(Chart, AllPointsLieInThePlotArea) {
    for (const bool log_x : {false, true})
        for (const bool log_y : {false, true}) {
            Chart chart{"Speed", {"height [m]", log_x}, {"speed", log_y}, {}};
            chart.series = {{"a", {0.5, 1, 2, 4, 8, 16}, {3, 1.1, 0.4, 0.1, 0.03, 0.007}},
                            {"b", {0.5, 16}, {1e3, 1e-3}}};
            const std::string svg = chart_svg(chart);
            expect_well_formed(svg);
            expect_inside(svg, 16);
        }
}

TEST(Chart, PointsThatCannotBeShownAreLeftOut) {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    Chart chart{"", {"", true}, {"", false}, {}};
    chart.series = {{"a", {1, 2, nan, 0, -1, 4}, {1, nan, 1, 1, 1, inf}}, {"empty", {}, {}}};
    const std::string svg = chart_svg(chart);
    expect_well_formed(svg);
    expect_inside(svg, 2);
    for (const auto& series : {std::vector<Series>{}, std::vector<Series>{{"none", {}, {}}}}) {
        chart.series = series;
        expect_well_formed(chart_svg(chart));
        expect_inside(chart_svg(chart), 0);
    }
}

TEST(Chart, EqualValuesAndSignsInTexts) {
    Chart chart{"a < b & \"c\" > d", {"<x>", false}, {"&", true}, {}};
    chart.series = {{"x < 3 & y", {3, 3, 3}, {7, 7, 7}}, {"0", {0, 0}, {7, 7}}};
    const std::string svg = chart_svg(chart);
    expect_well_formed(svg);
    expect_inside(svg, 10);
    EXPECT_NE(svg.find(">x &lt; 3 &amp; y</text>"), std::string::npos);
}

TEST(Chart, LogarithmicAxesAreLogarithmic) {
    Chart chart{"", {"", true}, {"", true}, {}};
    chart.series = {{"power law", {1, 10, 100}, {100, 10, 1}}};
    chart.markers = false;
    const std::vector<Point> p = points_of(chart_svg(chart));
    ASSERT_EQ(p.size(), 3u);
    EXPECT_NEAR(p[1].x, (p[0].x + p[2].x) / 2, 0.02);
    EXPECT_NEAR(p[1].y, (p[0].y + p[2].y) / 2, 0.02);
    EXPECT_LT(p[0].y, p[2].y);  // up is less in SVG
}

}  // namespace
}  // namespace millrace
