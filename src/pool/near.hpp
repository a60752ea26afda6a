#pragma once

#include "exec/lanes.hpp"
#include "spook/columns.hpp"

namespace millrace {

/// Calls body(i) for all points, in parallel.
template <class Body>
inline void for_each_point(const Workers& workers, const Columns<2>& columns, const Body& body) {
    columns.for_each_strip(workers, [&](std::size_t s) {
        for (std::uint32_t i = columns.strips()[s].begin; i < columns.strips()[s].end; ++i)
            body(i);
    });
}

/// Calls body(j, dx, dy, r2) for the points of the runs in groups of k_lanes from j on, among them
/// i itself, with x_i - x_j. Lanes beyond the end of a run are infinitely far.
template <class Body>
inline void for_each_group(const Columns<2>& columns, std::uint32_t i, const Columns<2>::Run* runs,
                           const Body& body) {
    const Pack x(columns.x()[i]), y(columns.y()[i]), zero(0.0f), far(3e38f);
    for (int k = 0; k < 3; ++k)
        for (std::uint32_t j = runs[k].begin; j < runs[k].end; j += k_lanes) {
            const PackMask within = first_lanes(static_cast<int>(runs[k].end - j));
            const Pack dx = select(within, x - load_pack(columns.x() + j), zero);
            const Pack dy = select(within, y - load_pack(columns.y() + j), zero);
            body(j, dx, dy, select(within, dx * dx + dy * dy, far));
        }
}

}  // namespace millrace
