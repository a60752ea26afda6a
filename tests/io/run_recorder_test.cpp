// What the thread that writes frames owes to the run.
#include "io/run_recorder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "io/run_identity.hpp"
#include "io/run_scene.hpp"
#include "millrace/error.hpp"
#include "support/small_run.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

RunRequest request_for(const Scene& scene, const fs::path& out) {
    RunRequest request;
    request.scene = scene;
    request.scene_file = "column.json";
    request.out = out;
    request.device = {"cpu", 1};
    request.quiet = true;
    return request;
}

std::string error_of(const RunRequest& request) {
    try {
        run_scene(request);
    } catch (const RunError& e) {
        return e.what();
    }
    return "no error";
}

nlohmann::json summary_of(const fs::path& run) {
    return nlohmann::json::parse(read_file(run / "summary.json"));
}

void wait_ms(int ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

TEST(RunRecorder, FramesComeInTheirOrderWithTheIdentityOfTheRun) {
    const TemporaryFolder folder;
    const Scene scene = test::small_scene();
    RunRequest request = request_for(scene, folder / "run");
    std::vector<std::int64_t> numbers;
    const std::thread::id caller = std::this_thread::get_id();
    request.on_frame = [&](std::int64_t number, const ParticleFrame& particles,
                           const BodyFrame& bodies) {
        EXPECT_NE(std::this_thread::get_id(), caller);
        EXPECT_EQ(particles.time, bodies.time);
        EXPECT_EQ(particles.numbers.at(k_run_identity), run_identity(scene));
        // its files are there, and those of no later frame
        EXPECT_EQ(read_pvd(folder / "run/particles.pvd").size(), numbers.size() + 1);
        numbers.push_back(number);
        wait_ms(number % 3 == 0 ? 20 : 0);
    };
    run_scene(request);
    ASSERT_EQ(numbers.size(), 11u);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(numbers[i], static_cast<std::int64_t>(i));
    const auto frames = read_pvd(folder / "run/particles.pvd");
    for (const PvdEntry& entry : frames) {
        const ParticleFrame frame = read_vtu(folder / "run" / entry.file);
        EXPECT_EQ(frame.time, entry.time);
        EXPECT_EQ(frame.numbers.at(k_run_identity), run_identity(scene));
    }
    test::expect_contract(folder / "run");
}

TEST(RunRecorder, AFrameThatCannotBeWrittenEndsTheRunInOneLine) {
    const TemporaryFolder folder;
    RunRequest request = request_for(test::small_scene(), folder / "run");
    request.on_frame = [&](std::int64_t number, const ParticleFrame&, const BodyFrame&) {
        if (number == 3)
            fs::remove_all(folder / "run/particles");
    };
    const std::string file = (folder / "run/particles/column_000004.vtu").string();
    EXPECT_EQ(error_of(request), file + ": cannot be written: No such file or directory");
    EXPECT_EQ(summary_of(folder / "run")["status"], "failed");
    EXPECT_EQ(summary_of(folder / "run")["error"],
              file + ": cannot be written: No such file or directory");
    EXPECT_EQ(read_pvd(folder / "run/particles.pvd").size(), 4u);  // none after the missing one
}

// Not a frame later: a long run between two frames would be in vain.
TEST(RunRecorder, TheNextStepKnowsOfAnError) {
    const TemporaryFolder folder;
    RunRequest request = request_for(test::small_scene({"output.fps=1", "end=1"}), folder / "run");
    request.on_frame = [](std::int64_t, const ParticleFrame&, const BodyFrame&) {
        throw RunError("no surface: it is made of nothing");
    };
    int steps = 0;
    request.stop = [&] {
        if (++steps == 2)
            wait_ms(200);
        return false;
    };
    EXPECT_EQ(error_of(request), "no surface: it is made of nothing");
    EXPECT_LE(steps, 3);
}

TEST(RunRecorder, TheLastErrorIsNotLost) {
    const TemporaryFolder folder;
    RunRequest request = request_for(test::small_scene(), folder / "run");
    request.checkpoint_every = 0;
    request.on_frame = [](std::int64_t number, const ParticleFrame&, const BodyFrame&) {
        wait_ms(1);
        if (number == 10)
            throw RunError("the last one");
    };
    EXPECT_EQ(error_of(request), "the last one");
    EXPECT_EQ(summary_of(folder / "run")["error"], "the last one");
}

TEST(RunRecorder, ACheckpointIsNeverNewerThanTheFrames) {
    if (!has_checkpoints())
        GTEST_SKIP() << "HDF5 is not built in";
    const TemporaryFolder folder;
    RunRequest request = request_for(test::small_scene(), folder / "run");
    request.checkpoint_every = 1e-9;
    request.on_frame = [](std::int64_t, const ParticleFrame&, const BodyFrame&) { wait_ms(3); };
    std::string last;
    int compared = 0;
    request.stop = [&] {
        if (!fs::exists(folder / "run/checkpoints"))
            return false;
        for (const auto& entry : fs::directory_iterator(folder / "run/checkpoints"))
            last = std::max(last, entry.path().string());
        const auto state = nlohmann::json::parse(read_checkpoint(last).recorder);
        EXPECT_GE(read_pvd(folder / "run/particles.pvd").size(), state["frames"]);
        EXPECT_GE(test::lines_of(folder / "run/bodies.jsonl").size(), state["frames"]);
        ++compared;
        return false;
    };
    run_scene(request);
    EXPECT_GT(compared, 10);
}

TEST(RunRecorder, WithoutFramesThereIsNoThread) {
    const fs::path tasks = "/proc/self/task";
    if (!fs::exists(tasks))
        GTEST_SKIP() << "the threads of a process cannot be counted here";
    const auto count = [&] { return std::distance(fs::directory_iterator(tasks), {}); };
    const TemporaryFolder folder;
    for (const bool writes : {false, true}) {
        RunRequest request = request_for(
            test::small_scene({writes ? "output.particles=[\"vtu\"]" : "output.particles=[]"}),
            folder / (writes ? "some" : "none"));
        const auto before = count();
        bool more = false;
        request.stop = [&] {
            more |= count() > before;
            return false;
        };
        run_scene(request);
        EXPECT_EQ(more, writes);
    }
}

}  // namespace
}  // namespace millrace
