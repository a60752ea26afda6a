#pragma once

#include <optional>
#include <span>

#include "millrace/simulation.hpp"

// Measurements in the fluid, as a gauge in a tank would make them. Every interpolation uses the
// cubic spline with the scene's support.
namespace millrace {

/// The particles that a gauge looks at, `dimension` floats a vector.
struct GaugeView {
    int dimension;
    double spacing;  ///< h [m]
    double support;  ///< radius of the kernel [m]
    std::span<const float> positions, velocities, volumes, pressures;
};
GaugeView gauge_view(const Scene& scene, const Simulation& simulation);

/// y of the water's surface [m] above the point (x, z): the highest point of the vertical line
/// where the fluid fills half of the kernel, sum_j h^D W_ij = 1/2. A single particle in the air
/// (0.32 in 3D, 0.45 in 2D) is not a surface. Nothing where the line meets no water.
std::optional<double> surface_height(const GaugeView& view, const Vector& at);

/// p(x) = sum_j V_j p_j W / sum_j V_j W [Pa]; 0 where there is no fluid.
double pressure_at(const GaugeView& view, const Vector& at);

/// The same of the velocity [m/s]; nothing where there is no fluid.
std::optional<Vector> velocity_at(const GaugeView& view, const Vector& at);

/// The farthest place [m] of the fluid along +axis: the largest coordinate of a particle plus h/2.
/// Particles on which the fluid fills less than half of the kernel are spray and do not count.
std::optional<double> front_position(const GaugeView& view, int axis);

struct Energy {
    double kinetic = 0, potential = 0;  ///< [J], in 2D [J/m]; the potential is zero at the origin
};
Energy fluid_energy(const Scene& scene, const Simulation& simulation);

}  // namespace millrace
