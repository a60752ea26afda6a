#include "rigid/flat_touch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace millrace {
namespace {

using Touches = std::vector<FlatTouch>;

constexpr double k_none = -std::numeric_limits<double>::infinity();

std::size_t next(const FlatPiece& piece, std::size_t i) {
    return (i + 1) % piece.corners.size();
}

std::size_t before(const FlatPiece& piece, std::size_t i) {
    return (i + piece.corners.size() - 1) % piece.corners.size();
}

/// The corner that is farthest against the direction.
std::size_t lowest_corner(const FlatPiece& piece, const Vec2d& direction) {
    std::size_t lowest = 0;
    for (std::size_t i = 1; i < piece.corners.size(); ++i)
        if (dot(direction, piece.corners[i] - piece.corners[lowest]) < 0)
            lowest = i;
    return lowest;
}

/// From the centre b to the centre a; upwards where they coincide.
Vec2d direction_from(const Vec2d& b, const Vec2d& a) {
    const double distance = norm(a - b);
    return distance > 0 ? (a - b) / distance : Vec2d{{0, 1}};
}

void touch_circles(const FlatPiece& a, const FlatPiece& b, double reach, Touches& found) {
    const Vec2d normal = direction_from(b.corners[0], a.corners[0]);
    const double gap = norm(a.corners[0] - b.corners[0]) - a.radius - b.radius;
    if (gap <= reach)
        found.push_back({b.corners[0] + normal * (b.radius + gap / 2), normal, gap, 0});
}

/// Corners of a polygon, or a circle, in a round tank.
void touch_hollow(const FlatPiece& a, const FlatPiece& tank, double reach, Touches& found) {
    for (std::size_t i = 0; i < a.corners.size(); ++i) {
        const Vec2d normal = -direction_from(tank.corners[0], a.corners[i]);
        const double gap = tank.radius - norm(a.corners[i] - tank.corners[0]) - a.radius;
        const bool is_corner = a.cones.empty() || !a.cones[i].is_notch;
        if (is_corner && gap <= reach && gap >= -tank.depth)
            found.push_back({tank.corners[0] - normal * (tank.radius - gap / 2), normal, gap, i});
    }
}

/// A place of a polygon's surface, and the direction from there to what is near it.
struct SurfacePlace {
    Vec2d point, normal;
    double distance;  ///< below 0 inside [m]
};

/// Inside a polygon: the nearest edge of the whole.
std::optional<SurfacePlace> nearest_edge(const FlatPiece& polygon, const Vec2d& x) {
    std::optional<SurfacePlace> nearest;
    for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
        const Vec2d& n = polygon.normals[i];
        const double distance = dot(n, x - polygon.corners[i]);
        if (polygon.outer[i] && (!nearest || distance > nearest->distance))
            nearest = SurfacePlace{x - n * distance, n, distance};
    }
    return nearest;
}

/// The nearest place of the surface; none where a neighbour of the piece is nearer.
std::optional<SurfacePlace> nearest_place(const FlatPiece& polygon, const Vec2d& x) {
    std::optional<SurfacePlace> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
        const Vec2d &a = polygon.corners[i], &b = polygon.corners[next(polygon, i)];
        if (dot(polygon.normals[i], x - a) <= 0)
            continue;
        const double along = std::clamp(dot(x - a, b - a) / squared_norm(b - a), 0.0, 1.0);
        const Vec2d point = a + (b - a) * along;
        const double distance = norm(x - point);
        if (distance >= least)
            continue;
        least = distance;
        nearest.reset();
        const bool is_corner = along == 0 || along == 1;
        const Vec2d normal = is_corner ? direction_from(point, x) : polygon.normals[i];
        const std::size_t corner = along == 0 ? i : next(polygon, i);
        if (is_corner ? polygon.sticks_out(corner, normal) : polygon.outer[i])
            nearest = SurfacePlace{point, normal, distance};
    }
    return std::isinf(least) ? nearest_edge(polygon, x) : nearest;
}

/// `sense` is 1 with the circle first and -1 with the polygon first.
void touch_circle(const FlatPiece& circle, const FlatPiece& polygon, double sense, double reach,
                  Touches& found) {
    const auto place = nearest_place(polygon, circle.corners[0]);
    if (!place || place->distance - circle.radius > reach)
        return;
    const double gap = place->distance - circle.radius;
    found.push_back({place->point + place->normal * (gap / 2), place->normal * sense, gap, 0});
}

/// A face that others touch, of a polygon or a half plane.
struct Face {
    const FlatPiece* piece = nullptr;
    std::size_t edge = 0;
    double distance = k_none;  ///< of the other's lowest corner from its line [m]

    const Vec2d& normal() const { return piece->normals[edge]; }
    const Vec2d& from() const { return piece->corners[edge]; }
    const Vec2d& to() const { return piece->corners[next(*piece, edge)]; }
    double distance_of(const Vec2d& x) const { return dot(normal(), x - from()); }
};

/// Looks for the face with the largest distance to the other piece (the separating axis test); only
/// those count that the other's corner may touch, and that are nearer than `below`. Returns the
/// largest distance of all.
double find_face(const FlatPiece& piece, const FlatPiece& other, double below, Face& best) {
    double largest = k_none;
    for (std::size_t i = 0; i < piece.corners.size(); ++i) {
        Face face{&piece, i};
        const std::size_t lowest = lowest_corner(other, face.normal());
        face.distance = face.distance_of(other.corners[lowest]);
        largest = std::max(largest, face.distance);
        if (face.distance > best.distance && face.distance < below && piece.outer[i] &&
            other.sticks_out(lowest, -face.normal()))
            best = face;
    }
    return largest;
}

/// A place of the other piece's surface before a face, and which corner it is of.
struct Before {
    Vec2d point;
    double distance;
    const FlatPiece* piece;
    std::size_t corner;
};

/// The edge of `other` that lies against the face, cut to what is before it.
std::vector<Before> cut_to_face(const Face& face, const FlatPiece& other) {
    const std::size_t lowest = lowest_corner(other, face.normal());
    const std::size_t previous = before(other, lowest);
    const bool turns_back =
        dot(face.normal(), other.normals[previous]) < dot(face.normal(), other.normals[lowest]);
    const std::size_t edge = turns_back ? previous : lowest;
    const std::size_t ends[] = {edge, next(other, edge)};
    const bool is_unbounded = face.piece->kind == FlatPiece::Kind::half_plane;
    const Vec2d along{
        {-face.normal()[1], face.normal()[0]}};  // from one end of the face to another
    const double length = is_unbounded ? 0 : dot(along, face.to() - face.from());
    const Vec2d &a = other.corners[ends[0]], &b = other.corners[ends[1]];
    const double at_a = dot(along, a - face.from()), at_b = dot(along, b - face.from());

    std::vector<Before> places;
    for (const std::size_t end : ends) {
        Before place{other.corners[end], 0, &other, end};
        const double at = end == ends[0] ? at_a : at_b;
        const double kept = is_unbounded ? at : std::clamp(at, 0.0, length);
        if (kept != at) {
            if ((at_a - kept) * (at_b - kept) > 0 || at_a == at_b)
                return {};  // all of it is beside the face
            place = {a + (b - a) * ((kept - at_a) / (at_b - at_a)), 0, face.piece,
                     kept == 0 ? face.edge : next(*face.piece, face.edge)};
        }
        place.distance = face.distance_of(place.point);
        const bool is_cut_off = !other.outer[edge] && (kept != at || end != lowest);
        if (!is_cut_off)
            places.push_back(place);
    }
    return places;
}

/// The lowest place of all of `other` that is before the face or behind it, not beside it.
std::optional<Before> lowest_before(const Face& face, const FlatPiece& other) {
    std::optional<Before> lowest;
    const auto consider = [&](const Before& place) {
        if (!lowest || place.distance < lowest->distance)
            lowest = place;
    };
    const Vec2d along{{-face.normal()[1], face.normal()[0]}};
    const double length = dot(along, face.to() - face.from());
    for (std::size_t i = 0; i < other.corners.size(); ++i) {
        const Vec2d &a = other.corners[i], &b = other.corners[next(other, i)];
        const double at_a = dot(along, a - face.from()), at_b = dot(along, b - face.from());
        if (at_a >= 0 && at_a <= length)
            consider({a, face.distance_of(a), &other, i});
        for (const std::size_t end : {face.edge, next(*face.piece, face.edge)}) {
            const double at_end = end == face.edge ? 0 : length;
            if ((at_a - at_end) * (at_b - at_end) >= 0)
                continue;
            const Vec2d x = a + (b - a) * ((at_end - at_a) / (at_b - at_a));
            consider({x, face.distance_of(x), face.piece, end});
        }
    }
    return lowest;
}

/// Two corners that are nearest to each other.
struct CornerPair {
    std::size_t a, b;
    double distance;
};

bool is_beside(const FlatPiece& piece, std::size_t corner, const Vec2d& x) {
    const Vec2d& p = piece.corners[corner];
    return dot(x - p, piece.corners[next(piece, corner)] - p) <= 0 &&
           dot(x - p, piece.corners[before(piece, corner)] - p) <= 0;
}

/// The corners that are nearest, where two pieces that are apart are nearest at corners of both.
std::optional<CornerPair> nearest_corners(const FlatPiece& a, const FlatPiece& b) {
    for (std::size_t i = 0; i < a.corners.size(); ++i)
        for (std::size_t j = 0; j < b.corners.size(); ++j)
            if (is_beside(a, i, b.corners[j]) && is_beside(b, j, a.corners[i]))
                return CornerPair{i, j, norm(a.corners[i] - b.corners[j])};
    return {};
}

/// Corner to corner: replaces what was found of these corners along a face, from `first` on.
void touch_corners(const FlatPiece& a, const FlatPiece& b, double reach, std::size_t first,
                   Touches& found) {
    const auto pair = nearest_corners(a, b);
    if (!pair || pair->distance == 0)
        return;
    const Vec2d &p = a.corners[pair->a], &q = b.corners[pair->b];
    const Vec2d normal = (p - q) / pair->distance;
    if (!a.sticks_out(pair->a, -normal) || !b.sticks_out(pair->b, normal))
        return;
    const auto is_replaced = [&](const FlatTouch& touch) {
        return touch.corner == pair->a || touch.corner == a.corners.size() + pair->b;
    };
    const auto along_face = found.begin() + static_cast<std::ptrdiff_t>(first);
    found.erase(std::remove_if(along_face, found.end(), is_replaced), found.end());
    if (pair->distance <= reach)
        found.push_back({(p + q) * 0.5, normal, pair->distance, pair->a});
}

/// Adds what is before a face of a or b; `overlap` tells whether they do.
void touch_face(const Face& face, const FlatPiece& a, const FlatPiece& b, bool overlap,
                double reach, Touches& found) {
    const bool is_of_b = face.piece == &b;
    const FlatPiece& other = is_of_b ? a : b;
    std::vector<Before> places = cut_to_face(face, other);
    const auto is_behind = [](const Before& place) { return place.distance <= 0; };
    if (overlap && std::ranges::none_of(places, is_behind)) {
        // they do where the face is, but not with the edge that lies against it
        if (const auto lowest = lowest_before(face, other))
            places.assign(1, *lowest);
    }
    for (const Before& place : places)
        if (place.distance <= reach && (overlap || place.distance >= 0))
            found.push_back({place.point - face.normal() * (place.distance / 2),
                             face.normal() * (is_of_b ? 1.0 : -1.0), place.distance,
                             place.piece == &a ? place.corner : a.corners.size() + place.corner});
}

void touch_polygons(const FlatPiece& a, const FlatPiece& b, double reach, Touches& found) {
    const std::size_t first = found.size();
    double below = std::numeric_limits<double>::infinity(), apart;
    do {  // deep in a piece, nothing may be before the nearest face of the whole
        Face face;
        apart = std::max(find_face(a, b, below, face), find_face(b, a, below, face));
        if (apart > reach || !face.piece)
            break;
        touch_face(face, a, b, apart <= 0, reach, found);
        below = face.distance;
    } while (apart <= 0 && found.size() == first);
    if (apart > 0 && apart <= reach)
        touch_corners(a, b, reach, first, found);
}

void touch_half_plane(const FlatPiece& a, const FlatPiece& plane, double reach, Touches& found) {
    const Face face{&plane, 0};
    if (a.kind == FlatPiece::Kind::circle) {
        const double gap = face.distance_of(a.corners[0]) - a.radius;
        if (gap <= reach)
            found.push_back(
                {a.corners[0] - face.normal() * (a.radius + gap / 2), face.normal(), gap, 0});
        return;
    }
    if (!a.sticks_out(lowest_corner(a, face.normal()), -face.normal()))
        return;
    for (const Before& place : cut_to_face(face, a))
        if (place.distance <= reach)
            found.push_back({place.point - face.normal() * (place.distance / 2), face.normal(),
                             place.distance, place.corner});
}

}  // namespace

void find_touches(const FlatPiece& a, const FlatPiece& b, double reach, Touches& found) {
    using Kind = FlatPiece::Kind;
    const bool is_round = a.kind == Kind::circle;
    if (b.kind == Kind::half_plane)
        touch_half_plane(a, b, reach, found);
    else if (b.kind == Kind::hollow)
        touch_hollow(a, b, reach, found);
    else if (b.kind == Kind::circle)
        is_round ? touch_circles(a, b, reach, found) : touch_circle(b, a, -1, reach, found);
    else
        is_round ? touch_circle(a, b, 1, reach, found) : touch_polygons(a, b, reach, found);
}

}  // namespace millrace
