#pragma once

#include <cstdint>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

struct SolidSampling {
    double radius;              // between samples [m]
    double depth;               // of the samples below the surface [m]
    bool fluid_inside = false;  // the solid lies outside of the mesh: a tank
    std::uint64_t seed = 1;
};

/// The surface that lies `depth` inside the solid. Where the solid is thinner than two depths, the
/// middle of its wall. Of an open mesh, the sheet moved to the side away from its normals; of one
/// whose faces do not agree on a side, the mesh itself.
TriangleMesh sampled_layer(const TriangleMesh& mesh, const SolidSampling& sampling);

/// Poisson-disk samples of that layer: see poisson_disk.hpp.
std::vector<Vec3> solid_samples(const TriangleMesh& mesh, const SolidSampling& sampling);

}  // namespace millrace
