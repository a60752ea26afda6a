#pragma once

#include "rigid/flat_pieces.hpp"

namespace millrace {

/// Where two pieces are near each other.
struct FlatTouch {
    Vec2d point;   ///< midway between the surfaces [m]
    Vec2d normal;  ///< of length 1, from b to a
    double gap;    ///< below 0 they overlap [m]
    /// Which corner it is of, first those of a, then those of b; 0 with a circle.
    std::size_t corner;
};

/// Adds where pieces a and b are nearer than `reach` [m]; a is a circle or a polygon.
void find_touches(const FlatPiece& a, const FlatPiece& b, double reach,
                  std::vector<FlatTouch>& found);

}  // namespace millrace
