#include "io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "millrace/error.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

TEST(AtomicFile, WritesReplacesAndReadsBack) {
    const TemporaryFolder folder;
    const std::string bytes("zero \0 inside", 13);
    write_file(folder / "a.txt", "first");
    write_file(folder / "a.txt", bytes, true);
    EXPECT_EQ(read_file(folder / "a.txt"), bytes);
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, MissingFolderIsARunErrorThatNamesThePath) {
    const TemporaryFolder folder;
    try {
        write_file(folder / "none/a.txt", "x");
        FAIL() << "no error";
    } catch (const RunError& e) {
        EXPECT_NE(std::string(e.what()).find("none/a.txt"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("No such file"), std::string::npos) << e.what();
    }
}

TEST(AtomicFile, FullDiskKeepsTheOldFileAndLeavesNothingBehind) {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", "old");
    // a limit on the size of files stands for the full disk
    rlimit old_limit{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, old_limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(write_file(folder / "a.txt", std::string(100000, 'x')), RunError);
    setrlimit(RLIMIT_FSIZE, &old_limit);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_EQ(read_file(folder / "a.txt"), "old");
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, CannotReplaceAFolder) {
    const TemporaryFolder folder;
    make_folder(folder / "a/b");
    EXPECT_THROW(write_file(folder / "a", "x"), RunError);
    EXPECT_TRUE(folder.files().empty());
}

TEST(AtomicFile, ReadingAMissingFileOrAFolderIsAnInputError) {
    const TemporaryFolder folder;
    EXPECT_THROW(read_file(folder / "none"), InputError);
    EXPECT_THROW(read_file(folder.path()), InputError);
}

TEST(AtomicFile, FolderInTheWayIsARunError) {
    const TemporaryFolder folder;
    write_file(folder / "a", "x");
    EXPECT_THROW(make_folder(folder / "a/b"), RunError);
    EXPECT_NO_THROW(make_folder(folder.path()));
}

TEST(PendingFile, DisappearsWithoutCommit) {
    const TemporaryFolder folder;
    {
        const PendingFile pending(folder / "film.mp4");
        std::ofstream(pending.temporary()) << "half";
        EXPECT_EQ(folder.files().size(), 1u);
    }
    EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace millrace
