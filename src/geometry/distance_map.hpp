#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/flat_distance.hpp"

namespace millrace {

/// The signed distance of shapes of the plane, cached on a lattice in the frame of the solid (S0
/// chapter 5). The lattice is cut into tiles, and only tiles that fluid has come near to are ever
/// made, so that the ground of a large level costs what the water sees of it.
class DistanceMap final : public SignedDistance<2> {
  public:
    /// `cell` is the lattice constant [m]; beyond `reach` from the solid nothing is stored [m].
    DistanceMap(std::vector<Shape2> shapes, float cell, float reach);

    /// Makes the tiles that hold these points of the solid's frame. Not safe beside other calls.
    void prepare(const Vec<2>* points, std::size_t count);
    /// Whether there is a tile for a point, or none is needed.
    bool is_prepared(const Vec<2>& x) const;
    /// Bilinear, in a tile that was prepared; safe from many threads. Exact where no bilinear form
    /// will do: at thin walls, corners and seams, and outside of the tiles. From `reach` on the
    /// distance is at least `reach`, and the normal may be 0.
    Sample at(const Vec<2>& x) const override;
    void bounds(Vec<2>& min, Vec<2>& max) const override { index_.bounds(min, max); }
    std::size_t bytes() const override;
    /// Without the lattice, and at any distance.
    const FlatDistance& exact() const { return index_; }
    /// Of a straight way from a to b, the part before it meets the solid: 1 where it does not, 0
    /// where it starts inside. Thin walls are met from both sides; they hold what starts on them.
    float first_hit(const Vec<2>& a, const Vec<2>& b) const;

    Vec<2> min() const { return min_; }  ///< of the box outside of which nothing is near
    Vec<2> max() const { return max_; }
    const std::vector<Shape2>& shapes() const { return shapes_; }

  private:
    static constexpr int k_side = 8;  // of a tile, in cells
    static constexpr std::uint32_t k_none = 0xffffffff, k_far = 0xfffffffe;
    struct Tile {
        std::array<float, (k_side + 1) * (k_side + 1)> distance;  // at the nodes
        std::uint64_t exact;  // a bit for every cell that needs the exact distance
        std::uint32_t first_decider, deciders;  // of its cells
    };
    struct Slot {
        std::int32_t x, y;
        std::uint32_t tile = k_none;
    };

    bool outside(const Vec<2>& x) const;
    std::size_t slot_of(std::int32_t x, std::int32_t y) const;
    void insert(std::int32_t x, std::int32_t y, std::uint32_t tile);
    std::uint32_t make_tile(std::int32_t x, std::int32_t y);

    std::vector<Shape2> shapes_;
    FlatDistance index_;
    float cell_, reach_, per_cell_;
    Vec<2> min_{}, max_{};
    std::vector<Tile> tiles_;
    std::vector<std::uint32_t> deciders_;
    std::vector<Slot> slots_;  // a hash table, at most half full
    std::size_t made_ = 0;
    int hash_shift_ = 60;
};

}  // namespace millrace
