#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {

/// A plug of fluid, open above and below, that gravity (1 m/s^2) pulls down between two plates at
/// x = 0 and x = 1 to which it sticks. nu = 1 m^2/s. In the middle of the plug nothing knows of its
/// ends, and the flow is that between endless plates. In 3D the plug is open towards z too.
template <int D>
Scene plug(const std::string& method, double spacing, double height, double depth) {
    Scene scene = free_block<D>(1, spacing);
    scene.gravity = {0, -1, 0};
    scene.fluids[0].fill[0].shape = Box{{0, 0, 0}, {1, height, D == 3 ? depth : 0.0}};
    scene.fluids[0].viscosity = {method, 1, "no-slip"};
    Boundary plates;
    plates.name = "plates";
    plates.shape = Box{{0, -1, -1}, {1, height + 1, D == 3 ? depth + 1 : 0.0}};
    plates.inside = true;
    plates.open = {"-y", "+y"};
    if (D == 3)
        plates.open.insert(plates.open.end(), {"-z", "+z"});
    scene.boundaries.push_back(plates);
    return scene;
}

/// Start-up of plane Poiseuille flow between x = 0 and 1 with force and viscosity 1.
inline double poiseuille(double x, double t) {
    constexpr double pi = std::numbers::pi;
    double u = x * (1 - x) / 2;
    for (int n = 0; n < 60; ++n) {
        const double k = (2 * n + 1) * pi;
        u -= 4 / (k * k * k) * std::sin(k * x) * std::exp(-k * k * t);
    }
    return u;
}

/// How far the fall of the fluid around half the height is from the series: the root mean square,
/// relative to the velocity midway between the plates.
template <int D>
double profile_error(const World<D>& world, const Scene& scene, double t) {
    const std::vector<Vec<D>> x = world.fluid().position.to_host(),
                              v = world.fluid().velocity.to_host();
    const Box& fill = std::get<Box>(scene.fluids[0].fill[0].shape);
    const double middle = fill.max[1] / 2, depth = fill.max[2];
    double square = 0, count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::abs(x[i][1] - middle) > 0.25 ||
            (D == 3 && std::abs(x[i][D - 1] - depth / 2) > depth / 4))
            continue;
        const double error = -v[i][1] - poiseuille(x[i][0], t);
        square += error * error;
        count += 1;
    }
    return std::sqrt(square / count) / poiseuille(0.5, t);
}

}  // namespace millrace
