#pragma once

#include <span>
#include <vector>

#include "millrace/simulation.hpp"

namespace millrace {

// The water of S2 IX.A.
inline constexpr double k_s2_mass = 0.007;      ///< of a particle [kg]
inline constexpr double k_s2_density = 1000;    ///< [kg/m^3]
inline constexpr double k_s2_support = 0.03;    ///< radius of the kernel [m]
inline constexpr double k_s2_step = 1.0 / 120;  ///< [s]
inline constexpr double k_s2_depth = 0.54;      ///< of 10,000 particles on 0.36 m x 0.36 m [m]
inline constexpr double k_s2_base = 0.36;       ///< [m]

/// Of particles of k_s2_mass [m].
double s2_spacing();

/// An open tank with a square base, in which S2's water is solved as constraints, with S2's step,
/// compliance and relaxation time. It has no fill yet.
Scene s2_tank(double base, double height);

/// A pillar of water at rest that covers the base of s2_tank.
Scene s2_pillar_scene(double base, double depth);

/// A dam break in a closed tank, three times as long as the water and twice as high; the water is
/// `count` particles high and wide and, in 3D, as deep as the tank: half of that.
Scene dam_break(int dimension, int count, double spacing);

/// How water stands in a tank whose floor is at y = 0.
struct WaterState {
    double level = 0;         ///< twice the mean height of the particles [m]
    double surface = 0;       ///< mean over the base of the tops of the highest particles [m]
    double inside_error = 0;  ///< mean of |rho / rho0 - 1| well inside, NaN where there is none
    double rms_speed = 0;     ///< [m/s]
};

/// Three numbers a particle in `positions` and `velocities`, densities in kg/m^3. Well inside is
/// what is at least `margin` [m] away from walls, floor and level.
WaterState water_state(std::span<const float> positions, std::span<const float> velocities,
                       std::span<const float> densities, double base, double spacing,
                       double margin);

/// Means of densities in layers, by depth below a surface.
class DepthProfile {
  public:
    explicit DepthProfile(double layer) : layer_(layer) {}
    void add(std::span<const float> positions, std::span<const float> densities, double surface);
    std::vector<double> depths() const;  ///< middles of the layers [m]
    std::vector<double> means() const;   ///< [kg/m^3]

  private:
    double layer_;
    std::vector<double> sums_, counts_;
};

/// The number of particles for which a step takes `ms`, of measured numbers in rising order: along
/// the line between the two next ones; beyond the last in proportion to it. NaN without a figure.
double particles_at(const std::vector<double>& particles, const std::vector<double>& step_ms,
                    double ms);

}  // namespace millrace
