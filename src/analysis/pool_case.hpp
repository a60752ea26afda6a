#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "millrace/pool.hpp"

namespace millrace {

/// The fluid of S0 Table 6.1: particles of 2 kg at 100 kg/m^2.
constexpr double k_s0_volume = 0.02;   ///< of a particle [m^2]
constexpr double k_s0_density = 100;   ///< [kg/m^2]
constexpr double k_s0_gravity = 9.82;  ///< [m/s^2]

/// A method with its parameters and its step.
struct PoolCase {
    std::string name;
    PoolMethod method;
    double dt = 1.0 / 60;   ///< [s]
    bool as_in_s0 = false;  ///< no sub-steps: dt is what the method gets
    double spacing = 0;     ///< [m]; 0: S0's
    double density = k_s0_density;
};

PoolCase mueller_case(double self_contribution, double dt);
PoolCase clavet_case(const std::string& kernels, double dt);
/// Clavet's method with the parameters of S0 Table 6.2.
PoolCase clavet_table_case();
/// Bodin's method as S0 has it: its kernels and plain Gauss-Seidel sweeps from nothing.
PoolCase bodin_case(const std::string& kernels, double self_contribution, double dt,
                    int iterations = 15);
/// A method with Millrace's own parameters in the steps of a game.
PoolCase own_case(const std::string& method);

/// A pool with one fluid. Throws RunError when it cannot be made.
Pool make_pool(const PoolCase& c, int threads);
/// The same with a tank from (0, 0), open at the top.
Pool make_tank(const PoolCase& c, int threads, double width, double height);

/// Fills a part of a tank from the floor with so many particles in rows, of `pitch`^2 each; the
/// last row may have fewer.
void fill_rows(Pool& pool, double width, std::size_t count, double pitch);

/// Steps the pool for so long; `after` gets every report. Throws RunError where a step fails.
void run_pool(Pool& pool, double seconds, double dt,
              const std::function<void(const PoolReport&)>& after);

/// The height of water of `count` particles at rest [m].
double ideal_height(std::size_t count, double volume, double width);

/// Where the surface is: half a spacing above the highest row, all particles of a row counted [m].
double surface_height(std::span<const Point2> positions, double width, double spacing);

/// The density between two heights over that at rest: the slope of the mass below over the height.
/// NaN where there are less than two rows.
double layer_density(std::span<const Point2> positions, double width, double volume, double from,
                     double to);

/// Density over depth, in the middle of layers of equal thickness from the surface down.
struct DepthProfile {
    std::vector<double> depth;    ///< [m]
    std::vector<double> density;  ///< over that at rest
};
DepthProfile depth_profile(std::span<const Point2> positions, double width, double spacing,
                           int layers);

double mean_speed(const Pool& pool);
/// Of all particles [J].
double kinetic_energy(const Pool& pool, double particle_mass);

}  // namespace millrace
