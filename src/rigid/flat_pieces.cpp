#include "rigid/flat_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "millrace/error.hpp"
#include "rigid/flat_cutting.hpp"

namespace millrace {
namespace {

constexpr double k_same_direction = 1e-4;  // [rad]

bool are_same(const Vec2d& a, const Vec2d& b) {
    return std::abs(cross(a, b)) <= k_same_direction && dot(a, b) > 0;
}

Vec2d turned(const Vec2d& x, const Quaterniond& rotation) {
    const double s = rotation.s, z = rotation.v[2];
    const double cosine = s * s - z * z, sine = 2 * s * z;
    return {{cosine * x[0] - sine * x[1], sine * x[0] + cosine * x[1]}};
}

}  // namespace

bool FlatCone::holds(const Vec2d& direction) const {
    return !is_notch && cross(from, direction) >= -k_same_direction &&
           cross(direction, to) >= -k_same_direction &&
           dot(from + to, direction) >= -k_same_direction;
}

bool FlatPiece::sticks_out(std::size_t i, const Vec2d& direction) const {
    const std::size_t before = (i + corners.size() - 1) % corners.size();
    return cones[i].holds(direction) || (outer[i] && are_same(normals[i], direction)) ||
           (outer[before] && are_same(normals[before], direction));
}

SweepBounds<2> bounds_of(const FlatPiece& piece) {
    if (piece.kind == FlatPiece::Kind::half_plane) {
        constexpr double k_end = std::numeric_limits<double>::infinity();
        return {Vec2d::all(-k_end), Vec2d::all(k_end)};
    }
    SweepBounds<2> box{piece.corners[0], piece.corners[0]};
    for (const Vec2d& p : piece.corners)
        for (int k = 0; k < 2; ++k) {
            box.low[k] = std::min(box.low[k], p[k]);
            box.high[k] = std::max(box.high[k], p[k]);
        }
    const Vec2d around = Vec2d::all(piece.radius + piece.depth);
    return {box.low - around, box.high + around};
}

void place(const FlatPiece& piece, const BodyState& frame, FlatPiece& placed) {
    const Vec2d origin{{frame.position[0], frame.position[1]}};
    for (std::size_t i = 0; i < piece.corners.size(); ++i)
        placed.corners[i] = origin + turned(piece.corners[i], frame.rotation);
    for (std::size_t i = 0; i < piece.normals.size(); ++i)
        placed.normals[i] = turned(piece.normals[i], frame.rotation);
    for (std::size_t i = 0; i < piece.cones.size(); ++i) {
        placed.cones[i].from = turned(piece.cones[i].from, frame.rotation);
        placed.cones[i].to = turned(piece.cones[i].to, frame.rotation);
    }
}

std::vector<FlatPiece> flat_pieces(const BodyDescription& description) {
    const Body& body = description.body;
    const Vec2d center{{description.center[0], description.center[1]}};
    if (body.circle)
        return {circle_piece(-center, body.circle->radius)};
    std::vector<Vec2d> corners;
    if (body.box) {
        const double x = body.box->size[0] / 2, y = body.box->size[1] / 2;
        corners = {{{-x, -y}}, {{x, -y}}, {{x, y}}, {{-x, y}}};
    } else if (body.polygon) {
        for (const Vector& p : body.polygon->points)
            corners.push_back({{p[0], p[1]}});
    } else {
        throw InputError("bodies: \"" + body.name + "\" must be a box, a circle or a polygon");
    }
    for (Vec2d& p : corners)
        p -= center;
    return polygon_pieces(std::move(corners));
}

}  // namespace millrace
