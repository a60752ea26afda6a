#pragma once

#include "exec/buffer.hpp"
#include "geometry/solid.hpp"
#include "math/mat.hpp"

namespace millrace {

/// A tank: a box some of whose faces may be open, in its own frame.
template <int D>
struct Tank {
    Vec<D> position;
    Mat<D> rotation;  ///< from the tank's frame to the world's
    Vec<D> min, max;  ///< as far as a particle may go, a spacing beyond closed faces
    bool closed[2 * D];

    /// Which way a particle goes through a closed face from x to y: 1 out, -1 in, 0 neither.
    MILLRACE_HD int crossing(const Vec<D>& x, const Vec<D>& y) const {
        const int from = face(x), to = face(y);
        if (from < 0 && to >= 0 && closed[to])
            return 1;
        return from >= 0 && to < 0 && closed[from] ? -1 : 0;
    }

  private:
    /// The face beyond which a place lies farthest; -1: it is inside.
    MILLRACE_HD int face(const Vec<D>& place) const {
        const Vec<D> x = transpose(rotation) * (place - position);
        int beyond = -1;
        float farthest = 0;
        for (int k = 0; k < D; ++k) {
            if (min[k] - x[k] > farthest) {
                farthest = min[k] - x[k];
                beyond = 2 * k;
            }
            if (x[k] - max[k] > farthest) {
                farthest = x[k] - max[k];
                beyond = 2 * k + 1;
            }
        }
        return beyond;
    }
};

/// Those walls that are boxes, hold fluid and do not move. What goes through their walls should
/// not.
template <int D>
class ClosedWalls {
  public:
    ClosedWalls(const Device& device, std::span<const Solid<D>> walls, double spacing);

    const Tank<D>* tanks() const { return tanks_.data(); }
    int count() const { return static_cast<int>(tanks_.size()); }

  private:
    Buffer<Tank<D>> tanks_;
};

}  // namespace millrace
