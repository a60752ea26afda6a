#include "neighbors/neighbor_list.hpp"

#include <algorithm>
#include <bit>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

// Cuts off what lies beyond the radius at both ends of a run; may leave nothing.
template <int D>
Run trimmed(Run run, VectorView<D> point, const Vec<D, Pack>& x, Pack radius2) {
    std::uint32_t begin = run.end, end = run.begin;
    for (std::uint32_t first = run.begin; first < run.end; first += k_lanes) {
        Vec<D, Pack> d;
        for (int k = 0; k < D; ++k)
            d[k] = x[k] - load_pack(point.data + k * point.stride + first);
        const std::uint32_t left = run.end - first;
        const unsigned own = left >= k_lanes ? (1u << k_lanes) - 1 : (1u << left) - 1;
        const unsigned near = lane_bits(squared_norm(d) < radius2) & own;
        if (near) {
            begin = std::min(begin, first + static_cast<std::uint32_t>(std::countr_zero(near)));
            end = first + static_cast<std::uint32_t>(std::bit_width(near));
        }
    }
    return {begin, end};
}

template <int D>
struct StoreRuns {
    GridView<D> grid;
    VectorView<D> point, query;
    NearMaskView<D> mask;
    std::uint32_t stride;
    std::uint32_t* counts;
    Run* runs;
    MILLRACE_HD void operator()([[maybe_unused]] std::uint32_t i) const {
#if !defined(__CUDA_ARCH__)
        const Vec<D> x = query.get(i);
        if (!mask.may_be_near(x)) {
            counts[i] = 0;
            return;
        }
        Vec<D, Pack> x_pack;
        for (int k = 0; k < D; ++k)
            x_pack[k] = Pack(x[k]);
        const Pack radius2(grid.radius * grid.radius);
        Run* const mine = runs + std::size_t{i} * stride;
        Run* out = mine;
        grid.for_each_run(x, [&](std::uint32_t begin, std::uint32_t end) {
            *out = trimmed(Run{begin, end}, point, x_pack, radius2);
            out += out->begin < out->end;
        });
        counts[i] = static_cast<std::uint32_t>(out - mine);
#endif
    }
};

#if defined(__CUDACC__)

template <int D>
struct CountPoints {
    GridView<D> grid;
    VectorView<D> point, query;
    NearMaskView<D> mask;
    std::uint32_t* counts;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x = query.get(i);
        if (!mask.may_be_near(x)) {
            counts[i] = 0;
            return;
        }
        const float radius2 = grid.radius * grid.radius;
        std::uint32_t n = 0;
        grid.for_each_run(x, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end; ++j)
                n += squared_norm(x - point.get(j)) < radius2;
        });
        counts[i] = n;
    }
};

struct SliceWidth {
    const std::uint32_t* counts;
    std::uint32_t n, slice;
    std::uint32_t* widths;
    MILLRACE_HD void operator()(std::uint32_t s) const {
        std::uint32_t width = 0;
        for (std::uint32_t i = s * slice; i < (s + 1) * slice && i < n; ++i)
            width = counts[i] > width ? counts[i] : width;
        widths[s] = width;
    }
};

template <int D>
struct StorePoints {
    GridView<D> grid;
    VectorView<D> point, query;
    NearMaskView<D> mask;
    const std::uint32_t* offset;
    std::uint32_t* index;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        constexpr std::uint32_t k_slice = NeighborView<D>::k_slice;
        const Vec<D> x = query.get(i);
        if (!mask.may_be_near(x))
            return;
        const float radius2 = grid.radius * grid.radius;
        std::uint32_t* out = index + std::size_t{offset[i / k_slice]} * k_slice + i % k_slice;
        grid.for_each_run(x, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end; ++j)
                if (squared_norm(x - point.get(j)) < radius2) {
                    *out = j;
                    out += k_slice;
                }
        });
    }
};

#endif

}  // namespace

template <int D>
void NeighborList<D>::build(const Device& device, const GridView<D>& grid, VectorView<D> points,
                            VectorView<D> queries, std::size_t query_count,
                            const NearMaskView<D>& mask) {
    const std::size_t n = query_count;
    counts_.resize(n + 1);
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        constexpr std::uint32_t k_slice = NeighborView<D>::k_slice;
        const std::size_t slices = (n + k_slice - 1) / k_slice;
        Buffer<std::uint32_t>& widths = index_;  // not needed before the entries are stored
        widths.resize(slices + 1);
        for_each(device, n, CountPoints<D>{grid, points, queries, mask, counts_.data()});
        for_each(device, slices,
                 SliceWidth{counts_.data(), static_cast<std::uint32_t>(n), k_slice, widths.data()});
        exclusive_scan(device, widths, slices, offset_);
        std::uint32_t total = 0;
        device.download(&total, offset_.data() + slices, sizeof total);
        index_.resize(std::size_t{total} * k_slice);
        for_each(device, n,
                 StorePoints<D>{grid, points, queries, mask, offset_.data(), index_.data()});
        view_ = {points, grid.radius, counts_.data(), nullptr, 0, offset_.data(), index_.data()};
        return;
    }
#endif
    const std::uint32_t stride = GridView<D>::k_max_runs * (grid.wraps ? 2 : 1);
    runs_.resize(n * stride);
    for_each(device, n,
             StoreRuns<D>{grid, points, queries, mask, stride, counts_.data(), runs_.data()});
    view_ = {points, grid.radius, counts_.data(), runs_.data(), stride, nullptr, nullptr};
}

template <int D>
std::vector<std::vector<std::uint32_t>> NeighborList<D>::to_host(
    const std::vector<Vec<D>>& points, const std::vector<Vec<D>>& queries) const {
    constexpr std::uint32_t k_slice = NeighborView<D>::k_slice;
    const std::vector<std::uint32_t> counts = counts_.to_host(), offset = offset_.to_host(),
                                     index = index_.to_host();
    const std::vector<Run> runs = runs_.to_host();
    std::vector<std::vector<std::uint32_t>> sets(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        for (std::uint32_t k = 0; k < counts[i]; ++k) {
            if (counts_.device().on_gpu()) {
                sets[i].push_back(
                    index[(std::size_t{offset[i / k_slice]} + k) * k_slice + i % k_slice]);
                continue;
            }
            const Run run = runs[i * view_.stride + k];
            for (std::uint32_t j = run.begin; j < run.end; ++j)
                if (squared_norm(queries[i] - points[j]) < view_.radius * view_.radius)
                    sets[i].push_back(j);
        }
        std::sort(sets[i].begin(), sets[i].end());
    }
    return sets;
}

template class NeighborList<2>;
template class NeighborList<3>;

}  // namespace millrace
