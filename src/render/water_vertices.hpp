#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "diffuse/diffuse_particles.hpp"
#include "surface/surface_mesh.hpp"

namespace millrace {

/// A vertex of the water, as the shaders take it.
struct WaterVertex {
    Vec3 position, normal;
    float fluid;
    float speed;  ///< [m/s]
};

/// The surface as it can be drawn: triangles with a vertex that does not exist or is not finite are
/// left out. A normal that is missing is 0, a fluid beyond `fluids` is the first.
struct DrawnWater {
    std::vector<WaterVertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};
DrawnWater drawn_water(const SurfaceMesh& mesh, std::uint32_t fluids);

struct FoamVertex {
    Vec3 position;
    float kind;
    float strength;  ///< 0 to 1; by its age it comes quickly and goes slowly
    float size;      ///< about 1, by its id
};

/// The points that are somewhere.
std::vector<FoamVertex> drawn_foam(const DiffuseParticles& foam);

}  // namespace millrace
