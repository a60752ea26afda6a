#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// A box along the axes.
template <int D>
struct SweepBounds {
    Vec<D, double> low, high;
};

/// Finds overlapping boxes by sorting them along x (sweep and prune).
class Sweep {
  public:
    /// Calls look(i, j) once for every two boxes that overlap, in an order that depends on the
    /// boxes alone.
    template <int D, class Look>
    void for_pairs(const std::vector<SweepBounds<D>>& boxes, const Look& look) {
        order_.resize(boxes.size());
        std::iota(order_.begin(), order_.end(), std::size_t(0));
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return boxes[i].low[0]; });
        for (std::size_t m = 0; m < order_.size(); ++m) {
            const SweepBounds<D>& box = boxes[order_[m]];
            for (std::size_t n = m + 1; n < order_.size(); ++n) {
                const SweepBounds<D>& other = boxes[order_[n]];
                if (other.low[0] > box.high[0])
                    break;
                if (overlap(box, other))
                    look(order_[m], order_[n]);
            }
        }
    }

  private:
    template <int D>
    static bool overlap(const SweepBounds<D>& a, const SweepBounds<D>& b) {
        for (int k = 1; k < D; ++k)
            if (a.high[k] < b.low[k] || b.high[k] < a.low[k])
                return false;
        return true;
    }

    std::vector<std::size_t> order_;
};

}  // namespace millrace
