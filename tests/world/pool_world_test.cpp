// Scenes that run in the pool, through Simulation.
#include "world/pool_world.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/scenes.hpp"
#include "world/make_flat_bodies.hpp"

namespace millrace {
namespace {

/// A tank of 2 m x 2 m with water of half its height, `keys` besides.
Scene tank(const std::string& keys = "", const std::vector<std::string>& overrides = {}) {
    return parse_scene(R"({
      "millrace": 1, "name": "tank", "dimension": 2, "spacing": 0.1, "gravity": [0, -10],
      "fluids": [ { "fill": [ { "box": { "min": [0, 0], "max": [2, 1] } } ] } ],
      "boundaries": [ { "name": "tank", "box": { "min": [0, 0], "max": [2, 2] }, "inside": true,
                        "open": ["+y"] } ],
      "engine": "game")" + (keys.empty() ? "" : ", " + keys) +
                           "}",
                       "tank.json", overrides);
}

/// The same without gravity and without water, but for a nozzle.
Scene nozzle(const std::string& emitter, const std::string& keys = "") {
    return tank(keys,
                {"gravity=[0, 0]", "fluids=[{\"emitters\": [" + emitter + "]}]", "boundaries=[]"});
}

std::string refusal(const Scene& scene, const Simulation::Options& options = {}) {
    try {
        Simulation(scene, options);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

double mean_x(const Simulation& simulation) {
    double sum = 0;
    for (std::size_t i = 0; i < simulation.fluid_count(); ++i)
        sum += simulation.positions()[2 * i];
    return sum / static_cast<double>(simulation.fluid_count());
}

TEST(PoolWorld, StepsAreReported) {
    Simulation simulation(tank(), {"cpu", 1});
    const std::size_t n = simulation.fluid_count();
    EXPECT_NEAR(static_cast<double>(n), 200, 10);
    StepReport report;
    for (int k = 1; k <= 30; ++k) {
        report = simulation.step(0.5);
        EXPECT_EQ(report.step, k);
        EXPECT_NEAR(report.dt, 1.0 / 60, 1e-9);
        EXPECT_NEAR(report.time, k / 60.0, 1e-9);
    }
    EXPECT_EQ(report.time, 0.5);
    EXPECT_EQ(simulation.time(), 0.5);
    EXPECT_EQ(report.fluid_particles, n);
    EXPECT_EQ(report.boundary_particles, 0u);
    EXPECT_GT(report.iterations, 0);
    EXPECT_NEAR(report.avg_density, 1000, 50);
    EXPECT_LT(report.avg_density_error, 0.05);
    EXPECT_GE(report.max_density_error, report.avg_density_error);
    EXPECT_LT(report.max_speed, 1);
    EXPECT_NEAR(report.max_height, 1, 0.1);
    // the water's weight at half of its height
    EXPECT_NEAR(report.potential_energy, 2000 * 10 * 0.5, 1000);
    EXPECT_GT(report.kinetic_energy, 0);
    EXPECT_LT(report.kinetic_energy, 200);
    EXPECT_GE(report.ms.total, report.ms.neighbors + report.ms.pressure + report.ms.forces);
    EXPECT_EQ(simulation.lost_count(), 0u);
    EXPECT_EQ(simulation.dimension(), 2);
    EXPECT_EQ(simulation.device_name(), "cpu");
    EXPECT_EQ(simulation.threads(), 1);
    EXPECT_EQ(simulation.positions().size(), 2 * n);
    EXPECT_EQ(simulation.ids().size(), n);
    EXPECT_NEAR(simulation.volumes()[0], 0.01, 1e-9);
    EXPECT_GT(simulation.densities()[0], 500);
    EXPECT_TRUE(simulation.boundary_positions().empty());
    EXPECT_TRUE(simulation.bodies().empty());
    EXPECT_GT(simulation.memory_bytes(), n);
}

TEST(PoolWorld, StepsFitTheTimesTheyEndAt) {
    Simulation simulation(tank(), {"cpu", 1});
    EXPECT_DOUBLE_EQ(simulation.step(0.02).dt, 0.01);  // not one long and one short
    EXPECT_DOUBLE_EQ(simulation.step(0.02).time, 0.02);
    EXPECT_EQ(simulation.step(0.021).time, 0.021);
    EXPECT_NEAR(simulation.step().dt, 1.0 / 60, 1e-12);

    Simulation fixed(tank(R"("time_step": {"mode": "fixed", "dt": 0.004})"), {"cpu", 1});
    EXPECT_DOUBLE_EQ(fixed.step(0.1).dt, 0.004);
    EXPECT_DOUBLE_EQ(fixed.step(0.005).time, 0.005);
}

TEST(PoolWorld, RunsOnTheCpuOnly) {
    EXPECT_EQ(refusal(tank(), {"cuda", 0}),
              "device: the engine 'game' runs on the cpu, not on cuda");
    EXPECT_EQ(Simulation(tank(), {"auto", 2}).device_name(), "cpu");
    EXPECT_EQ(Simulation(tank(), {"auto", 2}).threads(), 2);
}

TEST(PoolWorld, WrongScenesAreRefused) {
    EXPECT_EQ(
        refusal(tank("", {"pressure.rest_ratio=20", "pressure.method=clavet"})).find("pressu"), 0u);
    EXPECT_EQ(refusal(tank("", {R"(fluids[0].fill[0].box={"min": [-0.2, 3], "max": [-0.05, 3.2]})",
                                R"(domain={"min": [0, 0], "max": [2, 2]})"}))
                  .find("fluids"),
              0u);
    EXPECT_NE(refusal(tank("", {"spacing=1e-6"})).find("spacing"), std::string::npos);
    EXPECT_EQ(
        refusal(tank(R"("sinks": [{"box": {"min": [0, -1e9], "max": [1, 0]}}])")).find("sink"), 0u);
}

TEST(PoolWorld, BodiesNeedBox2d) {
    const Scene scene = tank(R"("bodies": [{"circle": {"radius": 0.2}, "position": [1, 1.5]}])");
    const std::string text = refusal(scene);
    if (has_box2d()) {
        EXPECT_EQ(text, "");
    } else {
        EXPECT_NE(text.find("libbox2d-dev"), std::string::npos) << text;
    }
}

TEST(PoolWorld, EmittersHaveTheirTimes) {
    Simulation simulation(nozzle(R"({"position": [0, 0], "direction": [1, 0], "speed": 2,
                                     "radius": 0.2, "from": 0.11, "until": 0.62})"),
                          {"cpu", 1});
    simulation.advance(0.11);
    EXPECT_EQ(simulation.fluid_count(), 0u);
    simulation.advance(0.25);
    // width times speed times time, less what is in the nozzle: two rows of four
    EXPECT_NEAR(static_cast<double>(simulation.fluid_count()), 0.4 * 2 * 0.25 / 0.01, 8);
    simulation.advance(0.34);
    const std::size_t all = simulation.fluid_count();
    EXPECT_NEAR(static_cast<double>(all), 0.4 * 2 * 0.51 / 0.01, 8);
    simulation.advance(0.3);
    EXPECT_EQ(simulation.fluid_count(), all);
    EXPECT_EQ(simulation.snapshot().emitted, std::vector<std::uint64_t>{all});
    // the first row has flown with the speed of the jet
    float front = 0;
    for (std::size_t i = 0; i < all; ++i)
        front = std::max(front, simulation.positions()[2 * i]);
    EXPECT_NEAR(front, 2 * (1 - 0.11), 0.15);
}

TEST(PoolWorld, EmittersStopAtTheirLimit) {
    Simulation simulation(
        nozzle(R"({"position": [0, 0], "speed": 2, "radius": 0.2, "max_particles": 17},
                  {"position": [0, 9], "speed": 1, "radius": 0.1})"),
        {"cpu", 1});
    simulation.advance(1);
    const std::vector<std::uint64_t> emitted = simulation.snapshot().emitted;
    ASSERT_EQ(emitted.size(), 2u);
    EXPECT_EQ(emitted[0], 17u);
    EXPECT_NEAR(static_cast<double>(emitted[1]), 20, 4);
    EXPECT_EQ(simulation.fluid_count(), emitted[0] + emitted[1]);
}

TEST(PoolWorld, EmittersRideOnBodies) {
    if (!has_box2d())
        GTEST_SKIP() << "Box2D is not built in";
    Simulation simulation(nozzle(R"({"position": [0, 0.5], "direction": [0, 1], "speed": 1,
                                     "radius": 0.2, "body": "cart"})",
                                 R"("bodies": [{"name": "cart", "box": {"size": [1, 0.2]},
                                    "density": 1e6, "velocity": [3, 0]}])"),
                          {"cpu", 1});
    simulation.advance(0.5);
    ASSERT_GT(simulation.fluid_count(), 10u);
    for (std::size_t i = 0; i < simulation.fluid_count(); ++i)
        EXPECT_NEAR(simulation.positions()[2 * i], 3 * 0.5, 0.3);
}

TEST(PoolWorld, SinksCountWhatTheyTake) {
    Simulation simulation(tank(R"("sinks": [
        {"name": "left", "box": {"min": [-1, -0.5], "max": [1, 0.2]}},
        {"name": "right", "box": {"min": [1, -0.5], "max": [3, 0.2]}}])"),
                          {"cpu", 1});
    const std::size_t n = simulation.fluid_count();
    simulation.advance(1);
    const std::vector<std::uint64_t> sunk = simulation.sunk_counts();
    ASSERT_EQ(sunk.size(), 2u);
    EXPECT_EQ(sunk[0] + sunk[1] + simulation.fluid_count(), n);
    EXPECT_GT(sunk[0] + sunk[1], 0.95 * static_cast<double>(n));
    EXPECT_NEAR(static_cast<double>(sunk[0]), static_cast<double>(sunk[1]), 0.1 * n);
    EXPECT_EQ(simulation.lost_count(), 0u);
}

TEST(PoolWorld, WhatLeavesTheDomainIsCounted) {
    Simulation simulation(tank("", {"boundaries=[]", R"(domain={"min": [-1, -1], "max": [3, 3]})"}),
                          {"cpu", 1});
    const std::size_t n = simulation.fluid_count();
    simulation.advance(1);
    EXPECT_EQ(simulation.fluid_count(), 0u);
    EXPECT_EQ(simulation.lost_count(), n);
}

TEST(PoolWorld, AScriptedWallPushesTheWater) {
    Scene scene = tank("", {R"(boundaries=[
        {"box": {"min": [0, 0], "max": [4, 3]}, "inside": true, "open": ["+y"]},
        {"name": "piston", "box": {"min": [-0.4, 0], "max": [0, 3]},
         "motion": {"type": "linear", "velocity": [0.5, 0], "until": 2}}])"});
    Simulation simulation(scene, {"cpu", 1});
    const std::size_t n = simulation.fluid_count();
    simulation.advance(2.5);
    EXPECT_EQ(simulation.fluid_count(), n);
    // behind the piston, which is at 1 m, there is nothing
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_GT(simulation.positions()[2 * i], 1);
    EXPECT_NEAR(mean_x(simulation), 2.5, 0.2);
    ASSERT_EQ(simulation.moving_walls().size(), 1u);
    EXPECT_NEAR(simulation.moving_walls()[0].position[0], 1, 1e-12);
}

// A box full of water that turns about its middle, far from the origin.
TEST(PoolWorld, ATurningWallCarriesTheWater) {
    Scene scene = tank("", {"gravity=[0, 0]", R"(boundaries=[
        {"box": {"min": [10, 0], "max": [12, 2]}, "inside": true,
         "motion": {"type": "rotate", "axis": [0, 0, 1], "center": [11, 1], "rpm": 30}}])",
                            R"(fluids=[{"fill": [{"box": {"min": [10, 0], "max": [12, 2]}}]}])"});
    Simulation simulation(scene, {"cpu", 1});
    const std::size_t n = simulation.fluid_count();
    simulation.advance(1);  // half a turn
    EXPECT_EQ(simulation.fluid_count(), n);
    double spin = 0, inertia = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = simulation.positions()[2 * i] - 11,
                     y = simulation.positions()[2 * i + 1] - 1;
        EXPECT_LT(std::max(std::abs(x), std::abs(y)), 1.01);  // it is upright again
        spin += x * simulation.velocities()[2 * i + 1] - y * simulation.velocities()[2 * i];
        inertia += x * x + y * y;
    }
    EXPECT_GT(spin / inertia, 0.1 * 3.14);
    EXPECT_LT(spin / inertia, 3.2);
}

void expect_same(const Snapshot& a, const Snapshot& b) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_EQ(a.ids, b.ids);
    EXPECT_EQ(a.emitted, b.emitted);
    EXPECT_EQ(a.sunk, b.sunk);
    EXPECT_EQ(a.bodies, b.bodies);
    EXPECT_EQ(a.pool, b.pool);
}

const char* k_busy = R"("sinks": [{"box": {"min": [1.7, 0], "max": [2, 0.3]}}])";
const std::vector<std::string> k_nozzle_and_paddle{
    R"(fluids[0].emitters=[{"position": [0.5, 1.5], "speed": 2, "radius": 0.1, "from": 0.1,
                            "until": 0.35}])",
    R"(boundaries=[{"box": {"min": [0, 0], "max": [2, 2]}, "inside": true, "open": ["+y"]},
                   {"name": "paddle", "box": {"min": [1, 0.5], "max": [1.1, 2]},
                    "motion": {"type": "sine", "amplitude": 0.2, "period": 1}}])"};

TEST(PoolWorld, RestoredRunsHaveTheSameBits) {
    const Scene scene = tank(k_busy, k_nozzle_and_paddle);
    Simulation straight(scene, {"cpu", 1}), resumed(scene, {"cpu", 2});
    straight.advance(0.25);
    resumed.restore(straight.snapshot());
    expect_same(straight.snapshot(), resumed.snapshot());
    straight.advance(0.25);
    resumed.advance(0.25);
    expect_same(straight.snapshot(), resumed.snapshot());
    EXPECT_GT(straight.snapshot().emitted[0], 0u);
    EXPECT_GT(straight.snapshot().sunk[0], 0u);
}

// Box2D's contacts forget, but bodies that touch only water go on as they were.
TEST(PoolWorld, RestoredBodiesGoOn) {
    if (!has_box2d())
        GTEST_SKIP() << "Box2D is not built in";
    const Scene scene = tank(R"("bodies": [{"box": {"size": [0.5, 0.4]}, "position": [1, 1.2],
                                            "angular_velocity": 1}])");
    Simulation straight(scene, {"cpu", 1}), resumed(scene, {"cpu", 1});
    straight.advance(0.5);
    resumed.advance(0.1);
    resumed.restore(straight.snapshot());
    straight.advance(0.5);
    resumed.advance(0.5);
    expect_same(straight.snapshot(), resumed.snapshot());
}

TEST(PoolWorld, SnapshotsOfOtherScenesAreRefused) {
    const auto refused = [](const Scene& scene, const Snapshot& snapshot) -> std::string {
        try {
            Simulation(scene, {"cpu", 1}).restore(snapshot);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    const Snapshot good = Simulation(tank()).snapshot();
    EXPECT_EQ(refused(tank(), good), "");
    Snapshot cut = good;
    cut.pool.resize(cut.pool.size() / 2);
    EXPECT_NE(refused(tank(), cut).find("snapshot: "), std::string::npos);
    cut.pool.clear();
    EXPECT_NE(refused(tank(), cut).find("pool"), std::string::npos);
    EXPECT_NE(refused(tank(k_busy), good).find("sinks"), std::string::npos);
    EXPECT_NE(refused(tank("", k_nozzle_and_paddle), good).find("emitters"), std::string::npos);
    EXPECT_NE(refused(tank("", {k_nozzle_and_paddle[1]}), good).find("walls"), std::string::npos);
    EXPECT_NE(refused(tank("", {"spacing=0.11"}), good).find("options"), std::string::npos);
    if (has_box2d()) {
        EXPECT_NE(refused(tank(R"("bodies": [{"circle": {"radius": 0.2}}])"), good).find("bodies"),
                  std::string::npos);
    }
}

TEST(PoolWorld, SizesAreEstimated) {
    EXPECT_NEAR(estimate_size(tank()).fluid_particles, 200, 1e-3);
    EXPECT_EQ(estimate_size(tank()).boundary_particles, 0);
    const auto size = [](const std::string& fill) {
        return estimate_size(tank("", {"fluids[0].fill=[{" + fill + "}]"})).fluid_particles;
    };
    EXPECT_NEAR(size(R"("circle": {"center": [1, 1], "radius": 1})"), 314.16, 0.1);
    EXPECT_NEAR(size(R"("polygon": {"points": [[0, 0], [0, 3], [1, 0]]})"), 150, 1e-3);
    const Scene full =
        tank("", {R"(fluids[0].fill=[{"circle": {"center": [1, 1], "radius": 0.8}}])"});
    EXPECT_NEAR(static_cast<double>(Simulation(full).fluid_count()),
                estimate_size(full).fluid_particles, 12);
}

// Those that come with the engine, for a moment.
TEST(PoolWorld, ExampleScenesRun) {
    const std::filesystem::path folder = in_sources("scenes/2d");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json")
            continue;
        const Scene scene = load_scene(entry.path());
        const bool in_pool = scene.engine == "game";
        EXPECT_TRUE(in_pool || scene.engine == "constraints") << scene.name;
        if (in_pool && !scene.bodies.empty() && !has_box2d())
            continue;
        Simulation simulation(scene, {"cpu", 1});
        const StepReport report = simulation.advance(in_pool ? 0.25 : 0.05);
        EXPECT_EQ(simulation.lost_count(), 0u) << scene.name;
        EXPECT_LT(report.avg_density_error, 0.1) << scene.name;
        EXPECT_EQ(simulation.bodies().size(), scene.bodies.size()) << scene.name;
    }
}

}  // namespace
}  // namespace millrace
