#include "analysis/s2_machine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/s2_pile.hpp"
#include "analysis/s2_pump.hpp"

namespace millrace {
namespace {

using Verdict = Claim::Verdict;

TEST(S2Machine, LengthsAndWidthsAreThoseOfTheShapes) {
    Body plank;
    plank.shape = BodyBox{{2, 0.5, 0}};
    EXPECT_DOUBLE_EQ(body_length(plank), 2);
    EXPECT_DOUBLE_EQ(body_width(plank, {3, 0, 0}), 0.5);
    plank.rotation.angle = 90;
    EXPECT_NEAR(body_width(plank, {3, 0, 0}), 2, 1e-12);
    plank.rotation.angle = 30;
    EXPECT_NEAR(body_width(plank, {std::cos(std::numbers::pi / 6), 0.5, 0}), 0.5, 1e-12);
    Body ball;
    ball.shape = BodySphere{0.3};
    EXPECT_DOUBLE_EQ(body_length(ball), 0.6);
    Body triangle;
    triangle.shape = Polygon{{{0, 0, 0}, {1, 0, 0}, {0, 3, 0}}};
    EXPECT_DOUBLE_EQ(body_length(triangle), 3);
    EXPECT_DOUBLE_EQ(body_width(triangle, {0, 1, 0}), 1);
}

TEST(S2Machine, JointsAreWatchedThroughARun) {
    const Scene scene = parse_scene(R"({
        "millrace": 1, "dimension": 2, "spacing": 0.1,
        "fluids": [ { "fill": [ { "box": { "min": [0, 0], "max": [1, 0.3] } } ] } ],
        "boundaries": [ { "box": { "min": [0, 0], "max": [1, 2] }, "inside": true } ],
        "bodies": [ { "name": "arm", "box": { "size": [0.4, 0.1] }, "position": [0.7, 1] } ],
        "joints": [ { "type": "hinge", "bodies": ["arm", "world"], "anchor": [0.5, 1] } ],
        "engine": "constraints" })");
    int looks = 0;
    ExperimentOptions options;
    options.device.threads = 1;
    const MachineRun run =
        run_machine(scene, 0.1, options, [&](const ConstraintWorld<2>&) { ++looks; });
    EXPECT_EQ(run.particles, 30);
    EXPECT_DOUBLE_EQ(run.shortest, 0.4);
    EXPECT_GE(looks, 13);
    EXPECT_EQ(run.times.size(), 2u);
    EXPECT_GT(run.joint_error, 0);
    for (const Claim& claim : machine_claims(run))
        EXPECT_EQ(claim.verdict, Verdict::holds) << claim.text << ": " << claim.figures;
}

TEST(S2Machine, LooseJointsAndLostParticlesAreFound) {
    MachineRun run;
    run.particles = 100;
    run.lost = 1;
    run.shortest = 0.5;
    run.joint_error = 0.006;
    for (const Claim& claim : machine_claims(run))
        EXPECT_EQ(claim.verdict, Verdict::does_not_hold) << claim.text;
}

TEST(S2Pump, TurnsAreCountedWhereThePistonPassesItsMiddle) {
    std::vector<double> places;
    for (int k = 0; k <= 350; ++k)
        places.push_back(5 - 2 * std::cos(2 * std::numbers::pi * (k + 0.5) / 100));
    const PistonMotion motion = piston_motion(places);
    EXPECT_NEAR(motion.stroke, 4, 0.01);
    EXPECT_EQ(motion.turns, 3);  // it passes the middle forwards four times
    EXPECT_EQ(motion.begin, 25u);
    EXPECT_EQ(motion.end, 325u);
    EXPECT_EQ(piston_motion({1, 2, 3}).turns, 0);
}

TEST(S2Pump, OutletCountsWhatRisesLessWhatComesBack) {
    OutletCounter counter({1, 2, 0}, 0.5);
    const std::vector<std::uint32_t> ids = {7, 3, 5};
    counter.look(std::vector<float>{1, 1.9f, 1.1f, 1.8f, 3, 1.9f}, ids);
    EXPECT_EQ(counter.passed(), 0);
    counter.look(std::vector<float>{1, 2.1f, 1.1f, 2.2f, 3, 2.1f}, ids);
    EXPECT_EQ(counter.passed(), 2);  // the third is beside the line
    counter.look(std::vector<float>{1, 1.9f, 1, 2.5f}, std::vector<std::uint32_t>{7, 3});
    EXPECT_EQ(counter.passed(), 1);
}

TEST(S2Pile, LowestPointOfATurnedCubeIsItsCorner) {
    BodyView body;
    body.position = {0, 1, 0};
    EXPECT_DOUBLE_EQ(lowest_point(body, 0.2, 0), 0.9);
    EXPECT_DOUBLE_EQ(lowest_point(body, 0, 0.3), 0.7);
    const double half_turn = std::numbers::pi / 8;  // 45 degrees about x
    body.rotation = {std::cos(half_turn), std::sin(half_turn), 0, 0};
    EXPECT_NEAR(lowest_point(body, 0.2, 0), 1 - 0.1 * std::sqrt(2), 1e-12);
}

TEST(S2Pile, BodiesLieOnTheFloorOrOnEachOther) {
    const std::vector<PileBody> bodies = {{true, {0, 0.16, 0}, 0.11},
                                          {true, {0, 0.05, 0}, 0},
                                          {true, {0.5, 0.2, 0}, 0.15},
                                          {false, {0.2, 0.4, 0}, 0.35}};
    EXPECT_EQ(lie_at_bottom(bodies, 0.05, 0.2), (std::vector<bool>{true, true, false, false}));
    const auto claims = pile_claims(bodies, 0.42, 0.1, 0.01);
    EXPECT_EQ(claims.at(0).verdict, Verdict::does_not_hold);
    EXPECT_EQ(claims[0].figures, "2 of 3");
    EXPECT_EQ(claims.at(1).verdict, Verdict::holds);
}

TEST(S2Pump, TheFlowIsJudged) {
    EXPECT_EQ(pump_claim(5, 0.92).verdict, Claim::Verdict::holds);
    EXPECT_EQ(pump_claim(5, 0.89).verdict, Claim::Verdict::does_not_hold);
    EXPECT_EQ(pump_claim(0, 1).verdict, Claim::Verdict::not_measured);
}

}  // namespace
}  // namespace millrace
