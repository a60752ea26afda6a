#include "spook/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

/// Places outside of the grid count as of its outermost cells: that keeps neighbours next to each
/// other, and a drop that flies far away does not make the grid large.
template <int D>
std::uint32_t Blocks<D>::cell_along(float x, int axis) const {
    const float u = (x - origin_[axis]) / width_;
    if (!(u > 0))
        return 0;
    return u >= static_cast<float>(size_[axis]) ? size_[axis] - 1 : static_cast<std::uint32_t>(u);
}

template <int D>
void Blocks<D>::sort(std::span<const Vec<D>> points, float width,
                     std::vector<std::uint32_t>& order) {
    width_ = width;
    const std::size_t n = points.size();
    Vec<D> low = Vec<D>::all(0), high = Vec<D>::all(0);
    if (n > 0)
        low = high = points[0];
    for (const Vec<D>& x : points)
        for (int k = 0; k < D; ++k) {
            low[k] = std::min(low[k], x[k]);
            high[k] = std::max(high[k], x[k]);
        }
    // a grid of the whole world where that is small enough; else around the middle of the points
    Vec<D, double> middle = Vec<D, double>::all(0);
    for (const Vec<D>& x : points)
        middle += Vec<D, double>::from(x) / static_cast<double>(std::max<std::size_t>(n, 1));
    double cells = 1;
    for (int k = 0; k < D; ++k) {
        origin_[k] = low[k];
        const double size = std::floor((double(high[k]) - low[k]) / width) + 1;
        size_[k] = static_cast<std::uint32_t>(std::min(size, 1e9));
        cells *= size;
    }
    const double most = 8.0 * static_cast<double>(n) + 4096;
    while (cells > most) {
        const int longest = static_cast<int>(std::max_element(size_, size_ + D) - size_);
        cells /= size_[longest];
        size_[longest] = std::max(1u, size_[longest] / 2);
        cells *= size_[longest];
        const double half = 0.5 * size_[longest] * width;
        origin_[longest] = static_cast<float>(
            std::clamp(middle[longest] - half, double(low[longest]),
                       std::max<double>(low[longest], high[longest] - 2 * half)));
    }
    height_ = size_[1];
    const std::size_t count = [&] {
        std::size_t all = 1;
        for (int k = 0; k < D; ++k)
            all *= size_[k];
        return all;
    }();
    start_.assign(count + 1, 0);
    cell_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t place[D];
        for (int k = 0; k < D; ++k)
            place[k] = cell_along(points[i][k], k);
        cell_[i] = cell(place);
        ++start_[cell_[i] + 1];
    }
    for (std::size_t c = 0; c < count; ++c)
        start_[c + 1] += start_[c];
    order.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        order[start_[cell_[i]]++] = static_cast<std::uint32_t>(i);
    for (std::size_t c = count; c > 0; --c)
        start_[c] = start_[c - 1];
    start_[0] = 0;
    find_blocks();
}

template <int D>
std::uint32_t Blocks<D>::cell(const std::uint32_t place[D]) const {
    if constexpr (D == 2)
        return place[0] * height_ + place[1];
    else
        return (place[0] * size_[2] + place[2]) * height_ + place[1];
}

template <int D>
typename Blocks<D>::Range Blocks<D>::cells_between(const Vec<D>& min, const Vec<D>& max) const {
    Range range;
    for (int k = 0; k < D; ++k) {
        range.low[k] = cell_along(min[k], k);
        range.high[k] = cell_along(max[k], k);
    }
    return range;
}

template <int D>
int Blocks<D>::runs(std::uint32_t pillar, std::uint32_t level, Run out[k_runs]) const {
    const std::uint32_t wide = D == 2 ? 1 : size_[D - 1];
    const auto x = static_cast<std::int64_t>(pillar / wide);
    const auto z = static_cast<std::int64_t>(pillar % wide);
    const std::uint32_t low = level > 0 ? level - 1 : 0, high = std::min(level + 2, height_);
    int count = 0;
    for (std::int64_t dx = -1; dx <= 1; ++dx)
        for (std::int64_t dz = D == 2 ? 0 : -1; dz <= (D == 2 ? 0 : 1); ++dz) {
            if (x + dx < 0 || x + dx >= size_[0] || z + dz < 0 || z + dz >= wide)
                continue;
            const auto other = static_cast<std::size_t>((x + dx) * wide + z + dz) * height_;
            const Run run{start_[other + low], start_[other + high]};
            if (run.begin < run.end)
                out[count++] = run;
        }
    return count;
}

template <int D>
void Blocks<D>::find_blocks() {
    blocks_.clear();
    for (auto& color : colors_)
        color.clear();
    const std::uint32_t wide = D == 2 ? 1 : size_[D - 1];
    for (std::uint32_t x = 0; x < size_[0]; x += 2)
        for (std::uint32_t z = 0; z < wide; z += 2) {
            Block block{};
            for (std::uint32_t dx = 0; dx < 2 && x + dx < size_[0]; ++dx)
                for (std::uint32_t dz = 0; dz < 2 && z + dz < wide; ++dz) {
                    const std::uint32_t p = (x + dx) * wide + z + dz;
                    const Run run = pillar(p);
                    if (run.begin == run.end)
                        continue;
                    block.pillars[block.count++] = p;
                    block.points += run.end - run.begin;
                }
            if (block.count == 0)
                continue;
            const std::uint32_t color = (x / 2 & 1) * (D == 2 ? 1 : 2) + (z / 2 & 1);
            colors_[color].push_back(static_cast<std::uint32_t>(blocks_.size()));
            blocks_.push_back(block);
        }
}

template class Blocks<2>;
template class Blocks<3>;

}  // namespace millrace
