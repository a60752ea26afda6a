#include <gtest/gtest.h>

#include "support/pool_scenes.hpp"

// What a game sees of its water in the long run.
namespace millrace {
namespace {

double mean_height(const Pool& pool) {
    double sum = 0;
    for (const Point2& x : pool.positions())
        sum += x.y;
    return sum / static_cast<double>(pool.size());
}

double mean_speed(const Pool& pool) {
    double sum = 0;
    for (const Point2& v : pool.velocities())
        sum += std::hypot(v.x, v.y);
    return sum / static_cast<double>(pool.size());
}

Point2 momentum(const Pool& pool) {
    Point2 sum;
    const float mass = 1000 * pool.options().spacing * pool.options().spacing;
    for (const Point2& v : pool.velocities())
        sum = {sum.x + mass * v.x, sum.y + mass * v.y};
    return sum;
}

/// 3 m wide and 13.3 m high: below, the water is hardly denser than above.
TEST(GamePhysics, APillarIsNotCompressed) {
    PoolOptions options;
    options.spacing = std::sqrt(0.02f);
    Pool pool = make_pool(options);
    add_tank(pool, 3, 20);
    const double ideal = 2000 * 0.02 / 3;
    const Result<std::size_t> filled =
        pool.fill(Shape2::box({0, 0}, {3, static_cast<float>(ideal)}));
    ASSERT_TRUE(filled);
    const double height = static_cast<double>(*filled) * 0.02 / 3;
    EXPECT_NEAR(static_cast<double>(*filled), 2000, 60);
    run(pool, 300);
    double below = 0, above = 0, tall = 0;
    constexpr int k_frames = 60;
    for (int frame = 0; frame < k_frames; ++frame) {
        run(pool, 1);
        for (const Point2& x : pool.positions()) {
            below += x.y > 0.1 * height && x.y < 0.3 * height;
            above += x.y > 0.7 * height && x.y < 0.9 * height;
        }
        tall += 2 * mean_height(pool) / k_frames;
    }
    RecordProperty("below_over_above", std::to_string(below / above));
    RecordProperty("height_over_ideal", std::to_string(tall / height));
    EXPECT_LE(below / above, 1.03);
    EXPECT_GT(below / above, 0.98);
    EXPECT_NEAR(tall / height, 1, 0.02);
}

TEST(GamePhysics, AStillPoolComesToRest) {
    PoolOptions options;
    options.spacing = 0.13f;
    Pool pool = make_pool(options);
    add_tank(pool, 8, 4);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {8, 1.5f})));
    EXPECT_GT(pool.size(), 500u);
    EXPECT_LT(pool.size(), 1000u);
    run(pool, 1200);
    RecordProperty("mean_speed", std::to_string(mean_speed(pool)));
    EXPECT_LT(mean_speed(pool), 1e-3);
    EXPECT_NEAR(2 * mean_height(pool), 1.5, 0.05);
}

/// 0.8 m in a frame: nothing gets into the disc or stays behind in it.
class FastDiscPhysics : public ::testing::TestWithParam<SolidKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, FastDiscPhysics,
                         ::testing::Values(SolidKind::kinematic, SolidKind::dynamic),
                         [](const auto& info) {
                             return std::string(info.param == SolidKind::kinematic ? "kinematic"
                                                                                   : "dynamic");
                         });

TEST_P(FastDiscPhysics, PushesAPool) {
    Pool pool = make_pool();
    add_tank(pool, 8, 4);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {8, 1.5f})));
    const std::size_t count = pool.size();
    run(pool, 30);
    const SolidId disc = add_disc(pool, {-3, 0.8f}, 0.5f, 2000);
    ASSERT_TRUE(pool.remove_solid(0));  // its way is free: the floor alone is left
    ASSERT_TRUE(pool.add_solid({.shapes = {Shape2::box({-30, -1}, {60, 0})}}));
    const Point2 before = momentum(pool);
    SolidState state = *pool.solid(disc);
    state.velocity = {50, 0};
    state.acceleration = {0, 0};
    if (GetParam() == SolidKind::kinematic)
        state.inverse_mass = state.inverse_inertia = 0;
    ASSERT_TRUE(pool.set_solid(disc, state));
    std::size_t within = 0;
    double deepest = 0, impulse = 0;
    for (int frame = 0; frame < 15; ++frame) {
        run(pool, 1);
        const SolidState now = *pool.solid(disc);
        impulse += pool.push_on(disc)->impulse.x;
        for (const Point2& x : pool.positions()) {
            const double d = std::hypot(x.x - now.position.x, x.y - now.position.y) - 0.5;
            within += d < -0.01;
            deepest = std::min(deepest, d);
        }
    }
    RecordProperty("deepest", std::to_string(deepest));
    RecordProperty("momentum", std::to_string(momentum(pool).x - before.x));
    EXPECT_EQ(within, 0u) << deepest;
    EXPECT_EQ(pool.size(), count);
    EXPECT_GT(momentum(pool).x - before.x, 1000);
    const Point2 v = pool.solid(disc)->velocity;
    if (GetParam() == SolidKind::kinematic)
        EXPECT_EQ(v, (Point2{50, 0}));
    else {
        EXPECT_LT(v.x, 50);
        EXPECT_LT(impulse, -1000);
    }
    for (const Point2& x : pool.positions())
        ASSERT_TRUE(std::isfinite(x.x) && std::isfinite(x.y));
}

TEST(GamePhysics, AVeryLightBoxStaysOnTheSurface) {
    Pool pool = make_pool();
    add_tank(pool, 4, 5);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {4, 1})));
    const SolidId box = add_box(pool, {2, 1.5f}, 0.6f, 1);  // a thousandth of the water's density
    for (int frame = 0; frame < 300; ++frame) {
        run(pool, 1);
        const SolidState state = *pool.solid(box);
        ASSERT_TRUE(std::isfinite(state.position.x) && std::isfinite(state.position.y));
        ASSERT_LT(std::hypot(state.velocity.x, state.velocity.y), 20) << frame;
    }
    EXPECT_GT(pool.solid(box)->position.y, 1.1f);
    EXPECT_LT(pool.solid(box)->position.y, 1.7f);
    EXPECT_LT(mean_speed(pool), 0.3);
}

/// A million times as heavy as the water in its place: it falls as if there were none.
TEST(GamePhysics, AVeryHeavyBoxFallsThrough) {
    Pool pool = make_pool();
    add_tank(pool, 4, 5);
    ASSERT_TRUE(pool.fill(Shape2::box({0, 0}, {4, 2})));
    const SolidId box = add_box(pool, {2, 2.6f}, 0.6f, 1e9f);
    for (int frame = 1; frame <= 36; ++frame) {
        run(pool, 1);
        const double t = frame / 60.0;
        EXPECT_NEAR(pool.solid(box)->position.y, 2.6 - 0.5 * 9.81 * t * t, 9.81 * t / 60 + 0.01);
        for (const Point2& x : pool.positions())
            ASSERT_TRUE(std::isfinite(x.x) && std::isfinite(x.y));
    }
    EXPECT_LT(pool.solid(box)->position.y, 1);
    EXPECT_NEAR(pool.solid(box)->angle, 0, 1e-3f);
}

}  // namespace
}  // namespace millrace
