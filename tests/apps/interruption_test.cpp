// Ctrl-C, kill and --resume, through the built program.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "support/program.hpp"
#include "support/small_run.hpp"
#include "support/splash.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::Program;
namespace fs = std::filesystem;

/// A finer column (625 particles) that runs for about a second and writes many frames.
const std::vector<std::string> k_run{
    "run",     "column.json", "--set",   "spacing=0.02",       "--fps", "400",
    "--until", "0.4",         "--quiet", "--checkpoint-every", "0.05"};

class Interruption : public testing::Test {
  protected:
    void SetUp() override {
        if (!fs::exists(test::k_program) || !has_checkpoints())
            GTEST_SKIP() << test::k_program << " is not built, or without HDF5";
        write_file(folder_ / "column.json", test::k_small_scene);
        Program whole(folder_.path(), with(k_run, {"--out", "whole"}));
        ASSERT_EQ(whole.wait(), 0) << whole.errors();
    }

    static std::vector<std::string> with(std::vector<std::string> arguments,
                                         const std::vector<std::string>& more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    /// Waits until a run has written this many lines of stats.jsonl.
    void wait_for_steps(const fs::path& run, std::size_t steps) const {
        for (int i = 0; i < 2000; ++i) {
            if (fs::exists(run / "stats.jsonl") &&
                test::lines_of(run / "stats.jsonl").size() >= steps)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        FAIL() << "the run does not get on";
    }
    /// The last checkpoint of a run, relative to the folder of the test; empty if there is none.
    std::string last_checkpoint(const std::string& run) const {
        std::vector<std::string> names;
        if (fs::exists(folder_ / run / "checkpoints"))
            for (const auto& entry : fs::directory_iterator(folder_ / run / "checkpoints"))
                if (entry.path().extension() == ".h5")
                    names.push_back(run + "/checkpoints/" + entry.path().filename().string());
        return names.empty() ? "" : *std::max_element(names.begin(), names.end());
    }

    test::TemporaryFolder folder_;
};

TEST_F(Interruption, CtrlCEndsAfterTheStepAndTheRunGoesOnFromThere) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const std::string name = "parts" + std::to_string(signal);
        Program first(folder_.path(), with(k_run, {"--out", name}));
        wait_for_steps(folder_ / name, 20);
        first.send(signal);
        EXPECT_EQ(first.wait(), 128 + signal);
        EXPECT_EQ(first.output() + first.errors(), "");
        EXPECT_FALSE(fs::exists(folder_ / name / "summary.json"));
        test::expect_whole_files(folder_ / name);
        ASSERT_NE(last_checkpoint(name), "");
        // the scene is that of the checkpoint, unless it is given
        Program second(folder_.path(),
                       signal == SIGINT
                           ? std::vector<std::string>{"run", "--resume", last_checkpoint(name)}
                           : with(k_run, {"--resume", last_checkpoint(name)}));
        EXPECT_EQ(second.wait(), 0) << second.errors();
        test::expect_contract(folder_ / name);
        test::expect_same_run(folder_ / "whole", folder_ / name);
    }
}

TEST_F(Interruption, TellsHowToGoOn) {
    std::vector<std::string> arguments = with(k_run, {"--out", "parts"});
    std::erase(arguments, "--quiet");
    Program first(folder_.path(), arguments);
    wait_for_steps(folder_ / "parts", 5);
    first.send(SIGINT);
    EXPECT_EQ(first.wait(), 130);
    EXPECT_NE(first.output().find("\ngo on with: millrace run --resume '" +
                                  last_checkpoint("parts") + "'\n"),
              std::string::npos)
        << first.output();
}

TEST_F(Interruption, AKilledRunLeavesOnlyWholeFilesAndGoesOn) {
    std::mt19937 random(7);
    int resumed = 0;
    for (int round = 0; round < 6; ++round) {
        const std::string name = "killed" + std::to_string(round);
        std::vector<std::string> arguments = with(k_run, {"--out", name});
        for (int life = 0; life < 3; ++life) {
            Program program(folder_.path(), arguments);
            // every other run lives until it has a checkpoint, however slow the machine
            for (int wait = 0; round % 2 && wait < 6000 && last_checkpoint(name).empty(); ++wait)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            std::this_thread::sleep_for(std::chrono::microseconds(20'000 + random() % 300'000));
            program.send(SIGKILL);
            program.wait();
            if (!fs::exists(folder_ / name))
                break;
            test::expect_whole_files(folder_ / name);
            if (last_checkpoint(name).empty())
                break;
            arguments = with(k_run, {"--resume", last_checkpoint(name)});
        }
        if (last_checkpoint(name).empty())
            continue;
        ++resumed;
        Program last(folder_.path(), arguments);
        ASSERT_EQ(last.wait(), 0) << last.errors();
        test::expect_contract(folder_ / name);
        test::expect_same_run(folder_ / "whole", folder_ / name);
    }
    EXPECT_GT(resumed, 0);
}

/// The files of a folder and their bytes.
std::map<std::string, std::string> contents(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files[entry.path().filename().string()] = read_file(entry.path());
    return files;
}

// With surfaces a frame takes longer than the steps to the next one: frames wait when it happens.
TEST_F(Interruption, ARunKilledWhileFramesWaitGoesOn) {
    write_file(folder_ / "splash.json", test::splash_scene(400));
    const std::vector<std::string> run{
        "run", "splash.json", "--set", "output.surface={}", "--quiet", "--checkpoint-every", "0.2"};
    Program whole(folder_.path(), with(run, {"--out", "surfaces"}));
    ASSERT_EQ(whole.wait(), 0) << whole.errors();
    std::mt19937 random(11);
    for (int round = 0; round < 3; ++round) {
        const std::string name = "late" + std::to_string(round);
        std::vector<std::string> arguments = with(run, {"--out", name});
        for (int life = 0; life < 2; ++life) {
            Program program(folder_.path(), arguments);
            for (int wait = 0; wait < 6000 && last_checkpoint(name).empty(); ++wait)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 300'000));
            program.send(SIGKILL);
            program.wait();
            test::expect_whole_files(folder_ / name);
            arguments = with(run, {"--resume", last_checkpoint(name)});
        }
        Program last(folder_.path(), arguments);
        ASSERT_EQ(last.wait(), 0) << last.errors();
        test::expect_contract(folder_ / name);
        test::expect_same_run(folder_ / "surfaces", folder_ / name);
        EXPECT_EQ(contents(folder_ / name / "surface") == contents(folder_ / "surfaces/surface"),
                  true);
        EXPECT_EQ(read_file(folder_ / name / "surface.pvd"),
                  read_file(folder_ / "surfaces/surface.pvd"));
    }
}

TEST_F(Interruption, WrongCheckpointsAreRefused) {
    const auto expect_refusal = [&](const std::string& text,
                                    const std::vector<std::string>& arguments) {
        Program program(folder_.path(), arguments);
        EXPECT_EQ(program.wait(), 2);
        EXPECT_NE(program.errors().find(text), std::string::npos) << program.errors();
        EXPECT_EQ(test::lines_of(folder_ / "stderr").size(), 1u) << program.errors();
    };
    const std::string good = last_checkpoint("whole");
    expect_refusal("none.h5: cannot be read", {"run", "--resume", "whole/checkpoints/none.h5"});
    expect_refusal("column.json: is not a checkpoint", {"run", "--resume", "column.json"});
    std::string bytes = read_file(folder_ / good);
    write_file(folder_ / "lost.h5", bytes);
    expect_refusal("lost.h5: must lie in the folder `checkpoints`", {"run", "--resume", "lost.h5"});
    expect_refusal("column.json: spacing: differs from the scene of the checkpoint",
                   {"run", "column.json", "--resume", good});
    expect_refusal("end: the checkpoint is later", {"run", "--resume", good, "--until", "0.1"});
    expect_refusal("--out", {"run", "--resume", good, "--out", "other"});
    expect_refusal("--overwrite", {"run", "--resume", good, "--overwrite"});
    const std::string stats = read_file(folder_ / "whole/stats.jsonl");
    write_file(folder_ / "whole/stats.jsonl", "");
    expect_refusal("stats.jsonl: has 0 lines, fewer than the checkpoint needs",
                   {"run", "--resume", good});
    write_file(folder_ / "whole/stats.jsonl", stats);
    bytes[bytes.size() / 2] ^= 1;
    write_file(folder_ / "whole/checkpoints/bad.h5", bytes);
    expect_refusal("bad.h5: is damaged", {"run", "--resume", "whole/checkpoints/bad.h5"});
    fs::remove(folder_ / "whole/checkpoints/bad.h5");
    test::expect_contract(folder_ / "whole");  // nothing was touched
}

}  // namespace
}  // namespace millrace
