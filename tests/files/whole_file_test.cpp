#include "files/whole_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "millrace/error.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

TEST(WholeFile, HasEveryByte) {
    const test::TemporaryFolder folder;
    std::string bytes;
    for (int i = 0; i < 100'000; ++i)
        bytes += static_cast<char>(i * i);
    std::ofstream(folder / "a", std::ios::binary) << bytes;
    std::ofstream(folder / "empty", std::ios::binary);
    EXPECT_EQ(whole_file(folder / "a"), bytes);
    EXPECT_EQ(whole_file(folder / "a", bytes.size()), bytes);
    EXPECT_EQ(whole_file(folder / "empty"), "");
    EXPECT_EQ(file_problem(folder / "a"), "");
}

TEST(WholeFile, SaysWhyThereIsNone) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "ten", std::ios::binary) << "0123456789";
    std::ofstream(folder / "huge", std::ios::binary) << "x";
    std::filesystem::resize_file(folder / "huge", std::uintmax_t{1} << 42);
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0666), 0);
    const auto expect = [&](const std::filesystem::path& path, const std::string& reason,
                            std::uint64_t most_bytes = UINT64_MAX) {
        EXPECT_EQ(file_problem(path, most_bytes).find(reason), 0u) << path;
        try {
            whole_file(path, most_bytes);
            ADD_FAILURE() << path << " was read";
        } catch (const InputError& e) {
            EXPECT_EQ(std::string(e.what()).find(path.string() + ": cannot be read: " + reason), 0u)
                << e.what();
        }
    };
    expect(folder / "none", "No such file");
    expect(folder.path(), "Is a directory");
    expect(folder / "pipe", "it is a pipe");  // and nobody is waited for
    expect("/dev/zero", "it is a device");
    expect(folder / "ten", "it has 1e-08 GB, more than the 9e-09 GB", 9);
    expect(folder / "huge", "it has 4.4e+03 GB, more than");
}

}  // namespace
}  // namespace millrace
