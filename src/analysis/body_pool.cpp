#include "analysis/body_pool.hpp"

#include <algorithm>
#include <cmath>

#include "millrace/error.hpp"

#ifdef MILLRACE_BOX2D
#include <box2d/box2d.h>

#include "millrace/box2d.hpp"
#endif

namespace millrace {

double area_below(std::span<const Point2> polygon, double level) {
    // the part of the area above each edge is cut off at the level
    double area = 0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Point2& a = polygon[k];
        const Point2& b = polygon[(k + 1) % polygon.size()];
        // depths below the level; the area between the edge and the level, with its sign
        const double da = level - a.y, db = level - b.y, dx = double(b.x) - a.x;
        const double wet = da > 0 && db > 0   ? 1
                           : da > 0 || db > 0 ? std::max(da, db) / std::abs(da - db)
                                              : 0;
        area += wet * dx * (std::max(da, 0.0) + std::max(db, 0.0)) / 2;
    }
    return std::abs(area);
}

double water_level(const BodyScene& scene, double water_area) {
    double area = water_area;
    for (const double density : scene.relative_densities)
        area += std::min(density, 1.0) * scene.size * scene.size;
    return area / scene.width;
}

#ifdef MILLRACE_BOX2D

namespace {

void add_tank(b2World& world, float width, float height) {
    const b2Vec2 corners[]{{0, height}, {0, 0}, {width, 0}, {width, height}};
    const b2BodyDef fixed;
    b2Body* tank = world.CreateBody(&fixed);
    for (int k = 0; k < 3; ++k) {
        b2EdgeShape edge;
        edge.SetTwoSided(corners[k], corners[k + 1]);
        tank->CreateFixture(&edge, 0);
    }
}

b2Body* add_box(b2World& world, b2Vec2 position, float size, double density) {
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position = position;
    b2Body* body = world.CreateBody(&def);
    b2PolygonShape shape;
    shape.SetAsBox(size / 2, size / 2);
    body->CreateFixture(&shape, static_cast<float>(density));
    return body;
}

Corners corners_of(const b2Body& body) {
    const auto& shape = static_cast<const b2PolygonShape&>(*body.GetFixtureList()->GetShape());
    Corners corners;
    for (int k = 0; k < shape.m_count; ++k) {
        const b2Vec2 p = body.GetWorldPoint(shape.m_vertices[k]);
        corners.push_back({p.x, p.y});
    }
    return corners;
}

void require(const std::string& problem) {
    if (!problem.empty())
        throw RunError(problem);
}

}  // namespace

double run_bodies(const BodyScene& scene, const PoolCase& c, int threads, double seconds,
                  const std::function<void(double time, const std::vector<Corners>&)>& after) {
    const float width = static_cast<float>(scene.width), depth = static_cast<float>(scene.depth);
    const float size = static_cast<float>(scene.size);
    b2World world({0, static_cast<float>(-k_s0_gravity)});
    add_tank(world, width, 5 * depth);
    std::vector<b2Body*> boxes;
    const std::size_t count = scene.relative_densities.size();
    for (std::size_t k = 0; k < count; ++k) {
        const float x = width * (static_cast<float>(k) + 0.5f) / static_cast<float>(count);
        const float y = scene.poured ? size / 2 + 2 * b2_polygonRadius : depth + size;
        boxes.push_back(add_box(world, {x, y}, size, scene.relative_densities[k] * c.density));
    }
    Pool pool = make_pool(c, threads);
    // the bare shapes: a body then displaces what its mass was made from
    Box2dCoupling coupling(pool, world, {.skin = false});
    const float bottom = scene.poured ? 2 * size : 0;
    require(coupling.see({0, bottom}, {width, bottom + depth}).message());
    const Result<std::size_t> filled = pool.fill(Shape2::box({0, bottom}, {width, bottom + depth}));
    require(filled.message());
    const int steps = static_cast<int>(std::ceil(seconds / c.dt - 1e-6));
    for (int k = 1; k <= steps; ++k) {
        require(coupling.step(static_cast<float>(c.dt)).message());
        std::vector<Corners> bodies;
        for (const b2Body* box : boxes)
            bodies.push_back(corners_of(*box));
        after(k * c.dt, bodies);
    }
    const double spacing = pool.options().spacing;
    return static_cast<double>(pool.size()) * spacing * spacing;
}

#else

double run_bodies(const BodyScene&, const PoolCase&, int, double,
                  const std::function<void(double, const std::vector<Corners>&)>&) {
    throw InputError(
        "experiment s0-rigid: this millrace was built without Box2D; install Box2D 2.4 "
        "(libbox2d-dev) and build it with -DMILLRACE_BOX2D=ON");
}

#endif

}  // namespace millrace
