#include "rigid/flat_cutting.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/polygon.hpp"

namespace millrace {
namespace {

constexpr double k_straight = 1e-9;  // a corner that turns by less is none [rad]

/// Numbers of corners, counter-clockwise.
using Part = std::vector<std::size_t>;

/// To the right of the way from a to b, which is outwards where corners run counter-clockwise.
Vec2d normal_of(const Vec2d& a, const Vec2d& b) {
    return normalized(Vec2d{{b[1] - a[1], a[0] - b[0]}});
}

double turn(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    return cross(b - a, c - b) / (norm(b - a) * norm(c - b));
}

/// Without points that repeat the one before.
std::vector<Vec2d> distinct(const std::vector<Vec2d>& points) {
    std::vector<Vec2d> result;
    for (const Vec2d& p : points)
        if (result.empty() || !(result.back() == p))
            result.push_back(p);
    return result;
}

/// Counter-clockwise, without corners that turn nowhere.
std::vector<Vec2d> cleaned(const std::vector<Vec2d>& points) {
    std::vector<Vec2d> corners = distinct(points);
    while (corners.size() > 1 && corners.front() == corners.back())
        corners.pop_back();
    for (std::size_t i = 0; i < corners.size() && corners.size() > 3;) {
        const std::size_t n = corners.size();
        const Vec2d &before = corners[(i + n - 1) % n], &after = corners[(i + 1) % n];
        if (!(before == after) && std::abs(turn(before, corners[i], after)) < k_straight)
            corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(i));
        else
            ++i;
    }
    if (signed_area(corners) < 0)
        std::reverse(corners.begin(), corners.end());
    return corners;
}

bool is_convex(const Part& part, std::span<const Vec2d> corners) {
    const std::size_t n = part.size();
    for (std::size_t k = 0; k < n; ++k)
        if (turn(corners[part[k]], corners[part[(k + 1) % n]], corners[part[(k + 2) % n]]) <
            -k_straight)
            return false;
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

/// Triangles, joined while they stay convex (Hertel and Mehlhorn 1983).
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

FlatCone cone_at(const Vec2d& before, const Vec2d& corner, const Vec2d& after) {
    return {normal_of(before, corner), normal_of(corner, after),
            cross(corner - before, after - corner) < 0};
}

FlatPiece piece_of(const Part& part, std::span<const Vec2d> corners) {
    const std::size_t all = corners.size(), n = part.size();
    FlatPiece piece;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = part[k], next = part[(k + 1) % n];
        piece.corners.push_back(corners[i]);
        piece.normals.push_back(normal_of(corners[i], corners[next]));
        piece.outer.push_back(next == (i + 1) % all);
        piece.cones.push_back(
            cone_at(corners[(i + all - 1) % all], corners[i], corners[(i + 1) % all]));
    }
    return piece;
}

/// How the end `b` of the line from a to b sticks out, where the next goes on to c.
FlatCone cone_of_joint(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    const Vec2d here = normal_of(a, b), next = normal_of(b, c);
    return cross(here, next) >= 0 ? FlatCone{here, next} : FlatCone{-next, -here};
}

}  // namespace

FlatPiece circle_piece(const Vec2d& center, double radius) {
    FlatPiece piece;
    piece.kind = FlatPiece::Kind::circle;
    piece.corners = {center};
    piece.radius = radius;
    return piece;
}

std::vector<FlatPiece> polygon_pieces(std::vector<Vec2d> corners) {
    corners = cleaned(corners);
    std::vector<FlatPiece> pieces;
    for (const Part& part : convex_parts(corners))
        pieces.push_back(piece_of(part, corners));
    return pieces;
}

std::vector<FlatPiece> chain_pieces(std::vector<Vec2d> points) {
    points = distinct(points);
    const std::size_t count = points.size() - 1;
    const bool is_closed = count > 2 && points.front() == points.back();
    std::vector<FlatPiece> pieces;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2d &a = points[i], &b = points[i + 1], normal = normal_of(a, b);
        FlatPiece piece;
        piece.corners = {a, b};
        piece.normals = {normal, -normal};
        piece.outer = {true, true};
        piece.cones = {{-normal, normal}, {normal, -normal}};
        if (i > 0 || is_closed)
            piece.cones[0] = cone_of_joint(points[i > 0 ? i - 1 : count - 1], a, b);
        if (i + 1 < count || is_closed)
            piece.cones[1] = cone_of_joint(a, b, points[i + 1 < count ? i + 2 : 1]);
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

}  // namespace millrace
