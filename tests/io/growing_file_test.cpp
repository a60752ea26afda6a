#include "io/growing_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

TEST(GrowingFile, HoldsWhatWasFlushed) {
    const TemporaryFolder folder;
    {
        GrowingFile file(folder / "a.txt", "start\n");
        EXPECT_EQ(read_file(folder / "a.txt"), "start\n");
        std::string all = "start\n";
        for (int round = 0; round < 50; ++round) {
            const std::string line = "line " + std::to_string(round) + "\n";
            file.append(line);
            EXPECT_EQ(read_file(folder / "a.txt"), all);
            file.flush();
            file.flush();
            all += line;
            EXPECT_EQ(read_file(folder / "a.txt"), all);
        }
        file.append("lost\n");
    }
    EXPECT_TRUE(read_file(folder / "a.txt").ends_with("line 49\n"));
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a.txt"});
}

TEST(GrowingFile, ReplacesTheFilesOfAKilledProgram) {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", "old\n");
    write_file(folder / ".a.txt.tmp", "old spare\n");
    write_file(folder / ".a.txt.swap.tmp", "old swap\n");
    GrowingFile file(folder / "a.txt");
    file.append("one\n");
    file.flush();
    file.append("two\n");
    file.flush();
    EXPECT_EQ(read_file(folder / "a.txt"), "one\ntwo\n");
}

TEST(GrowingFile, FullDiskKeepsWholeLines) {
    const TemporaryFolder folder;
    rlimit old_limit{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, old_limit.rlim_max};  // stands for the full disk
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string message;
    try {
        GrowingFile file(folder / "a.txt");
        for (int round = 0; round < 1000; ++round) {
            file.append("a line of 22 letters.\n");
            file.flush();
        }
    } catch (const RunError& e) {
        message = e.what();
    }
    setrlimit(RLIMIT_FSIZE, &old_limit);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_NE(message.find("a.txt: cannot be written"), std::string::npos) << message;
    const std::string text = read_file(folder / "a.txt");
    EXPECT_EQ(text.size() % 22, 0u);
    EXPECT_GT(text.size(), 900u);
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a.txt"});
}

}  // namespace
}  // namespace millrace
