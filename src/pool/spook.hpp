#pragma once

#include "pool/method.hpp"
#include "spook/density_rows.hpp"

namespace millrace {

/// Density constraints with SPOOK, solved by projected Gauss-Seidel (Bodin et al. 2011; S0
/// Algorithms 4.3 to 4.5): the rows of DensityRows, at the time step of a game.
class Spook final : public PoolSolver {
  public:
    Spook(const PoolMethod& settings, float spacing);

    float support() const override { return rows_.support(); }
    const WallField& walls() const override { return rows_.walls(); }
    int solve(SubStep& step) override;

  private:
    int iterations_in(float dt) const;

    PoolMethod settings_;
    DensityRows<SubStep> rows_;
};

}  // namespace millrace
