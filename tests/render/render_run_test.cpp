#include "render/render_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "geometry/mesh_file.hpp"
#include "geometry/primitives.hpp"
#include "io/atomic_file.hpp"
#include "io/pvd.hpp"
#include "io/vtu.hpp"
#include "millrace/error.hpp"
#include "passes/diffuse_frames.hpp"
#include "passes/surface_frames.hpp"
#include "render/video.hpp"
#include "support/shell.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

/// A run of 5 frames with a small block of water that gets faster.
void make_run(const std::filesystem::path& folder) {
    make_folder(folder / "particles");
    write_file(folder / "scene.json", R"({
        "millrace": 1, "name": "pool", "spacing": 0.1,
        "fluids": [ { "fill": [ { "box": { "min": [0, 0, 0], "max": [0.5, 0.5, 0.5] } } ] } ],
        "boundaries": [
            { "box": { "min": [0, 0, 0], "max": [2, 1, 1] }, "inside": true, "open": ["+y"] } ],
        "output": { "fps": 10 } })");
    std::vector<PvdEntry> entries;
    for (int frame = 0; frame < 5; ++frame) {
        ParticleFrame particles;
        particles.time = 0.1 * frame;
        std::vector<float> velocity, density;
        std::vector<std::uint32_t> id;
        for (std::uint32_t i = 0; i < 125; ++i) {
            for (const std::uint32_t index : {i % 5, i / 5 % 5, i / 25})
                particles.positions.push_back(0.1f * static_cast<float>(index) + 0.05f);
            velocity.insert(velocity.end(), {static_cast<float>(frame), 0, 0});
            density.push_back(1000);
            id.push_back(i);
        }
        particles.fields = {{"velocity", 3, velocity}, {"density", 1, density}, {"id", 1, id}};
        entries.push_back(
            {particles.time, "particles/pool_00000" + std::to_string(frame) + ".vtu"});
        write_vtu(folder / entries.back().file, particles);
    }
    write_pvd(folder / "particles.pvd", entries);
}

RenderOptions small(const std::filesystem::path& run) {
    RenderOptions options;
    options.run = run;
    options.width = 160;
    options.height = 120;
    options.video = false;
    options.quiet = true;
    return options;
}

/// Width and height in the head of a PNG file.
std::pair<int, int> png_size(const std::filesystem::path& path) {
    const std::string bytes = read_file(path);
    EXPECT_EQ(bytes.substr(1, 3), "PNG");
    const auto number = [&](std::size_t at) {
        int value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
        return value;
    };
    return {number(16), number(20)};
}

std::string input_error(const RenderOptions& options) {
    try {
        render_run(options);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

/// Lets programs be found in one folder only, while it lives.
class OnlyPath {
  public:
    explicit OnlyPath(const std::filesystem::path& folder) : old_(std::getenv("PATH")) {
        setenv("PATH", folder.c_str(), 1);
    }
    ~OnlyPath() { setenv("PATH", old_.c_str(), 1); }

  private:
    std::string old_;
};

TEST(RenderRun, MakesAPictureOfEveryFrame) {
    const TemporaryFolder folder;
    make_run(folder.path());
    const RenderResult result = render_run(small(folder.path()));
    EXPECT_EQ(result.pass.made, 5);
    EXPECT_EQ(result.folder, folder / "render");
    EXPECT_EQ(result.range.min, 0);
    EXPECT_EQ(result.range.max, 4);
    EXPECT_TRUE(result.video.empty());
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(png_size(folder / ("render/frame_00000" + std::to_string(i) + ".png")),
                  (std::pair{160, 120}));
}

TEST(RenderRun, TakesFramesRangeFieldAndFolder) {
    const TemporaryFolder folder;
    make_run(folder.path());
    RenderOptions options = small(folder.path());
    options.out = folder / "a/b";
    options.frames = {3, 100};
    options.field = "id";
    options.range = Range{0, 50};
    const RenderResult result = render_run(options);
    EXPECT_EQ(result.pass.made, 2);
    EXPECT_EQ(result.range.max, 50);
    EXPECT_TRUE(std::filesystem::exists(folder / "a/b/frame_000003.png"));
    EXPECT_TRUE(std::filesystem::exists(folder / "a/b/frame_000004.png"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a/b/frame_000000.png"));
}

TEST(RenderRun, MistakesNameTheRemedy) {
    const TemporaryFolder folder;
    const auto expect_words = [](const RenderOptions& options, const std::string& words) {
        const std::string error = input_error(options);
        EXPECT_NE(error.find(words), std::string::npos) << error;
    };
    expect_words(small(folder / "none"), "no such folder");
    expect_words(small(folder.path()), "no particles.pvd");
    make_run(folder.path());
    RenderOptions options = small(folder.path());
    options.field = "colour";
    expect_words(options, "velocity, density, id");
    options = small(folder.path());
    options.width = 10;
    expect_words(options, "--size");
    options = small(folder.path());
    options.frames.first = 7;
    expect_words(options, "0 to 4");
    options = small(folder.path());
    options.range = Range{2, 2};
    expect_words(options, "--range");
    options = small(folder.path());
    options.fps = -1;
    expect_words(options, "--fps");
    options = small(folder.path());
    options.style = "metaballs";
    expect_words(options, "--style metaballs: must be particles, surface or water");
    options.style = "surface";
    expect_words(options, "--style surface: only runs in 2D");
    options.style = "water";
    expect_words(options, "--style water: the run has no surfaces; make them by `millrace mesh`");
    write_pvd(folder / "particles.pvd", {});
    expect_words(small(folder.path()), "no frames");
}

TEST(RenderRun, FramesThatCannotBeReadAreNamedAndTheRestIsDrawn) {
    const TemporaryFolder folder;
    make_run(folder.path());
    write_file(folder / "particles/pool_000004.vtu", "rubbish");
    std::filesystem::remove(folder / "particles/pool_000002.vtu");
    testing::internal::CaptureStderr();
    const RenderResult result = render_run(small(folder.path()));
    const std::string errors = testing::internal::GetCapturedStderr();
    EXPECT_EQ(result.pass.made, 3);
    ASSERT_EQ(result.pass.errors.size(), 2u);
    EXPECT_NE(errors.find("pool_000002.vtu: "), std::string::npos) << errors;
    EXPECT_NE(errors.find("pool_000004.vtu: "), std::string::npos) << errors;
    make_run(folder.path());  // mended
    const RenderResult again = render_run(small(folder.path()));
    EXPECT_EQ(again.pass.made, 2);
    EXPECT_EQ(again.pass.found, 3);
}

TEST(RenderRun, AStoppedPassGoesOnToTheSamePictures) {
    const TemporaryFolder folder;
    make_run(folder.path());
    RenderOptions options = small(folder.path());
    render_run(options);
    const auto pictures = [&](const char* name) {
        std::string all;
        for (int i = 0; i < 5; ++i)
            all += read_file(folder /
                             (std::string(name) + "/frame_00000" + std::to_string(i) + ".png"));
        return all + read_file(folder / (std::string(name) + "/settings.json"));
    };
    options.out = folder / "parts";
    options.stop = [left = 2]() mutable { return left-- == 0; };
    EXPECT_TRUE(render_run(options).pass.stopped);
    options.stop = [] { return false; };
    EXPECT_EQ(render_run(options).pass.found, 2);
    EXPECT_EQ(pictures("parts"), pictures("render"));
    options.field = "id";
    EXPECT_NE(input_error(options).find("was made with field velocity, not id; --overwrite"),
              std::string::npos);
    options.overwrite = true;
    EXPECT_EQ(render_run(options).pass.made, 5);
}

TEST(RenderRun, MakesAVideoOfTheRightLength) {
    if (!test::has_program("ffmpeg") || !test::has_program("ffprobe"))
        GTEST_SKIP() << "ffmpeg is not installed";
    const TemporaryFolder folder;
    make_run(folder.path());
    RenderOptions options = small(folder.path());
    options.width = 161;  // odd sides get one more pixel
    options.video = true;
    const RenderResult result = render_run(options);
    EXPECT_EQ(result.video, folder / "render/pool.mp4");
    const auto probe = test::shell(
        "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
        "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames -of csv=p=0 '" +
        result.video.string() + "'");
    EXPECT_EQ(probe.output, "h264,162,120,yuv420p,10/1,5\n");
    for (const std::string& name : folder.files())
        EXPECT_EQ(name.find(".tmp"), std::string::npos) << name;
}

TEST(RenderRun, WithoutFfmpegThereArePicturesAndAWarning) {
    const TemporaryFolder folder, no_programs;
    make_run(folder.path());
    RenderOptions options = small(folder.path());
    options.video = true;
    const OnlyPath path(no_programs.path());
    testing::internal::CaptureStderr();
    const RenderResult result = render_run(options);
    const std::string warning = testing::internal::GetCapturedStderr();
    EXPECT_NE(warning.find("ffmpeg is not installed"), std::string::npos) << warning;
    EXPECT_EQ(result.pass.made, 5);
    EXPECT_TRUE(result.video.empty());
}

TEST(Video, AFailureOfFfmpegIsToldInItsWordsAndLeavesNoFile) {
    const TemporaryFolder folder, programs;
    write_file(programs / "ffmpeg", "#!/bin/sh\necho 'Unknown encoder' >&2\nexit 1\n");
    std::filesystem::permissions(programs / "ffmpeg", std::filesystem::perms::owner_all);
    const OnlyPath path(programs.path());
    try {
        const auto video = VideoWriter::open(folder / "a.mp4", 30);
        ASSERT_TRUE(video);
        for (int i = 0; i < 10; ++i)
            video->add(std::string(1000000, 'x'));
        video->finish();
        FAIL() << "no error";
    } catch (const RunError& e) {
        EXPECT_NE(std::string(e.what()).find("a.mp4: ffmpeg failed: Unknown encoder"),
                  std::string::npos)
            << e.what();
    }
    EXPECT_TRUE(folder.files().empty());
}

TEST(Video, AbandonedVideoLeavesNoFile) {
    if (!test::has_program("ffmpeg"))
        GTEST_SKIP() << "ffmpeg is not installed";
    const TemporaryFolder folder, pictures;
    {
        const auto video = VideoWriter::open(folder / "a.mp4", 30);
        write_png(pictures / "a.png", Image(64, 64));
        video->add(read_file(pictures / "a.png"));
    }
    EXPECT_TRUE(folder.files().empty());
}

TEST(RenderRun, DrawsBodiesWhereTheyAre) {
    const TemporaryFolder folder;
    make_run(folder.path());
    RenderOptions options = small(folder.path());
    options.out = folder / "without";
    render_run(options);

    Scene scene = parse_scene(read_file(folder / "scene.json"));
    Body crate;
    crate.name = "crate";
    crate.shape = BodyBox{{0.4, 0.4, 0.4}};
    crate.position = {1.5, 0.5, 0.5};
    crate.color = {1, 0, 0};
    scene.bodies = {crate};
    write_file(folder / "scene.json", scene_to_json(scene));
    testing::internal::CaptureStderr();
    options.out = folder / "missing";
    render_run(options);  // no surface, no bodies.jsonl: a warning, and the same pictures
    const std::string warning = testing::internal::GetCapturedStderr();
    EXPECT_NE(warning.find("crate.ply is missing: 'crate' is not drawn"), std::string::npos);
    EXPECT_EQ(read_file(folder / "missing/frame_000000.png").size(),
              read_file(folder / "without/frame_000000.png").size());

    make_folder(folder / "meshes");
    write_ply(box_mesh({{-0.2, -0.2, -0.2}}, {{0.2, 0.2, 0.2}}),
              (folder / "meshes/crate.ply").string());
    std::string lines;
    for (int i = 0; i < 5; ++i) {
        BodyView view;
        view.name = "crate";
        view.position = {1.5, 0.5 - 0.1 * i, 0.5};
        lines += body_line({0.1 * i, {view}}, 3);
    }
    write_file(folder / "bodies.jsonl", lines);
    options.out = folder / "with";
    options.range = Range{0, 5};
    EXPECT_EQ(render_run(options).pass.made, 5);
    const std::string first = read_file(folder / "with/frame_000000.png");
    EXPECT_NE(first, read_file(folder / "without/frame_000000.png"));
    EXPECT_NE(first, read_file(folder / "with/frame_000004.png"));
}

/// A run of a 2D game: a pool with a ball, one frame.
void make_flat_run(const std::filesystem::path& folder, const std::string& engine) {
    make_folder(folder / "particles");
    write_file(folder / "scene.json", R"({
        "millrace": 1, "name": "game", "dimension": 2, "spacing": 0.1,
        "fluids": [ { "fill": [ { "box": { "min": [0, 0], "max": [2, 1] } } ] } ],
        "boundaries": [ { "box": { "min": [0, 0], "max": [2, 2] }, "inside": true } ],
        "engine": ")" + engine + R"(" })");
    ParticleFrame particles;
    particles.dimension = 2;
    std::vector<float> velocity;
    for (int i = 0; i < 200; ++i) {
        particles.positions.insert(particles.positions.end(),
                                   {0.05f + 0.1f * static_cast<float>(i % 20),
                                    0.05f + 0.1f * static_cast<float>(i / 20), 0});
        velocity.insert(velocity.end(), {0, 0.01f * static_cast<float>(i), 0});
    }
    particles.fields = {{"velocity", 3, velocity}};
    write_vtu(folder / "particles/game_000000.vtu", particles);
    write_pvd(folder / "particles.pvd", {{0, "particles/game_000000.vtu"}});
}

TEST(RenderRun, DrawsWaterWhereTheRunHasSurfaces) {
    const TemporaryFolder folder;
    make_run(folder.path());
    const auto picture = [&](const std::string& style, const std::string& field, bool legend) {
        RenderOptions options = small(folder.path());
        options.style = style;
        options.field = field;
        options.legend = legend;
        options.frames = {3, 3};
        options.overwrite = true;
        render_run(options);
        return read_file(folder / "render/frame_000003.png");
    };
    const std::string particles = picture("", "", true);
    RenderOptions options = small(folder.path());
    options.style = "water";
    EXPECT_NE(input_error(options).find("no surfaces"), std::string::npos);

    const RecordedRun run = open_run(folder.path());
    make_folder(folder / "surface");
    const SurfaceOutput output;
    for (const int number : {2, 3})
        write_surface_frame(
            folder.path(), run.scene, number,
            make_surface(run.scene, read_frame(run, number), surface_options(output), {}), output);
    const std::string water = picture("", "", true);
    EXPECT_NE(water, particles);
    EXPECT_EQ(picture("", "velocity", true), particles);
    EXPECT_EQ(picture("particles", "", true), particles);
    EXPECT_NE(picture("water", "", false), water);  // no words in it

    // foam where there is some; what is missing, or of another time, is named
    make_folder(folder / "diffuse");
    DiffuseParticles foam;
    for (int i = 0; i < 200; ++i) {
        foam.positions.push_back({{0.5f, 0.51f, 0.0025f * static_cast<float>(i)}});
        foam.velocities.push_back({{0, 0, 0}});
        foam.ages.push_back(0.5f);
        foam.lifetimes.push_back(2);
        foam.kinds.push_back(DiffuseKind::foam);
        foam.ids.push_back(static_cast<std::uint32_t>(i));
    }
    write_diffuse_frame(folder.path(), run.scene, 3, to_frame(foam, 0.3, run.identity), {});
    EXPECT_NE(picture("", "", true), water);
    options = small(folder.path());
    options.out = folder / "rest";
    write_surface_frame(folder.path(), run.scene, 4, {0.3, {}}, output);
    testing::internal::CaptureStderr();
    const RenderResult rest = render_run(options);
    const std::string errors = testing::internal::GetCapturedStderr();
    EXPECT_EQ(rest.pass.made, 1);
    EXPECT_NE(errors.find("surface/pool_000000.vtp: is missing; make it by `millrace mesh`"),
              std::string::npos)
        << errors;
    EXPECT_NE(errors.find("diffuse/pool_000002.vtu: is missing; make it by `millrace foam`"),
              std::string::npos)
        << errors;
    EXPECT_NE(errors.find("surface/pool_000004.vtp: is of t = 0.3 s"), std::string::npos) << errors;
}

TEST(RenderRun, A2DGameIsDrawnAsALiquid) {
    const TemporaryFolder folder;
    const auto picture = [&](const std::string& style, const std::string& field = "") {
        RenderOptions options = small(folder.path());
        options.style = style;
        options.field = field;
        options.overwrite = true;
        render_run(options);
        return read_file(folder / "render/frame_000000.png");
    };
    make_flat_run(folder.path(), "sph");
    const std::string particles = picture("particles"), surface = picture("surface");
    EXPECT_NE(particles, surface);
    EXPECT_EQ(picture(""), particles);
    EXPECT_EQ(picture("", "velocity"), particles);
    EXPECT_NE(picture("surface", "velocity"), surface);  // with a colour bar
    make_flat_run(folder.path(), "game");
    EXPECT_EQ(picture(""), surface);
    EXPECT_EQ(picture("particles"), particles);
}

TEST(RenderRun, BodiesOfA2DGameComeFromTheScene) {
    const TemporaryFolder folder;
    make_flat_run(folder.path(), "game");
    const auto picture = [&] {
        RenderOptions options = small(folder.path());
        options.overwrite = true;
        render_run(options);
        return read_file(folder / "render/frame_000000.png");
    };
    const std::string without = picture();
    Scene scene = parse_scene(read_file(folder / "scene.json"));
    scene.bodies.resize(1);
    scene.bodies[0].name = "ball";
    scene.bodies[0].shape = BodySphere{0.3};
    write_file(folder / "scene.json", scene_to_json(scene));
    EXPECT_EQ(picture(), without);  // nobody knows where it is
    BodyView ball;
    ball.name = "ball";
    ball.position = {1, 1, 0};
    write_file(folder / "bodies.jsonl", body_line({0, {ball}, {}}, 2));
    const std::string with = picture();
    EXPECT_NE(with, without);
    ball.rotation = {0, 0, 0, 1};
    write_file(folder / "bodies.jsonl", body_line({0, {ball}, {}}, 2));
    EXPECT_NE(picture(), with);
}

TEST(RenderRun, FramesWithoutParticlesAreDrawn) {
    const TemporaryFolder folder;
    make_run(folder.path());
    ParticleFrame empty;
    empty.fields = {{"velocity", 3, std::vector<float>()}};
    for (int i = 0; i < 5; ++i) {
        empty.time = 0.1 * i;
        write_vtu(folder / ("particles/pool_00000" + std::to_string(i) + ".vtu"), empty);
    }
    EXPECT_EQ(render_run(small(folder.path())).pass.made, 5);
}

}  // namespace
}  // namespace millrace
