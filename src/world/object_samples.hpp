#pragma once

#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// How the surfaces of a scene are sampled: flat faces on a lattice, round shapes and meshes by
/// Poisson disks. Both hold the water off by the same distance, within half a per cent.
struct SampleRules {
    double spacing;      ///< [m]
    double depth;        ///< of the samples inside the solid [m]
    double disk_radius;  ///< least distance of Poisson-disk samples [m]
    std::uint64_t seed;

    static SampleRules of(const Scene& scene);
};

/// Samples of a wall, in the world's frame at the start. `reach` bounds what is sampled of a plane.
std::vector<Vec3> wall_samples(const Boundary& boundary, const TriangleMesh& surface,
                               const Box& reach, const SampleRules& rules);

/// Samples of a body, in its own frame; `surface` is closed.
std::vector<Vec3> body_samples(const Body& body, const TriangleMesh& surface,
                               const SampleRules& rules);

}  // namespace millrace
