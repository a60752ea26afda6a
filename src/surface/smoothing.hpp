#pragma once

#include "surface/colour_field.hpp"
#include "surface/contacts.hpp"
#include "surface/marching_cubes.hpp"

namespace millrace {

/// N_HS: how many others a particle at a plane surface has within the radius of its kernel. The
/// part of a ball of this radius that lies less than half a spacing above its centre, in volumes of
/// a particle, less itself; the radius is in spacings.
double half_space_neighbors(double radius);

/// lambda of each vertex: 1 on planes, near 0 on single particles (S1 Eq. 5.4-5.5, with min for
/// max). Vertices relative to the corner of block `middle`.
std::vector<float> smoothing_weights(const ParticleBlocks& particles,
                                     const ParticleWeights& weights, std::span<const Vec3> vertices,
                                     const BlockPlace& middle, double half_space);

/// Weighted Laplacian smoothing that gives back the volume which it takes; docs/methods/surface.md.
/// Vertices on solids stay there.
void smooth(CellMesh& mesh, std::span<const float> lambda, int iterations,
            const Contacts& contacts = {});

}  // namespace millrace
