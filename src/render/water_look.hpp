#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"
#include "millrace/scene.hpp"

// The numbers that make water look like water.
namespace millrace {

/// Light that has gone through a layer of fluid has the colour of the fluid; this is how thick the
/// layer is [m], so that wine in a glass is dark and a harbour is clear: half the edge of a cube of
/// `volume` [m^3] of fluid. Without a volume, of half of the bounds.
double color_depth(double volume, const Box& bounds);

/// Absorption and scattering of a fluid's colour together, red, green, blue [1/m]: exp(-sigma
/// color_depth) is the colour, as light, a little dimmed (Beer-Lambert).
Vec3 absorption_of(const Vector& color, double color_depth);

namespace look {

constexpr int k_most_walls = 24, k_most_fluids = 8;
constexpr int k_reflection_steps = 20;

/// Part of the light that deep fluid of a colour sends back.
Vec3 scattered_by(const Vector& color);

/// Waves of all directions, from long to short ones: two components of k [1/m] and the angle
/// omega t of each, with omega^2 = g k (deep water).
std::vector<Vec3> ripples_at(double time, double spacing);

/// A shader with the numbers above and others after its first line.
std::string configured(const std::string& source);

}  // namespace look
}  // namespace millrace
