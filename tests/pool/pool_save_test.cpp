#include <gtest/gtest.h>

#include "support/pool_scenes.hpp"

namespace millrace {
namespace {

/// Some of everything: two fluids, bodies, a wheel, emitters, a sink, lifetimes.
Pool whole_scene(int threads, const char* method = "spook") {
    PoolOptions options;
    options.threads = threads;
    options.method.name = method;
    Pool pool = make_pool(options);
    FluidMaterial oil;
    oil.density = 700;
    oil.viscosity = 0.01f;
    oil.wall_friction = 0.5f;
    EXPECT_EQ(*pool.add_fluid(oil), 1);
    add_tank(pool, 5, 4);
    EXPECT_TRUE(pool.fill(Shape2::box({0, 0}, {5, 0.8f})));
    EXPECT_TRUE(pool.fill(Shape2::box({0, 0.8f}, {2, 1.2f}), {.fluid = 1}));
    EXPECT_TRUE(pool.fill(Shape2::circle({4, 2}, 0.3f), {.velocity = {-1, 0}, .lifetime = 1}));
    add_box(pool, {1, 2}, 0.5f, 500);
    add_disc(pool, {3, 1.5f}, 0.3f, 1500);
    SolidOptions wheel{.shapes = {Shape2::box({-0.6f, -0.05f}, {0.6f, 0.05f}),
                                  Shape2::box({-0.05f, -0.6f}, {0.05f, 0.6f})},
                       .kind = SolidKind::kinematic};
    wheel.state.position = {4, 0.7f};
    wheel.state.angular_velocity = 2;
    const Result<SolidId> turning = pool.add_solid(wheel);
    EXPECT_TRUE(turning);
    EmitterOptions jet{.fluid = 1, .position = {0.7f, 0}, .width = 0.2f, .speed = 3};
    jet.solid = *turning;
    EXPECT_TRUE(pool.add_emitter(jet));
    EXPECT_TRUE(pool.add_emitter({.position = {0.2f, 3}, .width = 0.3f, .max_particles = 40}));
    EXPECT_TRUE(pool.add_sink(Shape2::circle({0.3f, 0.2f}, 0.15f)));
    return pool;
}

TEST(PoolState, TheHashIsTheSameForAnyNumberOfThreads) {
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 7}) {
        Pool pool = whole_scene(threads);
        run(pool, 60);
        if (threads == 1)
            first = pool.hash();
        EXPECT_EQ(pool.hash(), first) << threads << " threads";
    }
}

/// What memory held before must not show in it.
TEST(PoolState, TheHashIsOfTheStateAlone) {
    const auto hash = [](int fill_byte) {
        const std::vector<char> dirt(1 << 16, static_cast<char>(fill_byte));
        volatile char stack[4096];
        for (volatile char& byte : stack)
            byte = dirt[0];
        return whole_scene(1).hash();
    };
    EXPECT_EQ(hash(0), hash(0x55));
}

TEST(PoolState, EveryPartOfTheStateIsInTheHash) {
    Pool pool = whole_scene(1);
    std::uint64_t last = pool.hash();
    const auto expect_new = [&](const char* what) {
        EXPECT_NE(pool.hash(), last) << what;
        last = pool.hash();
    };
    pool.colors()[5] ^= 1;
    expect_new("color");
    pool.user_data()[5] ^= 1;
    expect_new("user data");
    ASSERT_TRUE(pool.set_velocity(pool.ids()[7], {0, 1e-3f}));
    expect_new("velocity");
    SolidState state = *pool.solid(1);
    state.acceleration.x = 0.1f;
    ASSERT_TRUE(pool.set_solid(1, state));
    expect_new("solid");
    ASSERT_TRUE(pool.remove_sink(0));
    expect_new("sink");
    ASSERT_TRUE(pool.set_emitter(1, {.position = {0.2f, 3}, .width = 0.4f}));
    expect_new("emitter");
    ASSERT_TRUE(pool.set_material(0, {.viscosity = 2e-6f}));
    expect_new("material");
    ASSERT_TRUE(pool.add({.position = {4.5f, 3.5f}}));
    expect_new("particle");
    run(pool, 1);
    expect_new("step");
}

TEST(PoolState, ARestoredPoolGoesOnWithTheSameBits) {
    Pool pool = whole_scene(1);
    run(pool, 40);
    const std::vector<std::byte> saved = pool.save();
    Pool other = whole_scene(2);
    run(other, 3);
    const Status status = other.restore(saved);
    ASSERT_TRUE(status) << status.message();
    EXPECT_EQ(other.hash(), pool.hash());
    EXPECT_EQ(other.save(), saved);
    for (int k = 0; k < 60; ++k) {
        run(pool, 1);
        run(other, 1);
        ASSERT_EQ(other.hash(), pool.hash()) << "after " << k + 1 << " steps";
    }
    // and back in time
    ASSERT_TRUE(pool.restore(saved));
    run(pool, 60);
    EXPECT_EQ(pool.hash(), other.hash());
    // new things get new names
    EXPECT_EQ(*pool.add({}), *other.add({}));
    EXPECT_EQ(add_disc(pool, {0, 9}, 1, 1), add_disc(other, {0, 9}, 1, 1));
}

TEST(PoolState, WhatWasThereBeforeARestoreIsGone) {
    Pool pool = make_pool();
    const std::vector<std::byte> empty = pool.save();
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {1, 1})));
    const SolidId tank = add_tank(pool, 1, 1);
    ASSERT_TRUE(pool.restore(empty));
    EXPECT_EQ(pool.size(), 0u);
    EXPECT_FALSE(pool.solid(tank));
    EXPECT_FALSE(pool.index_of(0));
}

}  // namespace
}  // namespace millrace
