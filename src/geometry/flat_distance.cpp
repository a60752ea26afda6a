#include "geometry/flat_distance.hpp"

#include <cmath>

#include "geometry/polygon.hpp"
#include "geometry/shape_distances.hpp"

namespace millrace {

namespace {

constexpr double k_nowhere = 1e30;  // [m]

// The points without repeats; of a polygon counter-clockwise.
std::vector<Vec2d> cleaned(Shape2::Kind kind, std::span<const Vec2d> points) {
    if (kind != Shape2::Kind::polygon)
        return distinct(points);
    std::vector<Vec2d> corners = distinct_corners(points);
    if (signed_area(corners) < 0)
        std::reverse(corners.begin(), corners.end());
    return corners;
}

// Where the way from r along d enters the circle about 0; 2: nowhere.
double enter_circle(const Vec2d& r, const Vec2d& d, double radius) {
    const double rd = dot(r, d), dd = dot(d, d), rxd = cross(r, d);
    const double root = dd * radius * radius - rxd * rxd;
    if (rd >= 0 || root < 0)
        return 2;
    return std::max(0.0, (-rd - std::sqrt(root)) / dd);
}

// Where the way from r along d comes down to `radius` over the edge from 0 to e; 2: nowhere. What
// starts on a wall without thickness meets it at once.
double meet_edge(const Vec2d& r, const Vec2d& d, const Vec2d& e, double radius, Shape2::Kind kind) {
    const double length = norm(e);
    const double height = cross(r, e) / length, side = height < 0 ? -1 : 1;
    const double descent = -side * cross(d, e) / length;
    double t = 0;
    if (kind == Shape2::Kind::polygon && radius == 0 && side < 0)
        return 2;  // leaves it
    if (kind != Shape2::Kind::chain || radius > 0 || height != 0) {
        if (descent <= 0)
            return 2;
        t = (side * height - radius) / descent;
    }
    const double along = dot(r + d * t, e) / (length * length);
    return t >= 0 && along >= -1e-9 && along <= 1 + 1e-9 ? t : 2;
}

}  // namespace

FlatDistance::FlatDistance(const std::vector<Shape2>& shapes) {
    for (const Shape2& shape : shapes) {
        std::vector<Vec2d> points;
        for (const Point2& p : shape.points)
            points.push_back({p.x, p.y});
        add(shape.kind, cleaned(shape.kind, points), shape.radius);
    }
    index_parts();
}

FlatDistance::FlatDistance(Shape2::Kind kind, std::span<const Vec2d> points, double radius) {
    add(kind, cleaned(kind, points), radius);
    index_parts();
}

void FlatDistance::add(Shape2::Kind kind, std::vector<Vec2d> points, double radius) {
    if (points.empty())
        return;
    const auto first = static_cast<std::uint32_t>(primitives_.size());
    add_edges(kind, points);
    const auto count = static_cast<std::uint32_t>(primitives_.size()) - first;
    std::vector<Box2d> boxes(count);
    for (std::uint32_t k = 0; k < count; ++k) {
        boxes[k].add(primitives_[first + k].a);
        boxes[k].add(primitives_[first + k].b);
    }
    parts_.push_back({kind, radius, first, count, BoxTree(boxes)});
}

void FlatDistance::index_parts() {
    std::vector<Box2d> boxes;
    for (const Part& part : parts_) {
        const Vec2d skin = Vec2d::all(part.radius);
        boxes.push_back({part.tree.box().min - skin, part.tree.box().max + skin});
        box_.add(boxes.back());
    }
    tree_ = BoxTree(boxes);
}

void FlatDistance::add_edges(Shape2::Kind kind, const std::vector<Vec2d>& points) {
    const auto part = static_cast<std::uint32_t>(parts_.size());
    const std::size_t n = points.size();
    if (n == 1 || kind == Shape2::Kind::circle) {
        primitives_.push_back({points[0], points[0], part, true, true});
        return;
    }
    const bool closed = kind == Shape2::Kind::polygon;
    const auto convex = [&](std::size_t k) {
        return cross(points[k] - points[(k + n - 1) % n], points[(k + 1) % n] - points[k]) >= 0;
    };
    for (std::size_t k = 0; k + !closed < n; ++k)
        primitives_.push_back(
            {points[k], points[(k + 1) % n], part, convex(k), convex((k + 1) % n)});
}

void FlatDistance::look_at(const Primitive& primitive, Shape2::Kind kind, const Vec2d& x,
                           Nearest& nearest) const {
    const bool polygon = kind == Shape2::Kind::polygon;
    const Vec2d &a = primitive.a, e = primitive.b - a, r = x - a;
    const double along = dot(r, e), length2 = dot(e, e);
    const Vec2d outward{{e[1], -e[0]}};
    if (along > 0 && along < length2) {
        const double s = dot(r, outward);
        const double squared = s * s / length2;
        if (squared < nearest.squared)
            nearest = {squared, polygon && s < 0 ? -1.0 : 1.0,
                       polygon || s >= 0 ? outward : -outward};
        return;
    }
    const Vec2d to = along > 0 ? r - e : r;
    const double squared = dot(to, to);
    if (squared >= nearest.squared)
        return;
    const bool inside = polygon && !(along > 0 ? primitive.convex_b : primitive.convex_a);
    nearest = {squared, inside ? -1.0 : 1.0, inside ? -to : to};
    if (squared == 0)
        nearest.direction = length2 > 0 ? outward : Vec2d{{0, 1}};
}

FlatDistance::Exact FlatDistance::surface(const Part& part, const Nearest& nearest) const {
    return {nearest.side * std::sqrt(nearest.squared) - part.radius, nearest.direction};
}

FlatDistance::Exact FlatDistance::sample(const Part& part, const Vec2d& x) const {
    Nearest nearest;
    part.tree.near(x, nearest.squared, [&](std::uint32_t k) {
        look_at(primitives_[part.first + k], part.kind, x, nearest);
    });
    return surface(part, nearest);
}

FlatDistance::Exact FlatDistance::sample(const Vec2d& x) const {
    Exact best{k_nowhere, {{0, 1}}};
    double bound = 1e300;
    tree_.near(x, bound, [&](std::uint32_t k) {
        const Exact one = sample(parts_[k], x);
        if (one.distance < best.distance)
            best = one;
        bound = best.distance > 0 ? best.distance * best.distance : 0;
    });
    best.normal = normalized(best.normal);
    return best;
}

FlatDistance::Exact FlatDistance::sample(const Vec2d& x,
                                         std::span<const std::uint32_t> primitives) const {
    Exact best{k_nowhere, {{0, 1}}};
    for (std::size_t k = 0; k < primitives.size();) {
        const std::uint32_t part = primitives_[primitives[k]].part;
        Nearest nearest;
        for (; k < primitives.size() && primitives_[primitives[k]].part == part; ++k)
            look_at(primitives_[primitives[k]], parts_[part].kind, x, nearest);
        const Exact one = surface(parts_[part], nearest);
        if (one.distance < best.distance)
            best = one;
    }
    best.normal = normalized(best.normal);
    return best;
}

std::vector<std::uint32_t> FlatDistance::deciding(const Vec2d& x, double radius) const {
    // A distance changes by at most the way that a point goes: what is further at x by more than
    // the way there and back is further everywhere.
    std::vector<std::uint32_t> found;
    const double slack = 2 * radius * (1 + 1e-6);
    const double limit = sample(x).distance + slack;
    tree_.near(x, limit > 0 ? limit * limit : 0, [&](std::uint32_t k) {
        const Part& part = parts_[k];
        const double distance = sample(part, x).distance;
        if (distance > limit)
            return;
        const double reach = std::abs(distance + part.radius) + slack;
        part.tree.near(x, reach * reach, [&](std::uint32_t i) {
            Nearest nearest;
            look_at(primitives_[part.first + i], part.kind, x, nearest);
            if (nearest.squared <= reach * reach)
                found.push_back(part.first + i);
        });
    });
    std::sort(found.begin(), found.end());
    return found;
}

double FlatDistance::first_hit(const Vec2d& a, const Vec2d& b) const {
    const Vec2d d = b - a;
    double hit = 2;
    double end = 1;
    tree_.along(a, d, end, 0, [&](std::uint32_t k) {
        hit = std::min(hit, first_hit(parts_[k], a, d, end));
        end = std::min(end, hit);
    });
    return hit <= 1 ? hit : 2;
}

double FlatDistance::first_hit(const Part& part, const Vec2d& a, const Vec2d& d, double end) const {
    const double radius = part.radius;
    const bool thin = part.kind == Shape2::Kind::chain && radius == 0;
    if (!thin && sample(part, a).distance < 0)
        return 0;
    double hit = 2;
    part.tree.along(a, d, end, radius, [&](std::uint32_t k) {
        const Primitive& primitive = primitives_[part.first + k];
        const Vec2d &from = primitive.a, e = primitive.b - from;
        const Vec2d r = a - from;
        if (thin || radius > 0)
            hit = std::min({hit, enter_circle(r, d, radius), enter_circle(r - e, d, radius)});
        if (dot(e, e) > 0)
            hit = std::min(hit, meet_edge(r, d, e, radius, part.kind));
        end = std::min(end, hit);
    });
    return hit;
}

SignedDistance<2>::Sample FlatDistance::at(const Vec2& place) const {
    const Exact exact = sample(Vec2d::from(place));
    return to_sample(exact.distance, exact.normal);
}

void FlatDistance::bounds(Vec2& min, Vec2& max) const {
    round_outwards(box_.min, box_.max, min, max);
}

std::size_t FlatDistance::bytes() const {
    std::size_t sum = sizeof(*this) + primitives_.capacity() * sizeof(Primitive) +
                      parts_.capacity() * sizeof(Part) + tree_.bytes();
    for (const Part& part : parts_)
        sum += part.tree.bytes();
    return sum;
}

}  // namespace millrace
