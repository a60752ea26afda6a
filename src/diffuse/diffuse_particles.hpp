#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// Air and water mixed (S1 5.2): drops in the air, foam on the surface, bubbles below it.
enum class DiffuseKind : std::uint32_t { spray = 0, foam = 1, bubble = 2 };

/// They do not act on the fluid nor on each other. All that the next step needs is here.
struct DiffuseParticles {
    std::vector<Vec3> positions;         ///< [m]
    std::vector<Vec3> velocities;        ///< [m/s]
    std::vector<float> ages, lifetimes;  ///< [s]; it goes when its age reaches its lifetime
    std::vector<DiffuseKind> kinds;
    std::vector<std::uint32_t> ids;  ///< of a run, none twice
    std::uint32_t next_id = 0;

    std::size_t count() const { return positions.size(); }
};

}  // namespace millrace
