#pragma once

#include "surface/marching_cubes.hpp"
#include "surface/surface_mesh.hpp"

namespace millrace {

/// Of length 1, into the air: the sum of the normals of the triangles around, weighted by area.
std::vector<Vec3> vertex_normals(std::span<const Vec3> vertices,
                                 std::span<const std::array<std::uint32_t, 3>> triangles);

/// Velocity and vorticity of the fluid at the vertices, which are in cells from the corner of block
/// `middle`. Spacing in cells; velocities in the order of the input [m/s].
void interpolate_flow(const ParticleBlocks& particles, std::span<const float> volumes,
                      std::span<const float> velocities, std::span<const Vec3> vertices,
                      const BlockPlace& middle, double spacing, SurfaceMesh& mesh);

}  // namespace millrace
