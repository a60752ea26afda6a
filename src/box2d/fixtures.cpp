#include "box2d/fixtures.hpp"

#include <box2d/box2d.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/parts.hpp"

namespace millrace {

namespace {

using Corners = std::vector<b2Vec2>;

bool are_near(const b2Vec2& a, const b2Vec2& b) {
    return b2DistanceSquared(a, b) < 2 * b2_linearSlop * b2_linearSlop;
}

/// Scaled, without those that Box2D would not tell apart.
Corners corners_of(const std::vector<Point2>& points, float unit) {
    Corners corners;
    for (const Point2& p : points) {
        const b2Vec2 corner(p.x * unit, p.y * unit);
        if (corners.empty() || !are_near(corners.back(), corner))
            corners.push_back(corner);
    }
    return corners;
}

void add(b2Body& body, const b2Shape& shape, const FixtureMaterial& material) {
    b2FixtureDef def;
    def.shape = &shape;
    def.density = material.density;
    def.friction = material.friction;
    def.restitution = material.restitution;
    body.CreateFixture(&def);
}

/// About the width of a convex polygon across its longest edge.
float thickness(const b2Vec2* corners, std::size_t count) {
    float twice_area = 0, longest = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const b2Vec2 &a = corners[k], &b = corners[(k + 1) % count];
        twice_area += b2Cross(a - corners[0], b - corners[0]);
        longest = std::max(longest, b2Distance(a, b));
    }
    return std::abs(twice_area) / longest;
}

/// A convex polygon, as a fan of polygons that are small enough.
void add_convex(b2Body& body, Corners corners, const FixtureMaterial& material) {
    while (corners.size() > 1 && are_near(corners.front(), corners.back()))
        corners.pop_back();
    for (std::size_t first = 1; first + 1 < corners.size(); first += b2_maxPolygonVertices - 2) {
        b2Vec2 part[b2_maxPolygonVertices] = {corners[0]};
        const std::size_t end =
            std::min(corners.size(), first + static_cast<std::size_t>(b2_maxPolygonVertices) - 1);
        const std::size_t count = end - first + 1;
        std::copy(corners.begin() + static_cast<std::ptrdiff_t>(first),
                  corners.begin() + static_cast<std::ptrdiff_t>(end), part + 1);
        if (!(thickness(part, count) > b2_linearSlop))
            continue;
        b2PolygonShape polygon;
        polygon.Set(part, static_cast<int32>(count));
        add(body, polygon, material);
    }
}

/// Chains of Box2D have one side, but no bumps where their edges meet: two of them, back to back.
void add_chain(b2Body& body, Corners corners, const FixtureMaterial& material) {
    const auto count = static_cast<int32>(corners.size());
    if (count < 2)
        return;
    const bool closed = count > 3 && corners.front() == corners.back();
    for (int side = 0; side < 2; ++side) {
        b2ChainShape chain;
        if (closed) {
            chain.CreateLoop(corners.data(), count - 1);
        } else {
            const b2Vec2 before = 2 * corners[0] - corners[1];
            const b2Vec2 after = 2 * corners[count - 1] - corners[count - 2];
            chain.CreateChain(corners.data(), count, before, after);
        }
        add(body, chain, material);
        std::reverse(corners.begin(), corners.end());
    }
}

}  // namespace

void add_fixtures(b2Body& body, const Shape2& shape, float unit, const FixtureMaterial& material) {
    if (shape.kind == Shape2::Kind::circle) {
        b2CircleShape circle;
        circle.m_p = {shape.points[0].x * unit, shape.points[0].y * unit};
        circle.m_radius = shape.radius * unit;
        add(body, circle, material);
    } else if (shape.kind == Shape2::Kind::chain) {
        add_chain(body, corners_of(shape.points, unit), material);
    } else {
        for (const Shape2& part : parts_of(shape))
            add_convex(body, corners_of(part.points, unit), material);
    }
}

}  // namespace millrace
