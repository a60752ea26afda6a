#include "neighbors/near_mask.hpp"

#include <algorithm>
#include <cmath>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

template <int D>
struct Mark {
    NearMaskView<D> view;
    VectorView<D> points;
    std::uint32_t begin;
    std::uint8_t* near;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x = points.get(begin + i);
        int home[D];
        for (int k = 0; k < D; ++k)
            home[k] = static_cast<int>(
                fmaxf(-8.0f, fminf(static_cast<float>(view.size[k]) + 8.0f,
                                   floorf((x[k] - view.origin[k]) * view.cells_per_meter))));
        for (int code = 0; code < (D == 3 ? 27 : 9); ++code) {
            const int offset[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
            std::size_t cell = 0;
            bool within = true;
            for (int k = D - 1; k >= 0; --k) {
                const int c = home[k] + offset[k];
                within = within && c >= 0 && c < view.size[k];
                cell = cell * static_cast<std::size_t>(view.size[k]) + static_cast<std::size_t>(c);
            }
            if (within)  // several points may write the same value
                near[cell] = 1;
        }
    }
};

}  // namespace

template <int D>
void NearMask<D>::start(const std::vector<Vec<D>>& points, float radius, std::size_t max_cells) {
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
    standing_.assign(near);
    view.near = near_.data();
    view_ = view;
}

template <int D>
void NearMask<D>::mark(const Device& device, VectorView<D> points, std::size_t begin,
                       std::size_t end) {
    if (!view_.near)
        return;
    view_.beyond = true;
    device.copy(near_.data(), standing_.data(), standing_.size());
    for_each(device, end - begin,
             Mark<D>{view_, points, static_cast<std::uint32_t>(begin), near_.data()});
}

template class NearMask<2>;
template class NearMask<3>;

}  // namespace millrace
