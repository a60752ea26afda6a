#pragma once

#include <span>

#include "spook/blocks.hpp"
#include "spook/constraint_system.hpp"
#include "spook/kernel.hpp"
#include "spook/relaxation.hpp"
#include "spook/solid_contact.hpp"
#include "spook/wall_field.hpp"

namespace millrace {

struct DensitySettings {
    float spacing = 0;  ///< [m]
    float support = 0;  ///< of the kernel [m]
    SpookKernel kernel = SpookKernel::spiky;
    Relaxation relaxation;
    float over_relaxation = 1.5f;
    /// Of the last step's impulses, to start from.
    float warm_start = 0.7f;
    /// Walls add to the density of particles near them (S2 VI). Otherwise they only keep particles
    /// half a support away, as S2 has it in 3D (Eq. 26).
    bool boundary_field = true;
};

/// What a step of density rows works on; points and contacts in the order of the blocks.
template <int D>
struct FluidStep {
    const Workers& workers;
    const Blocks<D>& blocks;
    std::span<const Vec<D>> positions;
    std::span<const float> inverse_mass;        ///< [1/kg]
    std::span<const SolidContact<D>> contacts;  ///< by particle
    std::span<const std::uint32_t> contact_start;
    ConstraintSystem& bodies;
    float dt;       ///< [s]
    float natural;  ///< the step that this one is a part of, no shorter than dt [s]

    std::span<const SolidContact<D>> contacts_of(std::uint32_t i) const {
        return contacts.subspan(contact_start[i], contact_start[i + 1] - contact_start[i]);
    }
};

/// The density of every particle as a constraint (S2 Eq. 21-25), one-sided: with the relative
/// density delta_i = sum_j V W_ij + lambda(walls) and phi_i = delta_i - 1,
///
///     d delta_i/dt - Sigma l_i <= -undo phi_i,   l_i >= 0
///
/// where d delta_i/dt = sum_j V grad W_ij . (v_i - v_j) + sum_b grad lambda_b . (v_i - v_b) over
/// neighbours j and solids b: the fluid is pushed apart and never pulled together. Fluid that is
/// not dense yet, phi_i < 0, may become so within a natural step. Bodies are unknowns like
/// particles. A contact row n . (v_i - v_b) >= (closest - d) / dt (S2 Eq. 26-29) keeps every
/// particle out; one that is too close leaves within a natural step.
template <int D>
class DensityRows {
  public:
    explicit DensityRows(const DensitySettings& settings);

    const WallField& walls() const { return walls_; }
    float reach() const;                                 ///< of contacts with solids [m]
    float volume() const { return volume_; }             ///< of a particle at rest [m^D]
    float support() const { return settings_.support; }  ///< [m]
    /// -V W'(r) [1/m] and V W''(r) [1/m^2] of what density sums.
    float slope(float r) const;
    float curvature(float r) const;
    /// Of particle i, with the padding: i itself.
    std::span<const std::uint32_t> neighbors(std::uint32_t i) const {
        return {block_of(i).neighbors.data() + rows_[i].first, rows_[i].count};
    }

    /// Makes the rows; `velocities` are those without pressure. With `pressures` [Pa] of the last
    /// step it starts from these.
    void start(const FluidStep<D>& step, std::span<const Vec<D>> velocities,
               std::span<const float> pressures);
    /// One sweep over all rows, upwards or downwards.
    void sweep(const FluidStep<D>& step, bool upwards);
    /// The velocities and pressures that were found.
    void finish(const FluidStep<D>& step, std::span<Vec<D>> velocities, std::span<float> pressures);

    /// What the fluid did to a body in the step: its impulse, and about the centre of mass.
    struct Push {
        std::uint32_t body;
        Vec3d impulse, turn;
    };
    std::vector<Push> pushes() const;  ///< on all that it touches

    std::span<const float> densities() const { return density_; }  ///< relative, at the start
    /// d delta_i/dt with the velocities as they are now [1/s].
    float rate(const FluidStep<D>& step, std::uint32_t i) const;
    /// The root of the mean square of what is left of the rows, as relative density in a step.
    double residual(const FluidStep<D>& step) const;
    std::size_t bytes() const;

    using Quad = float __attribute__((vector_size(16)));
    /// sqrt(m) v of every particle, while the rows are swept.
    std::span<Quad> scaled_velocities() { return u_; }
    std::span<const float> roots() const { return root_; }  ///< sqrt(1 / m)

  private:
    enum class Touch : std::uint32_t { nothing, wall, body };
    /// Its neighbours are padded to whole groups with the particle itself.
    struct Row {
        Quad self;      ///< gradient with respect to the particle itself, over sqrt(mass)
        float bias;     ///< what d delta/dt may be [1/s]
        float weight;   ///< omega / (diagonal + Sigma)
        float impulse;  ///< l
        Touch touch;
        std::uint32_t first;  ///< of its neighbours in the block
        std::uint32_t count;
    };
    struct BlockRows {
        std::vector<std::uint32_t> neighbors;
        std::vector<Quad> gradients;  ///< over sqrt(mass) of the neighbour
        // of the particle at hand
        std::vector<std::uint32_t> near;
        std::vector<float> r2;
    };

    template <SpookKernel kernel>
    void build(const FluidStep<D>& step, std::size_t block);
    template <SpookKernel kernel>
    void build_row(const FluidStep<D>& step, std::uint32_t i, std::uint32_t near, BlockRows& out);
    void add_solids(const FluidStep<D>& step, std::uint32_t i, Row& row, float& delta,
                    float& diagonal, float& drift) const;
    void start_from_last(const FluidStep<D>& step, std::span<const float> pressures);
    template <class Impulse>
    void relax(const BlockRows& block, Row& row, std::uint32_t i, const Impulse& impulse);
    void sweep_block(const FluidStep<D>& step, std::size_t block, bool upwards);
    void sweep_bodies(const FluidStep<D>& step, bool upwards);
    void push_bodies(const FluidStep<D>& step, std::uint32_t i, float impulse);
    void push_body(const FluidStep<D>& step, std::uint32_t body, const Vec3d& place,
                   const Vec3d& impulse);
    float rate_of_bodies(const FluidStep<D>& step, std::uint32_t i) const;
    void keep_out(const FluidStep<D>& step, std::uint32_t i);
    float change(const Row& row, float rate) const;
    const BlockRows& block_of(std::uint32_t i) const { return storage_[block_of_[i]]; }

    DensitySettings settings_;
    float volume_, closest_, scale_;
    float undo_ = 0, sigma_ = 0;
    WallField walls_;
    std::vector<Row> rows_;
    std::vector<BlockRows> storage_;  ///< of every block
    std::vector<std::uint32_t> block_of_;
    std::vector<std::uint32_t> at_bodies_;  ///< particles whose rows are swept one by one
    std::vector<float> contact_impulse_;
    std::vector<Push> pushes_;  ///< of every body of the system
    std::vector<float> density_, root_;
    std::vector<Quad> u_;
};

}  // namespace millrace
