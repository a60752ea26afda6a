#include "render/color_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace millrace {
namespace {

double linear(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

/// The lightness of OKLab, by the forward matrices of Ottosson 2020 (the map uses the inverse).
double lightness(const Color& c) {
    const double r = linear(c.r), g = linear(c.g), b = linear(c.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

TEST(WaterColor, LightnessGrowsEvenly) {
    const double from = lightness(water_color(0)), to = lightness(water_color(1));
    EXPECT_LT(from, 0.4);
    EXPECT_GT(to, 0.95);
    for (int i = 0; i <= 100; ++i)  // would fail where a colour is outside of sRGB and was cut off
        EXPECT_NEAR(lightness(water_color(i / 100.0)), from + (to - from) * i / 100, 0.004) << i;
}

TEST(WaterColor, RunsFromBlueToWhiteAndStopsAtTheEnds) {
    const Color low = water_color(-3), high = water_color(7);
    EXPECT_GT(low.b, low.r + 0.3);
    EXPECT_GT(high.r, 0.85);
    EXPECT_EQ(low.g, water_color(0).g);
    EXPECT_EQ(high.g, water_color(1).g);
}

}  // namespace
}  // namespace millrace
