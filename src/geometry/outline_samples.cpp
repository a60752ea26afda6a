// Samples of polygons: the line that lies a depth inside the solid, at even distances.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/line_distances.hpp"
#include "geometry/point_cloud.hpp"
#include "geometry/polygon.hpp"
#include "geometry/surface_samples.hpp"
#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr int k_steps = 16;          ///< with which the line is followed, in a spacing
constexpr int k_halvings = 20;       ///< to find where it ends
constexpr double k_closest = 0.5;    ///< samples that come nearer than this are one, in spacings
constexpr double k_rounding = 1e-6;  ///< of depths

/// A polygon, counter-clockwise, and the side of it on which the solid lies.
class Outline {
  public:
    Outline(std::vector<Vec2d> corners, bool hollow, double depth)
        : corners_(std::move(corners)), side_(hollow ? 1 : -1), depth_(depth) {
        if (signed_area(corners_) < 0)
            std::reverse(corners_.begin(), corners_.end());
        closed_ = corners_;
        closed_.push_back(Vec2d(closed_.front()));
    }

    std::size_t size() const { return corners_.size(); }
    const Vec2d& corner(std::size_t k) const { return corners_[k % size()]; }
    double length(std::size_t edge) const { return norm(corner(edge + 1) - corner(edge)); }
    /// Of an edge, into the solid.
    Vec2d inwards(std::size_t edge) const {
        const Vec2d along = normalized(corner(edge + 1) - corner(edge));
        return Vec2d{{along[1], -along[0]}} * side_;
    }
    /// Whether lines beside the edges before and after a corner leave a gap there.
    bool opens_at(std::size_t k) const {
        return side_ * cross(corner(k) - corner(k + size() - 1), corner(k + 1) - corner(k)) > 0;
    }

    /// The place beside a point of the outline: a depth inwards, or half way through a thin wall.
    struct Beside {
        Vec2d place;
        bool holds;  ///< nothing else of the outline is nearer
    };
    Beside beside(const Vec2d& point, const Vec2d& inwards) const {
        const double way = std::min(depth_, 0.5 * thickness(point, inwards));
        const Vec2d place = point + inwards * way;
        return {place, nearest_on_line(closed_, place).distance >= way - k_rounding * depth_};
    }

  private:
    /// How far it is through the solid from a point of its surface.
    double thickness(const Vec2d& from, const Vec2d& direction) const {
        double nearest = 1e300;
        for (std::size_t k = 0; k < size(); ++k) {
            const Vec2d edge = corner(k + 1) - corner(k), to = corner(k) - from;
            const double across = cross(direction, edge);
            if (across == 0)
                continue;
            const double way = cross(to, edge) / across, part = cross(to, direction) / across;
            if (way > k_rounding * depth_ && part >= 0 && part <= 1)
                nearest = std::min(nearest, way);
        }
        return nearest;
    }

    std::vector<Vec2d> corners_, closed_;
    double side_, depth_;
};

/// Follows a part of the line, from 0 to 1, and takes samples of the runs that hold.
template <class At>
void follow(const At& at, double length, double spacing, PointCloud<2>& taken,
            std::vector<Vec2>& samples) {
    const auto last_holding = [&](double holds, double fails) {
        for (int k = 0; k < k_halvings; ++k) {
            const double middle = (holds + fails) / 2;
            (at(middle).holds ? holds : fails) = middle;
        }
        return holds;
    };
    const auto take_run = [&](double from, double to) {
        const double way = (to - from) * length;
        const int n = std::max(1, static_cast<int>(std::lround(way / spacing)));
        for (int k = 0; k <= n; ++k) {
            const Vec2 x = Vec2::from(at(from + (to - from) * k / n).place);
            if (taken.any_near(x))
                continue;
            taken.add(x);
            samples.push_back(x);
        }
    };
    const int steps = std::max(4, static_cast<int>(std::ceil(k_steps * length / spacing)));
    double start = -1;
    for (int k = 0; k <= steps; ++k) {
        const double t = static_cast<double>(k) / steps,
                     before = static_cast<double>(k - 1) / steps;
        const bool holds = at(t).holds;
        if (holds && start < 0)
            start = k == 0 ? 0 : last_holding(t, before);
        if (!holds && start >= 0) {
            take_run(start, last_holding(before, t));
            start = -1;
        }
    }
    if (start >= 0)
        take_run(start, 1);
}

}  // namespace

std::vector<Vec2> outline_samples(const std::vector<Vec2d>& corners, bool hollow, double spacing,
                                  double depth) {
    const Outline outline(corners, hollow, depth);
    PointCloud<2> taken({}, k_closest * spacing);
    std::vector<Vec2> samples;
    for (std::size_t k = 0; k < outline.size(); ++k) {
        const Vec2d a = outline.corner(k), way = outline.corner(k + 1) - a;
        const Vec2d inwards = outline.inwards(k);
        follow([&](double t) { return outline.beside(a + way * t, inwards); }, outline.length(k),
               spacing, taken, samples);
        if (!outline.opens_at(k + 1))
            continue;
        const Vec2d corner = outline.corner(k + 1), next = outline.inwards(k + 1);
        const double angle = portable::atan2(cross(inwards, next), dot(inwards, next));
        follow(
            [&](double t) {
                const double c = portable::cos(angle * t), s = portable::sin(angle * t);
                const Vec2d turned{
                    {c * inwards[0] - s * inwards[1], s * inwards[0] + c * inwards[1]}};
                return outline.beside(corner, turned);
            },
            std::abs(angle) * depth, spacing, taken, samples);
    }
    return samples;
}

}  // namespace millrace
