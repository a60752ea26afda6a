#pragma once

#include <limits>
#include <span>
#include <vector>

#include "spook/columns.hpp"
#include "spook/four_vectors.hpp"
#include "spook/keep_out.hpp"
#include "spook/kernel.hpp"
#include "spook/near_points.hpp"
#include "spook/relaxation.hpp"
#include "spook/wall_field.hpp"

namespace millrace {

struct DensitySettings {
    float spacing = 0;  ///< [m]
    float support = 0;  ///< of the kernel [m]
    SpookKernel kernel = SpookKernel::spiky;
    Relaxation relaxation;
    float over_relaxation = 1.5f;
    /// Of the last step's impulses, to start from: with all of them what is left of their errors
    /// builds up from step to step. 0: from none.
    float warm_start = 0.7f;
    /// Walls add to the density of particles near them (S2 VI). Otherwise they only keep particles
    /// half a support away, as S2 has it in 3D (Eq. 26).
    bool boundary_field = true;
    /// Contacts farther off keep no particle out [m].
    float look_ahead = std::numeric_limits<float>::infinity();
};

/// The density of every particle as a constraint (S2 Eq. 21-25; S0 Algorithms 4.3 to 4.5),
/// one-sided: with the relative density delta_i = sum_j V W_ij + lambda(walls) and
/// phi_i = delta_i - 1,
///
///     d delta_i/dt - Sigma l_i <= -u phi_i,   l_i >= 0
///     u = 4 xi / T max(0.15, dt / T),   xi = 1 / (1 + 4 tau / T),   Sigma = epsilon u / dt
///
/// where d delta_i/dt = sum_j V grad W_ij . (v_i - v_j) + sum_b grad lambda_b . (v_i - v_b), over
/// neighbours j and solids b, is linear in the velocities. T is the natural step, so that one of a
/// shorter dt undoes its part of an error and no more. l_i is an impulse along the gradient: the
/// fluid is pushed apart and never pulled together. Fluid that is not dense yet, phi_i < 0, may
/// become so within T. Bodies are unknowns like particles. KeepOut has the contacts with surfaces.
///
/// `Step` is what the rows work on, FluidStep or the SubStep of pools: particles in columns,
/// contacts, and solids that tell their velocity and mobility and are pushed.
template <class Step>
class DensityRows {
  public:
    static constexpr int D = Step::k_dimension;

    explicit DensityRows(const DensitySettings& settings);

    const WallField& walls() const { return walls_; }
    float reach() const;                                 ///< of contacts with solids [m]
    float volume() const { return volume_; }             ///< of a particle at rest [m^D]
    float support() const { return settings_.support; }  ///< [m]
    float stiffness() const { return static_cast<float>(walls_.rest().stiffness); }
    /// -V W'(r) [1/m] and V W''(r) [1/m^2] of what density sums.
    float slope(float r) const;
    float curvature(float r) const;
    /// Of particle i, with the padding: i itself.
    std::span<const std::uint32_t> neighbors(std::uint32_t strip, std::uint32_t i) const {
        return {strips_[strip].near.numbers.data() + rows_[i].first, rows_[i].count};
    }

    /// Makes the rows; `velocities` are those without pressure. With `pressures` [Pa] of the last
    /// step it starts from these.
    void start(const Step& step, std::span<const Vec<D>> velocities,
               std::span<const float> pressures);
    /// One sweep over all rows, upwards or downwards.
    void sweep(const Step& step, bool upwards);
    /// The velocities and pressures that were found.
    void finish(const Step& step, std::span<Vec<D>> velocities, std::span<float> pressures);

    std::span<const float> densities() const { return density_; }  ///< relative, at the start
    /// d delta_i/dt with the velocities as they are now [1/s].
    float rate(const Step& step, std::uint32_t strip, std::uint32_t i) const;
    /// The root of the mean square of what is left of the rows, as relative density in a step.
    double residual(const Step& step) const;
    std::size_t bytes() const;

    using One = typename Stored<D>::Type;
    /// sqrt(m) v of every particle, while the rows are swept.
    std::span<One> scaled_velocities() { return u_; }
    std::span<const float> roots() const { return root_; }  ///< sqrt(1 / m)

  private:
    using Four = FourVectors<D>;
    static constexpr std::uint32_t k_group = 4;  ///< neighbours of a row come in whole groups,
    static constexpr std::uint32_t k_least = 8;  ///< and are so many at least, with padding
    static_assert(k_least <= k_lanes);           // so that NearPoints has room for the padding
    /// Strips that a thread sweeps side by side, so that the rows of one need not wait for those of
    /// another. In space rows are long, and four strips do not fit into the cache: 36,000 particles
    /// take a quarter longer with them.
    static constexpr std::uint32_t k_abreast = D == 2 ? 4 : 1;
    static constexpr float k_most_compression = 0.1f;  ///< that is undone at once
    /// A short step leaves less compression behind than a natural one, in proportion to its length,
    /// and undoes what there is at a rate that is lower by as much, down to this part. With 0.3 a
    /// deep column trembles twice as much where steps change; with 0.1 steady steps of 1 ms leave
    /// it half as dense again as natural ones do.
    static constexpr float k_least_rate = 0.15f;

    /// What a particle touches; rows at bodies are swept by themselves.
    enum class Touch : std::uint32_t { nothing, wall, body };
    /// A constraint. Its neighbours are padded to whole groups with the particle itself.
    struct Row {
        One self;      ///< gradient with respect to the particle itself, over sqrt(mass)
        float bias;    ///< what d delta/dt may be [1/s]
        float weight;  ///< omega / (diagonal + Sigma)
        float impulse;
        std::uint32_t first;  ///< of its neighbours in the strip
        std::uint32_t count;  ///< of neighbours, with the padding
        Touch touch;
    };
    struct StripRows {
        NearPoints<D> near;          ///< the neighbours of all rows
        std::vector<One> gradients;  ///< over sqrt(mass) of the neighbour
        std::vector<float> root;     ///< of the neighbours of the particle at hand
    };
    /// A row that touches bodies.
    struct BodyRow {
        std::uint32_t strip, particle;
    };

    template <SpookKernel kernel>
    void build_strip(const Step& step, std::uint32_t strip);
    template <SpookKernel kernel>
    void build_row(const Step& step, std::uint32_t i, std::uint32_t near, StripRows& out);
    void add_solids(const Step& step, std::uint32_t i, float delta, float diagonal, Vec<D> self);
    void find_body_rows(const Step& step);
    void start_from_last(const Step& step, std::span<const float> pressures);
    template <class Impulse>
    void relax(const StripRows& strip, std::uint32_t i, const Impulse& impulse);
    float change(const Row& row, float rate) const;
    void sweep_abreast(const Step& step, const std::uint32_t* strips, std::uint32_t count,
                       bool upwards);
    void sweep_bodies(const Step& step, bool upwards);
    float rate_of_bodies(const Step& step, std::uint32_t i) const;
    void push_bodies(const Step& step, std::uint32_t i, float impulse);
    void keep_out(const Step& step, std::uint32_t i);

    DensitySettings settings_;
    float volume_, scale_ = 0;
    float undo_ = 0, sigma_ = 0;  ///< u and Sigma
    WallField walls_;
    KeepOut keep_out_;
    std::vector<Row> rows_;
    std::vector<StripRows> strips_;
    std::vector<BodyRow> body_rows_;
    bool has_one_mass_ = false;
    std::vector<float> density_, root_;  ///< of every particle
    std::vector<One> u_;
};

}  // namespace millrace
