// Other programs: what they get, what they print, how they end.
#include "platform/process.hpp"

#include <gtest/gtest.h>

namespace millrace::platform {
namespace {

TEST(Process, ItGetsItsInputAndItsFirstLineIsKept) {
    std::error_code error;
    FedProcess cat({"sh", "-c", "cat; exit 3"}, error);
    ASSERT_FALSE(error) << error.message();
    EXPECT_TRUE(cat.write("one\ntwo\n"));
    EXPECT_EQ(cat.wait(), 3);
    EXPECT_EQ(cat.first_line(), "one");
}

TEST(Process, ItsEndIsNoSignalToTheOneThatWrites) {
    std::error_code error;
    FedProcess none({"true"}, error);
    ASSERT_FALSE(error) << error.message();
    const std::string much(1 << 20, 'x');
    bool taken = true;
    for (int k = 0; k < 100 && taken; ++k)
        taken = none.write(much);
    EXPECT_FALSE(taken);
    EXPECT_EQ(none.wait(), 0);
    EXPECT_EQ(none.first_line(), std::nullopt);
}

TEST(Process, WhatItPrintsIsReadByLines) {
    std::error_code error;
    ReadProcess talk({"sh", "-c", "echo one; echo two >&2; printf rest"}, error);
    ASSERT_FALSE(error) << error.message();
    std::vector<std::string> lines;
    std::string line;
    for (;;) {
        const ReadProcess::Next next = talk.next_line(line);
        if (next == ReadProcess::Next::end)
            break;
        if (next == ReadProcess::Next::line)
            lines.push_back(line);
    }
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(talk.wait(), 0);
}

TEST(Process, ASilentOneIsNotWaitedForAndEndsWhenAsked) {
    std::error_code error;
    ReadProcess sleep({"sleep", "100"}, error);
    ASSERT_FALSE(error) << error.message();
    std::string line;
    EXPECT_EQ(sleep.next_line(line), ReadProcess::Next::nothing_yet);
    sleep.ask_to_end();
    EXPECT_EQ(sleep.wait(), std::nullopt);  // no exit code: it was ended
}

TEST(Process, AProgramThatIsNotThereIsAnError) {
    std::error_code error;
    ReadProcess reader({"no_such_program_of_millrace"}, error);
    EXPECT_EQ(error, std::errc::no_such_file_or_directory);
    FedProcess fed({"no_such_program_of_millrace"}, error);
    EXPECT_EQ(error, std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace millrace::platform
