#include "millrace/pool.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/pool_scenes.hpp"

namespace millrace {
namespace {

constexpr float k_dt = 1.0f / 60;

Pool weightless() {
    PoolOptions options;
    options.gravity = {0, 0};
    return make_pool(options);
}

/// That all spans belong together.
void expect_consistent(Pool& pool) {
    const std::size_t n = pool.size();
    EXPECT_EQ(pool.positions().size(), n);
    EXPECT_EQ(pool.velocities().size(), n);
    EXPECT_EQ(pool.ids().size(), n);
    EXPECT_EQ(pool.fluids().size(), n);
    EXPECT_EQ(pool.densities().size(), n);
    EXPECT_EQ(pool.pressures().size(), n);
    EXPECT_EQ(pool.ages().size(), n);
    EXPECT_EQ(pool.colors().size(), n);
    EXPECT_EQ(pool.user_data().size(), n);
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_EQ(*pool.index_of(pool.ids()[i]), i);
}

double momentum_x(const Pool& pool) {
    double sum = 0;
    for (const Point2& v : pool.velocities())
        sum += 10.0 * v.x;  // of 1000 kg/m^2 (0.1 m)^2
    return sum;
}

TEST(Pool, AnEmptyOneSteps) {
    Pool pool = make_pool();
    EXPECT_EQ(run(pool, 3).substeps, 1);
    EXPECT_NEAR(pool.time(), 0.05, 1e-6);
    EXPECT_EQ(pool.bounds().min, (Point2{0, 0}));
}

TEST(Pool, AFilledBoxHoldsItsArea) {
    for (const Point2 size : {Point2{1, 1}, Point2{3, 0.7f}, Point2{0.5f, 4}}) {
        Pool pool = make_pool();
        const Result<std::size_t> added = pool.fill(Shape2::box({0, 0}, size));
        ASSERT_TRUE(added);
        EXPECT_EQ(*added, pool.size());
        const float ideal = size.x * size.y / 0.01f;
        EXPECT_NEAR(static_cast<float>(*added), ideal, 0.04f * ideal);
        EXPECT_GE(pool.bounds().min.x, 0);
        EXPECT_LE(pool.bounds().max.y, size.y);
    }
}

TEST(Pool, FillsAddWhatFits) {
    Pool pool = make_pool();
    const Result<std::size_t> first = pool.fill(Shape2::box({0, 0}, {1, 1}));
    EXPECT_EQ(*pool.fill(Shape2::box({0, 0}, {1, 1})), 0u);  // twice the same
    const Result<std::size_t> half = pool.fill(Shape2::box({0.5f, 0}, {1.5f, 1}));
    EXPECT_NEAR(static_cast<double>(*half), 0.5 * static_cast<double>(*first), 12);
    for (std::size_t i = 0; i < pool.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Point2 a = pool.positions()[i], b = pool.positions()[j];
            EXPECT_GT(std::hypot(a.x - b.x, a.y - b.y), 0.065f);
        }
    add_disc(pool, {3, 3}, 0.5f, 1000);
    ASSERT_TRUE(pool.fill(Shape2::box({2, 2}, {4, 4})));
    for (const Point2& x : pool.positions())
        EXPECT_GT(std::hypot(x.x - 3, x.y - 3), 0.52f);
}

TEST(Pool, AFillMayMoveAndTurn) {
    Pool pool = make_pool();
    FillOptions options;
    options.velocity = {1, 2};
    options.angular_velocity = 3;
    options.user_data = 77;
    ASSERT_TRUE(pool.fill(Shape2::circle({5, 5}, 0.5f), options));
    for (std::size_t i = 0; i < pool.size(); ++i) {
        EXPECT_NEAR(pool.velocities()[i].x, 1 - 3 * (pool.positions()[i].y - 5), 1e-4f);
        EXPECT_NEAR(pool.velocities()[i].y, 2 + 3 * (pool.positions()[i].x - 5), 1e-4f);
        EXPECT_EQ(pool.user_data()[i], 77u);
    }
}

TEST(Pool, IdsAreStableAndNeverUsedTwice) {
    Pool pool = weightless();
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {1, 1})));
    std::set<ParticleId> seen(pool.ids().begin(), pool.ids().end());
    EXPECT_EQ(seen.size(), pool.size());
    const ParticleId kept = pool.ids()[17];
    const Point2 place = pool.positions()[17];
    ASSERT_TRUE(pool.remove(pool.ids()[3]));
    ASSERT_TRUE(pool.remove(pool.ids().back()));
    EXPECT_GT(*pool.remove(Shape2::box({0, 0.7f}, {1, 1})), 10u);
    expect_consistent(pool);
    const Result<std::size_t> index = pool.index_of(kept);
    ASSERT_TRUE(index);
    EXPECT_EQ(pool.positions()[*index], place);
    ASSERT_TRUE(pool.fill(Shape2::box({2, 0}, {3, 1})));
    for (std::size_t i = 0; i < pool.size(); ++i)
        EXPECT_TRUE(pool.positions()[i].x < 1.5f || seen.insert(pool.ids()[i]).second);
    pool.clear();
    expect_consistent(pool);
    EXPECT_FALSE(pool.index_of(kept));
    EXPECT_TRUE(seen.insert(*pool.add({})).second);
    // so it is for the others
    const SolidId solid = add_tank(pool, 1, 1);
    ASSERT_TRUE(pool.remove_solid(solid));
    EXPECT_NE(add_tank(pool, 1, 1), solid);
    const EmitterId emitter = *pool.add_emitter({});
    ASSERT_TRUE(pool.remove_emitter(emitter));
    EXPECT_NE(*pool.add_emitter({}), emitter);
    const SinkId sink = *pool.add_sink(Shape2::circle({0, 0}, 1));
    ASSERT_TRUE(pool.remove_sink(sink));
    EXPECT_NE(*pool.add_sink(Shape2::circle({0, 0}, 1)), sink);
}

TEST(Pool, ColorsAndUserDataFollowTheirParticle) {
    Pool pool = make_pool();
    add_tank(pool, 2, 3);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {2, 1})));
    std::map<ParticleId, std::uint32_t> color;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        color[pool.ids()[i]] = pool.colors()[i] = static_cast<std::uint32_t>(i * 2654435761u);
        pool.user_data()[i] = 1000 + pool.ids()[i];
    }
    for (int k = 0; k < 20; ++k) {
        run(pool, 3);
        ASSERT_TRUE(pool.remove(pool.ids()[static_cast<std::size_t>(7 * k)]));
    }
    expect_consistent(pool);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        EXPECT_EQ(pool.colors()[i], color[pool.ids()[i]]);
        EXPECT_EQ(pool.user_data()[i], 1000 + pool.ids()[i]);
    }
}

TEST(Pool, AParticleIsWhatItWasAddedAs) {
    Pool pool = make_pool();
    FluidMaterial oil;
    oil.color = 0x123;
    ASSERT_EQ(*pool.add_fluid(oil), 1);
    ASSERT_TRUE(pool.add({.position = {1, 2}, .velocity = {3, 4}, .fluid = 1}));
    ASSERT_TRUE(pool.add({.color = 0x456u, .user_data = 9}));
    EXPECT_EQ(pool.positions()[0], (Point2{1, 2}));
    EXPECT_EQ(pool.velocities()[0], (Point2{3, 4}));
    EXPECT_EQ(pool.fluids()[0], 1);
    EXPECT_EQ(pool.colors()[0], 0x123u);
    EXPECT_EQ(pool.colors()[1], 0x456u);
    EXPECT_EQ(pool.user_data()[1], 9u);
    EXPECT_EQ(pool.bounds().max, (Point2{1, 2}));
    ASSERT_TRUE(pool.set_velocity(pool.ids()[0], {-1, 0}));
    EXPECT_EQ(pool.velocities()[0], (Point2{-1, 0}));
}

/// y = y0 + v t - g t^2 / 2, with the error g t dt / 2 of steps that use the new velocity.
TEST(Pool, FreeFall) {
    Pool pool = make_pool();
    ASSERT_TRUE(pool.add({.position = {0, 10}, .velocity = {2, 5}}));
    run(pool, 60);
    EXPECT_NEAR(pool.velocities()[0].y, 5 - 9.81f, 0.01f);
    EXPECT_NEAR(pool.positions()[0].x, 2, 1e-3f);
    EXPECT_NEAR(pool.positions()[0].y, 15 - 0.5f * 9.81f, 0.5f * 9.81f * k_dt + 0.01f);
    EXPECT_NEAR(pool.ages()[0], 1, 1e-4f);
}

TEST(Pool, AFullPoolRefuses) {
    PoolOptions options;
    options.max_particles = 50;
    Pool pool = make_pool(options);
    EXPECT_EQ(*pool.fill(Shape2::box({0, 0}, {1, 1})), 50u);
    EXPECT_EQ(pool.size(), 50u);
    const Result<ParticleId> one_more = pool.add({.position = {5, 5}});
    EXPECT_FALSE(one_more);
    EXPECT_EQ(one_more.message(), "the pool is full: it holds max_particles");
    ASSERT_TRUE(pool.add_emitter({.position = {50, 0}, .speed = 5}));
    std::size_t refused = 0;
    for (int k = 0; k < 30; ++k) {
        const PoolReport report = run(pool, 1);
        EXPECT_EQ(report.emitted, 0u);
        refused += report.refused;
    }
    EXPECT_GT(refused, 100u);
    EXPECT_EQ(pool.size(), 50u);
}

TEST(Pool, WhatLeavesTheBoundsIsRemovedAndCounted) {
    PoolOptions options;
    options.gravity = {0, 0};
    options.min = {-1, -1};
    options.max = {1, 1};
    Pool pool = make_pool(options);
    for (const Point2 v : {Point2{5, 0}, Point2{-5, 0}, Point2{0, 5}, Point2{0, -5}, Point2{0, 0}})
        ASSERT_TRUE(pool.add({.position = {0.5f * v.x / 5, 0.5f * v.y / 5}, .velocity = v}));
    std::size_t left = 0;
    for (int k = 0; k < 30; ++k)
        left += run(pool, 1).left;
    EXPECT_EQ(left, 4u);
    EXPECT_EQ(pool.size(), 1u);
}

/// However fast: nothing overflows, and only what is too fast is gone.
TEST(Pool, VeryFastParticlesLeave) {
    Pool pool = make_pool();
    add_tank(pool, 2, 2);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {2, 1})));
    const std::size_t before = pool.size();
    for (const Point2 v : {Point2{1e6f, 0}, Point2{-1e6f, 1e6f}, Point2{0, 1e6f}})
        ASSERT_TRUE(pool.add({.position = {1, 3}, .velocity = v}));
    run(pool, 5);
    EXPECT_EQ(pool.size(), before);
    for (const Point2& x : pool.positions())
        EXPECT_TRUE(std::isfinite(x.x) && std::isfinite(x.y));
}

TEST(Pool, LifetimesEnd) {
    Pool pool = weightless();
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {1, 1}), {.lifetime = 0.5f}));
    const std::size_t mortal = pool.size();
    ASSERT_TRUE(pool.add({.position = {5, 5}}));
    std::size_t expired = 0;
    for (int k = 0; k < 29; ++k)
        expired += run(pool, 1).expired;
    EXPECT_EQ(expired, 0u);
    for (int k = 0; k < 3; ++k)
        expired += run(pool, 1).expired;
    EXPECT_EQ(expired, mortal);
    EXPECT_EQ(pool.size(), 1u);
    expect_consistent(pool);
}

TEST(Pool, SinksSwallow) {
    Pool pool = weightless();
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {1, 1})));
    const std::size_t before = pool.size();
    const SinkId sink = *pool.add_sink(Shape2::circle({0, 0}, 0.5f));
    const std::size_t sunk = run(pool, 1).sunk;
    EXPECT_NEAR(static_cast<double>(sunk), 0.25 * 3.14 * 25, 8);
    EXPECT_EQ(pool.size(), before - sunk);
    for (const Point2& x : pool.positions())
        EXPECT_GT(std::hypot(x.x, x.y), 0.48f);
    ASSERT_TRUE(pool.remove_sink(sink));
    EXPECT_EQ(run(pool, 1).sunk, 0u);
}

/// In area: speed times width in a second.
TEST(Pool, EmittersEmitTheirFlow) {
    for (const float width : {0.05f, 0.3f, 1.0f})
        for (const float speed : {0.5f, 3.0f, 20.0f}) {
            Pool pool = weightless();
            ASSERT_TRUE(pool.add_emitter({.direction = {3, 4}, .width = width, .speed = speed}));
            std::size_t emitted = 0, refused = 0;
            for (int k = 0; k < 60; ++k) {
                const PoolReport report = run(pool, 1);
                emitted += report.emitted;
                refused += report.refused;
            }
            const double ideal = speed * width / 0.01;
            const double row = std::max(1.0, width / 0.1 / 1.07);
            EXPECT_NEAR(static_cast<double>(emitted), ideal, 0.05 * ideal + row)
                << width << " " << speed;
            EXPECT_EQ(refused, 0u);
            EXPECT_EQ(pool.size(), emitted);
            for (const Point2& v : pool.velocities())
                EXPECT_NEAR(v.x * 0.6f + v.y * 0.8f, speed, 0.25f * speed);
        }
}

TEST(Pool, EmittersStopAtTheirLimit) {
    Pool pool = weightless();
    ASSERT_TRUE(pool.add_emitter({.speed = 5, .lifetime = 0.4f, .max_particles = 77}));
    std::size_t emitted = 0, expired = 0;
    for (int k = 0; k < 60; ++k) {
        const PoolReport report = run(pool, 1);
        emitted += report.emitted;
        expired += report.expired;
    }
    EXPECT_EQ(emitted, 77u);
    EXPECT_EQ(expired, 77u);
}

TEST(Pool, EmittersRideOnSolidsAndGoWithThem) {
    Pool pool = weightless();
    SolidOptions options{.shapes = {Shape2::circle({0, 0}, 0.3f)}, .kind = SolidKind::kinematic};
    options.state.position = {10, 0};
    options.state.velocity = {0, 3};
    options.state.angle = 0.5f * std::numbers::pi_v<float>;
    const SolidId solid = *pool.add_solid(options);
    const EmitterId emitter =
        *pool.add_emitter({.position = {1, 0}, .width = 0.1f, .speed = 2, .solid = solid});
    run(pool, 60);
    // upwards from 1 m above a solid that goes up by 3 m/s
    ASSERT_GT(pool.size(), 15u);
    for (const Point2& v : pool.velocities())
        EXPECT_NEAR(v.y, 5, 0.5f);
    EXPECT_NEAR(pool.bounds().min.y, 4, 0.4f);
    EXPECT_NEAR(pool.bounds().max.y, 6, 0.4f);
    EXPECT_NEAR(pool.positions()[0].x, 10, 0.2f);
    ASSERT_TRUE(pool.remove_solid(solid));
    EXPECT_FALSE(pool.remove_emitter(emitter));
    EXPECT_EQ(run(pool, 30).emitted, 0u);
}

TEST(Pool, AKinematicWallPushesWater) {
    Pool pool = weightless();
    SolidOptions wall{.shapes = {Shape2::box({-0.5f, -2}, {0, 2})}, .kind = SolidKind::kinematic};
    wall.state.velocity = {1, 0};
    const SolidId id = *pool.add_solid(wall);
    ASSERT_TRUE(pool.fill(Shape2::box({0, -0.5f}, {1, 0.5f})));
    run(pool, 60);
    EXPECT_NEAR(pool.solid(id)->position.x, 1, 1e-3f);
    EXPECT_GT(pool.bounds().min.x, 1);
    EXPECT_GT(momentum_x(pool), 0.8 * 10 * static_cast<double>(pool.size()));
    EXPECT_GT(pool.push_on(id)->contacts, 3u);
}

/// Without water a dynamic solid falls; set_solid says where it really is.
TEST(Pool, ADynamicSolidMovesByItself) {
    Pool pool = make_pool();
    const SolidId box = add_box(pool, {0, 50}, 1, 500);
    run(pool, 60);
    EXPECT_NEAR(pool.solid(box)->position.y, 50 - 0.5f * 9.81f, 0.1f);
    EXPECT_NEAR(pool.solid(box)->velocity.y, -9.81f, 0.01f);
    SolidState state = *pool.solid(box);
    state.position = {3, 4};
    state.velocity = {1, 0};
    state.acceleration = {0, 0};
    ASSERT_TRUE(pool.set_solid(box, state));
    run(pool, 30);
    EXPECT_NEAR(pool.solid(box)->position.x, 3.5f, 1e-3f);
    EXPECT_NEAR(pool.solid(box)->position.y, 4, 1e-3f);
}

/// What the fluid loses, the body gets, and push_on tells of it.
TEST(Pool, PushIsWhatTheFluidLost) {
    Pool pool = weightless();
    const SolidId disc = add_disc(pool, {1.6f, 0.4f}, 0.5f, 300);
    const double mass = 300 * 3.14159265 * 0.25;
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {1, 1}), {.velocity = {3, 0}}));
    const double before = momentum_x(pool);
    double impulse = 0, size = std::abs(before);
    for (int k = 0; k < 60; ++k) {
        run(pool, 1);
        impulse += pool.push_on(disc)->impulse.x;
    }
    EXPECT_GT(impulse, 0.1 * size);
    EXPECT_NEAR(momentum_x(pool) - before, -impulse, 1e-3 * size);
    EXPECT_NEAR(pool.solid(disc)->velocity.x * mass, impulse, 1e-3 * size);
}

}  // namespace
}  // namespace millrace
