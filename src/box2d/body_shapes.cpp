#include "box2d/body_shapes.hpp"

#include <box2d/box2d.h>

#include <bit>

namespace millrace {

namespace {

Point2 to_point(const b2Vec2& v) {
    return {v.x, v.y};
}

std::vector<Point2> to_points(const b2Vec2* vertices, int count) {
    std::vector<Point2> points;
    points.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k)
        points.push_back(to_point(vertices[k]));
    return points;
}

class Hash {
  public:
    void add(std::uint64_t word) { value_ = std::rotl((value_ ^ word) * 0x9e3779b97f4a7c15u, 29); }
    void add(float a, float b) {
        add(std::uint64_t(std::bit_cast<std::uint32_t>(a)) << 32 | std::bit_cast<std::uint32_t>(b));
    }
    void add(const b2Vec2* vertices, int count) {
        add(static_cast<std::uint64_t>(count));
        for (int k = 0; k < count; ++k)
            add(vertices[k].x, vertices[k].y);
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0x243f6a8885a308d3u;
};

void add_to(Hash& hash, const b2Shape& shape) {
    hash.add(static_cast<std::uint64_t>(shape.GetType()));
    hash.add(shape.m_radius, 0);
    if (shape.GetType() == b2Shape::e_circle) {
        hash.add(&static_cast<const b2CircleShape&>(shape).m_p, 1);
    } else if (shape.GetType() == b2Shape::e_polygon) {
        const auto& polygon = static_cast<const b2PolygonShape&>(shape);
        hash.add(polygon.m_vertices, polygon.m_count);
    } else if (shape.GetType() == b2Shape::e_edge) {
        const auto& edge = static_cast<const b2EdgeShape&>(shape);
        hash.add(&edge.m_vertex1, 1);
        hash.add(&edge.m_vertex2, 1);
    } else if (shape.GetType() == b2Shape::e_chain) {
        const auto& chain = static_cast<const b2ChainShape&>(shape);
        hash.add(chain.m_vertices, chain.m_count);
    }
}

}  // namespace

bool visible(const b2Fixture& fixture, const Box2dOptions& options) {
    const b2Filter& filter = fixture.GetFilterData();
    if (fixture.IsSensor())
        return false;
    if (options.group != 0 && options.group == filter.groupIndex)
        return options.group > 0;
    return (options.mask & filter.categoryBits) != 0 && (options.category & filter.maskBits) != 0;
}

void append_shape(const b2Shape& shape, bool skin, std::vector<Shape2>& shapes) {
    const float radius = skin || shape.GetType() == b2Shape::e_circle ? shape.m_radius : 0;
    if (shape.GetType() == b2Shape::e_circle) {
        const auto& circle = static_cast<const b2CircleShape&>(shape);
        shapes.push_back(Shape2::circle(to_point(circle.m_p), radius));
    } else if (shape.GetType() == b2Shape::e_polygon) {
        const auto& polygon = static_cast<const b2PolygonShape&>(shape);
        shapes.push_back(Shape2::polygon(to_points(polygon.m_vertices, polygon.m_count), radius));
    } else if (shape.GetType() == b2Shape::e_edge) {
        const auto& edge = static_cast<const b2EdgeShape&>(shape);
        shapes.push_back(
            Shape2::chain({to_point(edge.m_vertex1), to_point(edge.m_vertex2)}, radius));
    } else if (shape.GetType() == b2Shape::e_chain) {
        const auto& chain = static_cast<const b2ChainShape&>(shape);
        shapes.push_back(Shape2::chain(to_points(chain.m_vertices, chain.m_count), radius));
    }
}

std::vector<Shape2> shapes_of(const b2Body& body, const Box2dOptions& options) {
    std::vector<Shape2> shapes;
    for (const b2Fixture* f = body.GetFixtureList(); f != nullptr; f = f->GetNext())
        if (visible(*f, options))
            append_shape(*f->GetShape(), options.skin, shapes);
    return shapes;
}

std::uint64_t signature_of(const b2Body& body, const Box2dOptions& options) {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(body.GetType()));
    hash.add(&body.GetLocalCenter(), 1);
    for (const b2Fixture* f = body.GetFixtureList(); f != nullptr; f = f->GetNext()) {
        if (!visible(*f, options))
            continue;
        hash.add(reinterpret_cast<std::uintptr_t>(f));
        add_to(hash, *f->GetShape());
    }
    return hash.value();
}

SolidState state_of(const b2Body& body) {
    SolidState state;
    state.position = to_point(body.GetPosition());
    state.angle = body.GetAngle();
    if (body.GetType() == b2_staticBody)
        return state;
    state.velocity = to_point(body.GetLinearVelocity());
    state.angular_velocity = body.GetAngularVelocity();
    if (body.GetType() == b2_kinematicBody)
        return state;
    const float mass = body.GetMass();
    state.inverse_mass = mass > 0 ? 1 / mass : 0;
    // Box2D gives the inertia about the origin of the body.
    const b2Vec2& center = body.GetLocalCenter();
    const float inertia = body.GetInertia() - mass * b2Dot(center, center);
    state.inverse_inertia = !body.IsFixedRotation() && inertia > 0 ? 1 / inertia : 0;
    return state;
}

}  // namespace millrace
