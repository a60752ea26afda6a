#pragma once

#include "pool/clavet_springs.hpp"
#include "pool/method.hpp"
#include "pool/wall_push.hpp"
#include "spook/keep_out.hpp"

namespace millrace {

/// Viscoelastic fluid by relaxation of predicted places (Clavet, Beaudoin, Poulin 2005; S0
/// Algorithm 4.2). At x* = x + dt v, with sums over neighbours and walls,
///
///     rho_i = sum_j W_ij,  rho_near_i = sum_{j != i} W_near_ij
///     P_near_i = k_near rho_near_i,  P_i = max(k (rho_i - rho_0), -pull P_near_i)
///     d_ij  = dt^2 (P_i grad W_ij + P_near_i grad W_near_ij)
///
/// particle after particle, and i and j part by d_ij, the lighter more. The velocities follow from
/// where particles end up. The near pressure keeps them from clustering; with the pull of P < 0 it
/// makes a surface tension. In fluid at rest both balance at the density 1, by the choice of rho_0.
/// The paper does not limit the pull: then a few particles by themselves fall into one place.
/// Walls count as fluid in both densities, and push but never pull. A sub-step relaxes in n sweeps
/// with dt^2 / n each, as many as stability asks for: the stiffness does not depend on dt.
class ClavetMethod final : public PoolSolver {
  public:
    ClavetMethod(const PoolMethod& settings, float spacing);

    float support() const override { return support_; }
    const WallField& walls() const override { return walls_; }
    int solve(SubStep& step) override;
    bool looks_ahead() const override { return true; }
    bool has_viscosity() const override { return true; }
    float longest_substep(std::span<const FluidMaterial> materials) const override;
    std::vector<std::byte> memory() const override { return springs_.memory(); }
    bool remember(std::span<const std::byte> memory) override { return springs_.remember(memory); }

    enum class Kernels { original, hybrid, squared };

  private:
    template <class Density, class Near>
    void prepare(const PoolMethod& settings, float spacing, const Density& density,
                 const Near& near);
    struct Plan {
        int sweeps;
        float dt2;  ///< of one [s^2]
    };
    Plan plan_sweeps(const SubStep& step) const;
    void start(SubStep& step);
    template <class Density, class Near>
    void sweep(SubStep& step, float dt2, bool upwards, const Density& density, const Near& near);
    template <class Density, class Near>
    void visit(SubStep& step, std::uint32_t i, std::uint32_t strip_end, float dt2,
               const Density& density, const Near& near);
    float distance_now(const SubStep& step, const SolidContact<2>& contact) const;
    void push_from_walls(SubStep& step, std::uint32_t i, float dt2, float p, float near_p);
    void keep_out(SubStep& step, std::uint32_t i);
    // of the velocities, in clavet_impulses.cpp
    void apply_viscosity(SubStep& step) const;
    void apply_walls(SubStep& step) const;

    Kernels kernels_;
    float support_;
    float stiffness_, near_stiffness_;  ///< k and k_near [m^6/s^2]
    float rest_, near_self_;            ///< rho_0 and W_near(0) [1/m^2]
    float unit_, near_unit_;            ///< of the relative densities of walls [1/m^2]
    float virial_, near_virial_;        ///< p_i = density (virial P_i + near_virial P_near_i)
    float rate2_;                       ///< without load, dt^2 of a sweep is at most 1 / rate2_
    WallField walls_, near_walls_;
    WallPush push_, near_push_;
    KeepOut keep_out_;
    ClavetSprings springs_;

    DisplacedPlaces places_;
    std::vector<Columns<2>::Run> runs_;  ///< three of every particle
    std::vector<std::uint8_t> touches_body_;
    std::vector<std::uint32_t> at_bodies_;  ///< particles
    std::vector<Vec2> started_;             ///< velocities
};

}  // namespace millrace
