#pragma once

#include <cstddef>
#include <string>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// What is wrong with a mesh as the surface of a solid.
struct MeshHealth {
    bool closed = false;             // no open edges, and every edge has an even number of faces
    bool oriented = false;           // every edge is used as often in one direction as in the other
    bool outward = false;            // the signed volume is positive
    bool self_intersecting = false;  // not looked for above k_most_for_intersections triangles
    std::size_t boundary_edges = 0;  // with one face
    std::size_t non_manifold_edges = 0;  // with more than two faces
    std::size_t flipped_edges = 0;       // with two faces that face opposite sides
    std::size_t degenerate_triangles = 0;

    /// Its inside is the volume of a solid, without repair.
    bool solid() const { return closed && oriented && outward && !self_intersecting; }
};

constexpr std::size_t k_most_for_intersections = 200'000;

/// Vertices at the same place count as one. Self-intersections take most of the time.
MeshHealth inspect(const TriangleMesh& mesh, bool look_for_intersections = true);

/// E.g. "has holes (12 open edges) and flipped faces"; "is a closed solid" where all is well.
std::string describe(const MeshHealth& health);

/// Neighbouring triangles are made to face the same side, connected piece by connected piece; the
/// larger area of a piece decides which. Pieces meet at edges with two faces.
TriangleMesh consistently_oriented(const TriangleMesh& mesh);

}  // namespace millrace
