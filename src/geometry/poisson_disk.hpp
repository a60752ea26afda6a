#pragma once

#include <cstdint>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// Samples of the surface of any mesh: no two closer than the radius, no point of the surface
/// farther than 1.05 radii from one; distances are straight lines. About 0.7 / radius^2 per area.
/// The same for the same seed and any number of threads.
std::vector<Vec3> poisson_disk(const TriangleMesh& mesh, double radius, std::uint64_t seed);

}  // namespace millrace
