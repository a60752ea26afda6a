#pragma once

#include <algorithm>
#include <cstdint>

#include "exec/vector_buffer.hpp"

namespace millrace {

/// A coordinate beyond all bounds, for particles that shall go. Its square is finite: packs may
/// read what a particle left behind, and multiply it with 0.
inline constexpr float k_nowhere = 1e18f;

/// Cells along x, then y, then z (S1 app. A). They are short along x, so that a row of cells is
/// nearly sorted by x and the particles within reach of a point form one short run in every row.
/// The table holds a bounded number of cells: where the particles spread wider, cell coordinates
/// wrap around, and a run may contain particles that are in truth far away.
template <int D>
struct GridView {
    Vec<D, double> origin;
    Vec<D, double> inverse_edge;
    float radius;  ///< of a search [m]
    int dims[D];
    bool wraps;  ///< some coordinate can lie outside 0 ... dims - 1
    const std::uint32_t* cell_start;

    /// A cell is 2/3 of the radius wide, so that a search meets at most four rows side by side.
    static constexpr double k_rows_per_radius = 1.5;
    static constexpr double k_cells_per_radius = 6.0;  ///< along x
    static constexpr int k_rows = 4;
    static constexpr int k_max_runs = D == 3 ? k_rows * k_rows : k_rows;

    MILLRACE_HD double coordinate(double x, int axis) const {
        const double c = (x - origin[axis]) * inverse_edge[axis];
        return fmin(fmax(c, -1e9), 1e9);  // also for a NaN
    }

    MILLRACE_HD int wrap(int c, int axis) const {
        if (!wraps)
            return c;
        c %= dims[axis];
        return c < 0 ? c + dims[axis] : c;
    }

    MILLRACE_HD std::uint32_t cell_index(const Vec<D>& x) const {
        std::uint32_t index = 0;
        for (int k = D - 1; k >= 0; --k) {
            const int c = static_cast<int>(floor(coordinate(x[k], k)));
            index = index * static_cast<std::uint32_t>(dims[k]) +
                    static_cast<std::uint32_t>(wrap(c, k));
        }
        return index;
    }

    /// Calls body(begin, end) for runs of sorted particles that together hold every particle
    /// within the radius of x, none of them twice; at most k_max_runs, twice as many if it wraps.
    template <class Body>
    MILLRACE_HD void for_each_run(const Vec<D>& x, Body&& body) const {
        int cell[D], first[D];
        float inside[D];  // place within the cell, 0 to 1
        for (int k = 0; k < D; ++k) {
            const double c = coordinate(x[k], k);
            cell[k] = static_cast<int>(floor(c));
            inside[k] = static_cast<float>(c - cell[k]);
            first[k] = inside[k] < 0.5f ? -2 : -1;
        }
        const float radius2 = static_cast<float>(k_rows_per_radius * k_rows_per_radius);
        for (int dz = D == 3 ? first[D - 1] : 0; dz < (D == 3 ? first[D - 1] + k_rows : 1); ++dz) {
            const float z = D == 3 ? distance_to_row(dz, inside[D - 1]) : 0.0f;
            const int row_z = D == 3 ? wrap(cell[D - 1] + dz, D - 1) : 0;
            if (row_z < 0 || (D == 3 && row_z >= dims[D - 1]))
                continue;
            for (int dy = first[1]; dy < first[1] + k_rows; ++dy) {
                const float y = distance_to_row(dy, inside[1]);
                const float chord2 = radius2 - y * y - z * z;
                const int row_y = wrap(cell[1] + dy, 1);
                if (chord2 < 0 || row_y < 0 || row_y >= dims[1])
                    continue;
                const std::uint32_t row =
                    (static_cast<std::uint32_t>(row_z) * dims[1] + row_y) * dims[0];
                row_runs(row, cell[0], inside[0], sqrtf(chord2), body);
            }
        }
    }

  private:
    /// In units of a cell's width.
    MILLRACE_HD static float distance_to_row(int offset, float inside) {
        return offset > 0 ? offset - inside : offset < 0 ? inside - (offset + 1) : 0;
    }

    template <class Body>
    MILLRACE_HD void row_runs(std::uint32_t row, int cell, float inside, float chord,
                              Body&& body) const {
        // a little wider than the chord, for rounding
        const float reach =
            chord * static_cast<float>(k_cells_per_radius / k_rows_per_radius) + 1e-3f;
        int from = cell + static_cast<int>(floorf(inside - reach));
        int to = cell + static_cast<int>(floorf(inside + reach));
        const int last = dims[0] - 1;
        if (!wraps) {
            from = from < 0 ? 0 : from;
            to = to > last ? last : to;
            if (from <= to)
                emit(row + from, row + to, body);
        } else if (to - from >= last) {
            emit(row, row + last, body);
        } else {
            from = wrap(from, 0);
            to = wrap(to, 0);
            if (from <= to) {
                emit(row + from, row + to, body);
            } else {
                emit(row, row + to, body);
                emit(row + from, row + last, body);
            }
        }
    }

    template <class Body>
    MILLRACE_HD void emit(std::uint32_t from, std::uint32_t to, Body&& body) const {
        const std::uint32_t begin = cell_start[from];
        const std::uint32_t end = cell_start[to + 1];
        if (begin < end)
            body(begin, end);
    }
};

/// Sorts particles into a uniform grid (S1 app. A, Algorithm 7).
template <int D>
class UniformGrid {
  public:
    explicit UniformGrid(const Device& device) : keys_(device), start_(device), order_(device) {}

    /// The particles that may be searched: those inside the box `min` to `max`.
    struct Bounds {
        Vec<D> min = Vec<D>::all(-k_nowhere / 10);
        Vec<D> max = Vec<D>::all(k_nowhere / 10);

        MILLRACE_HD bool contains(const Vec<D>& x) const {
            for (int k = 0; k < D; ++k)
                if (!(x[k] >= min[k] && x[k] <= max[k]))
                    return false;
            return true;
        }
    };

    /// Finds the sorted order of n particles for searches of the given radius. At most about
    /// `max_cells` cells are used. Returns how many are alive; they come first in the order.
    std::size_t build(const Device& device, VectorView<D> position, std::size_t n, float radius,
                      std::size_t max_cells, const Bounds& alive = {});

    /// order()[p]: the old place of the particle that belongs at place p.
    const Buffer<std::uint32_t>& order() const { return order_; }
    /// Valid for positions that have been brought into the order.
    const GridView<D>& view() const { return view_; }
    std::size_t bytes() const { return keys_.bytes() + start_.bytes() + order_.bytes(); }

  private:
    GridView<D> view_{};
    Buffer<std::uint32_t> keys_, start_, order_;
};

/// The largest table of cells that a set of particles is given.
inline std::size_t cell_budget(std::size_t particles) {
    return std::min<std::size_t>(16 * particles + 4096, 2'000'000'000);
}

}  // namespace millrace
