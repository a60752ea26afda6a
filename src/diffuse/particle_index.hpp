#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace millrace {

/// Where the particle with an id stands in a frame.
class ParticleIndex {
  public:
    static constexpr std::uint32_t k_none = 0xffffffffu;

    explicit ParticleIndex(std::span<const std::uint32_t> ids) {
        const std::uint32_t largest = ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end());
        if (largest < 8 * ids.size() + 1'000'000) {
            table_.assign(std::size_t{largest} + 1, k_none);
            for (std::uint32_t i = 0; i < ids.size(); ++i)
                table_[ids[i]] = i;
            return;
        }
        for (std::uint32_t i = 0; i < ids.size(); ++i)
            pairs_.emplace_back(ids[i], i);
        std::sort(pairs_.begin(), pairs_.end());
    }

    std::uint32_t find(std::uint32_t id) const {
        if (!table_.empty())
            return id < table_.size() ? table_[id] : k_none;
        const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair{id, 0u});
        return at != pairs_.end() && at->first == id ? at->second : k_none;
    }

  private:
    std::vector<std::uint32_t> table_;  // by id; empty where ids are too far apart
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // instead: id and place, sorted
};

}  // namespace millrace
