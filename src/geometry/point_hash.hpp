#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// Points by their place, for questions about all within a distance. Grows with its points; a
/// question may meet a point twice.
class PointHash {
  public:
    explicit PointHash(double cell) : inverse_cell_(1 / cell), heads_(1024, k_none) {}

    std::size_t size() const { return entries_.size(); }
    const Vec3& operator[](std::size_t i) const { return entries_[i].point; }

    void clear() {
        entries_.clear();
        std::fill(heads_.begin(), heads_.end(), k_none);
    }

    void add(const Vec3& point) {
        if (entries_.size() >= heads_.size()) {
            heads_.assign(4 * heads_.size(), k_none);
            for (std::uint32_t i = 0; i < entries_.size(); ++i)
                link(i);
        }
        entries_.push_back({point, k_none});
        link(static_cast<std::uint32_t>(entries_.size() - 1));
    }

    /// Calls visit(index) for at least all points within the distance; ends early where it returns
    /// false.
    template <class Visit>
    void for_each_near(const Vec3d& place, double distance, const Visit& visit) const {
        std::int64_t low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            low[k] = cell(place[k] - distance);
            high[k] = cell(place[k] + distance);
        }
        for (std::int64_t z = low[2]; z <= high[2]; ++z)
            for (std::int64_t y = low[1]; y <= high[1]; ++y) {
                const std::uint64_t row = row_of(y, z);
                for (std::int64_t x = low[0]; x <= high[0]; ++x)
                    for (std::uint32_t i = heads_[bucket(row, x)]; i != k_none;
                         i = entries_[i].next)
                        if (!visit(i))
                            return;
            }
    }

  private:
    static constexpr std::uint32_t k_none = ~0u;
    struct Entry {
        Vec3 point;
        std::uint32_t next;
    };

    std::int64_t cell(double c) const {
        return static_cast<std::int64_t>(std::floor(c * inverse_cell_));
    }
    static std::uint64_t row_of(std::int64_t y, std::int64_t z) {
        std::uint64_t h = static_cast<std::uint64_t>(y) * 0x9e3779b97f4a7c15u ^
                          static_cast<std::uint64_t>(z) * 0xc2b2ae3d27d4eb4fu;
        return (h ^ h >> 29) * 0xbf58476d1ce4e5b9u >> 20;
    }
    // neighbours along x lie side by side in memory
    std::size_t bucket(std::uint64_t row, std::int64_t x) const {
        return (row + static_cast<std::uint64_t>(x)) & (heads_.size() - 1);
    }
    void link(std::uint32_t i) {
        const Vec3& p = entries_[i].point;
        std::uint32_t& head = heads_[bucket(row_of(cell(p[1]), cell(p[2])), cell(p[0]))];
        entries_[i].next = head;
        head = i;
    }

    double inverse_cell_;
    std::vector<std::uint32_t> heads_;  // of each bucket, chained by `next`
    std::vector<Entry> entries_;
};

}  // namespace millrace
