#pragma once

#include <span>

#include "geometry/solids_in_frames.hpp"
#include "surface/colour_field.hpp"

// How the surface of a fluid ends on walls and bodies (docs/methods/surface.md, "At walls").
namespace millrace {

/// Particles with their images in the solids that they are near to.
struct MirroredFluid {
    std::vector<float> positions, velocities;  ///< of images: those of their originals
};

/// Appends an image x - 2 d n of every particle nearer to a solid than `reach`, and images of
/// images where walls meet. An image that would lie near another side of the solid is left out:
/// fluid must not show through thin walls. Lengths in metres.
MirroredFluid mirror_fluid(std::span<const float> positions, std::span<const float> velocities,
                           std::span<const PlacedSolid> solids, double reach, double spacing);

/// Which points of a block lie in a solid, and where edges of the lattice enter one.
class BlockWalls {
  public:
    /// Only points of the field above the threshold count. False where no solid is near.
    bool find(const FieldBlock& field, float threshold, std::span<const PlacedSolid> solids,
              const BlockPlace& place, double cell);

    std::uint32_t row(int y, int z) const { return solid_[z][y]; }  ///< a bit for each x
    bool is_solid(int x, int y, int z) const { return solid_[z][y] >> x & 1; }

    struct Entry {
        float part;                ///< of the edge, from its end in the fluid
        std::uint16_t number = 0;  ///< of the solid, from 1
    };
    /// Of the edge from a point in the fluid to one in a solid.
    Entry entry(const std::array<int, 3>& fluid, const std::array<int, 3>& solid) const;

  private:
    Vec3 world(int x, int y, int z) const;

    std::span<const PlacedSolid> solids_;
    std::vector<std::uint16_t> near_;  // numbers of the solids that meet the block
    BlockPlace place_{};
    double cell_ = 1;
    std::uint32_t solid_[FieldBlock::k_points][FieldBlock::k_points] = {};
};

}  // namespace millrace
