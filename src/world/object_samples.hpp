#pragma once

#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// How the surfaces of a scene are sampled. Lattice samples of flat faces and Poisson-disk samples
/// of round shapes and meshes hold the water off by different distances: each kind has its depth.
struct SampleRules {
    double spacing;        ///< [m]
    double lattice_depth;  ///< of samples on a lattice, inside the solid [m]
    double disk_radius;    ///< of Poisson-disk samples [m]
    double disk_depth;     ///< of those [m]
    std::uint64_t seed;

    static SampleRules of(const Scene& scene);
};

/// How far the first layer of particles rests from a plane with Poisson-disk samples that are at
/// least `radius` apart, both in spacings: as wall_standoff, by a measurement on a patch.
double disk_standoff(double support, double radius);

/// Samples of a wall, in the world's frame at the start. `reach` bounds what is sampled of a plane.
std::vector<Vec3> wall_samples(const Boundary& boundary, const TriangleMesh& surface,
                               const Box& reach, const SampleRules& rules);

/// Samples of a body, in its own frame; `surface` is closed.
std::vector<Vec3> body_samples(const Body& body, const TriangleMesh& surface,
                               const SampleRules& rules);

}  // namespace millrace
