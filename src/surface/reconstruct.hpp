#pragma once

#include <span>

#include "geometry/solids_in_frames.hpp"
#include "surface/surface_mesh.hpp"

namespace millrace {

/// How a surface is made from particles (docs/methods/surface.md). Lengths are in spacings.
struct SurfaceOptions {
    /// Edge of a cell of marching cubes, an eighth of the support at least; smaller: finer and
    /// slower. At 0.75 single particles are crumbs of a third of their volume; above, some are
    /// lost.
    double cell = 0.5;
    double support = 2;  ///< radius of the kernel
    /// t: value of the colour field on the surface (S1 Eq. 5.2). With 0.6 the surface of a plane
    /// lies half a spacing outside the particles, and a single particle has its volume.
    double threshold = 0.6;
    /// Iterations of weighted Laplacian smoothing (S1 Eq. 5.6) at cells of 0.5; as many more at
    /// smaller cells as smooth over the same length. 0: none.
    int smoothing = 25;
    bool anisotropic = false;  ///< kernels stretched along the surface (Yu and Turk 2013)
    double keep = 1;           ///< part of the triangles that decimation leaves, at most
};

/// The particles of one fluid at one time.
struct SurfaceInput {
    /// x, y, z of each [m]. Left out: not finite ones, and those more than 4 million spacings from
    /// the origin, where floats are coarser than the spacing.
    std::span<const float> positions;
    std::span<const float> velocities;  ///< likewise [m/s]; without any the mesh has none either
    double spacing;                     ///< [m]
    /// Walls and bodies, on which the surface ends.
    std::span<const PlacedSolid> solids = {};
};

/// The same mesh for any number of threads (OpenMP's). Empty without particles. Throws InputError
/// for options out of range.
SurfaceMesh reconstruct_surface(const SurfaceInput& fluid, const SurfaceOptions& options);

/// The most memory that it needs for so many particles of a splashing fluid [bytes], about. Spray
/// of single particles alone needs up to 15 times as much: a ball of triangles each.
double surface_memory(double particles, const SurfaceOptions& options);

}  // namespace millrace
