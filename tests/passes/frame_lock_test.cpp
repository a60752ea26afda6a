#include "passes/frame_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

TEST(FrameLock, ExcludesAllOthers) {
    const test::TemporaryFolder folder;
    {
        const auto lock = FrameLock::take(folder / "a.vtp");
        ASSERT_TRUE(lock);
        EXPECT_FALSE(FrameLock::take(folder / "a.vtp"));
        EXPECT_TRUE(FrameLock::take(folder / "b.vtp"));
        const pid_t child = fork();
        if (child == 0)
            _exit(FrameLock::take(folder / "a.vtp") ? 1 : 0);
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_TRUE(FrameLock::take(folder / "a.vtp"));
}

TEST(FrameLock, EndsWithItsProcess) {
    const test::TemporaryFolder folder;
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const auto lock = FrameLock::take(folder / "a.vtp");
        const char told = lock ? 'y' : 'n';
        [[maybe_unused]] const auto sent = write(ready[1], &told, 1);
        for (;;)
            pause();
    }
    char told = 0;
    ASSERT_EQ(read(ready[0], &told, 1), 1);
    EXPECT_EQ(told, 'y');
    EXPECT_FALSE(FrameLock::take(folder / "a.vtp"));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(FrameLock::take(folder / "a.vtp"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    close(ready[0]);
    close(ready[1]);
}

}  // namespace
}  // namespace millrace
