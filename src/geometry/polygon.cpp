#include "geometry/polygon.hpp"

#include <algorithm>
#include <numeric>

namespace millrace {
namespace {

/// Positive where a, b, c run counter-clockwise.
double turn(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    return cross(b - a, c - a);
}

bool in_triangle(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& x) {
    return turn(a, b, x) >= 0 && turn(b, c, x) >= 0 && turn(c, a, x) >= 0;
}

/// A polygon from which corners are cut off, counter-clockwise.
class Rest {
  public:
    explicit Rest(std::span<const Vec2d> corners) : corners_(corners), rest_(corners.size()) {
        std::iota(rest_.begin(), rest_.end(), 0u);
        if (signed_area(corners) < 0)
            std::reverse(rest_.begin(), rest_.end());
    }

    std::size_t size() const { return rest_.size(); }
    std::uint32_t number(std::size_t i) const { return rest_[i % rest_.size()]; }
    const Vec2d& corner(std::size_t i) const { return corners_[number(i)]; }

    /// Whether the triangle at corner i + 1 is all inside.
    bool is_ear(std::size_t i) const {
        const Vec2d &a = corner(i), &b = corner(i + 1), &c = corner(i + 2);
        if (turn(a, b, c) <= 0)
            return false;
        for (std::size_t k = i + 3; k < i + size(); ++k) {
            const Vec2d& x = corner(k);
            if (in_triangle(a, b, c, x) && !(x == a) && !(x == b) && !(x == c))
                return false;
        }
        return true;
    }
    bool is_straight(std::size_t i) const {
        return turn(corner(i), corner(i + 1), corner(i + 2)) == 0;
    }

    std::array<std::uint32_t, 3> cut_off(std::size_t i) {
        const std::array<std::uint32_t, 3> ear{number(i), number(i + 1), number(i + 2)};
        rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>((i + 1) % size()));
        return ear;
    }

  private:
    std::span<const Vec2d> corners_;
    std::vector<std::uint32_t> rest_;
};

}  // namespace

double signed_area(std::span<const Vec2d> corners) {
    double sum = 0;
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += cross(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0]);
    return sum / 2;
}

Vec2d centroid(std::span<const Vec2d> corners) {
    Vec2d sum = Vec2d::all(0);  // seen from the first corner
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2d a = corners[i] - corners[0];
        const Vec2d b = corners[(i + 1) % corners.size()] - corners[0];
        sum += (a + b) * cross(a, b);
    }
    return corners[0] + sum / (6 * signed_area(corners));
}

bool holds(std::span<const Vec2d> corners, const Vec2d& place) {
    bool inside = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2d &a = corners[i], &b = corners[(i + 1) % corners.size()];
        const bool rises = a[1] <= place[1] && place[1] < b[1];
        const bool falls = b[1] <= place[1] && place[1] < a[1];
        const double side = cross(b - a, place - a);
        if ((rises && side > 0) || (falls && side < 0))
            inside = !inside;
    }
    return inside;
}

// Ear clipping (Meisters 1975): every simple polygon has a corner that can be cut off.
std::vector<std::array<std::uint32_t, 3>> triangulated(std::span<const Vec2d> corners) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    Rest rest(corners);
    while (rest.size() >= 3) {
        std::size_t i = 0;
        while (i < rest.size() && !rest.is_ear(i) && !rest.is_straight(i))
            ++i;
        if (i == rest.size())  // lost in rounding errors: what is left is thin
            break;
        const bool is_ear = rest.is_ear(i);
        const auto triangle = rest.cut_off(i);
        if (is_ear)
            triangles.push_back(triangle);
    }
    return triangles;
}

}  // namespace millrace
