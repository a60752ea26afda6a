#include "pool/columns.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

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

}  // namespace

void Columns::sort(const Workers& workers, const std::vector<Vec2>& points, float width) {
    const std::size_t n = points.size();
    width_ = width;
    // the order of the last time, for a start
    if (order_.size() != n) {
        order_.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            order_[i] = static_cast<std::uint32_t>(i);
    }
    column_of_.resize(n);
    keys_.resize(n);
    stride_ = n + k_lanes;
    xy_.assign(2 * stride_, 3e38f);
    number_.clear();
    start_.clear();
    strips_.clear();
    colors_[0].clear();
    colors_[1].clear();
    share_out(workers.threads);
    if (n == 0)
        return;

    const float inverse = 1 / width;
    int least = std::numeric_limits<int>::max(), most = std::numeric_limits<int>::min();
    workers.for_each(n, [&](std::size_t i) {
        column_of_[i] = static_cast<int>(std::floor(points[i][0] * inverse));
    });
    for (const int column : column_of_) {
        least = std::min(least, column);
        most = std::max(most, column);
    }
    counts_.assign(static_cast<std::size_t>(most - least) + 2, 0);
    for (std::size_t i = 0; i < n; ++i)
        ++counts_[column_of_[i] - least + 1];
    for (int c = least; c <= most; ++c) {
        const std::uint32_t size = counts_[c - least + 1];
        if (size > 0) {
            number_.push_back(c);
            start_.push_back(counts_[c - least]);
        }
        counts_[c - least + 1] += counts_[c - least];
    }
    start_.push_back(static_cast<std::uint32_t>(n));
    for (const std::uint32_t point : order_)
        keys_[counts_[column_of_[point] - least]++] = {points[point][1], point};

    for (std::uint32_t c = 0; c < number_.size();) {
        const int strip = number_[c] >> 1;
        const std::uint32_t begin = c;
        while (c < number_.size() && number_[c] >> 1 == strip)
            ++c;
        colors_[strip & 1].push_back(static_cast<std::uint32_t>(strips_.size()));
        strips_.push_back({start_[begin], start_[c], begin, c});
    }
    share_out(workers.threads);
    for_each_strip(workers, [&](std::size_t s) {
        const Strip& strip = strips_[s];
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c)
            sort_nearly_sorted(keys_.data() + start_[c], keys_.data() + start_[c + 1]);
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            order_[i] = keys_[i].point;
            xy_[i] = points[keys_[i].point][0];
            xy_[stride_ + i] = keys_[i].y;
        }
    });
}

void Columns::share_out(int threads) {
    const auto split = [&](std::vector<std::uint32_t>& shares, std::size_t count,
                           const auto& strip_at) {
        shares.assign(static_cast<std::size_t>(threads) + 1, static_cast<std::uint32_t>(count));
        std::uint32_t k = 0;
        for (int t = 0; t < threads; ++t) {
            const std::size_t first = order_.size() * t / static_cast<std::size_t>(threads);
            while (k < count && strips_[strip_at(k)].begin < first)
                ++k;
            shares[t] = k;
        }
    };
    split(shares_, strips_.size(), [](std::uint32_t k) { return k; });
    for (int color = 0; color < 2; ++color)
        split(color_shares_[color], colors_[color].size(),
              [&](std::uint32_t k) { return colors_[color][k]; });
}

}  // namespace millrace
