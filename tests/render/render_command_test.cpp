// The command line of `millrace render`, through the built program.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>

#include "io/atomic_file.hpp"
#include "io/pvd.hpp"
#include "io/vtu.hpp"
#include "support/paths.hpp"
#include "support/shell.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

const std::string k_program = in_build("bin/millrace");

struct CommandResult {
    int exit_code;
    std::string output;
};

CommandResult render(const std::string& arguments) {
    const test::ShellResult result = test::shell("'" + k_program + "' render " + arguments);
    return {WIFEXITED(result.status) ? WEXITSTATUS(result.status) : -1, result.output};
}

/// The folder of a 2D run with one frame of one particle.
class RenderCommand : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(k_program))
            GTEST_SKIP() << k_program << " is not built";
        make_folder(folder_ / "particles");
        write_file(folder_ / "scene.json", R"({
            "millrace": 1, "name": "drop", "dimension": 2, "spacing": 0.1,
            "fluids": [ { "fill": [ { "box": { "min": [0, 0], "max": [0.1, 0.1] } } ] } ],
            "boundaries": [ { "box": { "min": [0, 0], "max": [1, 1] }, "inside": true } ] })");
        ParticleFrame frame;
        frame.dimension = 2;
        frame.positions = {0.05f, 0.05f, 0};
        frame.fields = {{"velocity", 3, std::vector<float>{1, 0, 0}}};
        write_vtu(folder_ / "particles/drop_000000.vtu", frame);
        write_pvd(folder_ / "particles.pvd", {{0, "particles/drop_000000.vtu"}});
    }

    std::string run() const { return folder_.path().string() + " "; }

    test::TemporaryFolder folder_;
};

TEST_F(RenderCommand, PrintsWhereThePicturesAre) {
    const auto result = render(run() + "--size 128x96 --range 0:2 --frames 0 --no-video");
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(result.output,
              "pictures: " + (folder_ / "render/frame_*.png").string() + " (1 made)\n");
    EXPECT_TRUE(std::filesystem::exists(folder_ / "render/frame_000000.png"));
}

TEST_F(RenderCommand, DrawsASurface) {
    const auto result = render(run() + "--size 128x96 --style surface --no-video");
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "render/frame_000000.png"));
}

TEST_F(RenderCommand, MistakesEndWithCodeTwoAndOneLine) {
    const std::pair<std::string, std::string> cases[] = {
        {"/none/at/all", "error: /none/at/all: no such folder"},
        {run() + "--size 12", "error: --size 12: must be WIDTHxHEIGHT"},
        {run() + "--size 0x0", "error: --size: each side"},
        {run() + "--size 1280x720p", "error: --size 1280x720p: must be"},
        {run() + "--range 3:1", "error: --range 3:1: must be MIN:MAX"},
        {run() + "--range a:b", "error: --range a:b: must be MIN:MAX"},
        {run() + "--frames x", "error: --frames x: must be A:B"},
        {run() + "--frames 5:", "error: --frames: the run has the frames 0 to 0"},
        {run() + "--fps 0", "error: --fps: must be greater than 0"},
        {run() + "--style oil", "error: --style oil: must be particles, surface or water"},
        {run() + "--with blender --field velocity", "error: --field: not of --with blender"},
        {run() + "--samples 3", "error: --samples: only of --with blender"},
        {run() + "--field speed", "error: --field speed: the frames have no such field"},
    };
    for (const auto& [arguments, message] : cases) {
        const auto result = render(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_EQ(result.output.rfind(message, 0), 0u) << result.output;
        EXPECT_EQ(result.output.find('\n'), result.output.size() - 1) << result.output;
    }
}

TEST_F(RenderCommand, BlenderRendersFramesAndNamesDamagedOnes) {
    if (!test::has_program("blender"))
        GTEST_SKIP() << "blender is not installed";
    write_file(folder_ / "particles/drop_000001.vtu", "rubbish");
    write_pvd(folder_ / "particles.pvd",
              {{0, "particles/drop_000000.vtu"}, {0.1, "particles/drop_000001.vtu"}});
    const auto result = render(run() + "--with blender --size 64x48 --samples 1 --no-video");
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_NE(result.output.find("drop_000001.vtu"), std::string::npos) << result.output;
    EXPECT_NE(result.output.find("error: 1 of 2 frames could not be made"), std::string::npos)
        << result.output;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "render_blender/frame_000000.png"));
    const auto again = render(run() + "--with blender --size 64x48 --frames 0 --quiet");
    EXPECT_EQ(again.exit_code, 0) << again.output;
    EXPECT_EQ(again.output, "");
    if (test::has_program("ffmpeg")) {
        EXPECT_TRUE(std::filesystem::exists(folder_ / "render_blender/drop.mp4"));
    }
}

TEST_F(RenderCommand, AFolderThatCannotBeMadeEndsWithCodeOne) {
    write_file(folder_ / "file", "x");
    const auto result = render(run() + "--out " + (folder_ / "file/below").string());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.output.find("cannot be made"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace millrace
