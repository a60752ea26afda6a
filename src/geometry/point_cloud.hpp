#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// Tells whether any of a set of points is nearer than a distance.
template <int D>
class PointCloud {
  public:
    PointCloud(const std::vector<Vec<D>>& points, double distance) : distance_(distance) {
        for (const Vec<D>& x : points)
            add(x);
    }
    void add(const Vec<D>& x) { cells_[key(cell(x))].push_back(x); }
    bool any_near(const Vec<D>& x) const {
        const Vec<D, std::int64_t> home = cell(x);
        Vec<D, std::int64_t> c;
        for (int code = 0; code < (D == 3 ? 27 : 9); ++code) {
            c[0] = home[0] + code % 3 - 1;
            c[1] = home[1] + code / 3 % 3 - 1;
            if constexpr (D == 3)
                c[2] = home[2] + code / 9 - 1;
            const auto found = cells_.find(key(c));
            if (found != cells_.end())
                for (const Vec<D>& point : found->second)
                    if (squared_norm(x - point) < distance_ * distance_)
                        return true;
        }
        return false;
    }

  private:
    Vec<D, std::int64_t> cell(const Vec<D>& x) const {
        Vec<D, std::int64_t> c;
        for (int k = 0; k < D; ++k)
            c[k] = static_cast<std::int64_t>(std::floor(x[k] / distance_));
        return c;
    }
    static std::uint64_t key(const Vec<D, std::int64_t>& c) {
        std::uint64_t hash = 0;
        for (int k = 0; k < D; ++k)
            hash = (hash ^ static_cast<std::uint64_t>(c[k])) * 0x9e3779b97f4a7c15u;
        return hash;
    }

    double distance_;
    std::unordered_map<std::uint64_t, std::vector<Vec<D>>> cells_;
};

}  // namespace millrace
