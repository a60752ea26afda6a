#pragma once

#include <span>

#include "surface/surface_mesh.hpp"

namespace millrace {

/// How a surface is made from particles (docs/methods/surface.md). Lengths are in spacings.
struct SurfaceOptions {
    double cell = 0.5;         ///< edge of a cell of marching cubes; smaller: finer and slower
    double support = 2;        ///< radius of the kernel
    double threshold = 0.6;    ///< t: value of the colour field on the surface (S1 Eq. 5.2)
    int smoothing = 25;        ///< iterations of weighted Laplacian smoothing (S1 Eq. 5.6); 0: none
    bool anisotropic = false;  ///< kernels stretched along the surface (Yu and Turk 2013)
    double keep = 1;           ///< part of the triangles that decimation leaves, at most
};

/// The particles of one fluid at one time.
struct SurfaceInput {
    std::span<const float> positions;   ///< x, y, z of each [m]; not finite ones are left out
    std::span<const float> velocities;  ///< likewise [m/s]
    double spacing;                     ///< [m]
};

/// The same mesh for any number of threads. Empty without particles.
SurfaceMesh reconstruct_surface(const SurfaceInput& fluid, const SurfaceOptions& options);

/// The most memory that it needs for so many particles [bytes], about.
double surface_memory(double particles, const SurfaceOptions& options);

}  // namespace millrace
