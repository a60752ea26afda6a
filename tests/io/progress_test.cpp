#include "io/progress.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "io/atomic_file.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

TEST(Progress, DurationForPeople) {
    EXPECT_EQ(duration_text(-1), "0 s");
    EXPECT_EQ(duration_text(6.2), "7 s");
    EXPECT_EQ(duration_text(59.5), "1:00");
    EXPECT_EQ(duration_text(185), "3:05");
    EXPECT_EQ(duration_text(3723), "1:02:03");
    EXPECT_FALSE(duration_text(1e300).empty());
}

TEST(Progress, AFileGetsPlainLinesAndNotOneForEveryUpdate) {
    const test::TemporaryFolder folder;
    std::FILE* file = std::fopen((folder / "log").c_str(), "w");
    {
        Progress progress(false, file);
        for (int i = 0; i < 1000; ++i)
            progress.update(i / 1000.0, "early");
        std::this_thread::sleep_for(std::chrono::milliseconds(3050));
        for (int i = 0; i < 1000; ++i)
            progress.update(0.5, "frame 45 of 90");
    }
    std::fclose(file);
    EXPECT_EQ(read_file(folder / "log"), " 50 %  frame 45 of 90, 4 s left\n");
}

}  // namespace
}  // namespace millrace
