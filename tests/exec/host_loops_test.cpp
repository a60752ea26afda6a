// Every index once, whatever the number of threads and how the work is shared out.
#include "exec/host_loops.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace millrace {
namespace {

const HostLoop k_loops[] = {{},
                            {.grain = 0},
                            {.grain = 7},
                            {.grain = 4, .alone_to = 1000},
                            {.grain = 1, .threads = 3},
                            {.grain = 0, .threads = 5}};

TEST(HostLoops, EveryIndexIsWorkedOnOnce) {
    for (const HostLoop& loop : k_loops)
        for (const std::size_t n : {0, 1, 6, 1000, 1001}) {
            std::vector<int> calls(n, 0);
            parallel_for(n, loop, [&](std::size_t i) { ++calls[i]; });
            EXPECT_EQ(calls, std::vector<int>(n, 1)) << n << " by " << loop.grain;
        }
}

TEST(HostLoops, ScratchIsKeptByOneThread) {
    for (const HostLoop& loop : k_loops) {
        if (loop.grain == 0)
            continue;
        std::atomic<int> made = 0, wrong = 0;
        std::vector<int> values(1000, -1);
        const auto make = [&] {
            ++made;
            return std::vector<int>(64);
        };
        parallel_for_with(1000, loop, make, [&](int i, std::vector<int>& scratch) {
            std::fill(scratch.begin(), scratch.end(), i);
            values[i] = std::accumulate(scratch.begin(), scratch.end(), 0) / 64;
            wrong += values[i] != i;
        });
        EXPECT_EQ(wrong, 0);
        EXPECT_GE(made, 1);
        EXPECT_LE(made, std::max(loop.threads, host_threads()));
    }
}

TEST(HostLoops, AnyFindsTheOnlyOne) {
    for (const HostLoop& loop : k_loops) {
        for (const int wanted : {0, 500, 999})
            EXPECT_TRUE(parallel_any(1000, loop, [&](int i) { return i == wanted; }));
        EXPECT_FALSE(parallel_any(1000, loop, [](int i) { return i < 0; }));
        EXPECT_FALSE(parallel_any(0, loop, [](int) { return true; }));
    }
}

TEST(HostLoops, FewIndicesAreTheCallersOwn) {
    int sum = 0;  // not shared: a second thread would be a race
    parallel_for(100, {.alone_to = 100}, [&](int i) { sum += i; });
    EXPECT_EQ(sum, 4950);
}

}  // namespace
}  // namespace millrace
