#include "neighbors/near_mask.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

template <int D>
NearMask<D>::NearMask(const Device& device, const std::vector<Vec<D>>& points, float radius,
                      std::size_t max_cells)
    : near_(device) {
    if (points.empty())
        return;
    // a little wider than the radius: rounding must not put a near point two cells away
    const float width = 1.01f * radius;
    Vec<D> low = points[0], high = points[0];
    for (const Vec<D>& x : points)
        for (int k = 0; k < D; ++k) {
            low[k] = std::min(low[k], x[k]);
            high[k] = std::max(high[k], x[k]);
        }
    NearMaskView<D> view{};
    double cells = 1;
    for (int k = 0; k < D; ++k) {
        view.origin[k] = low[k] - 1.5f * width;
        const double size = std::ceil((double(high[k]) - low[k]) / width) + 4;
        cells *= size;
        if (!(cells <= static_cast<double>(max_cells)))
            return;
        view.size[k] = static_cast<std::int32_t>(size);
    }
    view.cells_per_meter = 1 / width;
    std::vector<std::uint8_t> near(static_cast<std::size_t>(cells), 0);
    for (const Vec<D>& x : points) {
        Vec<D, std::int32_t> home;
        for (int k = 0; k < D; ++k)
            home[k] = static_cast<std::int32_t>(
                std::floor((x[k] - view.origin[k]) * view.cells_per_meter));
        for (int code = 0; code < (D == 3 ? 27 : 9); ++code) {
            const int offset[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
            std::size_t cell = 0;
            for (int k = D - 1; k >= 0; --k)
                cell = cell * static_cast<std::size_t>(view.size[k]) +
                       static_cast<std::size_t>(home[k] + offset[k]);
            near[cell] = 1;
        }
    }
    near_.assign(near);
    view.near = near_.data();
    view_ = view;
}

template class NearMask<2>;
template class NearMask<3>;

}  // namespace millrace
