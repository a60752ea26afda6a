#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/vector_buffer.hpp"
#include "exec/workers.hpp"

namespace millrace {

/// Points sorted by columns along y as wide as the kernel reaches, and by height within a column.
/// The neighbours of a point lie in 3^(D-1) runs, one in its own column and one in each next to it.
/// Columns far from most points are put together, so that a level may be as large as it likes.
///
/// Two columns side by side are a strip, in space two by two. What a point of one strip writes to,
/// itself and its neighbours, no point of the strip after the next touches: the strips of one
/// colour, every other one along every axis but y, may be swept at once, each from bottom to top or
/// back, and the result does not depend on which thread swept what.
template <int D>
class Columns {
  public:
    static constexpr int k_runs = D == 2 ? 3 : 9;
    static constexpr int k_colors = D == 2 ? 2 : 4;  ///< also the columns of a strip, at most

    struct Strip {
        std::uint32_t begin, end;                  ///< points, in their sorted order
        std::uint32_t columns_begin, columns_end;  ///< of those that hold points
    };
    struct Run {
        std::uint32_t begin, end;
    };

    /// Sorts the points. `width` is the reach of the kernel [m].
    void sort(const Workers& workers, std::span<const Vec<D>> points, float width);

    std::size_t count() const { return keys_.size(); }
    float width() const { return width_; }
    const std::vector<std::uint32_t>& order() const { return order_; }  ///< sorted place -> point
    /// Hands the order over to a caller who brings the points into it. The next sort then starts
    /// from the order in which they lie.
    std::vector<std::uint32_t> release_order() { return std::move(order_); }
    /// Component k of the sorted points; k_lanes more may be read.
    const float* component(int k) const { return places_.data() + k * stride_; }
    const float* x() const { return component(0); }
    const float* y() const { return component(1); }
    VectorView<D> positions() const { return {const_cast<float*>(places_.data()), stride_}; }
    Vec<D> position(std::uint32_t i) const { return positions().get(i); }
    const std::vector<Strip>& strips() const { return strips_; }
    /// Strips that may be swept at once.
    const std::vector<std::uint32_t>& of_color(int color) const { return colors_[color]; }
    std::size_t bytes() const;

    /// Calls work(s) for all strips in parallel, with as many threads as the last sort had. Each
    /// gets strips side by side with about as many points as the others, and the same ones in all
    /// calls until the next sort: they are in its cache.
    template <class Work>
    void for_each_strip(const Workers& workers, const Work& work) const {
        assert(shares_.size() == static_cast<std::size_t>(workers.threads) + 1);
        workers.run([&](int t) {
            for (std::uint32_t s = shares_[t]; s < shares_[t + 1]; ++s)
                work(s);
        });
    }
    /// The same for the strips of a colour: calls work(first, last) for the places first ... last -
    /// 1 of of_color(color).
    template <class Work>
    void for_each_share(const Workers& workers, int color, const Work& work) const {
        assert(shares_.size() == static_cast<std::size_t>(workers.threads) + 1);
        workers.run([&](int t) { work(color_shares_[color][t], color_shares_[color][t + 1]); });
    }
    template <class Work>
    void for_each_of_color(const Workers& workers, int color, const Work& work) const {
        for_each_share(workers, color, [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t k = first; k < last; ++k)
                work(colors_[color][k]);
        });
    }

    /// The points of a column from a height to another.
    Run between(std::uint32_t column, float bottom, float top) const {
        const float *begin = y() + start_[column], *end = y() + start_[column + 1];
        return {static_cast<std::uint32_t>(std::lower_bound(begin, end, bottom) - y()),
                static_cast<std::uint32_t>(std::upper_bound(begin, end, top) - y())};
    }
    /// Whether points of a column may lie in a box, whatever their height.
    bool may_meet(std::uint32_t column, const Vec<D>& min, const Vec<D>& max) const;
    /// Calls body(s) for all strips with points that may lie in a box.
    template <class Body>
    void for_each_strip_near(const Vec<D>& min, const Vec<D>& max, const Body& body) const {
        if (strips_.empty())
            return;
        const Place low = place_of(min), high = place_of(max);
        const std::int32_t z_low = D == 2 ? 0 : low[k_last] & ~1,
                           z_high = D == 2 ? 0 : high[k_last];
        for (std::int32_t x = low[0] & ~1; x <= high[0]; x += 2)
            for (std::int32_t z = z_low; z <= z_high; z += 2) {
                Place at;
                at[k_last] = z;
                at[0] = x;
                const std::uint32_t cell = cell_of(at);
                if (first_[cell] < first_[cell + k_colors])
                    body(strip_of(first_[cell]));
            }
    }
    /// The strip of a point.
    std::uint32_t strip_of(std::uint32_t i) const {
        const auto after =
            std::upper_bound(strips_.begin(), strips_.end(), i,
                             [](std::uint32_t p, const Strip& strip) { return p < strip.begin; });
        return static_cast<std::uint32_t>(after - strips_.begin()) - 1;
    }

    /// Calls body(i, runs) for every point of a strip in its order, with the k_runs runs that hold
    /// its neighbours and itself.
    template <class Body>
    void for_each_in(const Strip& strip, const Body& body) const {
        const float* const height = y();
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c) {
            Run around[k_runs], runs[k_runs];
            find_around(c, around);
            for (int k = 0; k < k_runs; ++k)
                runs[k] = {around[k].begin, around[k].begin};
            for (std::uint32_t i = start_[c]; i < start_[c + 1]; ++i) {
                const float bottom = height[i] - width_, top = height[i] + width_;
                for (int k = 0; k < k_runs; ++k) {
                    auto& [low, high] = runs[k];
                    while (low < around[k].end && height[low] < bottom)
                        ++low;
                    while (high < around[k].end && height[high] <= top)
                        ++high;
                }
                body(i, runs);
            }
        }
    }

    /// Like for_each_in, with hardly a branch that is guessed wrong: runs may start k_few points
    /// too low and end with their columns, so that the body has to stop above y of i plus the
    /// width.
    template <class Body>
    void for_each_upwards(const Strip& strip, const Body& body) const {
        const float* const height = y();
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c) {
            Run runs[k_runs];
            find_around(c, runs);
            for (std::uint32_t i = start_[c]; i < start_[c + 1]; ++i) {
                const float bottom = height[i] - width_;
                for (Run& run : runs) {
                    for (int step = 0; step < 2; ++step)
                        run.begin += static_cast<std::uint32_t>(run.begin < run.end) &
                                     static_cast<std::uint32_t>(height[run.begin] < bottom);
                    if (run.begin + k_few < run.end && height[run.begin + k_few] < bottom)
                        run.begin = static_cast<std::uint32_t>(
                            std::lower_bound(height + run.begin, height + run.end, bottom) -
                            height);
                }
                body(i, runs);
            }
        }
    }

  private:
    static constexpr std::uint32_t k_few = 8;  ///< points below a run that are passed over
    static constexpr int k_last = D - 2;       ///< of the axes but y
    /// Numbers of a column along x, and in space along z, from the first of the table on.
    using Place = Vec<D - 1, std::int32_t>;

    struct Key {
        float y;
        std::uint32_t point;
        bool operator<(const Key& other) const {
            return y < other.y || (y == other.y && point < other.point);
        }
    };

    void choose_table(std::span<const Vec<D>> points);
    void find_strips();
    void share_out(int threads);
    void find_around(std::uint32_t column, Run runs[k_runs]) const;
    Place place_of(const Vec<D>& x) const;
    Place place_of(std::uint32_t cell) const;
    std::uint32_t cell_of(const Place& place) const;

    float width_ = 0;
    Place low_, size_;                  ///< of the table [columns], even numbers
    std::vector<std::uint32_t> first_;  ///< point of every cell of the table, and the end
    std::vector<std::uint32_t> cell_;   ///< of the columns that hold points
    std::vector<std::uint32_t> start_;  ///< first point of each, and the end
    std::vector<std::uint32_t> order_;
    std::size_t stride_ = 0;
    std::vector<float> places_;  ///< all x, then all y, then all z
    std::vector<Strip> strips_;
    std::vector<std::uint32_t> colors_[k_colors];
    std::vector<std::uint32_t> shares_, color_shares_[k_colors];  ///< of the threads
    std::vector<std::uint32_t> cell_of_point_;
    std::vector<Key> keys_;
};

}  // namespace millrace
