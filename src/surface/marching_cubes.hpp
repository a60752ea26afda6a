#pragma once

#include "surface/colour_field.hpp"
#include "surface/walls.hpp"

namespace millrace {

/// Triangles in cells from the corner of some block.
struct CellMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    /// On which solid marching cubes have put each vertex: its number from 1, 0 for the free
    /// surface. Empty where no solid is near.
    std::vector<std::uint16_t> walls;
};

/// The surface in one block. Vertices lie on edges of the lattice; those that start at a point of
/// the upper faces belong to the next block.
struct BlockSurface {
    std::vector<Vec3> vertices;        ///< in cells from the block's corner
    std::vector<std::uint16_t> edges;  ///< of each vertex: 3 point + axis, ascending
    std::vector<std::uint32_t> cells;  ///< cell + (case << 16)
    std::vector<std::uint16_t> walls;  ///< as CellMesh has it
    std::uint32_t first_vertex = 0, first_triangle = 0;
};

/// Cells and edges where the field passes the threshold (S1 Eq. 5.2), with the vertices between the
/// ends of these edges (S1 Eq. 5.3). Within `walls` there is no fluid: where an edge enters one
/// before the field has fallen to the threshold, its vertex is there.
BlockSurface cut_block(const FieldBlock& field, float threshold, const BlockWalls* walls = nullptr);

/// Moves the vertices along their edges to where the colour field itself, with round kernels, has
/// the threshold: the straight line of S1 Eq. 5.3 misses it by up to a tenth of a cell.
void refine_block(BlockSurface& surface, const FieldBlock& field, float threshold,
                  const ParticleBlocks& particles, const ParticleWeights& weights,
                  const BlockPlace& place);

/// One closed mesh of all blocks; every edge has two triangles, and those around a vertex form one
/// ring. Empties the blocks. Relative to the corner of block `middle`.
CellMesh join_blocks(const BlockIndex& index, std::vector<BlockSurface>& blocks,
                     const BlockPlace& middle);

}  // namespace millrace
