#pragma once

#include "fluid/fluid_view.hpp"

namespace millrace {

/// How the fluids of a scene hold on to walls.
template <int D>
struct WallFriction {
    /// Of every fluid: what the pull of a wall's samples is multiplied with, so that the fluid
    /// rests at the surface that the user wrote (wall_grip.hpp); 0 where it slips.
    float grip[k_max_fluids] = {};

    bool move = true;  ///< moving walls carry the fluid along

    /// What holds for a change of the fluid's velocities: the walls' own are given.
    WallFriction at_rest() const {
        WallFriction walls = *this;
        walls.move = false;
        return walls;
    }
};

/// Kinematic viscosity times the Laplacian of a velocity field (S1 Eq. 3.2), in a form that
/// conserves momentum between fluids of different density and viscosity:
///
///     a_i = 2 (D + 2) / rho0_i
///             sum_j mu_ij V_j / delta_ij  (v_ij . x_ij) / (r^2 + 0.01 h^2) grad W_ij
///           + 2 g_i mu_i / (rho0_i delta_i) sum_k V_k F_ik v_ik
///
/// over fluid j and, where the fluid does not slip, walls k, with grad W = F x. delta_ij is the
/// mean of both particles, mu_ij the harmonic mean 2 mu_i mu_j / (mu_i + mu_j): between two fluids
/// the shear stress is continuous, and the thinner one gives way (Hu, Adams 2006). The drag of a
/// wall is along the velocity (Morris et al. 1997): with one layer of samples, most of a force
/// along the lines to them would point away from the wall, where there is no shear to resist. Of a
/// moving wall, v_k is how it moves at x_i, as if it reached there: its samples lie deeper, and of
/// a turning one they are faster than its surface.
template <int D>
struct ViscousOperator {
    FluidView<D> f;
    WallFriction<D> walls;

    /// [m/s^2]
    MILLRACE_HD Vec<D> acceleration(std::uint32_t i, const VectorView<D>& velocity) const {
        const Vec<D> x_i = f.position.get(i);
        const Vec<D, Lanes> v_i = spread(velocity.get(i));
        const float mu = f.mu[i], delta = f.density[i];
        const Lanes mu_i(mu), delta_i(delta);
        const Lanes epsilon(0.01f * f.spacing * f.spacing);
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(i, x_i, [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
            const Lanes mu_j = load_lanes(f.mu, j);
            const Lanes approach = dot(v_i - velocity.lanes(j), x_ij);
            // the factors 2 of both means; lanes without a neighbour may hold stale values, and
            // both viscosities may be 0: no division by zero there
            const Lanes below = max(mu_i + mu_j, Lanes(1e-30f)) *
                                max(delta_i + load_lanes(f.density, j), Lanes(1e-6f));
            const Lanes weight = Lanes(4.0f) * mu_i * mu_j / below;
            sum += x_ij * (weight * load_lanes(f.volume, j) * approach / (r2 + epsilon) *
                           f.kernel.gradient_factor(r2));
        });
        const float grip = walls.grip[static_cast<int>(f.fluid[i])];
        if (grip > 0.0f) {
            const Lanes weight(grip * mu / (delta * (D + 2)));
            f.wall_neighbors.for_each(i, x_i, [&](LaneIndex k, const Vec<D, Lanes>&, Lanes r2) {
                sum += v_i * (weight * load_lanes(f.wall_volume, k) * f.kernel.gradient_factor(r2));
            });
        }
        Vec<D> carried = Vec<D>::all(0.0f);
        if (grip > 0.0f && walls.move && f.moving.offset)
            for (std::uint32_t c = f.moving.offset[i]; c < f.moving.offset[i + 1]; ++c) {
                const Contact<D>& contact = f.moving.contacts[c];
                carried += f.moving.velocity_at(contact, x_i) *
                           (contact.friction * grip * mu / (delta * (D + 2)));
            }
        return (sum_lanes(sum) + carried) * (2.0f * (D + 2) / f.rest_density[i]);
    }
};

}  // namespace millrace
