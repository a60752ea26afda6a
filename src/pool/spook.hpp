#pragma once

#include "pool/keep_out.hpp"
#include "pool/method.hpp"

namespace millrace {

/// Density constraints with SPOOK, solved by projected Gauss-Seidel (Bodin et al. 2011; S0
/// Algorithms 4.3 to 4.5). With the relative density delta_i = sum_j V W_ij + lambda(walls), the
/// constraint is phi_i = delta_i - 1 <= 0, and its row
///
///     d delta_i/dt - Sigma l_i <= -u phi_i,   l_i >= 0
///     u = 4 xi / T max(0.15, dt / T),   xi = 1 / (1 + 4 tau / T),   Sigma = epsilon u / dt
///
/// where d delta_i/dt = sum_j V grad W_ij . (v_i - v_j) + sum_b grad lambda_b . (v_i - v_b), over
/// neighbours j and solids b, is linear in the velocities. T is the sub-step that the fluid would
/// take by itself (SubStep::natural), so that one of a shorter dt undoes its part of an error and
/// no more. l_i is an impulse along the gradient, so that the fluid is pushed apart and never
/// pulled together. Fluid that is not dense yet, phi_i < 0, may become so within T. Bodies are
/// unknowns like particles: their velocities change within the sweeps.
class Spook final : public PoolSolver {
  public:
    Spook(const PoolMethod& settings, float spacing);

    float support() const override { return support_; }
    const WallField& walls() const override { return walls_; }
    int solve(SubStep& step) override;

    enum class Kernel { spiky, poly6, poly6h };

  private:
    /// What a particle touches; rows at bodies are swept by themselves.
    enum class Touch : std::uint32_t { nothing, wall, body };
    /// A constraint. Its neighbours are padded to whole groups with the particle itself.
    struct Row {
        Vec2 self;     ///< gradient with respect to the particle itself, over sqrt(mass)
        float bias;    ///< what d delta/dt may be [1/s]
        float weight;  ///< omega / (diagonal + Sigma)
        float impulse;
        std::uint32_t first;  ///< of its neighbours in the strip
        std::uint32_t count;  ///< of neighbours, with the padding
        Touch touch;
    };
    struct StripRows {
        std::vector<Row> rows;
        std::vector<std::uint32_t> neighbors;
        std::vector<Vec2> gradients;  ///< over sqrt(mass) of the neighbour
        // of the particle at hand
        std::vector<float> dx, dy, root;

        /// Room for so many neighbours in all, and of the particle at hand.
        void grow(std::size_t all, std::size_t at_hand) {
            if (neighbors.size() < all) {
                neighbors.resize(2 * all);
                gradients.resize(2 * all);
            }
            if (dx.size() < at_hand) {
                dx.resize(2 * at_hand);
                dy.resize(2 * at_hand);
                root.resize(2 * at_hand);
            }
        }
    };
    /// A row that touches bodies.
    struct BodyRow {
        std::uint32_t strip, row, particle;
    };

    float stiffness() const { return static_cast<float>(walls_.rest().stiffness); }
    int iterations_in(float dt) const;
    void build_rows(SubStep& step);
    template <Kernel kernel>
    void build_strip(const SubStep& step, const Columns::Strip& strip, StripRows& out) const;
    template <Kernel kernel>
    void finish_row(const SubStep& step, std::uint32_t i, std::uint32_t near, StripRows& out,
                    std::size_t first, Row& row) const;
    void start_from_last(SubStep& step);
    void sweep(SubStep& step, bool upwards);
    void sweep_abreast(SubStep& step, const std::uint32_t* strips, std::uint32_t count,
                       bool upwards);
    void sweep_bodies(SubStep& step, bool upwards);
    void keep_out(SubStep& step, std::uint32_t i);
    static void push_bodies(SubStep& step, std::uint32_t i, float impulse);
    template <class Impulse>
    void relax(StripRows& strip, Row& row, std::uint32_t i, const Impulse& impulse);

    PoolMethod settings_;
    Kernel kernel_;
    float support_, scale_;
    float undo_ = 0, sigma_ = 0;  ///< u and Sigma
    WallField walls_;
    KeepOut keep_out_;
    std::vector<StripRows> strips_;
    std::vector<BodyRow> body_rows_;
    bool has_one_mass_ = false;
    std::vector<float> root_;  ///< sqrt(1 / mass)
    std::vector<Vec2> u_;      ///< sqrt(mass) v
};

}  // namespace millrace
