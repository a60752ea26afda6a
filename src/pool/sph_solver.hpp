#pragma once

#include "pool/method.hpp"
#include "pressure/pressure_solver.hpp"
#include "spook/keep_out.hpp"

namespace millrace {

/// The pressure solvers of the world, iisph and dfsph, in a pool (docs/methods/iisph.md). Where a
/// particle touches a solid, a sample stands for the solid that adds what its field says to the
/// density and its gradient (wall_sample.hpp). Particles have the volume that gives a hexagonal
/// lattice the density 1, and their own mass.
class SphSolver final : public PoolSolver {
  public:
    SphSolver(const PoolMethod& settings, float spacing);

    float support() const override { return kernel_.support(); }
    const WallField& walls() const override { return walls_; }
    int solve(SubStep& step) override;
    std::vector<std::byte> memory() const override;
    bool remember(std::span<const std::byte> memory) override;

  private:
    /// The part of a particle's pressure that kept velocities free of divergence.
    struct Remembered {
        ParticleId id;
        float divergence_pressure;
    };

    void find_neighbors(const SubStep& step);
    void place_walls(const SubStep& step);
    void load(const SubStep& step);
    void couple(const SubStep& step);
    FluidView<2> view(SubStep& step);
    void store(SubStep& step);
    void push_solids(SubStep& step) const;
    void keep_out(SubStep& step);

    CubicSpline<2> kernel_;
    WallField walls_;
    float volume_;  ///< of every particle [m^2]
    std::unique_ptr<PressureSolver<2>> pressure_;
    BodyCoupling<2> coupling_;
    KeepOut keep_out_;

    Device device_;
    Buffer<Run> runs_, wall_runs_;
    Buffer<std::uint32_t> run_counts_, wall_run_counts_;
    VectorBuffer<2> wall_position_, velocity_;
    Buffer<float> wall_volume_, volumes_, rest_density_, divergence_pressure_;
    // the solids that move, and what touches them
    std::vector<std::uint32_t> object_of_, solid_of_, offset_;
    std::vector<Contact<2>> contacts_;

    std::vector<Remembered> last_;  ///< in the pool's order
};

}  // namespace millrace
