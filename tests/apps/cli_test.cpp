// The command line: exit codes, messages, what options do.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "io/mesh_formats.hpp"
#include "io/particle_formats.hpp"
#include "support/format_frames.hpp"
#include "support/program.hpp"
#include "support/shell.hpp"
#include "support/small_run.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::Program;

class CommandLine : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(test::k_program))
            GTEST_SKIP() << test::k_program << " is not built";
        write_file(folder_ / "column.json", test::k_small_scene);
    }

    /// Exit code of `millrace ARGUMENTS`.
    int run(std::vector<std::string> arguments) {
        Program program(folder_.path(), std::move(arguments));
        const int code = program.wait();
        output_ = program.output();
        errors_ = program.errors();
        return code;
    }
    int run_column(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"run", "column.json"});
        return run(std::move(arguments));
    }
    /// Runs, and expects that it ends with this code, one line of this text and no folder.
    void expect_refusal(int code, const std::string& text, std::vector<std::string> arguments) {
        EXPECT_EQ(run(std::move(arguments)), code) << text << errors_;
        EXPECT_EQ(std::count(errors_.begin(), errors_.end(), '\n'), 1) << errors_;
        EXPECT_TRUE(errors_.starts_with("error: ")) << errors_;
        EXPECT_NE(errors_.find(text), std::string::npos) << errors_ << "has no " << text;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "out")) << text;
    }
    void expect_scene_refusal(const std::string& text, const std::string& setting) {
        expect_refusal(2, "column.json: " + text, {"run", "column.json", "--set", setting});
    }

    test::TemporaryFolder folder_;
    std::string output_, errors_;
};

TEST_F(CommandLine, WrongScenes) {
    expect_refusal(2, "none.json: cannot be read: No such file", {"run", "none.json"});
    expect_refusal(2, "cannot be read: Is a directory", {"run", "."});
    write_file(folder_ / "broken.json", "{ \"millrace\": 1, ");
    expect_refusal(2, "broken.json: ", {"run", "broken.json"});
    expect_scene_refusal("fluids[0].density: must be greater than 0, got -3",
                         "fluids[0].density=-3");
    expect_scene_refusal("spacing: must be greater than 0, got -0.1", "spacing=-0.1");
    expect_scene_refusal("spacing: must be a number, got 'NaN'", "spacing=NaN");
    expect_scene_refusal("spacng: ", "spacng=0.1");
    expect_scene_refusal("fluids: ", "fluids=[]");
    expect_scene_refusal("fluids[0]: needs fill or emitters", "fluids[0].fill=[]");
    expect_scene_refusal("fluids[0].fill[0].box: no particle fits", "spacing=0.6");
    expect_scene_refusal("fluids: no particle is left of the fills",
                         R"(fluids[0].fill[0].box={"min": [-0.05, 0.1], "max": [0, 0.15]})");
    expect_scene_refusal("spacing: 2.5e+11 particles would need about", "spacing=1e-6");
    expect_refusal(2, "column.json: spacing: must be greater",
                   {"info", "column.json", "--set", "spacing=0"});
}

TEST_F(CommandLine, WrongOptions) {
    expect_refusal(2, "subcommand", {});
    expect_refusal(2, "there is no command or option 'walk'", {"walk"});
    expect_refusal(2, "give a scene file", {"run"});
    expect_refusal(2, "--faster", {"run", "column.json", "--faster"});
    expect_refusal(2, "other.json", {"run", "column.json", "other.json"});
    expect_refusal(2, "--until", {"run", "column.json", "--until", "soon"});
    expect_refusal(2, "--until: must be a time of at least 0 s, got nan",
                   {"run", "column.json", "--until", "nan"});
    expect_refusal(2, "--until: ", {"run", "column.json", "--until", "-1"});
    expect_refusal(2, "--until: ", {"run", "column.json", "--until", "inf"});
    expect_refusal(2, "--fps: must be greater than 0, got 0", {"run", "column.json", "--fps", "0"});
    expect_refusal(2, "--threads: must be from 1 to 1024, or 0 for all cores, got -2",
                   {"run", "column.json", "--threads", "-2"});
    expect_refusal(2, "--threads", {"run", "column.json", "--threads", "two"});
    expect_refusal(2, "--threads", {"run", "column.json", "--threads", "99999999999999"});
    expect_refusal(2, "--device", {"run", "column.json", "--device", "gpu"});
    expect_refusal(2, "--checkpoint-every: must be at least 0 s, got -1",
                   {"run", "column.json", "--checkpoint-every", "-1"});
    expect_refusal(2, "--set", {"run", "column.json", "--set"});
    expect_refusal(2, "--set spacing: must be key.path=value",
                   {"run", "column.json", "--set", "spacing"});
    if (!has_cuda())
        expect_refusal(1, "device cuda: ", {"run", "column.json", "--device", "cuda"});
}

const std::string k_foreign_scene = R"({
    "Configuration": {"particleRadius": 0.05, "sim2D": true, "stopAt": 0.1, "pause": true},
    "RigidBodies": [{"geometryFile": "UnitBox.obj", "scale": [2, 2, 1], "mapInvert": true}],
    "FluidBlocks": [{"start": [-1, -1, 0], "end": [0, 0, 0]}]})";

TEST_F(CommandLine, ConvertWritesANativeScene) {
    write_file(folder_ / "foreign.json", k_foreign_scene);
    EXPECT_EQ(run({"convert", "foreign.json", "native.json"}), 0) << errors_;
    EXPECT_EQ(errors_, "warning: foreign.json: keys without effect here: pause\n");
    const Scene scene = load_scene(folder_ / "native.json");
    EXPECT_EQ(scene.dimension, 2);
    EXPECT_EQ(std::get<Box>(scene.boundaries.at(0).shape), (Box{{-1, -1, 0}, {1, 1, 0}}));

    expect_refusal(2, "native.json: is there already; --overwrite replaces it",
                   {"convert", "native.json", "native.json"});
    EXPECT_EQ(run({"convert", "native.json", "native.json", "--overwrite", "--set", "end=3"}), 0);
    EXPECT_EQ(load_scene(folder_ / "native.json").end, 3);

    write_file(folder_ / "foreign.json", R"({"FluidBlocks": 7})");
    expect_refusal(2, "foreign.json: FluidBlocks: must be a list, got 7",
                   {"convert", "foreign.json", "other.json"});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "other.json"));
}

TEST_F(CommandLine, ConvertedMeshesAreRelativeToTheNewFile) {
    std::filesystem::create_directories(folder_ / "meshes");
    std::filesystem::create_directories(folder_ / "scenes");
    write_file(folder_ / "meshes/ship.obj", "# a ship\n");
    write_file(folder_ / "foreign.json", R"({"Configuration": {"stopAt": 1},
        "FluidModels": [{"particleFile": "meshes/ship.obj"}]})");
    EXPECT_EQ(run({"convert", "foreign.json", "scenes/native.json"}), 0) << errors_;
    EXPECT_NE(read_file(folder_ / "scenes/native.json").find("\"file\": \"../meshes/ship.obj\""),
              std::string::npos);
}

TEST_F(CommandLine, ConvertTakesFramesAndSurfaces) {
    const ParticleFrame frame = test::fluid_frame(20);
    write_particles(folder_ / "p.vtu", frame);
    for (const auto& [in, out] : {std::pair{"p.vtu", "p.ply"}, {"p.ply", "p.bgeo"}})
        EXPECT_EQ(run({"convert", in, out}), 0) << errors_;
    const ParticleFrame back = read_particles(folder_ / "p.bgeo");
    EXPECT_EQ(back.positions, frame.positions);
    EXPECT_EQ(back.time, frame.time);
    EXPECT_EQ(back.fields.size(), frame.fields.size());

    const SurfaceFrame surface = test::ball_surface(5);
    write_mesh(folder_ / "m.vtp", surface, 0);
    for (const auto& [in, out] : {std::pair{"m.vtp", "m.ply"}, {"m.ply", "m.obj"}})
        EXPECT_EQ(run({"convert", in, out}), 0) << errors_;
    EXPECT_EQ(read_mesh(folder_ / "m.ply").mesh.triangles, surface.mesh.triangles);
    if (mesh_formats().back() == "vdb") {
        EXPECT_EQ(run({"convert", "m.ply", "m.vdb", "--voxel", "0.05"}), 0) << errors_;
        EXPECT_EQ(run({"convert", "m.ply", "edge.vdb"}), 0) << errors_;
    }

    expect_refusal(2, "p.ply: is there already; --overwrite", {"convert", "p.vtu", "p.ply"});
    expect_refusal(2, "p.obj: the endings for particles are .vtu, .ply, .bgeo",
                   {"convert", "p.ply", "p.obj"});
    expect_refusal(2, "m.bgeo: the endings for surfaces are .vtp, .ply, .obj",
                   {"convert", "m.ply", "m.bgeo"});
    expect_refusal(2, "m.obj: the endings for convert to read are .vtu",
                   {"convert", "m.obj", "m2.ply"});
    expect_refusal(2, "--set: is for scenes only", {"convert", "p.vtu", "a.ply", "--set", "end=1"});
    expect_refusal(2, "--voxel", {"convert", "m.ply", "a.vdb", "--voxel", "0"});
    expect_refusal(2, "none.ply: cannot be read", {"convert", "none.ply", "a.vtu"});
    write_file(folder_ / "bad.ply", "ply\nformat ascii 1.0\nend_header\n");
    expect_refusal(2, "bad.ply: not a binary", {"convert", "bad.ply", "a.vtu"});
}

TEST_F(CommandLine, RunTakesScenesOfSplishSplash) {
    write_file(folder_ / "foreign.json", k_foreign_scene);
    EXPECT_EQ(run({"run", "foreign.json", "--set", "end=0.02", "--quiet"}), 0) << errors_;
    EXPECT_EQ(errors_, "warning: foreign.json: keys without effect here: pause\n");
    EXPECT_EQ(load_scene(folder_ / "out/foreign/scene.json").end, 0.02);
}

TEST_F(CommandLine, WithoutHdf5CheckpointsAreAnErrorOnlyWhereTheyAreAskedFor) {
    if (has_checkpoints())
        GTEST_SKIP() << "HDF5 is built in";
    expect_refusal(1, "a.h5: checkpoints are not built in", {"run", "--resume", "a.h5"});
    expect_refusal(1, "--checkpoint-every: checkpoints are not built in",
                   {"run", "column.json", "--checkpoint-every", "60"});
    EXPECT_EQ(run_column({}), 0);
    EXPECT_TRUE(output_.starts_with("no checkpoints: ")) << output_;
}

TEST_F(CommandLine, TinyRunFollowsTheContract) {
    EXPECT_EQ(run_column({"--until", "0.1"}), 0) << errors_;
    EXPECT_EQ(errors_, "");
    EXPECT_NE(output_.find("column: 100 fluid particles, "), std::string::npos) << output_;
    EXPECT_NE(output_.find("\ndone: "), std::string::npos) << output_;
    test::expect_contract(folder_ / "out/column");
}

TEST_F(CommandLine, AGameRunsInThePool) {
    const std::vector<std::string> game{"column.json", "--set", "engine=game"};
    const auto with = [&](const std::string& command, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), game.begin(), game.end());
        arguments.insert(arguments.begin(), command);
        return arguments;
    };
    expect_refusal(2, "column.json: device: the engine 'game' runs on the cpu",
                   with("run", {"--device", "cuda"}));
    EXPECT_EQ(run(with("info", {})), 0) << errors_;
    const std::string told = output_;
    EXPECT_NE(output_.find("engine      game\n"), std::string::npos) << output_;
    EXPECT_NE(output_.find("wall        boundary_0\n"), std::string::npos) << output_;
    EXPECT_NE(output_.find("time step   16.7 ms: 15 steps"), std::string::npos) << output_;
    EXPECT_EQ(run(with("run", {"--threads", "1"})), 0) << errors_;
    EXPECT_EQ(errors_, "");
    EXPECT_NE(output_.find("0 boundary particles, cpu, "), std::string::npos) << output_;
    // `info` counts as the run does: "column: 98 fluid particles, ..."
    std::smatch count;
    ASSERT_TRUE(std::regex_search(output_, count, std::regex("column: (\\d+) fluid particles")));
    EXPECT_NE(told.find("water: " + count[1].str() + " particles at the start"), std::string::npos)
        << told << output_;
    test::expect_contract(folder_ / "out/column");
}

TEST_F(CommandLine, OptionsChangeTheScene) {
    EXPECT_EQ(run_column({"--set", "spacing=0.1", "--until", "0.1", "--fps", "50", "--out", "a/b",
                          "--set", "name=other", "--quiet", "--threads", "1", "--device", "cpu"}),
              0)
        << errors_;
    EXPECT_EQ(output_ + errors_, "");
    test::expect_contract(folder_ / "a/b");
    const Scene scene = load_scene(folder_ / "a/b/scene.json");
    EXPECT_EQ(scene.spacing, 0.1);
    EXPECT_EQ(scene.end, 0.1);
    EXPECT_EQ(scene.output.fps, 50);
    EXPECT_EQ(read_pvd(folder_ / "a/b/particles.pvd").size(), 6u);
    EXPECT_EQ(read_vtu(folder_ / "a/b/particles/other_000005.vtu").count(), 25u);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(CommandLine, TheSameRunTwiceGivesTheSameBits) {
    EXPECT_EQ(run_column({"--out", "a"}), 0);
    EXPECT_EQ(run_column({"--out", "b", "--threads", "2"}), 0);
    EXPECT_EQ(run({"run", "a/scene.json", "--out", "c"}), 0);  // the resolved scene
    test::expect_same_run(folder_ / "a", folder_ / "b");
    test::expect_same_run(folder_ / "a", folder_ / "c");
}

TEST_F(CommandLine, AnEarlierRunIsNotOverwrittenByAccident) {
    const std::vector<std::string> arguments{"--until", "0.05"};
    EXPECT_EQ(run_column(arguments), 0);
    const std::string stats = read_file(folder_ / "out/column/stats.jsonl");
    EXPECT_EQ(run_column(arguments), 2);
    EXPECT_TRUE(errors_.starts_with("error: out/column: holds a run; use --overwrite")) << errors_;
    EXPECT_EQ(read_file(folder_ / "out/column/stats.jsonl"), stats);
    EXPECT_EQ(run_column({"--until", "0.1", "--overwrite"}), 0) << errors_;
    EXPECT_EQ(load_scene(folder_ / "out/column/scene.json").end, 0.1);
    test::expect_contract(folder_ / "out/column");
}

TEST_F(CommandLine, OneWarningWhereTheSolverDoesNotConverge) {
    EXPECT_EQ(run_column({"--quiet", "--set", "pressure.max_iterations=1", "--set",
                          "pressure.min_iterations=1", "--until", "0.1"}),
              0);
    EXPECT_EQ(output_, "");
    EXPECT_TRUE(errors_.starts_with("warning: in ")) << errors_;
    EXPECT_EQ(std::count(errors_.begin(), errors_.end(), '\n'), 1) << errors_;
    EXPECT_NE(errors_.find("max_iterations (1)"), std::string::npos) << errors_;
}

TEST_F(CommandLine, AFullDiskIsOneLineThatNamesTheFile) {
    // a limit on the size of files stands for it
    const auto result = test::shell("cd " + folder_.path().string() + " && ulimit -f 6 && " + "'" +
                                    test::k_program + "' run column.json --quiet");
    EXPECT_EQ(WEXITSTATUS(result.status), 1) << result.output;
    EXPECT_TRUE(result.output.starts_with("error: out/column/")) << result.output;
    EXPECT_NE(result.output.find("cannot be written: File too large\n"), std::string::npos)
        << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    test::expect_whole_files(folder_ / "out/column");
    EXPECT_EQ(run_column({"--out", "/proc/nowhere"}), 1);
    EXPECT_TRUE(errors_.starts_with("error: /proc/nowhere")) << errors_;
}

TEST_F(CommandLine, InfoTellsWhatASceneContains) {
    EXPECT_EQ(run({"info", "column.json", "--set", "spacing=0.025"}), 0) << errors_;
    EXPECT_NE(output_.find("water: 400 particles"), std::string::npos) << output_;
    EXPECT_NE(output_.find("boundary_0: "), std::string::npos) << output_;
    EXPECT_NE(output_.find("frames      11\n"), std::string::npos) << output_;
    EXPECT_NE(output_.find("on average: about "), std::string::npos) << output_;
    EXPECT_NE(output_.find("disk        about "), std::string::npos) << output_;
    EXPECT_EQ(errors_, "");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(CommandLine, InfoWarnsOfMoreThanTheDiskHas) {
    // a thousand million frames
    const std::vector<std::string> endless{"info",    "column.json", "--set",
                                           "end=1e6", "--set",       "output.fps=1000"};
    EXPECT_EQ(run(endless), 0) << errors_;
    EXPECT_NE(errors_.find("warning: about "), std::string::npos) << errors_;
    EXPECT_NE(errors_.find("TB of disk are needed"), std::string::npos) << errors_;
}

TEST_F(CommandLine, VersionTellsWhatIsBuiltIn) {
    EXPECT_EQ(run({"--version"}), 0);
    EXPECT_TRUE(output_.starts_with("millrace " + version() + "\n")) << output_;
    EXPECT_NE(
        output_.find(std::string("HDF5 (checkpoints): ") + (has_checkpoints() ? "yes" : "no")),
        std::string::npos)
        << output_;
    EXPECT_NE(output_.find("Box2D (bodies in 2D): "), std::string::npos) << output_;
    EXPECT_EQ(run({"run", "--help"}), 0);
    EXPECT_NE(output_.find("--checkpoint-every"), std::string::npos);
}

}  // namespace
}  // namespace millrace
