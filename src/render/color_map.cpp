#include "render/color_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace millrace {
namespace {

// Both ends in OKLCh (lightness, chroma, hue): the hue turns from blue to cyan; the chroma follows
// three anchors that stay inside the sRGB gamut.
constexpr double k_light_from = 0.36, k_light_to = 0.975;
constexpr double k_hue_from = 264, k_hue_to = 205;  // [degrees]
constexpr double k_chroma_from = 0.140, k_chroma_middle = 0.124, k_chroma_to = 0.018;

/// The parabola through the three anchors at t = 0, 1/2, 1.
double chroma(double t) {
    return k_chroma_from * (1 - t) * (1 - 2 * t) + k_chroma_middle * 4 * t * (1 - t) +
           k_chroma_to * t * (2 * t - 1);
}

/// sRGB transfer function (IEC 61966-2-1).
float encoded(double linear) {
    linear = std::clamp(linear, 0.0, 1.0);
    return static_cast<float>(linear <= 0.0031308 ? 12.92 * linear
                                                  : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
}

/// OKLab to sRGB; the matrices are those of Ottosson 2020.
Color from_oklab(double light, double a, double b) {
    const double l = std::pow(light + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(light - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(light - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

}  // namespace

Color water_color(double t) {
    t = std::clamp(t, 0.0, 1.0);
    const double light = k_light_from + t * (k_light_to - k_light_from);
    const double hue = (k_hue_from + t * (k_hue_to - k_hue_from)) * M_PI / 180;
    return from_oklab(light, chroma(t) * std::cos(hue), chroma(t) * std::sin(hue));
}

}  // namespace millrace
