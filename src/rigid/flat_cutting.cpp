#include "rigid/flat_cutting.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/convex_parts.hpp"
#include "geometry/polygon.hpp"

namespace millrace {
namespace {

/// To the right of the way from a to b, which is outwards where corners run counter-clockwise.
Vec2d normal_of(const Vec2d& a, const Vec2d& b) {
    return normalized(Vec2d{{b[1] - a[1], a[0] - b[0]}});
}

double turn(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    return cross(b - a, c - b) / (norm(b - a) * norm(c - b));
}

/// Counter-clockwise, without corners that turn nowhere.
std::vector<Vec2d> cleaned(const std::vector<Vec2d>& points) {
    std::vector<Vec2d> corners = distinct_corners<Vec2d>(points);
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

FlatCone cone_at(const Vec2d& before, const Vec2d& corner, const Vec2d& after) {
    return {normal_of(before, corner), normal_of(corner, after),
            cross(corner - before, after - corner) < 0};
}

/// `part`: numbers of corners, counter-clockwise.
FlatPiece piece_of(std::span<const std::uint32_t> part, std::span<const Vec2d> corners) {
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
    for (const std::vector<std::uint32_t>& part : convex_parts(corners))
        pieces.push_back(piece_of(part, corners));
    return pieces;
}

std::vector<FlatPiece> chain_pieces(std::vector<Vec2d> points) {
    points = distinct<Vec2d>(points);
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
