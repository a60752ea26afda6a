#include "passes/run_frames.hpp"

#include <gtest/gtest.h>

#include "millrace/error.hpp"

namespace millrace {
namespace {

TEST(RunFrames, BodiesAreThoseOfTheNearestLine) {
    RecordedRun run;
    EXPECT_TRUE(bodies_at(run, 1).bodies.empty());
    run.bodies = {{0, {}}, {0.1, {}}, {0.2, {}}};
    EXPECT_EQ(bodies_at(run, 0.1 + 1e-9).time, 0.1);
    EXPECT_EQ(bodies_at(run, 9).time, 0.2);
}

TEST(RunFrames, AreChosenByNumbers) {
    RecordedRun run;
    run.frames.resize(5);
    const auto chosen = [&](const char* text) { return chosen_frames(run, parse_frames(text)); };
    EXPECT_EQ(chosen("1:3"), (std::vector{1, 2, 3}));
    EXPECT_EQ(chosen("3:"), (std::vector{3, 4}));
    EXPECT_EQ(chosen(":1"), (std::vector{0, 1}));
    EXPECT_EQ(chosen("2"), (std::vector{2}));
    EXPECT_EQ(chosen("3:100"), (std::vector{3, 4}));
    EXPECT_EQ(chosen(":"), (std::vector{0, 1, 2, 3, 4}));
    for (const char* wrong : {"", "a", "1:b", "1:2:3", "5", "3:2", "-1:2", "7:", "1.5"})
        EXPECT_THROW(chosen(wrong), InputError) << wrong;
}

TEST(RunFrames, FilesHaveSixDigits) {
    Scene scene;
    scene.name = "pool";
    EXPECT_EQ(frame_file(scene, 12, "vtp"), "pool_000012.vtp");
}

}  // namespace
}  // namespace millrace
