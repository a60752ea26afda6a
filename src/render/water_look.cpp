#include "render/water_look.hpp"

#include <algorithm>
#include <cmath>

#include "render/picture.hpp"

namespace millrace {
namespace {

constexpr int k_ripples = 11;
constexpr double k_longest_ripple = 9, k_shortest_ripple = 1.2;  // in spacings
constexpr double k_gravity = 9.81;                               // of the ripples [m/s^2]
constexpr double k_scattered = 0.25;  // part of the fluid's colour that deep fluid sends back
constexpr double k_brightest = 0.97;  // of a colour as light: nothing is quite clear
constexpr double k_darkest = 0.002;
constexpr double k_turbidity = 0.25;  // what is scattered on the way, in the same layer

/// A colour as light. That of a fluid without one is that of water, which dims red most.
Vec3d light_of(const Vector& color) {
    if (color == Fluid().color)
        return {{0.12, 0.46, 0.68}};
    return {{color[0] * color[0], color[1] * color[1], color[2] * color[2]}};
}

}  // namespace

double color_depth(double volume, const Box& bounds) {
    if (volume > 0)
        return 0.5 * std::cbrt(volume);
    double half = 0.5;
    for (int k = 0; k < 3; ++k)
        half *= std::max(bounds.max[k] - bounds.min[k], 1e-6);
    return 0.5 * std::cbrt(half);
}

Vec3 absorption_of(const Vector& color, double color_depth) {
    Vec3 sigma;
    const Vec3d passed = light_of(color);
    for (int k = 0; k < 3; ++k) {
        const double light = std::clamp(passed[k], k_darkest, k_brightest);
        sigma[k] = static_cast<float>((k_turbidity - std::log(light)) / color_depth);
    }
    return sigma;
}

namespace look {

Vec3 scattered_by(const Vector& color) {
    return Vec3::from(light_of(color) * k_scattered);
}

std::vector<Vec3> ripples_at(double time, double spacing) {
    std::vector<Vec3> ripples;
    for (int i = 0; i < k_ripples; ++i) {
        const double part = i / (k_ripples - 1.0), direction = 2.399963 * i + 0.7;
        const double length =
            spacing * k_longest_ripple * std::pow(k_shortest_ripple / k_longest_ripple, part);
        const double k = 2 * M_PI / length;
        const double angle = std::fmod(std::sqrt(k_gravity * k) * time + 1.7 * i * i, 2 * M_PI);
        ripples.push_back(
            Vec3::from(Vec3d{{k * std::cos(direction), k * std::sin(direction), angle}}));
    }
    return ripples;
}

std::string configured(const std::string& given) {
    std::string source = given;
    const std::string constants =
        "#define SCALE " + std::to_string(Picture::k_supersampling) + "\n#define WALLS " +
        std::to_string(k_most_walls) + "\n#define FLUIDS " + std::to_string(k_most_fluids) +
        "\n#define RIPPLES " + std::to_string(k_ripples) + "\n#define STEPS " +
        std::to_string(k_reflection_steps) +
        "\n"
        "#define RIPPLE 0.040\n"  // slope of each
        // radii in spacings; how much of what is behind a point of full strength hides
        "#define SPRAY_RADIUS 0.17\n#define FOAM_RADIUS 0.23\n#define BUBBLE_RADIUS 0.15\n"
        "#define SPRAY_COVER 3.0\n#define FOAM_COVER 3.0\n#define BUBBLE_COVER 0.8\n";
    return source.insert(source.find('\n') + 1, constants);
}

}  // namespace look
}  // namespace millrace
