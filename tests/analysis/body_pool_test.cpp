#include "analysis/body_pool.hpp"

#include <gtest/gtest.h>

#include "analysis/s0_rigid.hpp"

namespace millrace {
namespace {

TEST(BodyPool, AreaBelowALevelIsThatOfTheClippedPolygon) {
    const std::vector<Point2> square = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    EXPECT_DOUBLE_EQ(area_below(square, -1), 0);
    EXPECT_DOUBLE_EQ(area_below(square, 0.5), 1);
    EXPECT_DOUBLE_EQ(area_below(square, 3), 4);
    const std::vector<Point2> clockwise(square.rbegin(), square.rend());
    EXPECT_DOUBLE_EQ(area_below(clockwise, 0.5), 1);
    // on its corner: a triangle, half, and all but a triangle
    const std::vector<Point2> diamond = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    EXPECT_DOUBLE_EQ(area_below(diamond, -0.5), 0.25);
    EXPECT_DOUBLE_EQ(area_below(diamond, 0), 1);
    EXPECT_DOUBLE_EQ(area_below(diamond, 0.5), 1.75);
    const std::vector<Point2> triangle = {{0, 0}, {4, 0}, {0, 2}};
    EXPECT_DOUBLE_EQ(area_below(triangle, 1), 3);
}

TEST(BodyPool, LevelRisesByWhatBodiesDisplace) {
    BodyScene scene;
    scene.width = 4;
    scene.size = 1;
    scene.relative_densities = {0.5, 1.5};
    EXPECT_DOUBLE_EQ(water_level(scene, 8), (8 + 0.5 + 1) / 4);
}

TEST(S0Rigid, LightBodiesMustFloatAndHeavyOnesLieOnTheFloor) {
    BodyResult light{"spook", true, false, 0.1, 0.5, 2.2, 2.2, 0.55, 1.9};
    BodyResult heavy{"spook", true, false, 0.1, 1.25, 0.3, 0.3, 1, 0.02};
    EXPECT_TRUE(light.obeys_archimedes());
    EXPECT_TRUE(heavy.obeys_archimedes());
    EXPECT_EQ(rigid_claims({light, heavy}).at(0).verdict, Claim::Verdict::holds);
    light.displaced = 0.7;
    heavy.gap = 0.1;  // on a row of particles
    EXPECT_FALSE(light.obeys_archimedes());
    EXPECT_FALSE(heavy.obeys_archimedes());
    BodyResult s0 = light;
    s0.is_own = false;
    const std::vector<Claim> claims = rigid_claims({s0, light, heavy});
    ASSERT_EQ(claims.size(), 1u);
    EXPECT_EQ(claims[0].verdict, Claim::Verdict::does_not_hold);
    EXPECT_EQ(
        claims[0].figures,
        "0.5: 0.7 of it in the water, 1.9 m above the floor; 1.25: 1 of it in the water, 0.1 m "
        "above the floor");
    BodyResult neutral{"spook", true, false, 0.1, 1, 1, 0, 0.9, 0.7};
    EXPECT_TRUE(neutral.obeys_archimedes());
}

}  // namespace
}  // namespace millrace
