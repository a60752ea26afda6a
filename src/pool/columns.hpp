#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exec/vector_buffer.hpp"
#include "exec/workers.hpp"

namespace millrace {

/// The points sorted by vertical columns as wide as the kernel reaches, and by height within a
/// column. The neighbours of a point lie in three runs, one in its own column and one in either
/// next to it. There is no table of cells: a level may be as large as it likes.
///
/// Two columns side by side are a strip. What a point of one strip writes to, itself and its
/// neighbours, no point of the strip after the next touches: all even strips may be swept at once,
/// then all odd ones, each from bottom to top or back, and the result does not depend on which
/// thread swept what.
class Columns {
  public:
    struct Strip {
        std::uint32_t begin, end;     ///< points, in their sorted order
        std::uint32_t columns_begin;  ///< its first column; it has one or two
        std::uint32_t columns_end;
    };

    /// Sorts the points. `width` is the reach of the kernel [m].
    void sort(const Workers& workers, const std::vector<Vec2>& points, float width);

    std::size_t count() const { return order_.size(); }
    float width() const { return width_; }
    const std::vector<std::uint32_t>& order() const { return order_; }  ///< sorted place -> point
    const float* x() const { return xy_.data(); }  ///< sorted; k_lanes more may be read
    const float* y() const { return xy_.data() + stride_; }
    VectorView<2> positions() const { return {const_cast<float*>(xy_.data()), stride_}; }
    Vec2 position(std::uint32_t i) const { return {xy_[i], xy_[stride_ + i]}; }
    const std::vector<Strip>& strips() const { return strips_; }
    /// Strips that may be swept at once, for colour 0 and 1.
    const std::vector<std::uint32_t>& of_color(int color) const { return colors_[color]; }

    struct Run {
        std::uint32_t begin, end;
    };
    /// Calls work(s) for all strips in parallel. Of as many points as the others has, a thread gets
    /// those side by side, and the same ones in all calls until the next sort: they are in its
    /// cache.
    template <class Work>
    void for_each_strip(const Workers& workers, const Work& work) const {
        workers.run([&](int t) {
            for (std::uint32_t s = shares_[t]; s < shares_[t + 1]; ++s)
                work(s);
        });
    }
    /// The same for the strips of a colour: calls work(first, last) for the places first ... last -
    /// 1 of of_color(color).
    template <class Work>
    void for_each_share(const Workers& workers, int color, const Work& work) const {
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
    float left(const Strip& strip) const {  ///< of all its points [m]
        return static_cast<float>(number_[strip.columns_begin]) * width_;
    }
    float right(const Strip& strip) const {
        return static_cast<float>(number_[strip.columns_end - 1] + 1) * width_;
    }
    /// Calls body(i, runs) for every point of a strip in its order, with the three runs that hold
    /// its neighbours and itself.
    template <class Body>
    void for_each_in(const Strip& strip, const Body& body) const {
        const float* const height = y();
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c) {
            std::uint32_t low[3], high[3], end[3];
            for (int k = 0; k < 3; ++k) {
                const bool adjacent = k == 1 || (k == 0 ? has_left(c) : has_left(c + 1));
                const std::uint32_t other = c + static_cast<std::uint32_t>(k) - 1;
                low[k] = high[k] = adjacent ? start_[other] : 0;
                end[k] = adjacent ? start_[other + 1] : 0;
            }
            for (std::uint32_t i = start_[c]; i < start_[c + 1]; ++i) {
                const float bottom = height[i] - width_, top = height[i] + width_;
                Run runs[3];
                for (int k = 0; k < 3; ++k) {
                    while (low[k] < end[k] && height[low[k]] < bottom)
                        ++low[k];
                    while (high[k] < end[k] && height[high[k]] <= top)
                        ++high[k];
                    runs[k] = {low[k], high[k]};
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
            Run runs[3];
            for (int k = 0; k < 3; ++k) {
                const bool adjacent = k == 1 || (k == 0 ? has_left(c) : has_left(c + 1));
                const std::uint32_t other = c + static_cast<std::uint32_t>(k) - 1;
                runs[k] = adjacent ? Run{start_[other], start_[other + 1]} : Run{0, 0};
            }
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
    void share_out(int threads);
    bool has_left(std::uint32_t c) const {
        return c > 0 && c < number_.size() && number_[c - 1] + 1 == number_[c];
    }

    struct Key {
        float y;
        std::uint32_t point;
        bool operator<(const Key& other) const {
            return y < other.y || (y == other.y && point < other.point);
        }
    };

    float width_ = 0;
    std::vector<std::uint32_t> order_;
    std::size_t stride_ = 0;
    std::vector<float> xy_;             ///< all x, then all y
    std::vector<int> number_;           ///< of the columns that hold points: floor(x / width)
    std::vector<std::uint32_t> start_;  ///< first point of each, and the end
    std::vector<Strip> strips_;
    std::vector<std::uint32_t> colors_[2];
    std::vector<std::uint32_t> shares_, color_shares_[2];  ///< of the threads
    std::vector<int> column_of_;
    std::vector<std::uint32_t> counts_;
    std::vector<Key> keys_;
};

}  // namespace millrace
