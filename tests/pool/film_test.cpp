#include "pool/film.hpp"

#include <gtest/gtest.h>

#include "support/pool_scenes.hpp"

namespace millrace {
namespace {

/// The height of the centre of a box of 0.6 m that starts flush on the floor, after some seconds
/// under 1.2 m of water; with x = 0.3 m it touches the left wall, too.
float height_after(float relative_density, float seconds, float x = 2) {
    Pool pool = make_pool();
    add_tank(pool, 4, 4);
    const SolidId box = add_box(pool, {x, 0.3f}, 0.6f, 1000 * relative_density);
    EXPECT_TRUE(pool.fill(Shape2::box({0, 0}, {4, 1.2f})));
    float last = 0;
    for (int k = 0; k < static_cast<int>(60 * seconds); ++k) {
        EXPECT_TRUE(pool.step(1.0f / 60));
        SolidState state = *pool.solid(box);
        // floor and wall, which a rigid-body engine would see to
        if (state.position.y < 0.3f) {
            state.position.y = 0.3f;
            state.velocity.y = std::max(0.0f, state.velocity.y);
            state.angle = state.angular_velocity = 0;
            EXPECT_TRUE(pool.set_solid(box, state));
        }
        if (state.position.x < 0.3f) {
            state.position.x = 0.3f;
            state.velocity.x = std::max(0.0f, state.velocity.x);
            EXPECT_TRUE(pool.set_solid(box, state));
        }
        last = state.position.y;
    }
    return last;
}

TEST(Film, ALightBoxOnTheFloorIsLifted) {
    EXPECT_GT(height_after(0.5f, 6), 0.8f);
}

/// Under it and beside it are films: what counts in them is the head.
TEST(Film, ALightBoxInACornerIsLifted) {
    EXPECT_GT(height_after(0.7f, 6, 0.3f), 0.6f);
}

TEST(Film, AHeavyBoxOnTheFloorStays) {
    EXPECT_LT(height_after(2, 3), 0.35f);
}

}  // namespace
}  // namespace millrace
