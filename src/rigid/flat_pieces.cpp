#include "rigid/flat_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

std::vector<FlatPiece> flat_pieces(const PlacedShape<2>& shape) {
    struct Pieces {
        std::vector<FlatPiece> operator()(const PlacedBox<2>& box) const {
            const std::array<Vec2d, 4> corners = corners_of(box);
            if (!box.has_open_faces())
                return polygon_pieces({corners.begin(), corners.end()});
            std::vector<FlatPiece> faces;  // those that are left, as thin lines
            for (std::size_t k = 0; k < 4; ++k)
                if (!is_open_edge(box, k))
                    faces.push_back(chain_pieces({corners[k], corners[(k + 1) % 4]}).front());
            return faces;
        }
        std::vector<FlatPiece> operator()(const PlacedBall<2>& disc) const {
            return {circle_piece(disc.center, disc.radius)};
        }
        std::vector<FlatPiece> operator()(const PlacedHalfSpace<2>& half) const {
            FlatPiece piece;
            piece.kind = FlatPiece::Kind::half_plane;
            piece.corners = {half.point};
            piece.normals = {half.normal};
            return {piece};
        }
        std::vector<FlatPiece> operator()(const PlacedPolygon& polygon) const {
            return polygon_pieces(polygon.corners);
        }
        std::vector<FlatPiece> operator()(const PlacedChain& chain) const {
            return chain_pieces(chain.points);
        }
    };
    return std::visit(Pieces{}, shape);
}

std::vector<FlatPiece> flat_pieces(const BodyDescription& body) {
    return flat_pieces(std::get<Solid<2>>(body.solid).shape);
}

std::vector<FlatPiece> flat_pieces(const WallDescription& description,
                                   std::span<const BodyDescription> bodies) {
    const Solid<2>& wall = std::get<Solid<2>>(description.solid);
    if (!wall.hollow)
        return flat_pieces(wall.shape);
    std::vector<FlatPiece> pieces;
    if (const auto* box = std::get_if<PlacedBox<2>>(&wall.shape)) {
        for (const PlacedBox<2>& slab : tank_slabs<2>(*box, tank_thickness<2>(wall, bodies)))
            pieces.push_back(flat_pieces(PlacedShape<2>(slab)).front());
        return pieces;
    }
    if (const auto* polygon = std::get_if<PlacedPolygon>(&wall.shape)) {
        std::vector<Vec2d> around = polygon->corners;
        around.push_back(Vec2d(around.front()));
        return chain_pieces(std::move(around));
    }
    pieces = flat_pieces(wall.shape);
    for (FlatPiece& piece : pieces)
        if (piece.kind == FlatPiece::Kind::circle) {
            piece.kind = FlatPiece::Kind::hollow;
            piece.depth = tank_thickness<2>(wall, bodies);
        }
    return pieces;
}

}  // namespace millrace
