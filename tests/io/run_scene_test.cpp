// Whole runs, inside this program: what they leave behind, stopping and going on.
#include "io/run_scene.hpp"

#include <gtest/gtest.h>

#include "io/body_lines.hpp"
#include "io/surface_files.hpp"
#include "millrace/error.hpp"
#include "support/small_run.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

RunRequest request_for(const Scene& scene, const std::filesystem::path& out) {
    RunRequest request;
    request.scene = scene;
    request.scene_file = "column.json";
    request.out = out;
    request.device = {"cpu", 1};
    request.quiet = true;
    return request;
}

/// Stops a run after a number of steps.
std::function<bool()> after(int steps) {
    return [steps]() mutable { return steps-- == 0; };
}

template <class Error>
std::string error_of(const RunRequest& request) {
    try {
        run_scene(request);
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

TEST(RunScene, LeavesBehindWhatTheContractSays) {
    const TemporaryFolder folder;
    const RunOutcome outcome = run_scene(request_for(test::small_scene(), folder / "run"));
    EXPECT_TRUE(outcome.finished);
    EXPECT_EQ(outcome.time, 0.25);
    EXPECT_EQ(outcome.frames, 11);
    test::expect_contract(folder / "run");
    const auto frames = read_pvd(folder / "run/particles.pvd");
    ASSERT_EQ(frames.size(), 11u);
    for (int k = 0; k <= 10; ++k) {
        EXPECT_EQ(frames[k].time, k / 40.0);
        const ParticleFrame frame = read_vtu(folder / "run" / frames[k].file);
        EXPECT_EQ(frame.dimension, 2);
        EXPECT_EQ(frame.count(), 100u);
        EXPECT_NE(frame.find("pressure"), nullptr);
        EXPECT_EQ(frame.find("fluid"), nullptr);
    }
    EXPECT_EQ(frames[10].file, "particles/column_000010.vtu");
}

TEST(RunScene, ProbesAreWrittenOnTheirTimes) {
    const TemporaryFolder folder;
    run_scene(request_for(test::small_scene(), folder / "run"));
    const auto rows = test::lines_of(folder / "run/probes.csv");
    EXPECT_EQ(rows[0],
              "time,level,floor,flow_x,flow_y,front,energy_kinetic,energy_potential,energy_total");
    const auto has_row = [&](const std::string& start) {
        return std::any_of(rows.begin(), rows.end(),
                           [&](const std::string& row) { return row.starts_with(start); });
    };
    EXPECT_TRUE(has_row("0,0.")) << rows[1];  // all of them at the start
    EXPECT_TRUE(has_row("0.01,,"));           // the pressure alone
    EXPECT_TRUE(has_row("0.025,0."));         // a frame
    EXPECT_TRUE(has_row("0.03,,"));
    // 0, every 0.01 and every 0.025 up to 0.25, of which 0.05, 0.1, ... are both
    EXPECT_EQ(rows.size(), 1u + 1 + 25 + 10 - 5);
}

TEST(RunScene, NoTimeAtAllIsOneFrame) {
    const TemporaryFolder folder;
    run_scene(request_for(test::small_scene({"end=0"}), folder / "run"));
    test::expect_contract(folder / "run");
    EXPECT_EQ(read_pvd(folder / "run/particles.pvd").size(), 1u);
}

TEST(RunScene, OutputFollowsTheScene) {
    const TemporaryFolder folder;
    const auto scene = test::small_scene(
        {"output.fields=[\"velocity\"]", "end=0.01",
         R"(fluids=[{"name": "a", "fill": [{"box": {"min": [0, 0], "max": [0.2, 0.2]}}]},
                    {"name": "b", "fill": [{"box": {"min": [0.2, 0], "max": [0.4, 0.2]}}]}])"});
    run_scene(request_for(scene, folder / "run"));
    const ParticleFrame frame = read_vtu(folder / "run/particles/column_000001.vtu");
    EXPECT_EQ(frame.find("pressure"), nullptr);
    ASSERT_NE(frame.find("fluid"), nullptr);
    const auto& fluid = std::get<std::vector<std::uint32_t>>(frame.find("fluid")->data);
    EXPECT_EQ(std::count(fluid.begin(), fluid.end(), 1u), 16);

    run_scene(request_for(test::small_scene({"output.particles=[]", "end=0.05", "probes=[]"}),
                          folder / "none"));
    EXPECT_TRUE(read_pvd(folder / "none/particles.pvd").empty());
    EXPECT_EQ(test::lines_of(folder / "none/bodies.jsonl").size(), 3u);
    EXPECT_EQ(read_file(folder / "none/probes.csv"), "time\n");
}

/// A run in parts of so many steps has the bits of one that was never stopped.
void expect_parts_make_the_whole(const Scene& scene, int steps_a_part) {
    const TemporaryFolder folder;
    run_scene(request_for(scene, folder / "whole"));
    RunRequest request = request_for(scene, folder / "parts");
    for (;;) {
        request.stop = after(steps_a_part);
        const RunOutcome outcome = run_scene(request);
        if (outcome.finished)
            break;
        EXPECT_FALSE(std::filesystem::exists(folder / "parts/summary.json"));
        test::expect_whole_files(folder / "parts");
        request.resume = read_checkpoint(outcome.checkpoint);
    }
    test::expect_contract(folder / "parts");
    test::expect_same_run(folder / "whole", folder / "parts");
    const auto summary = [&](const char* run) {
        return nlohmann::json::parse(read_file(folder / run / "summary.json"));
    };
    EXPECT_GT(summary("whole")["particles_lost"], 0);
    for (const char* key : {"steps", "sim_seconds", "mean_iterations", "particles_lost"})
        EXPECT_EQ(summary("whole")[key], summary("parts")[key]) << key;
}

const std::vector<std::string> k_open_side{"domain={\"min\": [-1, -1], \"max\": [0.68, 2]}",
                                           "boundaries[0].open=[\"+y\", \"+x\"]"};

TEST(RunScene, ResumedRunHasTheBitsOfOneThatDidNotStop) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    expect_parts_make_the_whole(test::small_scene(k_open_side), 7);
    expect_parts_make_the_whole(test::small_scene(k_open_side), 1);
}

TEST(RunScene, ResumedPoolHasTheSameBits) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    std::vector<std::string> settings = k_open_side;
    settings.push_back("engine=constraints");
    expect_parts_make_the_whole(test::small_scene(settings), 7);
    expect_parts_make_the_whole(test::small_scene(settings), 1);
}

// With given costs; measured ones differ from run to run.
TEST(RunScene, ResumedSearchOfTheStepHasTheSameBits) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    std::vector<std::string> settings = k_open_side;
    settings.push_back(
        R"(time_step={"mode": "metropolis", "initial": 0.001, "cost_constant": 0.01,
                      "cost_iteration": 0.001})");
    expect_parts_make_the_whole(test::small_scene(settings), 7);
    expect_parts_make_the_whole(test::small_scene(settings), 1);
}

// The particle that is gone must not set the length of the next step in one case only.
TEST(RunScene, ResumedWhereTheFastestParticleHasJustLeft) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    std::vector<std::string> settings = k_open_side;
    settings.push_back(R"(fluids=[{"fill": [{"box": {"min": [0, 0], "max": [0.5, 0.5]}}]},
                                  {"name": "drop", "velocity": [10, 0],
                                   "fill": [{"box": {"min": [0.6, 0.6], "max": [0.65, 0.65]}}]}])");
    expect_parts_make_the_whole(test::small_scene(settings), 1);
}

TEST(RunScene, ResumingDropsWhatCameAfterTheCheckpoint) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    const TemporaryFolder folder;
    const Scene scene = test::small_scene();
    RunRequest request = request_for(scene, folder / "run");
    request.stop = after(10);
    const RunOutcome early = run_scene(request);
    const Checkpoint checkpoint = read_checkpoint(early.checkpoint);
    request.stop = after(-1);
    request.resume = checkpoint;
    run_scene(request);                                             // to the end
    write_file(folder / "run/particles/column_000099.vtu", "old");  // of an even longer run
    run_scene(request);  // once more from the middle of the ended run
    test::expect_contract(folder / "run");
    run_scene(request_for(scene, folder / "whole"));
    test::expect_same_run(folder / "whole", folder / "run");
}

TEST(RunScene, AnEndedRunCanBeMadeLonger) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    const TemporaryFolder folder;
    run_scene(request_for(test::small_scene({"end=0.15"}), folder / "run"));
    const auto checkpoints = std::filesystem::directory_iterator(folder / "run/checkpoints");
    RunRequest request = request_for(test::small_scene(), folder / "run");
    request.resume = read_checkpoint(checkpoints->path());
    run_scene(request);
    test::expect_contract(folder / "run");
    run_scene(request_for(test::small_scene(), folder / "whole"));
    test::expect_same_run(folder / "whole", folder / "run");  // 0.15 s is a frame's time anyway

    request.scene.end = 0.1;
    EXPECT_EQ(error_of<InputError>(request),
              "column.json: end: the checkpoint is later, at t = 0.150000 s");
}

TEST(RunScene, CheckpointsAreTheLastTwoAndChangeNothing) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    const TemporaryFolder folder;
    run_scene(request_for(test::small_scene(), folder / "whole"));
    RunRequest request = request_for(test::small_scene(), folder / "saved");
    request.checkpoint_every = 1e-9;  // after every step
    const RunOutcome outcome = run_scene(request);
    test::expect_same_run(folder / "whole", folder / "saved");
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "saved/checkpoints"))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    ASSERT_EQ(names.size(), 2u);
    char last[32];
    std::snprintf(last, sizeof last, "column_%08d.h5", static_cast<int>(outcome.totals.steps));
    EXPECT_EQ(names[1], last);

    request = request_for(test::small_scene({"end=0.05"}), folder / "none");
    request.checkpoint_every = 0;
    run_scene(request);
    EXPECT_FALSE(std::filesystem::exists(folder / "none/checkpoints"));
}

TEST(RunScene, AnEarlierRunIsKeptUnlessItMayBeOverwritten) {
    const TemporaryFolder folder;
    const Scene scene = test::small_scene({"end=0.1"});
    RunRequest request = request_for(scene, folder / "run");
    request.stop = after(5);
    run_scene(request);
    request.stop = after(-1);
    EXPECT_EQ(error_of<InputError>(request),
              (folder / "run").string() +
                  ": holds a run that has not ended; use --overwrite to replace it, --resume "
                  "CHECKPOINT to go on with it, or another --out");
    EXPECT_EQ(test::lines_of(folder / "run/stats.jsonl").size(), 5u);

    // overwriting takes away the run, under another name too, and nothing else
    write_file(folder / "run/notes.txt", "mine");
    write_file(folder / "run/particles/mine_000001.vtu", "mine");
    request.overwrite = true;
    request.scene.name = "other";
    run_scene(request);
    EXPECT_EQ(read_file(folder / "run/notes.txt"), "mine");
    EXPECT_EQ(read_file(folder / "run/particles/mine_000001.vtu"), "mine");
    std::filesystem::remove(folder / "run/particles/mine_000001.vtu");
    test::expect_contract(folder / "run");
    EXPECT_FALSE(std::filesystem::exists(folder / "run/particles/column_000000.vtu"));
    EXPECT_EQ(error_of<InputError>(request_for(scene, folder / "run")),
              (folder / "run").string() +
                  ": holds a run; use --overwrite to replace it, --resume CHECKPOINT to go on with "
                  "it, or another --out");
}

TEST(RunScene, ForeignFoldersAreLeftAlone) {
    const TemporaryFolder folder;
    make_folder(folder / "mine");
    write_file(folder / "mine/scene.json", "{\"millrace\": 1, \"name\": \"a\"}");
    write_file(folder / "file", "mine");
    RunRequest request = request_for(test::small_scene({"end=0"}), folder / "mine");
    request.overwrite = true;
    EXPECT_EQ(error_of<InputError>(request),
              (folder / "mine").string() +
                  ": holds files that are not those of a run; choose another --out");
    request.out = folder / "file";
    EXPECT_NE(error_of<InputError>(request).find("is a file, not a folder"), std::string::npos);
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"file", "mine/scene.json"}));
    make_folder(folder / "empty");
    request.out = folder / "empty";
    run_scene(request);
}

TEST(RunScene, NothingIsWrittenForASceneThatCannotBeBuilt) {
    const TemporaryFolder folder;
    RunRequest request = request_for(test::small_scene({"spacing=1e-6"}), folder / "run");
    EXPECT_TRUE(error_of<InputError>(request).starts_with("column.json: spacing: "));
    request.scene = test::small_scene({"output.fps=1e12"});
    EXPECT_TRUE(error_of<InputError>(request).starts_with("column.json: output.fps: too large"));
    request.scene = test::small_scene({"probes[3].name=flow_x"});
    EXPECT_TRUE(error_of<InputError>(request).starts_with("column.json: probes[3].name: "));
    EXPECT_TRUE(folder.files().empty());
    EXPECT_FALSE(std::filesystem::exists(folder / "run"));
    request.scene = test::small_scene();
    request.out = "/proc/nowhere/run";
    EXPECT_TRUE(error_of<RunError>(request).starts_with("/proc/nowhere/run"));
}

TEST(RunScene, AFailedRunSaysSoInItsSummary) {
    const TemporaryFolder folder;
    // the square of the speed is beyond a float after one step
    const auto scene =
        test::small_scene({"gravity=[0, -1e15]", "time_step={\"mode\": \"fixed\", \"dt\": 1e10}",
                           "end=1e12", "output.fps=1e-12", "probes=[]"});
    const std::string error = error_of<RunError>(request_for(scene, folder / "run"));
    EXPECT_NE(error.find("lost its footing"), std::string::npos) << error;
    const auto summary = nlohmann::json::parse(read_file(folder / "run/summary.json"));
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_EQ(summary["error"], error);
    test::expect_contract(folder / "run");
}

/// Everything that moves: a crate that falls into a tank, a paddle, a nozzle, a drain.
Scene moving_scene(const std::vector<std::string>& overrides = {}) {
    return parse_scene(R"({
      "millrace": 1, "name": "moving", "spacing": 0.1, "end": 0.1, "output": { "fps": 50 },
      "fluids": [ { "emitters": [ { "position": [0.5, 0.8, 0.5], "direction": [0, -1, 0],
                                    "speed": 3, "radius": 0.2 } ] } ],
      "boundaries": [
        { "name": "tank", "box": { "min": [0, 0, 0], "max": [1, 1, 1] }, "inside": true,
          "open": ["+y"] },
        { "name": "paddle", "box": { "min": [0.1, 0.3, 0.1], "max": [0.2, 0.9, 0.9] },
          "motion": { "type": "sine", "axis": [1, 0, 0], "amplitude": 0.05, "period": 0.4 } },
        { "name": "ground", "plane": { "point": [0, -0.5, 0], "normal": [0, 1, 0] } } ],
      "bodies": [ { "name": "crate", "box": { "size": [0.2, 0.2, 0.2] },
                    "position": [0.8, 0.7, 0.5] } ],
      "sinks": [ { "name": "drain", "box": { "min": [0.3, 0.2, 0.3], "max": [0.7, 0.6, 0.7] } } ],
      "probes": [ { "name": "c", "type": "body", "body": "crate" } ] })",
                       "moving.json", overrides);
}

TEST(RunScene, WhatMovesIsRecorded) {
    const TemporaryFolder folder;
    run_scene(request_for(moving_scene(), folder / "run"));
    test::expect_contract(folder / "run");
    const auto frames = read_pvd(folder / "run/particles.pvd");
    EXPECT_EQ(read_vtu(folder / "run" / frames.front().file).count(), 0u);
    EXPECT_GT(read_vtu(folder / "run" / frames.back().file).count(), 0u);

    const std::vector<BodyFrame> bodies = read_body_lines(folder / "run/bodies.jsonl");
    ASSERT_EQ(bodies.size(), frames.size());
    ASSERT_EQ(bodies[0].bodies.size(), 1u);
    EXPECT_EQ(bodies[0].bodies[0].name, "crate");
    EXPECT_NEAR(bodies[0].bodies[0].position[1], 0.7, 1e-12);
    EXPECT_NEAR(bodies.back().bodies[0].position[1], 0.7 - 0.5 * 9.81 * 0.01, 0.005);
    ASSERT_EQ(bodies.back().walls.size(), 1u);
    EXPECT_EQ(bodies.back().walls[0].name, "paddle");
    EXPECT_NEAR(bodies.back().walls[0].position[0], 0.05, 1e-9);  // a quarter of a period

    EXPECT_EQ(read_surface(folder / "run/meshes/tank.ply").triangles.size(), 10u);  // it is open
    EXPECT_EQ(read_surface(folder / "run/meshes/paddle.ply").triangles.size(), 12u);
    const Bounds crate = bounds(read_surface(folder / "run/meshes/crate.ply"));
    EXPECT_NEAR(norm(crate.max - Vec3d{{0.1, 0.1, 0.1}}), 0, 1e-6);
    EXPECT_FALSE(std::filesystem::exists(folder / "run/meshes/ground.ply"));

    const auto summary = nlohmann::json::parse(read_file(folder / "run/summary.json"));
    const std::uint64_t emitted = summary["particles_emitted"];
    EXPECT_GT(summary["particles_sunk"]["drain"], 0u);
    EXPECT_EQ(emitted, summary["fluid_particles"].get<std::uint64_t>() +
                           summary["particles_sunk"]["drain"].get<std::uint64_t>() +
                           summary["particles_lost"].get<std::uint64_t>());
    EXPECT_TRUE(summary["warnings"].is_array());
    EXPECT_EQ(test::lines_of(folder / "run/probes.csv")[0].substr(0, 12), "time,c_x,c_y");
}

TEST(RunScene, ResumedBodiesEmittersAndSinksHaveTheSameBits) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    const TemporaryFolder folder;
    const Scene scene = moving_scene({"rigid.engine=own"});
    run_scene(request_for(scene, folder / "whole"));
    RunRequest request = request_for(scene, folder / "parts");
    request.stop = after(9);
    request.resume = read_checkpoint(run_scene(request).checkpoint);
    request.stop = after(-1);
    run_scene(request);
    test::expect_same_run(folder / "whole", folder / "parts");

    request.resume->snapshot.bodies.clear();  // as an older version wrote it
    EXPECT_EQ(error_of<InputError>(request),
              "column.json: the checkpoint is of an older version of millrace and has no state of "
              "the bodies; run the scene from the start");
}

TEST(RunScene, OverwritingTakesTheSurfacesOfTheRunAndNoOthers) {
    const TemporaryFolder folder;
    RunRequest request = request_for(moving_scene({"end=0"}), folder / "run");
    run_scene(request);
    write_file(folder / "run/meshes/mine.ply", "mine");
    write_file(folder / "run/meshes/.crate.ply.tmp", "cut off");
    request.overwrite = true;
    request.scene.bodies[0].name = "box";
    request.scene.probes.clear();
    run_scene(request);
    EXPECT_FALSE(std::filesystem::exists(folder / "run/meshes/crate.ply"));
    EXPECT_FALSE(std::filesystem::exists(folder / "run/meshes/.crate.ply.tmp"));
    EXPECT_TRUE(std::filesystem::exists(folder / "run/meshes/box.ply"));
    EXPECT_EQ(read_file(folder / "run/meshes/mine.ply"), "mine");
}

TEST(RunScene, OnlySomeKeysMayChangeBetweenParts) {
    const Scene earlier = test::small_scene();
    const auto refusal = [&](const std::string& change) -> std::string {
        try {
            check_same_scene(test::small_scene({change}), earlier, "column.json");
        } catch (const InputError& e) {
            return e.what();
        }
        return "no error";
    };
    const std::string reason =
        ": differs from the scene of the checkpoint; only end, output and camera may change in a "
        "resumed run";
    EXPECT_EQ(refusal("end=9"), "no error");
    EXPECT_EQ(refusal("output.fps=9"), "no error");
    EXPECT_EQ(refusal("camera={\"position\": [1, 1, 1], \"target\": [0, 0, 0]}"), "no error");
    EXPECT_EQ(refusal("spacing=0.1"), "column.json: spacing" + reason);
    EXPECT_EQ(refusal("fluids[0].density=9"), "column.json: fluids[0].density" + reason);
    EXPECT_EQ(refusal("boundaries=[]"), "column.json: boundaries[0]" + reason);
    EXPECT_EQ(refusal("domain={\"min\": [-1, -1], \"max\": [2, 2]}"),
              "column.json: domain" + reason);
}

}  // namespace
}  // namespace millrace
