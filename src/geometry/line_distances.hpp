#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "geometry/shape_distances.hpp"

// Exact distances to shapes that are given by points joined with straight lines.
namespace millrace {

/// Nearer than this the direction from a line is lost in rounding errors [m].
constexpr double k_on_the_line = 1e-10;

template <int D>
struct NearestOnLine {
    std::size_t segment = 0;  ///< that starts with the point of this number
    Vec<D, double> offset;    ///< from the line to the place
    double distance = 0;
};

/// On points joined one after the other; one point alone is itself.
template <int D>
NearestOnLine<D> nearest_on_line(const std::vector<Vec<D, double>>& points,
                                 const Vec<D, double>& place) {
    NearestOnLine<D> best;
    best.offset = place - points[0];
    double best2 = squared_norm(best.offset);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Vec<D, double> along = points[i + 1] - points[i], x = place - points[i];
        const double length2 = squared_norm(along);
        const double part = length2 > 0 ? std::clamp(dot(x, along) / length2, 0.0, 1.0) : 0;
        const Vec<D, double> offset = x - along * part;
        if (squared_norm(offset) < best2) {
            best = {i, offset, 0};
            best2 = squared_norm(offset);
        }
    }
    best.distance = std::sqrt(best2);
    return best;
}

template <int D>
void bounds_of_points(const std::vector<Vec<D, double>>& points, double radius, Vec<D>& min,
                      Vec<D>& max) {
    Vec<D, double> low = points[0], high = points[0];
    for (const Vec<D, double>& point : points)
        for (int k = 0; k < D; ++k) {
            low[k] = std::min(low[k], point[k]);
            high[k] = std::max(high[k], point[k]);
        }
    const auto margin = Vec<D, double>::all(radius);
    round_outwards(low - margin, high + margin, min, max);
}

/// All that is nearer than a radius to a line: of one point a ball, of two a capsule, of more a
/// thin wall.
template <int D>
class RoundLineDistance : public SignedDistance<D> {
  public:
    using typename SignedDistance<D>::Sample;
    using Place = Vec<D, double>;

    RoundLineDistance(std::vector<Place> points, double radius)
        : points_(std::move(points)), radius_(radius) {}

    Sample at(const Vec<D>& place) const override {
        const NearestOnLine<D> nearest = nearest_on_line(points_, Place::from(place));
        const Place normal = nearest.distance > k_on_the_line ? nearest.offset / nearest.distance
                                                              : any_across(nearest.segment);
        return to_sample(nearest.distance - radius_, normal);
    }
    void bounds(Vec<D>& min, Vec<D>& max) const override {
        bounds_of_points(points_, radius_, min, max);
    }
    std::size_t bytes() const override {
        return sizeof(*this) + points_.capacity() * sizeof(Place);
    }

  private:
    Place any_across(std::size_t segment) const {
        Place along = Place::all(0), across = Place::all(0);
        if (segment + 1 < points_.size() && !(points_[segment] == points_[segment + 1]))
            along = normalized(points_[segment + 1] - points_[segment]);
        across[std::abs(along[1]) < 0.7 ? 1 : 0] = 1;
        return normalized(across - along * dot(along, across));
    }

    std::vector<Place> points_;
    double radius_;
};

}  // namespace millrace
