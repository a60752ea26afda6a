#pragma once

#include "surface/marching_cubes.hpp"

namespace millrace {

/// Joins vertices until at most this many triangles are left, or until nothing more can go without
/// harm: edges collapse in the order of their quadric error (Garland and Heckbert 1997), each to
/// the place that keeps the enclosed volume (Lindstrom and Turk 1998). The mesh stays closed, with
/// two triangles at every edge and one ring around every vertex.
void decimate(CellMesh& mesh, std::size_t triangles);

}  // namespace millrace
