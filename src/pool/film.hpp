#pragma once

#include "pool/solids.hpp"

namespace millrace {

/// Water between a body and what it lies on. A gap narrower than a particle holds none, and without
/// the pressure in it a light body would never rise from the floor; a few rows of particles that
/// are caught in a gap are a crystal, which does not flow away from under a heavy body and would
/// hold it up for ever. So on the pieces of a body's outline that lie in a gap the pressure is
/// prescribed: linear along the gap, as in seepage, between what the body feels at its open ends,
/// or 0 in air. A film makes up for the difference to what the particles in the gap do: it lifts
/// where they are too few, and presses on them where they carry more than they should, by that
/// pressure again at most.
class FilmPressure {
  public:
    /// Pushes the bodies before a solve, by what they felt until now.
    void apply(Solids& solids, const Vec2& gravity, float spacing, float dt);
    /// What the bodies have felt in a solve.
    void learn(const SubStep& step, Solids& solids);

  private:
    /// A piece of a body's outline.
    struct Piece {
        Vec2 x, normal;         ///< in the world
        float length;           ///< [m]
        float share = 0;        ///< of the film: 0 in the open
        bool is_inner = false;  ///< within another part of the same body
        float pressure = 0;     ///< [N/m]
        float weight = 0;
    };
    void outline(const Solid& solid, const DistanceMap& part, float spacing);
    void measure(const Solids& solids, std::size_t body, const DistanceMap& part, float spacing);
    float pressure_at_end(const Solid& solid, const std::vector<float>& felt, std::size_t end,
                          bool forward, const Vec2& gravity, float spacing) const;
    void interpolate();

    std::vector<Piece> pieces_;
    std::vector<float> now_;
};

}  // namespace millrace
