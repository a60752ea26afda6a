#include "exec/background.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "exec/host_threads.hpp"

namespace millrace {
namespace {

void wait_a_little() {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(Background, DoesJobsInTheirOrderInOneOtherThread) {
    std::vector<int> done;
    std::vector<std::thread::id> threads;
    {
        Background background(3);
        for (int i = 0; i < 20; ++i)
            background.give([&, i] {
                if (i % 7 == 0)
                    wait_a_little();
                done.push_back(i);
                threads.push_back(std::this_thread::get_id());
            });
        background.finish();
        EXPECT_EQ(done.size(), 20u);
        background.give([&] { done.push_back(20); });
    }  // does the last one, too
    ASSERT_EQ(done.size(), 21u);
    for (int i = 0; i < 21; ++i)
        EXPECT_EQ(done[i], i);
    for (const std::thread::id id : threads) {
        EXPECT_EQ(id, threads[0]);
        EXPECT_NE(id, std::this_thread::get_id());
    }
}

/// Counts what jobs hold.
struct Held {
    static inline std::atomic<int> now = 0, most = 0;
    Held() {
        const int count = ++now;
        most = std::max(most.load(), count);
    }
    ~Held() { --now; }
};

TEST(Background, HoldsNoMoreJobsThanItMay) {
    Background background(2);
    for (int i = 0; i < 20; ++i) {
        background.wait_for_room();
        const auto held = std::make_shared<Held>();
        background.give([held] { wait_a_little(); });
    }
    background.finish();
    EXPECT_EQ(Held::most, 2);
    EXPECT_EQ(Held::now, 0);
}

TEST(Background, AnErrorIsThrownOnceAndNothingFollowsIt) {
    Background background(2);
    std::atomic<int> done = 0;
    background.give([] { throw std::runtime_error("the disk is full"); });
    std::string error;
    try {
        for (int i = 0; i < 1000; ++i) {
            background.check();
            wait_a_little();
        }
    } catch (const std::runtime_error& e) {
        error = e.what();
    }
    EXPECT_EQ(error, "the disk is full");
    background.give([&] { ++done; });
    background.check();
    background.finish();
    EXPECT_EQ(done, 0);
}

TEST(Background, JobsThatWaitAreDroppedWhenTheOneBeforeFails) {
    Background background(2);
    std::atomic<bool> may_fail = false;
    bool done = false;
    background.give([&] {
        while (!may_fail)
            wait_a_little();
        throw std::runtime_error("failed");
    });
    background.give([&] { done = true; });
    may_fail = true;
    EXPECT_THROW(background.finish(), std::runtime_error);
    EXPECT_FALSE(done);
}

TEST(Background, LoopsOfJobsTakeTheThreadsOfTheCaller) {
    const int before = host_threads();
    set_host_threads(3);
    int found = 0;
    {
        Background background(1);
        background.give([&] { found = host_threads(); });
    }
    EXPECT_EQ(found, host_threads());
    set_host_threads(before);
}

TEST(Background, WithoutJobsThereIsNoThread) {
    const std::filesystem::path tasks = "/proc/self/task";
    if (!std::filesystem::exists(tasks))
        GTEST_SKIP() << "the threads of a process cannot be counted here";
    const auto count = [&] {
        return std::distance(std::filesystem::directory_iterator(tasks), {});
    };
    const auto before = count();
    Background background(2);
    background.check();
    background.finish();
    EXPECT_EQ(count(), before);
    background.give([] {});
    EXPECT_EQ(count(), before + 1);
}

}  // namespace
}  // namespace millrace
