#pragma once

#include <memory>
#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// How far places are from a solid, and which way out. Questions may be asked from several threads.
template <int D>
class SignedDistance {
  public:
    struct Sample {
        float distance;  ///< to the surface, below 0 inside [m]
        Vec<D> normal;   ///< gradient of the distance, of length 1: out of the solid
    };

    virtual ~SignedDistance() = default;

    /// At a place in the solid's frame. Right up to the reach that it was made for; farther off the
    /// distance may be any that is larger.
    virtual Sample at(const Vec<D>& place) const = 0;
    /// A box that holds the solid, in its frame [m].
    virtual void bounds(Vec<D>& min, Vec<D>& max) const = 0;
    virtual std::size_t bytes() const = 0;
};

template <int D>
using SolidParts = std::vector<std::unique_ptr<SignedDistance<D>>>;

/// Of a wall, in the world's frame at the start (its scale, rotation and position are in it). A
/// tank, and a box with open faces, is a slab of `thickness` behind every closed face; slabs
/// overlap at edges. Of a tank round inside the part is what lies outside of it. `surface` is the
/// wall's mesh, where it is one. Distances are right up to `reach` from the surface, both ways.
template <int D>
SolidParts<D> wall_distances(const Boundary& boundary, const TriangleMesh& surface,
                             double thickness, double reach, double spacing);

/// Of a body, in its frame, moved so that its centre of mass is the origin.
template <int D>
SolidParts<D> body_distances(const Body& body, const TriangleMesh& surface, const Vec3d& center,
                             double reach, double spacing);

}  // namespace millrace
