#include "world/advice.hpp"

#include <gtest/gtest.h>

#include "fluid/standard_viscosity.hpp"

namespace millrace {
namespace {

Scene water() {
    return parse_scene(R"({"millrace": 1, "spacing": 0.05,
        "fluids": [{"fill": [{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}]})",
                       "water.json");
}

TEST(Advice, NothingToSayAboutWater) {
    EXPECT_TRUE(advice_for<3>(water()).empty());
}

TEST(Advice, ThickFluidsAreForTheImplicitMethod) {
    Scene scene = water();
    Viscosity& viscosity = scene.fluids[0].viscosity;
    viscosity = {.method = "standard", .nu = 10};
    const auto lines = advice_for<3>(scene);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].find("fluids[0].viscosity: `standard` needs steps of "), 0u) << lines[0];
    EXPECT_NE(lines[0].find("`implicit`; use that method"), std::string::npos) << lines[0];
    viscosity.nu = 1e6;  // beyond time_step.min
    EXPECT_NE(advice_for<3>(scene).at(0).find("is stable at nu = 1e+06 m^2/s in steps of"),
              std::string::npos);
    viscosity.method = "implicit";
    EXPECT_TRUE(advice_for<3>(scene).empty());

    // a fixed step at which the method is stable, and one at which it is not
    viscosity = {.method = "standard", .nu = 10};
    scene.time_step.mode = "fixed";
    const double longest = longest_viscous_step<3>(10, scene.spacing, scene.support);
    scene.time_step.dt = 0.9 * longest;
    EXPECT_TRUE(advice_for<3>(scene).empty());
    scene.time_step.dt = 1.1 * longest;
    EXPECT_EQ(advice_for<3>(scene).size(), 1u);
}

TEST(Advice, DensitiesOfAnotherUnit) {
    Scene scene = water();
    for (const double density : {0.08, 1.2, 1000., 13600.}) {
        scene.fluids[0].density = density;
        EXPECT_TRUE(advice_for<3>(scene).empty()) << density;
    }
    for (const double density : {1e-9, 1e12}) {
        scene.fluids[0].density = density;
        const auto lines = advice_for<3>(scene);
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_EQ(lines[0].find("fluids[0].density: "), 0u) << lines[0];
        EXPECT_NE(lines[0].find("is the unit kg/m^3?"), std::string::npos) << lines[0];
    }
}

TEST(Advice, FluidsTooUnlike) {
    Scene scene = water();
    scene.fluids.push_back(scene.fluids[0]);
    scene.fluids[1].density = 13600;
    EXPECT_TRUE(advice_for<3>(scene).empty());
    scene.fluids[0].density = 100;
    EXPECT_EQ(advice_for<3>(scene).at(0).find("fluids: one fluid is 136 times as heavy"), 0u);
}

TEST(Advice, ThinnerThanASpacing) {
    Scene scene = water();
    Boundary plate;
    plate.shape = Box{{0, 0, 0}, {1, 1, 0.04}};
    scene.boundaries = {plate};
    EXPECT_EQ(advice_for<3>(scene).at(0).find("boundaries[0].box: a wall of 0.04 m is thinner"),
              0u);
    scene.boundaries[0].scale = {1, 1, 2};
    EXPECT_TRUE(advice_for<3>(scene).empty());
    scene.boundaries[0].scale = {1, 1, 1};
    scene.boundaries[0].inside = true;  // a narrow tank is another matter
    EXPECT_TRUE(advice_for<3>(scene).empty());
    Body board;
    board.shape = BodyBox{{1, 0.03, 1}};
    scene.bodies = {board};
    EXPECT_EQ(advice_for<3>(scene).at(0).find("bodies[0].box: a body of 0.03 m is thinner"), 0u);
}

TEST(Advice, FixedStepsInWhichFluidGoesTooFar) {
    Scene scene = water();
    scene.time_step.mode = "fixed";
    scene.time_step.dt = 0.05;  // 0.5 spacings by gravity
    EXPECT_TRUE(advice_for<3>(scene).empty());
    scene.time_step.dt = 0.1;
    EXPECT_EQ(advice_for<3>(scene).at(0).find("time_step.dt: in a step of 0.1 s fluid moves by 2 "),
              0u);
    scene.time_step.dt = 0.01;
    scene.fluids[0].velocity = {6, 0, 0};
    EXPECT_EQ(advice_for<3>(scene).size(), 1u);
}

TEST(Advice, TensionThatNeedsShorterStepsThanAreAllowed) {
    Scene scene = water();
    scene.spacing = 1e-5;
    scene.fluids[0].surface_tension.method = "cohesion";
    scene.fluids[0].surface_tension.sigma = 0.072;
    EXPECT_EQ(advice_for<3>(scene).at(0).find("fluids[0].surface_tension: sigma = 0.072 N/m"), 0u);
    scene.time_step.min = 1e-9;
    EXPECT_TRUE(advice_for<3>(scene).empty());
}

}  // namespace
}  // namespace millrace
