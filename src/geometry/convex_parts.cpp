#include "geometry/convex_parts.hpp"

#include <utility>

#include "geometry/polygon.hpp"

namespace millrace {
namespace {

using Part = std::vector<std::uint32_t>;

bool is_convex(const Part& part, std::span<const Vec2d> corners) {
    const std::size_t n = part.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Vec2d& corner = corners[part[(k + 1) % n]];
        const Vec2d in = corner - corners[part[k]], out = corners[part[(k + 2) % n]] - corner;
        if (cross(in, out) < -k_straight * norm(in) * norm(out))
            return false;
    }
    return true;
}

/// Two parts that share an edge as one, if it is convex; else empty.
Part joined(const Part& a, const Part& b, std::span<const Vec2d> corners) {
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) {
            if (a[i] != b[(j + 1) % b.size()] || a[(i + 1) % a.size()] != b[j])
                continue;
            Part both;
            for (std::size_t k = 1; k <= a.size(); ++k)
                both.push_back(a[(i + k) % a.size()]);
            for (std::size_t k = 2; k < b.size(); ++k)
                both.push_back(b[(j + k) % b.size()]);
            return is_convex(both, corners) ? both : Part();
        }
    return {};
}

}  // namespace

std::vector<Part> convex_parts(std::span<const Vec2d> corners) {
    std::vector<Part> parts;
    for (const auto& [a, b, c] : triangulated(corners))
        parts.push_back({a, b, c});
    for (std::size_t a = 0; a < parts.size(); ++a)
        for (std::size_t b = a + 1; b < parts.size();) {
            Part both = joined(parts[a], parts[b], corners);
            if (both.empty()) {
                ++b;
                continue;
            }
            parts[a] = std::move(both);
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(b));
            b = a + 1;
        }
    return parts;
}

}  // namespace millrace
