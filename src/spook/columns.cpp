#include "spook/columns.hpp"

#include <cmath>
#include <limits>

namespace millrace {

namespace {

/// Beyond so many columns of the table those far from the middle are put together: with strays a
/// level away from the rest it takes 4 MB, and the pools of games a few kB.
constexpr double k_most_columns = 1 << 20;

/// Insertion sort, which hardly works where the last order is nearly right still; where it is not,
/// the library's sort.
template <class Key>
void sort_nearly_sorted(Key* begin, Key* end) {
    std::size_t budget = 8 * static_cast<std::size_t>(end - begin);
    for (Key* k = begin + 1; k < end; ++k) {
        const Key key = *k;
        Key* place = k;
        for (; place > begin && key < place[-1]; --place)
            *place = place[-1];
        *place = key;
        const auto moved = static_cast<std::size_t>(k - place);
        if (moved > budget) {
            std::sort(begin, end);
            return;
        }
        budget -= moved;
    }
}

/// The number of a column, from low to high; one that is no number is the lowest.
std::int32_t number_of(float x, float inverse_width, std::int32_t low, std::int32_t high) {
    const float u = std::floor(x * inverse_width);
    if (!(u > static_cast<float>(low)))
        return low;
    return u < static_cast<float>(high) ? static_cast<std::int32_t>(u) : high;
}

/// The axes but y: x, and in space z.
constexpr int across(int k) {
    return 2 * k;
}

}  // namespace

/// A table of all columns where that is small enough; else around the middle of the points.
template <int D>
void Columns<D>::choose_table(std::span<const Vec<D>> points) {
    constexpr std::int32_t k_end = 1 << 29;
    const float inverse = 1 / width_;
    Place high;
    for (int k = 0; k < D - 1; ++k) {
        float least = std::numeric_limits<float>::infinity(), most = -least;
        for (const Vec<D>& x : points) {
            least = std::min(least, x[across(k)]);
            most = std::max(most, x[across(k)]);
        }
        low_[k] = number_of(least, inverse, -k_end, k_end) & ~1;
        high[k] = number_of(most, inverse, -k_end, k_end) | 1;
        size_[k] = high[k] - low_[k] + 1;
    }
    const auto columns = [&] {
        double all = 1;
        for (int k = 0; k < D - 1; ++k)
            all *= size_[k];
        return all;
    };
    while (columns() > k_most_columns) {
        const int longest = size_[0] >= size_[k_last] ? 0 : k_last;
        double middle = 0;
        for (const Vec<D>& x : points)
            middle += x[across(longest)] / (double(width_) * static_cast<double>(points.size()));
        size_[longest] = (size_[longest] / 4) * 2;
        const double from = std::clamp(middle - 0.5 * size_[longest], double(low_[longest]),
                                       double(high[longest]) + 1 - size_[longest]);
        low_[longest] = static_cast<std::int32_t>(from) & ~1;
    }
}

template <int D>
typename Columns<D>::Place Columns<D>::place_of(const Vec<D>& x) const {
    const float inverse = 1 / width_;
    Place place;
    for (int k = 0; k < D - 1; ++k)
        place[k] = number_of(x[across(k)], inverse, low_[k], low_[k] + size_[k] - 1) - low_[k];
    return place;
}

/// The cells of a strip lie side by side.
template <int D>
std::uint32_t Columns<D>::cell_of(const Place& place) const {
    if constexpr (D == 2)
        return static_cast<std::uint32_t>(place[0]);
    else
        return static_cast<std::uint32_t>((place[0] / 2 * (size_[1] / 2) + place[1] / 2) * 4 +
                                          place[0] % 2 * 2 + place[1] % 2);
}

template <int D>
typename Columns<D>::Place Columns<D>::place_of(std::uint32_t cell) const {
    const auto c = static_cast<std::int32_t>(cell);
    if constexpr (D == 2) {
        return {{c}};
    } else {
        const std::int32_t strip = c / 4, wide = size_[1] / 2;
        return {{strip / wide * 2 + c / 2 % 2, strip % wide * 2 + c % 2}};
    }
}

template <int D>
void Columns<D>::find_around(std::uint32_t column, Run runs[k_runs]) const {
    const Place middle = place_of(cell_[column]);
    for (int k = 0; k < k_runs; ++k) {
        Place place = middle;
        bool is_there = true;
        for (int axis = 0, code = k; axis < D - 1; ++axis, code /= 3) {
            place[axis] += code % 3 - 1;
            is_there = is_there && place[axis] >= 0 && place[axis] < size_[axis];
        }
        const std::uint32_t cell = is_there ? cell_of(place) : 0;
        runs[k] = is_there ? Run{first_[cell], first_[cell + 1]} : Run{0, 0};
    }
}

template <int D>
bool Columns<D>::may_meet(std::uint32_t column, const Vec<D>& min, const Vec<D>& max) const {
    const Place place = place_of(cell_[column]);
    for (int k = 0; k < D - 1; ++k) {
        const auto left = static_cast<float>(low_[k] + place[k]) * width_;
        const auto right = static_cast<float>(low_[k] + place[k] + 1) * width_;
        if ((place[k] > 0 && max[across(k)] < left) ||
            (place[k] + 1 < size_[k] && min[across(k)] > right))
            return false;
    }
    return true;
}

template <int D>
void Columns<D>::sort(const Workers& workers, std::span<const Vec<D>> points, float width) {
    const std::size_t n = points.size();
    width_ = width;
    // the order of the last time, for a start
    if (order_.size() != n) {
        order_.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            order_[i] = static_cast<std::uint32_t>(i);
    }
    cell_of_point_.resize(n);
    keys_.resize(n);
    stride_ = n + k_lanes;
    places_.assign(D * stride_, 3e38f);
    first_.clear();
    cell_.clear();
    start_.clear();
    strips_.clear();
    for (std::vector<std::uint32_t>& strips : colors_)
        strips.clear();
    share_out(workers.threads);
    if (n == 0)
        return;

    choose_table(points);
    workers.for_each(n, [&](std::size_t i) { cell_of_point_[i] = cell_of(place_of(points[i])); });
    std::size_t cells = 1;
    for (int k = 0; k < D - 1; ++k)
        cells *= static_cast<std::size_t>(size_[k]);
    first_.assign(cells + 2, 0);
    for (const std::uint32_t cell : cell_of_point_)
        ++first_[cell + 2];
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        if (first_[cell + 2] > 0) {
            cell_.push_back(cell);
            start_.push_back(first_[cell + 1]);
        }
        first_[cell + 2] += first_[cell + 1];
    }
    start_.push_back(static_cast<std::uint32_t>(n));
    for (const std::uint32_t point : order_)  // afterwards first_[cell] is what its name says
        keys_[first_[cell_of_point_[point] + 1]++] = {points[point][1], point};
    first_.pop_back();
    find_strips();
    share_out(workers.threads);
    for_each_strip(workers, [&](std::size_t s) {
        const Strip& strip = strips_[s];
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c)
            sort_nearly_sorted(keys_.data() + start_[c], keys_.data() + start_[c + 1]);
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            order_[i] = keys_[i].point;
            for (int k = 0; k < D; ++k)
                places_[k * stride_ + i] = points[keys_[i].point][k];
        }
    });
}

template <int D>
void Columns<D>::find_strips() {
    for (std::uint32_t c = 0; c < cell_.size();) {
        const std::uint32_t strip = cell_[c] / k_colors, begin = c;
        while (c < cell_.size() && cell_[c] / k_colors == strip)
            ++c;
        const Place place = place_of(strip * k_colors);
        int color = 0;
        for (int k = 0; k < D - 1; ++k)
            color = 2 * color + ((low_[k] + place[k]) / 2 & 1);
        colors_[color].push_back(static_cast<std::uint32_t>(strips_.size()));
        strips_.push_back({start_[begin], start_[c], begin, c});
    }
}

template <int D>
void Columns<D>::share_out(int threads) {
    const auto split = [&](std::vector<std::uint32_t>& shares, std::size_t count,
                           const auto& strip_at) {
        shares.assign(static_cast<std::size_t>(threads) + 1, static_cast<std::uint32_t>(count));
        std::uint32_t k = 0;
        for (int t = 0; t < threads; ++t) {
            const std::size_t first = keys_.size() * t / static_cast<std::size_t>(threads);
            while (k < count && strips_[strip_at(k)].begin < first)
                ++k;
            shares[t] = k;
        }
    };
    split(shares_, strips_.size(), [](std::uint32_t k) { return k; });
    for (int color = 0; color < k_colors; ++color)
        split(color_shares_[color], colors_[color].size(),
              [&](std::uint32_t k) { return colors_[color][k]; });
}

template <int D>
std::size_t Columns<D>::bytes() const {
    return (first_.capacity() + cell_.capacity() + start_.capacity() + order_.capacity() +
            cell_of_point_.capacity()) *
               sizeof(std::uint32_t) +
           places_.capacity() * sizeof(float) + strips_.capacity() * sizeof(Strip) +
           keys_.capacity() * sizeof(Key);
}

template class Columns<2>;
template class Columns<3>;

}  // namespace millrace
