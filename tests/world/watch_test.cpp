#include "world/watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.hpp"

namespace millrace {
namespace {

// 1 m of water in a tank of 1.5 m
Scene tank() {
    return full_tank<3>(10, 0.1);
}

TEST(Watch, ScaleIsThatOfWhatDrivesTheScene) {
    const double fall2 = 2 * 9.81 * 1.5;
    EXPECT_NEAR(make_watch<3>(tank(), make_solids<3>(tank())).scale(), std::sqrt(fall2), 1e-6);

    Scene scene = tank();
    Emitter jet;
    jet.speed = 20;
    scene.fluids[0].emitters.push_back(jet);
    EXPECT_NEAR(make_watch<3>(scene, make_solids<3>(scene)).scale(), std::sqrt(fall2 + 400), 1e-6);

    scene = tank();
    Body ball;
    ball.shape = BodySphere{0.2};
    ball.position = {0.5, 4.8, 0.5};
    ball.velocity = {0, -30, 0};
    scene.bodies.push_back(ball);
    Watch watch = make_watch<3>(scene, make_solids<3>(scene));
    EXPECT_NEAR(watch.scale(), std::sqrt(2 * 9.81 * 5 + 900), 1e-6);
    watch.see_walls(40);
    watch.see_walls(10);  // it does not forget
    EXPECT_NEAR(watch.scale(), std::sqrt(2 * 9.81 * 5 + 900 + 1600), 1e-6);

    // what has left the tank falls on
    Watch deep = make_watch<3>(tank(), make_solids<3>(tank()));
    deep.see_bottom(-8.5);
    EXPECT_NEAR(deep.scale(), std::sqrt(2 * 9.81 * 10), 1e-6);

    // drops of a tenth of a millimetre are drawn together at 1.2 m/s
    scene = free_block<3>(5, 1e-4);
    scene.fluids[0].surface_tension.method = "cohesion";
    scene.fluids[0].surface_tension.sigma = 0.072;
    EXPECT_NEAR(make_watch<3>(scene, make_solids<3>(scene)).scale(), 1.2, 0.01);
}

Prospect calm() {
    Prospect prospect;
    prospect.speed = 8;
    prospect.way = 0.5;
    prospect.mass = 1000;
    prospect.compression = 0.002;
    return prospect;
}

TEST(Watch, ComplainsOfNonsense) {
    const Watch watch = make_watch<3>(tank(), make_solids<3>(tank()));
    EXPECT_EQ(watch.complaint(calm()), "");
    Prospect prospect = calm();
    prospect.finite = false;
    EXPECT_EQ(watch.complaint(prospect), "a velocity that is no number");
    prospect = calm();
    prospect.speed = 70;
    EXPECT_EQ(watch.complaint(prospect), "70 m/s, where falls, walls and emitters make 5.4");
    prospect = calm();
    prospect.way = 3;
    EXPECT_EQ(watch.complaint(prospect), "a way of 3.0 spacings in one step");
    prospect = calm();
    prospect.pressure_gain = 2000;  // of 14.7 kJ at the scale's speed
    EXPECT_EQ(watch.complaint(prospect), "pressures that bring 2e+03 J from nowhere");
    prospect.pressure_gain = -1e6;  // they take as much as they will
    EXPECT_EQ(watch.complaint(prospect), "");
    prospect = calm();
    prospect.compression = 0.3;
    EXPECT_EQ(watch.complaint(prospect), "fluid that is pressed together by 30 %");
}

// Without anything that drives it, there is no scale either: a free block is left in peace.
TEST(Watch, NoScaleNoComplaint) {
    const Watch watch = make_watch<3>(free_block<3>(5), make_solids<3>(free_block<3>(5)));
    EXPECT_EQ(watch.scale(), 0);
    EXPECT_EQ(watch.complaint(calm()), "");
}

TEST(Watch, LightFluidBelowAHeavyOneMayBeFast) {
    Scene scene = tank();
    scene.fluids.push_back(scene.fluids[0]);
    scene.fluids[1].density = 100000;
    Prospect prospect = calm();
    prospect.speed = 70;
    EXPECT_EQ(make_watch<3>(scene, make_solids<3>(scene)).complaint(prospect), "");
    prospect.speed = 700;
    EXPECT_NE(make_watch<3>(scene, make_solids<3>(scene)).complaint(prospect), "");
}

TEST(Watch, LastWordsNameTimePlaceAndCause) {
    const Scene scene = tank();
    EXPECT_EQ(make_watch<3>(scene, make_solids<3>(scene)).last_words(0.25, {1, 2, 3}, "70 m/s", ""),
              "the simulation lost its footing at t = 0.25 s near (1, 2, 3): 70 m/s, also in "
              "shorter steps; likely cause: the particles may be too coarse for it; try a smaller "
              "spacing, time_step.max or cfl");
    EXPECT_NE(make_watch<3>(scene, make_solids<3>(scene))
                  .last_words(0.25, {1, 2, 3}, "70 m/s", "the wall 'piston'")
                  .find("likely cause: the wall 'piston' may leave the fluid no room"),
              std::string::npos);
    Scene odd = scene;
    odd.support = 1;
    EXPECT_NE(make_watch<3>(odd, make_solids<3>(odd))
                  .last_words(0, {1, 2, 3}, "70 m/s", "")
                  .find("likely cause: support: "),
              std::string::npos);
}

}  // namespace
}  // namespace millrace
