#include "pool/shape_index.hpp"

#include <cmath>

namespace millrace {

namespace {

constexpr double k_nowhere = 1e30;  // [m]

// The points without neighbours that are equal; of a polygon in the mathematical sense of rotation.
std::vector<Vec2> cleaned(const Shape2& shape) {
    std::vector<Vec2> points;
    for (const Point2& p : shape.points)
        if (const Vec2 x{{p.x, p.y}}; points.empty() || !(points.back() == x))
            points.push_back(x);
    if (shape.kind != Shape2::Kind::polygon)
        return points;
    while (points.size() > 1 && points.front() == points.back())
        points.pop_back();
    double area = 0;
    for (std::size_t k = 0; k < points.size(); ++k)
        area += cross(Vec2d::from(points[k]) - Vec2d::from(points[0]),
                      Vec2d::from(points[(k + 1) % points.size()]) - Vec2d::from(points[0]));
    if (area < 0)
        std::reverse(points.begin(), points.end());
    return points;
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

ShapeIndex::ShapeIndex(const std::vector<Shape2>& shapes) {
    std::vector<Box2d> part_boxes;
    for (const Shape2& shape : shapes) {
        const auto first = static_cast<std::uint32_t>(primitives_.size());
        add_edges(shape);
        const auto count = static_cast<std::uint32_t>(primitives_.size()) - first;
        if (count == 0)
            continue;
        std::vector<Box2d> boxes(count);
        Box2d whole;
        for (std::uint32_t k = 0; k < count; ++k) {
            boxes[k].add(Vec2d::from(primitives_[first + k].a));
            boxes[k].add(Vec2d::from(primitives_[first + k].b));
            whole.add(boxes[k]);
        }
        parts_.push_back({shape.kind, shape.radius, first, count, BoxTree(boxes)});
        const Vec2d skin = Vec2d::all(shape.radius);
        part_boxes.push_back({whole.min - skin, whole.max + skin});
        box_.add(part_boxes.back());
    }
    tree_ = BoxTree(part_boxes);
}

void ShapeIndex::add_edges(const Shape2& shape) {
    const auto part = static_cast<std::uint32_t>(parts_.size());
    const std::vector<Vec2> points = cleaned(shape);
    const std::size_t n = points.size();
    if (n == 0)
        return;
    if (n == 1 || shape.kind == Shape2::Kind::circle) {
        primitives_.push_back({points[0], points[0], part, true, true});
        return;
    }
    const bool closed = shape.kind == Shape2::Kind::polygon;
    const auto convex = [&](std::size_t k) {
        const Vec2d x = Vec2d::from(points[k]);
        return cross(x - Vec2d::from(points[(k + n - 1) % n]),
                     Vec2d::from(points[(k + 1) % n]) - x) >= 0;
    };
    for (std::size_t k = 0; k + !closed < n; ++k)
        primitives_.push_back(
            {points[k], points[(k + 1) % n], part, convex(k), convex((k + 1) % n)});
}

void ShapeIndex::look_at(const Primitive& primitive, Shape2::Kind kind, const Vec2d& x,
                         Nearest& nearest) const {
    const bool polygon = kind == Shape2::Kind::polygon;
    const Vec2d a = Vec2d::from(primitive.a), e = Vec2d::from(primitive.b) - a, r = x - a;
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

SurfaceSample ShapeIndex::surface(const Part& part, const Nearest& nearest) const {
    return {nearest.side * std::sqrt(nearest.squared) - part.radius, nearest.direction};
}

SurfaceSample ShapeIndex::sample(const Part& part, const Vec2d& x) const {
    Nearest nearest;
    part.tree.near(x, nearest.squared, [&](std::uint32_t k) {
        look_at(primitives_[part.first + k], part.kind, x, nearest);
    });
    return surface(part, nearest);
}

SurfaceSample ShapeIndex::sample(const Vec2d& x) const {
    SurfaceSample best{k_nowhere, {{0, 1}}};
    double bound = 1e300;
    tree_.near(x, bound, [&](std::uint32_t k) {
        const SurfaceSample one = sample(parts_[k], x);
        if (one.distance < best.distance)
            best = one;
        bound = best.distance > 0 ? best.distance * best.distance : 0;
    });
    best.normal = normalized(best.normal);
    return best;
}

SurfaceSample ShapeIndex::sample(const Vec2d& x, std::span<const std::uint32_t> primitives) const {
    SurfaceSample best{k_nowhere, {{0, 1}}};
    for (std::size_t k = 0; k < primitives.size();) {
        const std::uint32_t part = primitives_[primitives[k]].part;
        Nearest nearest;
        for (; k < primitives.size() && primitives_[primitives[k]].part == part; ++k)
            look_at(primitives_[primitives[k]], parts_[part].kind, x, nearest);
        const SurfaceSample one = surface(parts_[part], nearest);
        if (one.distance < best.distance)
            best = one;
    }
    best.normal = normalized(best.normal);
    return best;
}

std::vector<std::uint32_t> ShapeIndex::deciding(const Vec2d& x, double radius) const {
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

double ShapeIndex::first_hit(const Vec2d& a, const Vec2d& b) const {
    const Vec2d d = b - a;
    double hit = 2;
    double end = 1;
    tree_.along(a, d, end, 0, [&](std::uint32_t k) {
        hit = std::min(hit, first_hit(parts_[k], a, d, end));
        end = std::min(end, hit);
    });
    return hit <= 1 ? hit : 2;
}

double ShapeIndex::first_hit(const Part& part, const Vec2d& a, const Vec2d& d, double end) const {
    const double radius = part.radius;
    const bool thin = part.kind == Shape2::Kind::chain && radius == 0;
    if (!thin && sample(part, a).distance < 0)
        return 0;
    double hit = 2;
    part.tree.along(a, d, end, radius, [&](std::uint32_t k) {
        const Primitive& primitive = primitives_[part.first + k];
        const Vec2d from = Vec2d::from(primitive.a), e = Vec2d::from(primitive.b) - from;
        const Vec2d r = a - from;
        if (thin || radius > 0)
            hit = std::min({hit, enter_circle(r, d, radius), enter_circle(r - e, d, radius)});
        if (dot(e, e) > 0)
            hit = std::min(hit, meet_edge(r, d, e, radius, part.kind));
        end = std::min(end, hit);
    });
    return hit;
}

std::size_t ShapeIndex::bytes() const {
    std::size_t sum = primitives_.capacity() * sizeof(Primitive) +
                      parts_.capacity() * sizeof(Part) + tree_.bytes();
    for (const Part& part : parts_)
        sum += part.tree.bytes();
    return sum;
}

}  // namespace millrace
