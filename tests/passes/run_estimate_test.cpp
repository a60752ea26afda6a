#include "passes/run_estimate.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/run_scene.hpp"
#include "millrace/simulation.hpp"
#include "passes/estimate.hpp"
#include "support/splash.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// Two scenes that move in different ways.
std::vector<Scene> some_scenes() {
    return {parse_scene(test::splash_scene(60), "splash.json", {"spacing=0.035"}),
            parse_scene(R"({"millrace": 1, "spacing": 0.05, "end": 0.6,
                "fluids": [{"fill": [{"box": {"min": [0, 0, 0], "max": [0.4, 0.8, 0.4]}}]}],
                "boundaries": [{"box": {"min": [0, 0, 0], "max": [1.2, 1, 0.4]}, "inside": true}],
                "output": {"fps": 30, "fields": ["velocity", "id"]}})")};
}

double size_of(const fs::path& folder) {
    double sum = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            sum += static_cast<double>(entry.file_size());
    return sum;
}

/// The fill goes through an obstacle, which the bare volume of the fill knows nothing of.
Scene around(const std::string& obstacle) {
    return parse_scene(R"({"millrace": 1, "spacing": 0.05, "end": 1,
        "fluids": [{"name": "a", "fill": [{"box": {"min": [0, 0, 0], "max": [1, 0.5, 1]}}]},
                   {"name": "b", "fill": [{"box": {"min": [0, 0.5, 0], "max": [1, 0.7, 1]}}]}],
        "boundaries": [{"name": "tank", "box": {"min": [0, 0, 0], "max": [1, 1, 1]}, "inside": true},
                       {"name": "obstacle", )" +
                       obstacle + "}]}");
}

TEST(RunEstimate, CountsWhatARunStartsWith) {
    const Scene scene = around(R"("box": {"min": [0.3, 0.1, 0.3], "max": [0.7, 0.5, 0.7]})");
    const StartCount count = count_at_start(scene);
    const Simulation simulation(scene, {"cpu", 1});
    EXPECT_TRUE(count.is_exact);
    EXPECT_EQ(count.fluid, static_cast<double>(simulation.fluid_count()));
    EXPECT_EQ(count.boundary, static_cast<double>(simulation.boundary_count()));
    EXPECT_LT(count.fluid, 0.97 * estimate_size(scene).fluid_particles);
    ASSERT_EQ(count.of_fluids.size(), 2u);
    EXPECT_EQ(count.of_fluids[0] + count.of_fluids[1], count.fluid);
    EXPECT_GT(count.of_fluids[0], count.of_fluids[1]);
}

// It would take longer than all else to let the fluid come to rest; that changes few particles.
TEST(RunEstimate, WhatSettlesIsCountedAsItIsFilled) {
    const Scene scene = around(R"("sphere": {"center": [0.5, 0.3, 0.5], "radius": 0.25})");
    const StartCount count = count_at_start(scene);
    EXPECT_FALSE(count.is_exact);
    const Simulation simulation(scene, {"cpu", 1});
    EXPECT_NEAR(count.fluid / static_cast<double>(simulation.fluid_count()), 1, 0.03);
}

TEST(RunEstimate, AHugeSceneIsCountedByItsVolume) {
    const Scene scene = parse_scene(test::splash_scene(20), "splash.json", {"spacing=0.0005"});
    const StartCount count = count_at_start(scene);
    EXPECT_FALSE(count.is_exact);
    EXPECT_NEAR(count.fluid, 58e-3 / 0.0005 / 0.0005 / 0.0005 * 1.0, 0.05 * count.fluid);
}

TEST(RunEstimate, StepsAndDiskAreThoseOfTheRun) {
    for (const Scene& scene : some_scenes()) {
        const test::TemporaryFolder folder;
        RunRequest request;
        request.scene = scene;
        request.out = folder / "run";
        request.device = {"cpu", 1};
        request.checkpoint_every = 60;
        request.quiet = true;
        double first = 0;
        request.on_start = [&](const Simulation& s) {
            first = static_cast<double>(s.fluid_count());
        };
        const RunOutcome outcome = run_scene(request);
        const double steps = estimate_steps(scene, 5);
        const double really = static_cast<double>(outcome.totals.steps);
        EXPECT_GT(steps, really / 2) << scene.name;
        EXPECT_LT(steps, really * 2) << scene.name;
        const double disk = size_of(folder / "run");
        EXPECT_NEAR(estimate_disk(scene, first, first, really), disk, 0.2 * disk) << scene.name;
    }
}

TEST(RunEstimate, FixedStepsAreCounted) {
    Scene scene = some_scenes()[0];
    scene.time_step.mode = "fixed";
    scene.time_step.dt = 0.001;
    EXPECT_EQ(estimate_steps(scene, 5), 250);
}

TEST(RunEstimate, ADiskThatIsTooSmallIsWarnedOf) {
    const test::TemporaryFolder folder;
    testing::internal::CaptureStderr();
    warn_of_disk(5e14, folder / "not/yet/there");
    const std::string warning = testing::internal::GetCapturedStderr();
    EXPECT_NE(warning.find("warning: about 500 TB of disk are needed"), std::string::npos)
        << warning;
    testing::internal::CaptureStderr();
    warn_of_disk(1000, folder / "not/yet/there");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace millrace
