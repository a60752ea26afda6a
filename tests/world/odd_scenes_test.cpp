// Scenes that cannot go well end with a line that says so, or are put right with a word.
#include <gtest/gtest.h>

#include <algorithm>

#include "millrace/simulation.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

/// 0.4 m x 0.3 m x 0.24 m of water at 0.04 m, in a tank that is open above.
Scene small_tank() {
    Scene scene = full_tank<3>(1, 0.04);
    std::get<Box>(scene.fluids[0].fill[0].shape).max = {0.4, 0.3, 0.24};
    std::get<Box>(scene.boundaries[0].shape).max = {0.4, 0.6, 0.24};
    return scene;
}

struct End {
    std::string error;  ///< empty: it went on to the end
    double max_speed = 0;
    int retakes = 0;
    std::uint64_t outside = 0;
    std::vector<std::string> warnings;
};

End run(const Scene& scene, double seconds) {
    Simulation simulation(scene, {"cpu", 2});
    End end;
    try {
        while (simulation.time() < seconds) {
            const StepReport report = simulation.step(seconds);
            end.max_speed = std::max(end.max_speed, report.max_speed);
            end.retakes += report.retakes;
        }
    } catch (const RunError& e) {
        end.error = e.what();
    }
    end.outside = simulation.outside_count();
    end.warnings = simulation.warnings();
    return end;
}

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

bool says(const std::vector<std::string>& lines, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return says(line, part); });
}

TEST(OddScenes, FixedStepsThatTheFlowDoesNotBearAreTakenInParts) {
    Scene scene = small_tank();
    scene.time_step.mode = "fixed";
    scene.time_step.dt = 0.1;
    const End end = run(scene, 1);
    EXPECT_EQ(end.error, "");
    EXPECT_EQ(end.outside, 0u);
    EXPECT_LT(end.max_speed, 2);
    EXPECT_TRUE(says(end.warnings, "time_step.dt: in a step of 0.1 s fluid moves by 2.5 spacings"));
    EXPECT_TRUE(says(end.warnings, "the flow does not bear steps of 0.1 s"));
}

TEST(OddScenes, AFixedStepThatFitsIsLeftAlone) {
    Scene scene = small_tank();
    scene.time_step.mode = "fixed";
    scene.time_step.dt = 0.008;
    Simulation simulation(scene, {"cpu", 2});
    for (int k = 0; k < 20; ++k)
        EXPECT_EQ(simulation.step().dt, 0.008);
    EXPECT_EQ(simulation.warning_count(), 0u);
}

TEST(OddScenes, ASupportOfOneIsSaid) {
    Scene scene = small_tank();
    scene.support = 1;
    const End end = run(scene, 0.1);
    EXPECT_TRUE(says(end.warnings, "support: within 1 spacings"));
    EXPECT_TRUE(says(end.error, "likely cause: support: within 1 spacings")) << end.error;
}

TEST(OddScenes, WaterThatIsSqueezedEndsTheRun) {
    Scene scene = small_tank();
    scene.boundaries[0].open.clear();
    Boundary piston;
    piston.name = "piston";
    piston.shape = Box{{0, 0.45, 0}, {0.4, 0.55, 0.24}};
    piston.motion = WallMotion();
    piston.motion->type = "linear";
    piston.motion->velocity = {0, -0.5, 0};
    scene.boundaries.push_back(piston);
    const End end = run(scene, 1);
    EXPECT_TRUE(says(end.error, "likely cause: the wall 'piston' may leave the fluid no room"))
        << end.error;
}

TEST(OddScenes, AThinPlateIsSaid) {
    Scene scene = small_tank();
    Boundary plate;
    plate.name = "plate";
    plate.shape = Box{{0.02, 0, 0}, {0.03, 0.4, 0.24}};
    plate.motion = WallMotion();
    plate.motion->type = "linear";
    plate.motion->velocity = {5, 0, 0};
    plate.motion->until = 0.07;
    scene.boundaries.push_back(plate);
    const End end = run(scene, 1);
    EXPECT_TRUE(says(end.warnings, "boundaries[1].box: a wall of 0.01 m is thinner than a"));
    EXPECT_TRUE(!end.error.empty() || end.outside > 0) << end.max_speed;
}

Body cube(double density, const Vector& position) {
    Body body;
    body.name = "cube";
    body.shape = BodyBox{{0.16, 0.16, 0.16}};
    body.density = density;
    body.position = position;
    return body;
}

TEST(OddScenes, ABodyInAWallIsSaid) {
    Scene scene = small_tank();
    scene.boundaries[0].name = "tank";
    scene.bodies.push_back(cube(500, {0, 0.2, 0.12}));
    EXPECT_TRUE(says(Simulation(scene, {"cpu", 1}).warnings(),
                     "bodies[0].position: 'cube' begins inside the wall 'tank'"));
    scene.bodies[0].position = {0.2, 0.08, 0.12};  // on the floor
    EXPECT_TRUE(Simulation(scene, {"cpu", 1}).warnings().empty());
    scene.bodies[0].position = {0.08, 0.4, 0.08};  // in a corner
    EXPECT_TRUE(Simulation(scene, {"cpu", 1}).warnings().empty());
}

TEST(OddScenes, AMassOfNextToNothingIsPutRight) {
    Scene scene = small_tank();
    scene.bodies.push_back(cube(500, {0.2, 0.45, 0.12}));
    scene.bodies[0].mass = 1e-12;
    const End end = run(scene, 0.5);
    EXPECT_TRUE(says(end.warnings, "bodies[0].mass: 1e-12 kg is next to nothing"));
    EXPECT_EQ(end.error, "");
    EXPECT_LT(end.max_speed, 2);
    scene.bodies[0].mass = 0.01;
    EXPECT_TRUE(Simulation(scene, {"cpu", 1}).warnings().empty());
}

TEST(OddScenes, PcisphBearsAHeavyLid) {
    Scene scene = small_tank();
    scene.pressure.method = "pcisph";
    Body lid = cube(8000, {0.2, 0.36, 0.12});
    lid.shape = BodyBox{{0.38, 0.1, 0.22}};
    scene.bodies.push_back(lid);
    const End end = run(scene, 0.4);
    EXPECT_EQ(end.error, "");
    EXPECT_LT(end.max_speed, 6);
}

TEST(OddScenes, WhatGoesThroughWallsIsCountedAndSaidOnce) {
    Scene scene = small_tank();
    scene.fluids[0].velocity = {1000, 0, 0};
    const End end = run(scene, 0.01);
    EXPECT_EQ(end.error, "");
    EXPECT_GT(end.outside, 0u);
    EXPECT_EQ(std::count_if(end.warnings.begin(), end.warnings.end(),
                            [](const std::string& line) { return says(line, "closed walls"); }),
              1);
}

// What was outside when a run was stopped is outside when it goes on.
TEST(OddScenes, TheCountIsPartOfASnapshot) {
    Scene scene = small_tank();
    scene.fluids[0].velocity = {1000, 0, 0};
    Simulation first(scene, {"cpu", 1}), second(scene, {"cpu", 1});
    first.advance(0.01);
    ASSERT_GT(first.outside_count(), 0u);
    second.restore(first.snapshot());
    EXPECT_EQ(second.outside_count(), first.outside_count());
}

// A tolerance of thirty per cent may compress, but must not burst.
TEST(OddScenes, LooseTolerancesDoNotBurst) {
    Scene scene = small_tank();
    scene.pressure.avg_error = scene.pressure.divergence_error = 0.3;
    scene.pressure.max_error = 1;
    const End end = run(scene, 0.5);
    EXPECT_EQ(end.error, "");
    EXPECT_LT(end.max_speed, 2);
}

}  // namespace
}  // namespace millrace
