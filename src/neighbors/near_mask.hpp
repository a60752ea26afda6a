#pragma once

#include <vector>

#include "exec/vector_buffer.hpp"

namespace millrace {

/// Tells quickly where none of a set of points can be within a radius: cells as wide as the radius,
/// marked where a point lies in them or beside them.
template <int D>
struct NearMaskView {
    Vec<D> origin;
    float cells_per_meter;
    Vec<D, std::int32_t> size;
    const std::uint8_t* near;  ///< null: everywhere
    bool beyond;               ///< what holds outside of the cells

    MILLRACE_HD bool may_be_near(const Vec<D>& x) const {
        if (!near)
            return true;
        std::size_t cell = 0;
        for (int k = D - 1; k >= 0; --k) {
            const float c = floorf((x[k] - origin[k]) * cells_per_meter);
            if (!(c >= 0) || !(c < static_cast<float>(size[k])))
                return beyond;
            cell = cell * static_cast<std::size_t>(size[k]) + static_cast<std::size_t>(c);
        }
        return near[cell] != 0;
    }
};

template <int D>
class NearMask {
  public:
    explicit NearMask(const Device& device) : standing_(device), near_(device) {}
    NearMask(const Device& device, const std::vector<Vec<D>>& points, float radius,
             std::size_t max_cells)
        : NearMask(device) {
        start(points, radius, max_cells);
    }

    /// Marks where points are that stay there. Without a mask, that is with one that says "near"
    /// everywhere, where there are none or more than `max_cells` cells would be needed.
    void start(const std::vector<Vec<D>>& points, float radius, std::size_t max_cells);
    /// Marks the points begin ... end - 1 too, in place of those of the last call.
    void mark(const Device& device, VectorView<D> points, std::size_t begin, std::size_t end);

    const NearMaskView<D>& view() const { return view_; }
    std::size_t bytes() const { return standing_.bytes() + near_.bytes(); }

  private:
    Buffer<std::uint8_t> standing_, near_;
    NearMaskView<D> view_{};
};

}  // namespace millrace
