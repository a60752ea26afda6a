#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "exec/lanes.hpp"
#include "spook/columns.hpp"

namespace millrace {

/// The numbers of the set bits of a mask, first of all.
struct SetBits {
    std::uint8_t numbers[1 << k_lanes][k_lanes] = {};

    constexpr SetBits() {
        for (int mask = 0; mask < 1 << k_lanes; ++mask)
            for (int bit = 0, count = 0; bit < k_lanes; ++bit)
                if (mask >> bit & 1)
                    numbers[mask][count++] = static_cast<std::uint8_t>(bit);
    }
};
inline constexpr SetBits k_set_bits;

using LaneNumbers = std::uint32_t __attribute__((vector_size(4 * k_lanes)));

inline LaneNumbers set_bits(unsigned bits) {
    using Bytes = std::uint8_t __attribute__((vector_size(k_lanes)));
    Bytes bytes;
    std::memcpy(&bytes, k_set_bits.numbers[bits], sizeof bytes);
    return __builtin_convertvector(bytes, LaneNumbers);
}

/// The set lanes of a pack, first of all; what is behind them has no meaning.
inline Pack pick(Pack pack, LaneNumbers numbers) {
#if defined(__AVX__) && !defined(__clang__)
    return __builtin_shuffle(pack.v, reinterpret_cast<PackInts>(numbers));
#else
    Pack picked;
    for (int k = 0; k < k_lanes; ++k)
        picked.v[k] = pack.v[static_cast<int>(numbers[k])];
    return picked;
#endif
}

/// The points near one of them: their numbers, appended to a list, and the ways from them to it.
template <int D>
struct NearPoints {
    /// Whole packs are written, so that so many entries behind those in use must be there.
    static constexpr std::size_t k_room = 3 * k_lanes;

    std::vector<std::uint32_t> numbers;  ///< at least k_room more than are in use
    std::vector<float> way[D];           ///< of the point at hand: x_i - x_j

    /// Finds the points j other than i nearer than the width of the columns; `runs` are those of
    /// Columns::for_each_upwards. Their numbers begin at `used`; returns how many there are.
    std::uint32_t find(const Columns<D>& columns, std::uint32_t i,
                       const typename Columns<D>::Run* runs, std::size_t used) {
        const float* const y = columns.y();
        const float top = y[i] + columns.width();
        const Pack h2(columns.width() * columns.width());
        Pack x_i[D];
        for (int a = 0; a < D; ++a)
            x_i[a] = Pack(columns.component(a)[i]);
        std::uint32_t count = 0;
        grow(used + k_room, k_room);
        for (int k = 0; k < Columns<D>::k_runs; ++k)
            for (std::uint32_t j = runs[k].begin; j < runs[k].end && y[j] <= top; j += k_lanes) {
                if (used + count + k_room > numbers.size() || count + k_room > way[0].size())
                    grow(used + count + k_room, count + k_room);
                Pack d[D], r2(0.0f);
                for (int a = 0; a < D; ++a) {
                    d[a] = x_i[a] - load_pack(columns.component(a) + j);
                    r2 = a == 0 ? d[a] * d[a] : r2 + d[a] * d[a];
                }
                unsigned bits = lane_bits(r2 < h2);
                bits &= (1u << std::min<std::uint32_t>(runs[k].end - j, k_lanes)) - 1;
                bits &= ~((i - j < k_lanes ? 1u : 0u) << ((i - j) % k_lanes));
                const LaneNumbers set = set_bits(bits), found = set + j;
                std::memcpy(numbers.data() + used + count, &found, sizeof found);
                for (int a = 0; a < D; ++a)
                    store_pack(&way[a][count], pick(d[a], set));
                count += static_cast<std::uint32_t>(std::popcount(bits));
            }
        return count;
    }

    /// Room for so many numbers in all, and ways of the point at hand.
    void grow(std::size_t all, std::size_t at_hand) {
        if (numbers.size() < all)
            numbers.resize(2 * all);
        for (std::vector<float>& component : way)
            if (component.size() < at_hand)
                component.resize(2 * at_hand);
    }
};

}  // namespace millrace
