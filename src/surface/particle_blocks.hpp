#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "math/vec.hpp"
#include "surface/block_index.hpp"

namespace millrace {

/// Particles sorted by blocks of cells, and within a block by bins. Their places are in cells from
/// the corner of their block, in whole numbers of 2^-16 cells: the distance from any particle to
/// any point of the lattice is exact in float, so that two blocks get the same value, bit for bit,
/// at a point that they share.
struct ParticleBlocks {
    double cell = 1;  ///< [m]
    float reach = 1;  ///< radius of the kernel, in cells; at most k_block
    int bins = 1;     ///< along an edge of a block

    BlockIndex index;                      ///< the blocks that hold particles
    std::vector<std::uint32_t> bin_start;  ///< bins^3 + 1 a block
    // one a particle, and a pack more
    std::vector<float> x, y, z;
    std::vector<std::uint32_t> origin;  ///< its number in the input

    /// Radius and cell in metres. Leaves out what is not finite or so far away that it has no place
    /// in float any more.
    ParticleBlocks(std::span<const float> positions, double cell, double radius, double spacing);

    std::size_t size() const { return origin.size(); }
    std::uint32_t first(std::size_t block) const { return bin_start[block * stride()]; }
    std::uint32_t end(std::size_t block) const { return bin_start[(block + 1) * stride() - 1]; }
    Vec3 place(std::uint32_t i) const { return {{x[i], y[i], z[i]}}; }

    /// The particles that may lie in a box given in cells from the corner of the block in the
    /// middle of `near`; the box may stick out by one block. Calls body(begin, end, shift): what is
    /// at p relative to that corner is at p - shift relative to the corner of these particles.
    template <class Body>
    void for_each_run(const std::array<std::uint32_t, 27>& near, const Vec3& low, const Vec3& high,
                      const Body& body) const {
        int from[3], to[3];
        for (int k = 0; k < 3; ++k) {
            const float per_cell = static_cast<float>(bins) / k_block;
            from[k] = std::max(-bins, static_cast<int>(std::floor(low[k] * per_cell)));
            to[k] = std::min(2 * bins - 1, static_cast<int>(std::floor(high[k] * per_cell)));
        }
        const auto part = [this](int bin) { return bin < 0 ? 0 : bin < bins ? 1 : 2; };
        for (int bz = from[2]; bz <= to[2]; ++bz) {
            const int pz = part(bz);
            for (int by = from[1]; by <= to[1]; ++by) {
                const int py = part(by);
                for (int px = part(from[0]); px <= part(to[0]); ++px) {
                    const std::uint32_t block = near[px + 3 * (py + 3 * pz)];
                    if (block == BlockIndex::k_none)
                        continue;
                    const int left = (px - 1) * bins;
                    const int row = bins * (by - (py - 1) * bins + bins * (bz - (pz - 1) * bins));
                    const std::uint32_t* start = bin_start.data() + block * stride() + row;
                    const std::uint32_t begin = start[std::max(from[0] - left, 0)];
                    const std::uint32_t end = start[std::min(to[0] - left, bins - 1) + 1];
                    if (begin < end)
                        body(begin, end,
                             Vec3{{float((px - 1) * k_block), float((py - 1) * k_block),
                                   float((pz - 1) * k_block)}});
                }
            }
        }
    }

  private:
    std::size_t stride() const { return static_cast<std::size_t>(bins) * bins * bins + 1; }
    void sort_block(std::size_t block, std::span<const std::uint32_t> members,
                    std::span<const float> positions, std::uint32_t first);
};

/// Particles around places given in cells from the corner of block `middle`. Quick where one place
/// after the other lies in the same block.
class ParticleSearch {
  public:
    ParticleSearch(const ParticleBlocks& particles, const BlockPlace& middle)
        : particles_(particles), middle_(middle) {}

    /// Calls body(begin, end, at): `at` is the place relative to the corner of these particles. The
    /// radius is in cells, at most k_block.
    template <class Body>
    void for_each_run(const Vec3& place, float radius, const Body& body) {
        BlockPlace block;
        Vec3 local;
        for (int k = 0; k < 3; ++k) {
            const float corner = std::floor(place[k] / k_block);
            block[k] = static_cast<std::int32_t>(corner) + middle_[k];
            local[k] = place[k] - corner * k_block;
        }
        if (!known_ || block != block_) {
            near_ = particles_.index.around(block);
            block_ = block;
            known_ = true;
        }
        particles_.for_each_run(near_, local - Vec3::all(radius), local + Vec3::all(radius),
                                [&](std::uint32_t begin, std::uint32_t end, const Vec3& shift) {
                                    body(begin, end, local - shift);
                                });
    }

  private:
    const ParticleBlocks& particles_;
    BlockPlace middle_, block_{};
    bool known_ = false;
    std::array<std::uint32_t, 27> near_{};
};

}  // namespace millrace
