#pragma once

#include "surface/colour_field.hpp"

namespace millrace {

/// Stretched kernels (Yu and Turk 2013); one each, in the order of the particles' blocks.
struct Anisotropy {
    /// The kernel is determinant * W(sqrt(d^T M d)) with M = G^T G.
    struct Shape {
        float xx, yy, zz, xy, xz, yz;  ///< of M
        float determinant;             ///< of G
        Vec3 extent;                   ///< half the edges of the box around it, in cells
    };
    /// Kernels reach further than the radius by at most this factor.
    static constexpr float k_longest = 1.75f;

    float reach = 0;            ///< of any kernel, in cells, from the particles' own places too
    std::vector<Vec3> centers;  ///< smoothed, in cells from the corner of the particle's block
    std::vector<Shape> shapes;
    std::vector<float> volumes;  ///< m / rho with these centres and shapes [cells^3]
};

/// Centres (Eq. 6) and shapes (Eq. 9-16) of Yu and Turk 2013; docs/methods/surface.md says where
/// this differs from them. `half_space`: N_HS, the neighbours of a particle at a plane.
Anisotropy stretch_kernels(const ParticleBlocks& particles, const ParticleWeights& weights,
                           float half_space);

}  // namespace millrace
