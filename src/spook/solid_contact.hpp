#pragma once

#include <cstdint>

#include "math/vec.hpp"

namespace millrace {

/// A particle near a solid, a wall or a body: with the signed distance d of its centre to the
/// surface and the normal n out of the solid, the solid adds `density` = lambda(d) to the relative
/// density and `slope` n to its gradient, slope = dlambda/dd <= 0.
template <int D>
struct SolidContact {
    std::uint32_t particle;  ///< its sorted place
    std::uint32_t solid;
    Vec<D> normal;   ///< of length 1
    float distance;  ///< [m]
    float density;   ///< lambda
    float slope;     ///< [1/m]
    float room = 1;  ///< below 1 in a gap between a body and another solid, in which particles may
                     ///< come closer to both
};

}  // namespace millrace
