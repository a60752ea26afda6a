#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// The surface of a fluid: closed, triangles counter-clockwise as seen from the air.
struct SurfaceMesh {
    std::vector<Vec3> vertices;  ///< [m]
    std::vector<std::array<std::uint32_t, 3>> triangles;
    // one a vertex; velocities and vorticities are empty where the particles had no velocities
    std::vector<Vec3> normals;          ///< of length 1, into the air
    std::vector<Vec3> velocities;       ///< of the fluid [m/s]
    std::vector<Vec3> vorticities;      ///< curl of the velocity [1/s]
    std::vector<std::uint32_t> fluids;  ///< number of the fluid in the scene; empty with one fluid
};

}  // namespace millrace
