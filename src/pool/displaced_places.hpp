#pragma once

#include <vector>

#include "spook/columns.hpp"

namespace millrace {

/// Particles that a method moves away from their places in the columns. What they have moved is
/// kept by itself: far from the origin, places have too few digits for it.
struct DisplacedPlaces {
    std::vector<float> x, y;  ///< moved so far [m]; k_lanes more may be read
    std::vector<float> inverse_mass;

    void resize(std::size_t n) {
        x.assign(n + k_lanes, 0.0f);
        y.assign(n + k_lanes, 0.0f);
        inverse_mass.assign(n + k_lanes, 1.0f);
    }
    Vec2 moved(std::uint32_t i) const { return {x[i], y[i]}; }
    void move(std::uint32_t i, const Vec2& by) {
        x[i] += by[0];
        y[i] += by[1];
    }
    /// x_i - x_j, now.
    Vec2 between(const Columns<2>& columns, std::uint32_t i, std::uint32_t j) const {
        return {columns.x()[i] - columns.x()[j] + (x[i] - x[j]),
                columns.y()[i] - columns.y()[j] + (y[i] - y[j])};
    }
    /// Particles i and j move apart by `by`, which points from i to j, the lighter more.
    void part(std::uint32_t i, std::uint32_t j, const Vec2& by) {
        const float share = inverse_mass[i] / (inverse_mass[i] + inverse_mass[j]);
        move(i, by * -share);
        move(j, by * (1 - share));
    }
};

}  // namespace millrace
