#pragma once

#include <memory>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// How far places are from a solid, and which way out. Questions may be asked from several threads.
template <int D>
class SignedDistance {
  public:
    struct Sample {
        float distance;  ///< to the surface, below 0 inside [m]
        Vec<D> normal;   ///< gradient of the distance, of length 1: out of the solid
    };

    virtual ~SignedDistance() = default;

    /// At a place in the solid's frame. Right up to the reach that it was made for; farther off the
    /// distance may be any that is larger.
    virtual Sample at(const Vec<D>& place) const = 0;
    /// A box that holds the solid, in its frame [m].
    virtual void bounds(Vec<D>& min, Vec<D>& max) const = 0;
    virtual std::size_t bytes() const = 0;
};

/// The parts of a solid: of a tank a slab a face, of most others one.
template <int D>
using SolidParts = std::vector<std::unique_ptr<SignedDistance<D>>>;

}  // namespace millrace
