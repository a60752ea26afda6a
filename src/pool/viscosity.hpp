#pragma once

#include "pool/substep.hpp"

namespace millrace {

/// Viscosity of a pool: neighbours share their velocities,
///
///     dv_i = f sum_j w_ij / N (v_j - v_i),   w = 1 - q^2,   f = 12 nu dt / h^2
///
/// which is nu dt laplace v, since the mean of r^2 under w is h^2 / 3; N is the sum of w in fluid
/// at rest. Besides, slow relative motion is calmed: with f + c / (1 + v_ij^2 / v_c^2) in place of
/// f, where v_c is a small part of sqrt(g spacing). Particles would tremble for ever otherwise; the
/// flow, with differences beyond v_c, is hardly touched. Both conserve momentum pair by pair.
class PoolViscosity {
  public:
    /// `support` is the reach of the columns that `apply` will see, h.
    /// `usual_step` is that for which c is made [s].
    PoolViscosity(float spacing, float support, float gravity, float usual_step);
    /// Acts for the time dt.
    void apply(SubStep& step, float dt);
    /// What is left of a velocity after dt where the fluid comes to rest: slow motion is braked by
    /// a small part of gravity, so that a pool does not sway and tremble for ever.
    float left_of(const Vec2& velocity, float dt) const {
        const float v2 = squared_norm(velocity);
        const float brake = brake_ * dt * calm_speed2_ / (calm_speed2_ + v2 + 1e-30f);
        return v2 > brake * brake ? 1 - brake / std::sqrt(v2) : 0;
    }

  private:
    void pass(SubStep& step, float part, float calm_part);

    float support_, inverse_sum_, calm_speed2_, usual_step_;
    float brake_;  ///< [m/s^2]
    std::vector<float> nu_;
    std::vector<Vec2> smoothed_;
    std::vector<float> vx_, vy_;
};

}  // namespace millrace
