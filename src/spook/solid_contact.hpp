#pragma once

#include <cstdint>

#include "math/vec.hpp"

namespace millrace {

/// A particle near the surface of a solid: a wall or a body.
template <int D>
struct SolidContact {
    std::uint32_t particle;
    std::uint32_t body;  ///< in the constraint system
    float distance;      ///< of the particle's centre to the surface [m]
    Vec<D> normal;       ///< out of the solid, of length 1
    float density;       ///< what the solid adds to the relative density
    float slope;         ///< its derivative by the distance [1/m]
};

}  // namespace millrace
