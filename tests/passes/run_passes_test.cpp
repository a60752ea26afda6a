// Surfaces and foam of a whole small run.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "io/atomic_file.hpp"
#include "io/mesh_formats.hpp"
#include "io/run_scene.hpp"
#include "io/vtu.hpp"
#include "millrace/error.hpp"
#include "passes/diffuse_frames.hpp"
#include "passes/foam_pass.hpp"
#include "passes/mesh_pass.hpp"
#include "passes/online.hpp"
#include "support/splash.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

const std::string k_scene = test::splash_scene(20);  // 6 frames

void run(const fs::path& out, const std::vector<std::string>& settings = {},
         FrameListener on_frame = {}) {
    RunRequest request;
    request.scene = parse_scene(k_scene, "splash.json", settings);
    request.scene_file = "splash.json";
    request.out = out;
    request.device = {"cpu", 1};
    request.checkpoint_every = 0;
    request.quiet = true;
    request.on_frame = std::move(on_frame);
    run_scene(request);
}

/// Every file of a folder and its bytes.
std::map<std::string, std::string> contents(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files[entry.path().filename()] = read_file(entry.path());
    return files;
}

class RunPasses : public testing::Test {
  protected:
    /// The run is made once; every test gets a copy.
    static void SetUpTestSuite() {
        made_ = new test::TemporaryFolder;
        run(*made_ / "run");
    }
    static void TearDownTestSuite() { delete made_; }
    void SetUp() override { fs::copy(*made_ / "run", run_, fs::copy_options::recursive); }

    MeshRequest mesh() const {
        MeshRequest request;
        request.run = run_;
        request.quiet = true;
        request.surface.smoothing = 5;
        return request;
    }
    FoamRequest foam() const {
        FoamRequest request;
        request.run = run_;
        request.quiet = true;
        return request;
    }
    fs::path particles(int frame) const {
        return run_ / ("particles/splash_00000" + std::to_string(frame) + ".vtu");
    }
    /// The errors of a pass, also what it prints.
    template <class Work>
    static std::string errors(const Work& work) {
        testing::internal::CaptureStderr();
        const PassOutcome outcome = work();
        std::string all = testing::internal::GetCapturedStderr();
        for (const std::string& error : outcome.errors)
            EXPECT_NE(all.find(error), std::string::npos) << all;
        return all;
    }

    static inline test::TemporaryFolder* made_ = nullptr;
    test::TemporaryFolder folder_;
    fs::path run_ = folder_ / "run";
};

/// Stops before the frame of this number in the order of the work.
std::function<bool()> after(int frames) {
    return [frames]() mutable { return frames-- <= 0; };
}

TEST_F(RunPasses, SurfacesOfEveryFrame) {
    const PassOutcome outcome = mesh_pass(mesh());
    EXPECT_EQ(outcome.made, 6);
    const std::vector<PvdEntry> frames = read_pvd(run_ / "surface.pvd");
    ASSERT_EQ(frames.size(), 6u);
    for (const PvdEntry& frame : frames) {
        const SurfaceFrame surface = read_mesh(run_ / frame.file);
        EXPECT_EQ(surface.time, frame.time);
        EXPECT_GT(surface.mesh.triangles.size(), 100u);
    }
    EXPECT_EQ(mesh_pass(mesh()).found, 6);
}

TEST_F(RunPasses, AStoppedPassGoesOnToTheSameFiles) {
    mesh_pass(mesh());
    foam_pass(foam());
    const auto surfaces = contents(run_ / "surface"), diffuse = contents(run_ / "diffuse");
    EXPECT_EQ(surfaces.size(), 7u);
    EXPECT_EQ(diffuse.size(), 7u);
    fs::remove_all(run_ / "surface");
    fs::remove_all(run_ / "diffuse");
    MeshRequest some = mesh();
    some.jobs = 1;
    FoamRequest little = foam();
    for (int i = 0; i < 3; ++i) {
        some.stop = after(2);
        little.stop = after(2 * i + 2);
        mesh_pass(some);
        foam_pass(little);
    }
    mesh_pass(mesh());
    foam_pass(foam());
    EXPECT_EQ(contents(run_ / "surface"), surfaces);
    EXPECT_EQ(contents(run_ / "diffuse"), diffuse);
}

TEST_F(RunPasses, FoamIsBornWhereWaterHitsWater) {
    foam_pass(foam());
    const ParticleFrame last = read_vtu(diffuse_file(run_, parse_scene(k_scene), 5));
    EXPECT_GT(last.count(), 50u);
    const DiffuseParticles particles = from_frame(last);
    for (const Vec3& x : particles.positions) {
        EXPECT_GE(x[1], -0.05f);
        const bool above_the_walls = x[1] > 1;
        EXPECT_TRUE(above_the_walls ||
                    (x[0] > -0.05f && x[0] < 0.55f && x[2] > -0.05f && x[2] < 0.45f))
            << x[0] << " " << x[1] << " " << x[2];
    }
}

TEST_F(RunPasses, FoamOfLaterFramesNeedsThoseBefore) {
    foam_pass(foam());
    const auto whole = contents(run_ / "diffuse");
    fs::remove_all(run_ / "diffuse");
    FoamRequest late = foam();
    late.frames = {3, 4};
    EXPECT_EQ(foam_pass(late).made, 5);
    late.frames = {5, 5};
    EXPECT_EQ(foam_pass(late).made, 1);
    EXPECT_EQ(contents(run_ / "diffuse"), whole);
}

TEST_F(RunPasses, FramesThatCannotBeUsedAreNamedAndTheRestIsDone) {
    fs::remove(particles(1));
    fs::resize_file(particles(2), fs::file_size(particles(2)) / 2);
    run(folder_ / "other", {"fluids[0].density=900"});
    fs::copy_file(folder_ / "other/particles/splash_000003.vtu", particles(3),
                  fs::copy_options::overwrite_existing);
    fs::copy_file(particles(5), particles(4), fs::copy_options::overwrite_existing);
    const std::string of_mesh = errors([&] { return mesh_pass(mesh()); });
    const std::string of_foam = errors([&] { return foam_pass(foam()); });
    for (const std::string& all : {of_mesh, of_foam}) {
        EXPECT_NE(all.find(particles(1).string() + ": "), std::string::npos) << all;
        EXPECT_NE(all.find(particles(2).string() + ": "), std::string::npos) << all;
        EXPECT_NE(all.find(particles(3).string() + ": is a frame of another run"),
                  std::string::npos)
            << all;
        EXPECT_NE(all.find(particles(4).string() + ": is of t = 0.25 s"), std::string::npos) << all;
        EXPECT_EQ(std::ranges::count(all, '\n'), 4) << all;
    }
    for (const char* pvd : {"surface.pvd", "diffuse.pvd"})
        EXPECT_EQ(read_pvd(run_ / pvd).size(), 2u);
}

TEST_F(RunPasses, OtherOptionsNeedOverwrite) {
    mesh_pass(mesh());
    MeshRequest finer = mesh();
    finer.surface.cell = 0.4;
    finer.frames = {0, 2};
    try {
        mesh_pass(finer);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_EQ(std::string(e.what()), (run_ / "surface").string() +
                                             ": was made with cell 0.5, not 0.4; --overwrite makes "
                                             "it anew");
    }
    finer.overwrite = true;
    EXPECT_EQ(mesh_pass(finer).made, 3);
    EXPECT_EQ(read_pvd(run_ / "surface.pvd").size(), 3u);  // the others were of other options
}

TEST_F(RunPasses, InTheRunAndAfterItAreTheSame) {
    const fs::path online = folder_ / "online";
    const std::vector<std::string> settings{"output.surface={\"smoothing\": 5}",
                                            "output.diffuse={}"};
    OnlinePasses passes(
        {parse_scene(k_scene, "splash.json", settings), online, {"cpu", 1}, false, true});
    run(online, settings,
        [&](std::int64_t number, const ParticleFrame& frame, const BodyFrame& bodies) {
            passes.frame(static_cast<int>(number), frame, bodies);
        });
    passes.finish();
    const auto surfaces = contents(online / "surface"), diffuse = contents(online / "diffuse");
    EXPECT_EQ(surfaces.size(), 7u);
    EXPECT_EQ(diffuse.size(), 7u);
    EXPECT_EQ(read_pvd(online / "diffuse.pvd").size(), 6u);
    for (const char* part : {"surface", "diffuse"})
        for (const auto& entry : fs::directory_iterator(online / part))
            if (entry.path().filename() != "settings.json")  // with the thresholds
                fs::remove(entry.path());
    MeshRequest again = mesh();
    again.run = online;
    mesh_pass(again);
    FoamRequest foam_again = foam();
    foam_again.run = online;
    foam_pass(foam_again);
    EXPECT_EQ(contents(online / "surface"), surfaces);
    EXPECT_EQ(contents(online / "diffuse"), diffuse);
}

TEST_F(RunPasses, ARunThatGoesOnHasTheFoamOfOneThatDidNotStop) {
    if (!has_checkpoints())
        GTEST_SKIP() << "no HDF5";
    RunRequest request;
    request.scene = parse_scene(k_scene, "splash.json", {"output.surface={}", "output.diffuse={}"});
    request.scene_file = "splash.json";
    request.device = {"cpu", 1};
    request.quiet = true;
    const auto go = [&](const fs::path& out, bool resumed) {
        OnlinePasses passes({request.scene, out, request.device, resumed, true});
        request.out = out;
        request.on_frame = [&](std::int64_t number, const ParticleFrame& frame,
                               const BodyFrame& bodies) {
            passes.frame(static_cast<int>(number), frame, bodies);
        };
        const RunOutcome outcome = run_scene(request);
        if (outcome.finished)
            passes.finish();
        return outcome;
    };
    go(folder_ / "whole", false);
    request.stop = [steps = 40]() mutable { return steps-- == 0; };
    const RunOutcome first = go(folder_ / "parts", false);
    ASSERT_FALSE(first.finished);
    ASSERT_GT(first.frames, 2);
    request.stop = [] { return false; };
    request.resume = read_checkpoint(first.checkpoint);
    EXPECT_TRUE(go(folder_ / "parts", true).finished);
    for (const char* part : {"surface", "diffuse"})
        EXPECT_EQ(contents(folder_ / "parts" / part) == contents(folder_ / "whole" / part), true);
    EXPECT_EQ(read_file(folder_ / "parts/diffuse.pvd"), read_file(folder_ / "whole/diffuse.pvd"));
}

TEST_F(RunPasses, DiffuseFramesComeBack) {
    DiffuseParticles particles;
    particles.positions = {{{1, 2, 3}}, {{-1, 0, 5}}};
    particles.velocities = {{{0, 0.1f, 0}}, {{7, 8, 9}}};
    particles.ages = {0.1f, 0.2f};
    particles.lifetimes = {1.5f, 2.5f};
    particles.kinds = {DiffuseKind::bubble, DiffuseKind::spray};
    particles.ids = {4, 9};
    particles.next_id = 11;
    const fs::path file = folder_ / "foam.vtu";
    write_vtu(file, to_frame(particles, 0.25, 7));
    const DiffuseParticles back = from_frame(read_vtu(file));
    for (std::size_t i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ(back.positions[i][k], particles.positions[i][k]);
            EXPECT_EQ(back.velocities[i][k], particles.velocities[i][k]);
        }
    EXPECT_EQ(back.ages, particles.ages);
    EXPECT_EQ(back.lifetimes, particles.lifetimes);
    EXPECT_EQ(back.kinds, particles.kinds);
    EXPECT_EQ(back.ids, particles.ids);
    EXPECT_EQ(back.next_id, 11u);
    EXPECT_THROW(from_frame(read_vtu(this->particles(0))), InputError);
}

/// The bytes of "..., about 1.23 MB on the disk".
double told_size(const std::string& text) {
    const std::size_t at = text.find("about ");
    double number = 0;
    char unit[8] = "";
    if (at == std::string::npos ||
        std::sscanf(text.c_str() + at, "about %lf %7s", &number, unit) != 2)
        return 0;
    const std::map<std::string, double> units{{"bytes", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}};
    return number * units.at(unit);
}

TEST_F(RunPasses, WhatTheyLeaveIsToldBeforehand) {
    const std::vector<std::vector<std::string>> variants{
        {"spacing=0.03", "output.fps=60"},
        {"spacing=0.025", "output.fps=40", "fluids[0].velocity=[2, -6, 0]"}};
    for (const auto& settings : variants) {
        const fs::path out = folder_ / ("told" + settings[0]);
        run(out, settings);
        MeshRequest surfaces = mesh();
        FoamRequest bubbles = foam();
        surfaces.run = bubbles.run = out;
        surfaces.quiet = bubbles.quiet = false;
        for (const bool is_foam : {false, true}) {
            testing::internal::CaptureStdout();
            if (is_foam)
                foam_pass(bubbles);
            else
                mesh_pass(surfaces);
            const std::string text = testing::internal::GetCapturedStdout();
            double left = 0;
            for (const auto& [name, bytes] : contents(out / (is_foam ? "diffuse" : "surface")))
                left += static_cast<double>(bytes.size());
            EXPECT_NEAR(told_size(text), left, 0.2 * left) << text;
        }
    }
}

TEST_F(RunPasses, FoamIsRoundedToWhatAPictureShows) {
    foam_pass(foam());
    const Scene scene = parse_scene(k_scene);
    const ParticleFrame frame = read_vtu(diffuse_file(run_, scene, 5));
    ASSERT_GT(frame.count(), 20u);
    const float quantum = 1.f / 512;  // at most a 16th of 0.05 m
    for (const float x : frame.positions)
        EXPECT_EQ(x / quantum, std::round(x / quantum));
    const auto& ids = std::get<std::vector<std::uint32_t>>(frame.find("id")->data);
    EXPECT_TRUE(std::ranges::is_sorted(ids));
}

}  // namespace
}  // namespace millrace
