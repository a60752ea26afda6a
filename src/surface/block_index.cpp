#include "surface/block_index.hpp"

#include <algorithm>
#include <bit>

namespace millrace {

namespace {

std::size_t slot(std::uint64_t key, std::size_t slots) {
    key *= 0x9e3779b97f4a7c15u;
    return (key ^ key >> 32) & (slots - 1);
}

}  // namespace

BlockIndex::BlockIndex(std::vector<std::uint64_t> keys) : keys_(std::move(keys)) {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    table_.assign(std::bit_ceil(2 * keys_.size() + 1), k_none);
    for (std::uint32_t number = 0; number < keys_.size(); ++number) {
        std::size_t s = slot(keys_[number], table_.size());
        while (table_[s] != k_none)
            s = (s + 1) & (table_.size() - 1);
        table_[s] = number;
    }
}

std::uint64_t BlockIndex::key(const BlockPlace& place) {
    std::uint64_t key = 0;
    for (int k = 2; k >= 0; --k)
        key = key << k_bits | static_cast<std::uint32_t>(place[k] + k_limit);
    return key;
}

BlockPlace BlockIndex::place(std::size_t number) const {
    BlockPlace place;
    for (int k = 0; k < 3; ++k)
        place[k] =
            static_cast<std::int32_t>(keys_[number] >> (k * k_bits) & (2 * k_limit - 1)) - k_limit;
    return place;
}

std::uint32_t BlockIndex::find(std::uint64_t key) const {
    if (table_.empty())
        return k_none;
    for (std::size_t s = slot(key, table_.size());; s = (s + 1) & (table_.size() - 1))
        if (table_[s] == k_none || keys_[table_[s]] == key)
            return table_[s];
}

std::array<std::uint32_t, 27> BlockIndex::around(const BlockPlace& place) const {
    std::array<std::uint32_t, 27> near;
    for (int d = 0; d < 27; ++d)
        near[d] = find(key({place[0] + d % 3 - 1, place[1] + d / 3 % 3 - 1, place[2] + d / 9 - 1}));
    return near;
}

}  // namespace millrace
