#pragma once

#include "spook/density_rows.hpp"
#include "spook/fluid_step.hpp"

namespace millrace {

/// Viscosity as rows that dissipate (S2 section X; Rayleigh's dissipation function): of every pair
/// of neighbours the speed along their line, r . (v_i - v_j), with the force -c_ij times it,
///
///     r . (v_i - v_j) + Sigma lambda = 0,   Sigma = 1 / (c_ij dt)
///     c_ij = K mu V_i V_j |W'| / r,         K = 2 (D + 2), over what the lattice makes of it
///
/// (Monaghan 2005 for K). The rows are implicit, so that any viscosity is stable, and central, so
/// that they keep both momenta. Where `hold` is not 0, so is what the pressure between the pair
/// would do when it moves: the derivative of the pressure force along the line,
/// (p_i + p_j) V V W'', without which water under a high pressure boils in long steps.
template <int D>
class ViscousRows {
  public:
    using Density = DensityRows<FluidStep<D>>;

    struct Settings {
        float hold = 0;
    };
    explicit ViscousRows(const Settings& settings) : settings_(settings) {}

    /// Makes the rows; `mu` of every particle [Pa s], `pressures` those of the last step [Pa].
    void start(const FluidStep<D>& step, const Density& density, std::span<const float> mu,
               std::span<const float> pressures);
    /// One sweep over all rows on the velocities of the density rows.
    void sweep(const FluidStep<D>& step, Density& density, bool upwards);
    bool any() const { return any_; }
    std::size_t bytes() const;

  private:
    using One = typename Density::One;
    struct Row {
        One line;  ///< of length 1, from j to i
        std::uint32_t i, j;
        float sigma, weight, impulse;
    };
    void build(const FluidStep<D>& step, const Density& density, std::span<const float> mu,
               std::span<const float> pressures, std::uint32_t strip);

    Settings settings_;
    std::vector<std::vector<Row>> rows_;  ///< of every strip
    bool any_ = false;
};

}  // namespace millrace
