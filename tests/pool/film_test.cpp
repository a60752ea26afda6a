#include "pool/film.hpp"

#include <gtest/gtest.h>

#include "support/pool_scenes.hpp"

namespace millrace {
namespace {

/// The height of the centre of a box of 0.6 m that starts flush on the floor, after some seconds
/// under 1.2 m of water.
float height_after(float relative_density, float seconds) {
    Pool pool = make_pool();
    add_tank(pool, 4, 4);
    const SolidId box = add_box(pool, {2, 0.3f}, 0.6f, 1000 * relative_density);
    EXPECT_TRUE(pool.fill(Shape2::box({0, 0}, {4, 1.2f})));
    float last = 0;
    for (int k = 0; k < static_cast<int>(60 * seconds); ++k) {
        EXPECT_TRUE(pool.step(1.0f / 60));
        SolidState state = *pool.solid(box);
        if (state.position.y < 0.3f) {  // the floor, which a rigid-body engine would see to
            state.position.y = 0.3f;
            state.velocity.y = std::max(0.0f, state.velocity.y);
            state.angle = state.angular_velocity = 0;
            EXPECT_TRUE(pool.set_solid(box, state));
        }
        last = state.position.y;
    }
    return last;
}

TEST(Film, ALightBoxOnTheFloorIsLifted) {
    EXPECT_GT(height_after(0.5f, 6), 0.8f);
}

TEST(Film, AHeavyBoxOnTheFloorStays) {
    EXPECT_LT(height_after(2, 3), 0.35f);
}

}  // namespace
}  // namespace millrace
