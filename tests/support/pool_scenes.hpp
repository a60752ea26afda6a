#pragma once

#include <gtest/gtest.h>

#include "millrace/pool.hpp"
#include "support/seed.hpp"

namespace millrace {

/// A pool with water, of which a test can be sure that it was made.
inline Pool make_pool(const PoolOptions& options = {}) {
    Result<Pool> pool = Pool::create(options);
    EXPECT_TRUE(pool) << pool.message();
    EXPECT_TRUE(pool->add_fluid({}));
    return std::move(*pool);
}

/// Walls to the left and right of 0..width and a floor at 0, of thickness 1 m.
inline SolidId add_tank(Pool& pool, float width, float height) {
    SolidOptions tank;
    tank.shapes = {Shape2::box({-1, -1}, {width + 1, 0}), Shape2::box({-1, -1}, {0, height}),
                   Shape2::box({width, -1}, {width + 1, height})};
    const Result<SolidId> id = pool.add_solid(tank);
    EXPECT_TRUE(id) << id.message();
    return *id;
}

/// A dynamic solid that falls.
inline SolidId add_body(Pool& pool, const Shape2& shape, Point2 center, float mass, float inertia) {
    SolidOptions body;
    body.shapes = {shape};
    body.kind = SolidKind::dynamic;
    body.state.position = {center.x + 0.5f * pool.options().spacing * seeded_offset(0), center.y};
    body.state.acceleration = pool.options().gravity;
    body.state.inverse_mass = 1 / mass;
    body.state.inverse_inertia = 1 / inertia;
    const Result<SolidId> id = pool.add_solid(body);
    EXPECT_TRUE(id) << id.message();
    return *id;
}

/// A square of the given density [kg/m^2] that may move.
inline SolidId add_box(Pool& pool, Point2 center, float size, float density) {
    const float mass = density * size * size, half = 0.5f * size;
    return add_body(pool, Shape2::box({-half, -half}, {half, half}), center, mass,
                    mass * size * size / 6);
}

/// A disc of the given density [kg/m^2] that may move.
inline SolidId add_disc(Pool& pool, Point2 center, float radius, float density) {
    const float mass = density * 3.14159265f * radius * radius;
    return add_body(pool, Shape2::circle({0, 0}, radius), center, mass,
                    0.5f * mass * radius * radius);
}

/// Steps of 1/60 s; all must succeed.
inline PoolReport run(Pool& pool, int frames) {
    PoolReport report;
    for (int k = 0; k < frames; ++k) {
        Result<PoolReport> step = pool.step(1.0f / 60);
        EXPECT_TRUE(step) << step.message();
        if (!step)
            break;
        report = *step;
    }
    return report;
}

}  // namespace millrace
