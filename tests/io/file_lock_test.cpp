#include "io/file_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

TEST(FileLock, ExcludesAllOthers) {
    const test::TemporaryFolder folder;
    {
        const auto lock = FileLock::take(folder / "a.vtp");
        ASSERT_TRUE(lock);
        EXPECT_FALSE(FileLock::take(folder / "a.vtp"));
        EXPECT_TRUE(FileLock::take(folder / "b.vtp"));
        const pid_t child = fork();
        if (child == 0)
            _exit(FileLock::take(folder / "a.vtp") ? 1 : 0);
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_TRUE(FileLock::take(folder / "a.vtp"));
}

TEST(FileLock, EndsWithItsProcess) {
    const test::TemporaryFolder folder;
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const auto lock = FileLock::take(folder / "a.vtp");
        const char told = lock ? 'y' : 'n';
        [[maybe_unused]] const auto sent = write(ready[1], &told, 1);
        for (;;)
            pause();
    }
    char told = 0;
    ASSERT_EQ(read(ready[0], &told, 1), 1);
    EXPECT_EQ(told, 'y');
    EXPECT_FALSE(FileLock::take(folder / "a.vtp"));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(FileLock::take(folder / "a.vtp"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    close(ready[0]);
    close(ready[1]);
}

TEST(FileLock, IsWaitedFor) {
    const test::TemporaryFolder folder;
    std::optional<FileLock> first = FileLock::take(folder / "a.pvd");
    ASSERT_TRUE(first);
    std::atomic<bool> has_it = false;
    std::thread second([&] {
        const FileLock lock = FileLock::wait_for(folder / "a.pvd");
        has_it = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_FALSE(has_it);
    first.reset();
    second.join();
    EXPECT_TRUE(has_it);
}

}  // namespace
}  // namespace millrace
