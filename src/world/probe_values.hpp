#pragma once

#include <vector>

#include "millrace/simulation.hpp"

// Measurements in the fluid, as a gauge in a tank would make them, where its particles are: on the
// GPU nothing but the result comes to the host. Every interpolation uses the cubic spline with the
// scene's support. Sums have the same bits for any number of threads.
namespace millrace {

template <int D>
class World;
class PoolWorld;
template <int D>
class ConstraintWorld;

/// What probes need to know of a scene.
struct ProbeSettings {
    double spacing = 0;                 ///< h [m]
    double support = 0;                 ///< radius of the kernel [m]
    Vector gravity{};                   ///< [m/s^2]
    std::vector<float> rest_densities;  ///< of the fluids [kg/m^D]
};
ProbeSettings probe_settings(const Scene& scene);

/// What Simulation::probe returns.
template <int D>
std::vector<double> probe_values(const World<D>& world, const ProbeSettings& settings,
                                 const Probe& probe);
std::vector<double> probe_values(const PoolWorld& world, const ProbeSettings& settings,
                                 const Probe& probe);
template <int D>
std::vector<double> probe_values(const ConstraintWorld<D>& world, const ProbeSettings& settings,
                                 const Probe& probe);

}  // namespace millrace
