#pragma once

#include "math/kernels/poly6.hpp"
#include "math/kernels/spiky.hpp"
#include "math/kernels/viscosity.hpp"
#include "pool/method.hpp"
#include "pool/wall_push.hpp"
#include "spook/keep_out.hpp"

namespace millrace {

/// Pressure by the density, explicitly (Mueller et al. 2003; S0 Algorithm 4.1). With the relative
/// density delta_i = sum_j V W_ij + lambda(walls) of the poly6 kernel,
///
///     p_i = max(0, k rho_0 (delta_i - 1)),   k = c_s^2                                  (S0 3.21)
///     f_i = - sum_j V^2 (p_i + p_j) / (delta_i delta_j) grad W_spiky                    (S0 3.28)
///           + sum_j V^2 (mu_i + mu_j) / 2 (v_j - v_i) / (delta_i delta_j) lap W_visc    (S0 3.32)
///
/// S0 lets p become negative, which draws particles at surfaces together in clusters. Its mean of
/// p_i and p_j makes half of the pressure's gradient; here it is the sum. The kernels of both
/// forces are scaled so that p and mu are what they are called in fluid at rest.
class Mueller final : public PoolSolver {
  public:
    Mueller(const PoolMethod& settings, float spacing);

    float support() const override { return density_.support(); }
    const WallField& walls() const override { return walls_; }
    int solve(SubStep& step) override;
    bool has_viscosity() const override { return true; }
    float longest_substep(std::span<const FluidMaterial> materials) const override;

  private:
    void find_pressure(SubStep& step);
    void find_forces(const SubStep& step);
    Vec2 change_of_velocity(const SubStep& step, std::uint32_t i,
                            const Columns<2>::Run* runs) const;
    void find_tension(const SubStep& step);
    void push_bodies(SubStep& step);
    void keep_out(SubStep& step, std::uint32_t i);
    void rub_walls(SubStep& step);

    Poly6<2> density_;
    Spiky<2> pressure_;
    Viscosity<2> viscosity_;
    float stiffness_;  ///< k [m^2/s^2]
    float density_scale_, pressure_scale_, viscosity_scale_;
    float laplacian_;  ///< sum_j V lap W_visc in fluid at rest [1/m^2]
    WallField walls_;
    WallPush wall_push_;
    KeepOut keep_out_;
    // of the particles; k_lanes more may be read
    std::vector<float> vx_, vy_, p_, shock_, inverse_delta_, mu_;
    std::vector<Vec2> dv_;
    // of the surface tension
    std::vector<float> nx_, ny_, kx_, ky_, of_fluid_;
};

}  // namespace millrace
