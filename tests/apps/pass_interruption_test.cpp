// Passes that are killed at any moment, through the built program.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "support/program.hpp"
#include "support/splash.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::Program;
namespace fs = std::filesystem;

class PassInterruption : public testing::Test {
  protected:
    void SetUp() override {
        if (!fs::exists(test::k_program))
            GTEST_SKIP() << test::k_program << " is not built";
        write_file(folder_ / "splash.json", test::splash_scene(60));  // 16 frames
        Program run(folder_.path(), {"run", "splash.json", "--out", "whole", "--quiet"});
        ASSERT_EQ(run.wait(), 0) << run.errors();
        fs::copy(folder_ / "whole", folder_ / "killed", fs::copy_options::recursive);
    }

    /// Every file below a folder and its bytes, hidden ones too.
    std::map<std::string, std::string> contents(const std::string& name) const {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder_ / name))
            if (entry.is_regular_file())
                files[fs::relative(entry.path(), folder_ / name)] = read_file(entry.path());
        return files;
    }

    /// Kills the pass again and again; then it goes on to the end.
    void kill_and_go_on(const std::vector<std::string>& pass, std::mt19937& random) {
        std::vector<std::string> arguments = pass;
        arguments.insert(arguments.begin() + 1, "killed");
        for (int i = 0; i < 6; ++i) {
            Program program(folder_.path(), arguments);
            std::this_thread::sleep_for(
                std::chrono::milliseconds(std::uniform_int_distribution(20, 250)(random)));
            program.send(SIGKILL);
            program.wait();
            for (const auto& [name, bytes] : contents("killed"))
                EXPECT_FALSE(bytes.empty() && !name.ends_with(".lock") && !name.ends_with(".tmp"))
                    << name;
        }
        Program last(folder_.path(), arguments);
        EXPECT_EQ(last.wait(), 0) << last.errors();
    }

    test::TemporaryFolder folder_;
};

TEST_F(PassInterruption, KilledPassesGoOnToTheSameFiles) {
    std::vector<std::vector<std::string>> passes{{"mesh", "--quiet", "--jobs", "2"},
                                                 {"foam", "--quiet"}};
#ifdef MILLRACE_RENDER
    passes.push_back({"render", "--quiet", "--size", "128x96", "--no-video"});
#endif
    std::mt19937 random(11);
    for (const std::vector<std::string>& pass : passes) {
        std::vector<std::string> whole = pass;
        whole.insert(whole.begin() + 1, "whole");
        Program program(folder_.path(), whole);
        ASSERT_EQ(program.wait(), 0) << program.errors();
        kill_and_go_on(pass, random);
        const auto expected = contents("whole"), found = contents("killed");
        EXPECT_GT(expected.size(), 30u);
        for (const auto& [name, bytes] : expected) {
            ASSERT_TRUE(found.contains(name)) << name;
            EXPECT_EQ(found.at(name) == bytes, true) << name;
        }
        EXPECT_EQ(found.size(), expected.size());
    }
}

TEST_F(PassInterruption, SeveralProcessesMakeEveryFrame) {
    Program whole(folder_.path(), {"mesh", "whole", "--quiet"});
    ASSERT_EQ(whole.wait(), 0);
    {
        Program first(folder_.path(), {"mesh", "killed", "--quiet", "--frames", ":10"});
        Program second(folder_.path(), {"mesh", "killed", "--quiet", "--frames", "6:"});
        EXPECT_EQ(first.wait(), 0);
        EXPECT_EQ(second.wait(), 0);
    }
    EXPECT_EQ(contents("killed") == contents("whole"), true);
}

}  // namespace
}  // namespace millrace
