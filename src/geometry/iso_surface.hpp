#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// Values at the points of a lattice, stored in blocks of 8 x 8 x 8 points near the surface only.
/// Negative is inside; where no block is, the surface is not.
struct LatticeField {
    static constexpr int k_side = 8, k_points = k_side * k_side * k_side;
    using Block = std::array<std::int32_t, 3>;
    using Values = std::array<float, k_points>;
    static constexpr std::uint32_t k_none = ~0u;

    Vec3d origin;  // of block 0, 0, 0
    double voxel;  // the lattice spacing
    std::vector<Block> blocks;
    std::vector<Values> values;
    std::unordered_map<std::uint64_t, std::uint32_t> index;

    static std::uint64_t key(const Block& block);
    std::uint32_t find(const Block& block) const;
    /// False where it is there already.
    bool add(const Block& block);
    /// The blocks around it, itself in the middle: (dx + 1) + 3 (dy + 1) + 9 (dz + 1).
    std::array<std::uint32_t, 27> around(std::uint32_t block) const;
};

/// Where the field is 0: dual marching cubes (Nielson 2004) with every vertex at the mean of the
/// crossings around it. Closed, normals outward, no triangle between separate sheets.
TriangleMesh iso_surface(const LatticeField& field);

}  // namespace millrace
