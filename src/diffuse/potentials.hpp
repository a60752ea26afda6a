#pragma once

#include <algorithm>
#include <vector>

#include "diffuse/sorted_fluid.hpp"

namespace millrace {

/// What the generating potentials of a fluid particle are made of (S1 5.2).
struct PotentialValues {
    float crest = 0;    ///< delta, Eq. 5.10, times h^3
    float trapped = 0;  ///< v^diff, Eq. 5.13, times h^3 [m/s]
    float kinetic = 0;  ///< E_kin, Eq. 5.15 [m^2/s^2]
};

/// The part of tau_max at which a potential begins (S1 'free parameters').
constexpr double k_least_part = 0.1;

/// tau_min of E_kin [m^2/s^2]: at least that of 0.5 m/s, below which waves run without foam.
inline double least_kinetic(const DiffuseThresholds& thresholds) {
    return std::max(k_least_part * thresholds.kinetic, 0.125);
}

/// Phi(x) = (min(x, tau_max) - min(x, tau_min)) / (tau_max - tau_min): 0 up to tau_min, 1 from
/// tau_max on (S1 Eq. 5.11). 0 where there is no such range.
inline double clamped(double x, double tau_min, double tau_max) {
    if (!(tau_max > tau_min))
        return 0;
    return (std::min(x, tau_max) - std::min(x, tau_min)) / (tau_max - tau_min);
}

/// The three generating potentials of a particle, 0 to 1 (S1 Eq. 5.12, 5.14, 5.16).
struct Potentials {
    double crest, trapped, kinetic;
};
Potentials potentials_of(const PotentialValues& values, const DiffuseThresholds& thresholds);

/// n-hat_i of every sorted particle: out of the fluid, of length 1; 0 away from the surface
///
///     n_i = - sum_j grad W_ij                                            (S1 Eq. 5.7)
std::vector<Vec3> unit_normals(const Device& device, const SortedFluid& fluid, double spacing);

/// kappa_i = sum_j (1 - n-hat_i . n-hat_j) K_ij [x_ij . n-hat_i > 0]      (S1 Eq. 5.9), times h^3.
/// Neighbours without a normal do not count.
std::vector<float> convex_curvatures(const Device& device, const SortedFluid& fluid,
                                     const std::vector<Vec3>& unit_normals, double spacing);

/// Of every sorted particle. Where the kinetic energy does not reach `least_kinetic` nothing can
/// arise, and the other values stay 0.
std::vector<PotentialValues> potential_values(const Device& device, const SortedFluid& fluid,
                                              double spacing, double least_kinetic);

}  // namespace millrace
