// One folder, several runs at once, through the built program.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/program.hpp"
#include "support/small_run.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::Program;
namespace fs = std::filesystem;

class RunLock : public testing::Test {
  protected:
    void SetUp() override {
        if (!fs::exists(test::k_program) || !has_checkpoints())
            GTEST_SKIP() << test::k_program << " is not built, or without HDF5";
        for (const char* name : {"one", "two"}) {  // where each of two programs prints
            fs::create_directory(folder_ / name);
            write_file(folder_ / name / "column.json", test::k_small_scene);
        }
    }

    fs::path sim() const { return folder_ / "sim"; }

    /// A run into the shared folder.
    std::vector<std::string> run(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"run", "column.json", "--out", sim().string(),
                                           "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    /// One that goes on until it is stopped.
    std::vector<std::string> endless_run() const {
        return run({"--until", "1000", "--checkpoint-every", "0.05"});
    }

    std::string last_checkpoint() const {
        std::string last;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(sim() / "checkpoints", none))
            if (entry.path().extension() == ".h5")
                last = std::max(last, entry.path().string());
        return last;
    }
    void wait_for_checkpoint() const {
        for (int i = 0; i < 6000 && last_checkpoint().empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ASSERT_NE(last_checkpoint(), "") << "the run does not get on";
    }
    void expect_refusal(const std::vector<std::string>& arguments, const std::string& text) const {
        Program second(folder_ / "two", arguments);
        EXPECT_EQ(second.wait(), 2);
        const std::string errors = second.errors();
        EXPECT_EQ(errors.find("error: "), 0u) << errors;
        EXPECT_NE(errors.find(text), std::string::npos) << errors;
        EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    }

    test::TemporaryFolder folder_;
};

TEST_F(RunLock, OfTwoRunsThatStartTogetherOneIsWritten) {
    for (int round = 0; round < 5; ++round) {
        fs::remove_all(sim());
        Program first(folder_ / "one", run()), second(folder_ / "two", run());
        const int codes[] = {first.wait(), second.wait()};
        EXPECT_EQ(std::min(codes[0], codes[1]), 0) << first.errors() << second.errors();
        EXPECT_EQ(std::max(codes[0], codes[1]), 2) << first.errors() << second.errors();
        const std::string errors = first.errors() + second.errors();
        EXPECT_EQ(errors.find("error: " + sim().string() + ": "), 0u) << errors;
        EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
        test::expect_contract(sim());
        EXPECT_FALSE(fs::exists(sim() / ".run.lock"));
    }
}

TEST_F(RunLock, ARunThatGoesOnIsLeftAlone) {
    Program live(folder_ / "one", endless_run());
    wait_for_checkpoint();
    const std::string text = sim().string() + ": another run is writing to this folder; wait";
    expect_refusal(run(), text);
    expect_refusal(run({"--overwrite"}), text);
    expect_refusal({"run", "--resume", last_checkpoint()}, text);
    write_file(folder_ / "two/pond.json", R"({"millrace": 1, "spacing": 0.1, "end": 1,
        "fluids": [{"fill": [{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}],
        "output": {"diffuse": {}}})");  // it says so before the coarse run for its foam
    expect_refusal({"run", "pond.json", "--out", sim().string(), "--overwrite"}, text);
    live.send(SIGINT);
    EXPECT_EQ(live.wait(), 130) << live.errors();
    test::expect_whole_files(sim());
    // and it was harmed by none of them: it goes on to its end, with the same bits as one alone
    const double end = read_checkpoint(last_checkpoint()).snapshot.time + 0.05;
    Program rest(folder_ / "one",
                 {"run", "--resume", last_checkpoint(), "--until", std::to_string(end)});
    EXPECT_EQ(rest.wait(), 0) << rest.errors();
    test::expect_contract(sim());
    Program alone(folder_ / "one", {"run", "column.json", "--quiet", "--out",
                                    (folder_ / "alone").string(), "--until", std::to_string(end)});
    EXPECT_EQ(alone.wait(), 0) << alone.errors();
    test::expect_same_run(folder_ / "alone", sim());
}

TEST_F(RunLock, EndsWithAKilledRun) {
    {
        Program killed(folder_ / "one", endless_run());
        wait_for_checkpoint();
        killed.send(SIGKILL);
        EXPECT_EQ(killed.wait(), -SIGKILL);
    }
    const double end = read_checkpoint(last_checkpoint()).snapshot.time + 0.05;
    Program rest(folder_ / "two",
                 {"run", "--resume", last_checkpoint(), "--until", std::to_string(end)});
    EXPECT_EQ(rest.wait(), 0) << rest.errors();
    test::expect_contract(sim());
    Program anew(folder_ / "two", run({"--overwrite"}));
    EXPECT_EQ(anew.wait(), 0) << anew.errors();
    test::expect_contract(sim());
}

// Killed before its first file, a run leaves a folder as good as empty.
TEST_F(RunLock, AFolderWithNothingButALockIsFree) {
    fs::create_directories(sim() / "particles");
    write_file(sim() / ".run.lock", "");
    Program program(folder_ / "one", run());
    EXPECT_EQ(program.wait(), 0) << program.errors();
    test::expect_contract(sim());
}

}  // namespace
}  // namespace millrace
