#pragma once

#include "diffuse/potentials.hpp"
#include "diffuse/random_numbers.hpp"

namespace millrace {

/// N_d: n_d rounded up or down by chance, so that its mean is n_d (S1 Eq. 5.18). xi: in [0, 1).
inline std::uint32_t stochastically_rounded(double n_d, double xi) {
    const double whole = std::floor(n_d);
    return static_cast<std::uint32_t>(whole) + (xi < n_d - whole ? 1 : 0);
}

/// n_d = k I_k (I_ta + I_wc) / 2 dt: how many a fluid particle spawns (S1 Eq. 5.17).
/// k: [1/s], dt: [s]
inline double expected_count(const Potentials& potentials, double k, double dt) {
    return k * potentials.kinetic * (potentials.trapped + potentials.crest) / 2 * dt;
}

/// The cylinder that a fluid particle sweeps between two frames (S1 Eq. 5.19-5.24).
struct SweptCylinder {
    Vec3 start;      ///< x_f(t) [m]
    Vec3 way;        ///< x_Delta [m]
    Vec3 across[2];  ///< e_1, e_2
    float radius;    ///< r_v = cbrt(3/(4 pi) m/rho0), m/rho0 = h^3 [m]
    float duration;  ///< dt [s]

    SweptCylinder(const Vec3& from, const Vec3& to, double spacing, double dt);

    /// A point of it with the same chance everywhere, and the velocity there. The distance from the
    /// axis is taken as a velocity too, as if in a second (Eq. 5.24): slow beside that of the
    /// fluid.
    void sample(RandomNumbers& random, Vec3& position, Vec3& velocity) const;
};

/// Adds what the fluid spawns between two frames; `fluid` is the frame `to`, whose potentials
/// count. The new ones are where they are at the time of `to`. Their kinds are left to the caller.
void spawn(DiffuseParticles& particles, const SortedFluid& fluid, const FluidFrame& from,
           const FluidFrame& to, const DiffuseThresholds& thresholds, const DiffuseOptions& options,
           const Obstacles& obstacles, const Device& device);

}  // namespace millrace
