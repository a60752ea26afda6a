#include "neighbors/uniform_grid.hpp"

#include <algorithm>
#include <cmath>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

template <int D>
struct Extent {
    Vec<D> min, max;
};

template <int D>
struct ExtentOf {
    VectorView<D> position;
    typename UniformGrid<D>::Bounds alive;
    MILLRACE_HD Extent<D> operator()(std::uint32_t i) const {
        const Vec<D> x = position.get(i);
        if (alive.contains(x))
            return {x, x};
        return {Vec<D>::all(3e38f), Vec<D>::all(-3e38f)};
    }
};

template <int D>
struct JoinExtents {
    MILLRACE_HD Extent<D> operator()(Extent<D> a, const Extent<D>& b) const {
        for (int k = 0; k < D; ++k) {
            a.min[k] = fminf(a.min[k], b.min[k]);
            a.max[k] = fmaxf(a.max[k], b.max[k]);
        }
        return a;
    }
};

template <int D>
struct FindCells {
    GridView<D> grid;
    VectorView<D> position;
    typename UniformGrid<D>::Bounds alive;
    std::uint32_t dead_key;
    std::uint32_t* keys;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x = position.get(i);
        keys[i] = alive.contains(x) ? grid.cell_index(x) : dead_key;
    }
};

// As many cells as the extent asks for, unless that is too many: then the longest axis is cut
// until the table fits, and coordinates wrap around. A search never meets a row twice, because a
// wrapped axis has at least as many rows as a search.
template <int D>
void choose_dims(GridView<D>& grid, const Extent<D>& extent, std::size_t max_cells) {
    double wanted[D], least[D];
    double cells = 1;
    for (int k = 0; k < D; ++k) {
        const double length = std::max(0.0, double{extent.max[k]} - extent.min[k]);
        wanted[k] = std::floor(length * grid.inverse_edge[k]) + 1;
        least[k] = k == 0 ? 1 : GridView<D>::k_rows;
        grid.origin[k] = extent.min[k];
        cells *= wanted[k];
    }
    grid.wraps = cells > static_cast<double>(max_cells);
    if (grid.wraps)
        for (int k = 0; k < D; ++k)
            wanted[k] = std::max(wanted[k], least[k]);
    while (cells > static_cast<double>(max_cells)) {
        int longest = -1;
        for (int k = 0; k < D; ++k)
            if (wanted[k] > least[k] && (longest < 0 || wanted[k] > wanted[longest]))
                longest = k;
        if (longest < 0)
            break;
        wanted[longest] = std::max(least[longest], std::floor(wanted[longest] * 0.75));
        cells = 1;
        for (int k = 0; k < D; ++k)
            cells *= wanted[k];
    }
    for (int k = 0; k < D; ++k)
        grid.dims[k] = static_cast<int>(wanted[k]);
}

}  // namespace

template <int D>
std::size_t UniformGrid<D>::build(const Device& device, VectorView<D> position, std::size_t n,
                                  float radius, std::size_t max_cells, const Bounds& alive) {
    const Extent<D> none{Vec<D>::all(3e38f), Vec<D>::all(-3e38f)};
    Extent<D> extent = reduce(device, n, none, ExtentOf<D>{position, alive}, JoinExtents<D>{});
    if (extent.min[0] > extent.max[0])
        extent = {Vec<D>::all(0), Vec<D>::all(0)};

    view_.radius = radius;
    for (int k = 0; k < D; ++k)
        view_.inverse_edge[k] =
            (k == 0 ? GridView<D>::k_cells_per_radius : GridView<D>::k_rows_per_radius) / radius;
    choose_dims(view_, extent, max_cells);

    std::uint32_t cells = 1;
    for (int k = 0; k < D; ++k)
        cells *= static_cast<std::uint32_t>(view_.dims[k]);
    keys_.resize(n);
    for_each(device, n, FindCells<D>{view_, position, alive, cells, keys_.data()});
    counting_sort(device, keys_, n, cells + 1, start_, order_);
    view_.cell_start = start_.data();

    std::uint32_t living = 0;
    device.download(&living, start_.data() + cells, sizeof living);
    return living;
}

template class UniformGrid<2>;
template class UniformGrid<3>;

}  // namespace millrace
