#include "passes/pass.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

class PassTest : public testing::Test {
  protected:
    /// Writes a file for each of 8 frames and notes their numbers.
    Pass pass() {
        Pass pass;
        pass.what = "file";
        pass.quiet = true;
        pass.frames.resize(8);
        std::iota(pass.frames.begin(), pass.frames.end(), 0);
        pass.file = [this](int number) { return folder_ / ("f_" + std::to_string(number)); };
        pass.make = [this, file = pass.file](int number) {
            const std::lock_guard guard(mutex_);
            made_.push_back(number);
            write_file(file(number), "made");
        };
        return pass;
    }

    test::TemporaryFolder folder_;
    std::mutex mutex_;
    std::vector<int> made_;
};

TEST_F(PassTest, MakesWhatIsMissing) {
    const Pass all = pass();
    write_file(all.file(3), "old");
    const PassOutcome outcome = run_pass(all);
    EXPECT_EQ(outcome.made, 7);
    EXPECT_EQ(outcome.found, 1);
    EXPECT_EQ(made_, (std::vector{0, 1, 2, 4, 5, 6, 7}));
    EXPECT_EQ(read_file(all.file(3)), "old");
    EXPECT_EQ(run_pass(all).found, 8);
}

TEST_F(PassTest, GoesOnAfterAFrameThatCannotBeMade) {
    Pass some = pass();
    some.make = [make = some.make](int number) {
        if (number == 2)
            throw InputError("two is damaged");
        make(number);
    };
    testing::internal::CaptureStderr();
    const PassOutcome outcome = run_pass(some);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "error: two is damaged\n");
    EXPECT_EQ(outcome.made, 7);
    EXPECT_EQ(outcome.errors, std::vector<std::string>{"two is damaged"});
}

TEST_F(PassTest, AFullDiskEndsIt) {
    for (const int jobs : {1, 3}) {
        Pass failing = pass();
        failing.jobs = jobs;
        failing.make = [](int) { throw RunError("disk full"); };
        EXPECT_THROW(run_pass(failing), RunError);
    }
}

TEST_F(PassTest, StopsBetweenFrames) {
    Pass stopped = pass();
    stopped.stop = [this] { return made_.size() == 3; };
    EXPECT_TRUE(run_pass(stopped).stopped);
    EXPECT_EQ(made_, (std::vector{0, 1, 2}));
    const PassOutcome outcome = run_pass(pass());
    EXPECT_EQ(outcome.made, 5);
    EXPECT_EQ(outcome.found, 3);
}

TEST_F(PassTest, SeveralProcessesShareTheWork) {
    for (const bool in_order : {false, true}) {
        made_.clear();
        Pass shared = pass();
        shared.in_order = in_order;
        shared.file = [this, in_order](int number) {
            return folder_ / ((in_order ? "o_" : "f_") + std::to_string(number));
        };
        shared.make = [this, file = shared.file](int number) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            const std::lock_guard guard(mutex_);
            made_.push_back(number);
            write_file(file(number), "made");
        };
        std::vector<PassOutcome> outcomes(4);
        std::vector<std::thread> processes;
        for (PassOutcome& outcome : outcomes)
            processes.emplace_back([&] { outcome = run_pass(shared); });
        for (std::thread& process : processes)
            process.join();
        if (in_order) {
            EXPECT_TRUE(std::ranges::is_sorted(made_));
        }
        std::ranges::sort(made_);
        EXPECT_EQ(made_, shared.frames);  // each by one of them
        for (const PassOutcome& outcome : outcomes)
            EXPECT_EQ(outcome.made + outcome.found, 8);  // and all ended when all were there
    }
}

TEST_F(PassTest, LeavesNoLocks) {
    const Pass all = pass();
    write_file(folder_ / ".f_1.lock", "");  // of a killed process
    run_pass(all);
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
}

}  // namespace
}  // namespace millrace
