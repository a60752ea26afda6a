#include <algorithm>
#include <cmath>
#include <string>

#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "rigid/flat_cutting.hpp"
#include "rigid/flat_pieces.hpp"

namespace millrace {
namespace {

constexpr double k_thickest = 0.5;  // of a slab, in widths of its tank
constexpr double k_thinnest = 0.01;

Vec2d in_plane(const Vec3d& v) {
    return {{v[0], v[1]}};
}

/// First scaled, then turned, then moved, as the scene says.
Vec2d placed(const Vec2d& x, const Boundary& wall) {
    const Vec3d scaled{{x[0] * wall.scale[0], x[1] * wall.scale[1], 0}};
    return in_plane(rotate(to_quaternion(wall.rotation), scaled) + to_vec3d(wall.position));
}

std::vector<Vec2d> placed(const std::vector<Vector>& points, const Boundary& wall) {
    std::vector<Vec2d> result;
    for (const Vector& p : points)
        result.push_back(placed(Vec2d{{p[0], p[1]}}, wall));
    return result;
}

std::vector<Vec2d> rectangle(const Vec2d& low, const Vec2d& high, const Boundary& wall) {
    return {placed(low, wall), placed(Vec2d{{high[0], low[1]}}, wall), placed(high, wall),
            placed(Vec2d{{low[0], high[1]}}, wall)};
}

bool is_open(const Boundary& wall, int axis, int side) {
    const std::string face = std::string(side ? "+" : "-") + "xy"[axis];
    return std::ranges::find(wall.open, face) != wall.open.end();
}

/// How far a body reaches from its centre of mass [m].
double radius_of(const BodyDescription& body) {
    double radius = 0;
    for (const FlatPiece& piece : flat_pieces(body))
        for (const Vec2d& p : piece.corners)
            radius = std::max(radius, norm(p) + piece.radius);
    return radius;
}

/// How thick a tank of that size is: half of it, unless a body starts in there. `outside` is how
/// far a place is out of the tank [m].
template <class Outside>
double thickness_of(double size, std::span<const BodyDescription> bodies, const Outside& outside) {
    double thickness = k_thickest * size;
    for (const BodyDescription& body : bodies) {
        const double out = outside(in_plane(body.state.position));
        if (out > 0)
            thickness = std::min(thickness, out - radius_of(body));
    }
    return std::max(thickness, k_thinnest * size);
}

/// Slabs fill the corners between closed faces and end at open ones.
std::vector<FlatPiece> tank(const Boundary& wall, std::span<const BodyDescription> bodies) {
    const Vec2d low = to_vec<2, double>(wall.box->min), high = to_vec<2, double>(wall.box->max);
    const Vec2d scale{{std::abs(wall.scale[0]), std::abs(wall.scale[1])}};
    const auto outside = [&](const Vec2d& x) {
        const Vec3d from = {{x[0] - wall.position[0], x[1] - wall.position[1], 0}};
        const Vec3d back = rotate(conjugate(to_quaternion(wall.rotation)), from);
        double out = 0;
        for (int k = 0; k < 2; ++k) {
            const double at = back[k] / wall.scale[k];
            out = std::max(out, std::max(low[k] - at, at - high[k]) * scale[k]);
        }
        return out;
    };
    const double size = std::max((high[0] - low[0]) * scale[0], (high[1] - low[1]) * scale[1]);
    const double thickness = thickness_of(size, bodies, outside);

    std::vector<FlatPiece> slabs;
    for (int axis = 0; axis < 2; ++axis)
        for (int side = 0; side < 2; ++side) {
            if (is_open(wall, axis, side))
                continue;
            Vec2d from = low, to = high;
            for (int k = 0; k < 2; ++k) {
                if (!is_open(wall, k, 0))
                    from[k] -= thickness / scale[k];
                if (!is_open(wall, k, 1))
                    to[k] += thickness / scale[k];
            }
            (side ? from[axis] : to[axis]) = side ? high[axis] : low[axis];
            slabs.push_back(polygon_pieces(rectangle(from, to, wall)).front());
        }
    return slabs;
}

/// The faces of a box that are left, as thin lines.
std::vector<FlatPiece> thin_faces(const Boundary& wall) {
    const std::vector<Vec2d> corners =
        rectangle(to_vec<2, double>(wall.box->min), to_vec<2, double>(wall.box->max), wall);
    constexpr int k_axis[] = {1, 0, 1, 0}, k_side[] = {0, 1, 1, 0};  // from a corner to the next
    std::vector<FlatPiece> faces;
    for (std::size_t i = 0; i < 4; ++i)
        if (!is_open(wall, k_axis[i], k_side[i]))
            faces.push_back(chain_pieces({corners[i], corners[(i + 1) % 4]}).front());
    return faces;
}

FlatPiece half_plane(const Boundary& wall) {
    // points scale by s, normals by 1/s
    const Vec3d normal{
        {wall.plane->normal[0] / wall.scale[0], wall.plane->normal[1] / wall.scale[1], 0}};
    FlatPiece piece;
    piece.kind = FlatPiece::Kind::half_plane;
    piece.corners = {placed(to_vec<2, double>(wall.plane->point), wall)};
    piece.normals = {normalized(in_plane(rotate(to_quaternion(wall.rotation), normal)))};
    return piece;
}

FlatPiece round_wall(const Boundary& wall, std::span<const BodyDescription> bodies) {
    const Vec2d center = placed(to_vec<2, double>(wall.circle->center), wall);
    const double radius = wall.circle->radius * std::abs(wall.scale[0]);
    FlatPiece piece = circle_piece(center, radius);
    if (wall.inside) {
        piece.kind = FlatPiece::Kind::hollow;
        piece.depth = thickness_of(2 * radius, bodies,
                                   [&](const Vec2d& x) { return norm(x - center) - radius; });
    }
    return piece;
}

}  // namespace

std::vector<FlatPiece> flat_pieces(const WallDescription& description,
                                   std::span<const BodyDescription> bodies) {
    const Boundary& wall = description.boundary;
    if (wall.box && wall.inside)
        return tank(wall, bodies);
    if (wall.box && !wall.open.empty())
        return thin_faces(wall);
    if (wall.box)
        return polygon_pieces(
            rectangle(to_vec<2, double>(wall.box->min), to_vec<2, double>(wall.box->max), wall));
    if (wall.circle)
        return {round_wall(wall, bodies)};
    if (wall.polygon)
        return polygon_pieces(placed(wall.polygon->points, wall));
    if (wall.chain)
        return chain_pieces(placed(wall.chain->points, wall));
    if (wall.plane)
        return {half_plane(wall)};
    throw InputError("boundaries: \"" + wall.name +
                     "\" must be a box, a circle, a polygon, a chain or a plane");
}

}  // namespace millrace
