#pragma once

#include "pool/solids.hpp"

namespace millrace {

/// Water between a body and what it lies on. A gap narrower than a particle holds none, and without
/// the pressure in it a light body would never rise from the floor; and a layer of particles that
/// is caught in a gap cannot become thinner and would hold up a heavy body for ever. In a gap both
/// surfaces add to the density of particles less than elsewhere, by room_in_gap, and the rest of
/// the pressure on the body is that of a film: it follows from the pressure at the ends of the gap,
/// linear along the surface as in seepage; there it is that of the particles which touch the body,
/// or 0 in air.
class FilmPressure {
  public:
    /// Pushes the bodies by the pressures of the last sub-step, in the order of the columns.
    void apply(Solids& solids, const Columns& columns, const std::vector<float>& pressure,
               std::vector<SolidMotion>& motions, float spacing, float dt);

  private:
    /// A piece of a body's outline.
    struct Piece {
        Vec2 x, normal;  ///< in the world
        float length;    ///< [m]
        float share;     ///< of the film in its pressure
        bool is_inner;   ///< within another part of the same body
        float pressure, weight;
    };
    void outline(const Solid& solid, const DistanceMap& part, float spacing);
    void measure(const Solids& solids, std::size_t body, const DistanceMap& part, float spacing);
    void interpolate();

    std::vector<Piece> pieces_;
};

}  // namespace millrace
