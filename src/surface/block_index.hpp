#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace millrace {

/// Space is cut into blocks of k_block cells an edge; a block has coordinates of whole numbers.
inline constexpr int k_block = 16;
using BlockPlace = std::array<std::int32_t, 3>;

/// A set of blocks, numbered along x, then y, then z.
class BlockIndex {
  public:
    static constexpr std::uint32_t k_none = ~0u;
    static constexpr int k_bits = 21;  // of a coordinate
    static constexpr std::int32_t k_limit = 1 << (k_bits - 1);

    BlockIndex() = default;
    /// Any order, any number of times each.
    explicit BlockIndex(std::vector<std::uint64_t> keys);

    static std::uint64_t key(const BlockPlace& place);
    std::size_t size() const { return keys_.size(); }
    BlockPlace place(std::size_t number) const;
    std::uint32_t find(std::uint64_t key) const;
    /// The blocks around one, itself in the middle: (dx + 1) + 3 (dy + 1) + 9 (dz + 1).
    std::array<std::uint32_t, 27> around(const BlockPlace& place) const;

  private:
    std::vector<std::uint64_t> keys_;   // ascending
    std::vector<std::uint32_t> table_;  // open addressing
};

}  // namespace millrace
