// What is no file, or is not what its name says, in the place of every file that a user can name;
// and an output that cannot be written.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "io/particle_formats.hpp"
#include "support/format_frames.hpp"
#include "support/program.hpp"
#include "support/shell.hpp"
#include "support/small_run.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::Program;
namespace fs = std::filesystem;

class HostileFiles : public testing::Test {
  protected:
    void SetUp() override {
        if (!fs::exists(test::k_program))
            GTEST_SKIP() << test::k_program << " is not built";
        write_file(folder_ / "column.json", test::k_small_scene);
    }

    /// Expects one line with this text and this code, within a few seconds.
    void expect_error(int code, const std::string& text, const std::string& arguments) const {
        const auto result = test::shell("(cd '" + folder_.path().string() + "' && timeout 20 '" +
                                        test::k_program + "' " + arguments + ")");
        EXPECT_EQ(WEXITSTATUS(result.status), code) << arguments << '\n' << result.output;
        EXPECT_NE(result.output.find(text), std::string::npos)
            << arguments << '\n'
            << result.output << "has no " << text;
        EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
        EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    }
    void pipe(const std::string& name) const {
        ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0666), 0);
    }
    /// A file that claims 4 TB and takes no room.
    void huge(const std::string& name) const {
        write_file(folder_ / name, "x");
        fs::resize_file(folder_ / name, std::uintmax_t{1} << 42);
    }
    /// A few particles in 3D and three frames, `pond.json`.
    void write_pond() const {
        write_file(folder_ / "pond.json", R"({"millrace": 1, "name": "pond", "spacing": 0.1,
            "end": 0.02, "output": {"fps": 100},
            "fluids": [{"fill": [{"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}]}]})");
    }
    /// A scene with a body of this mesh, `mesh.json`.
    void scene_with_mesh(const std::string& file) const {
        write_file(folder_ / "mesh.json", R"({"millrace": 1, "spacing": 0.1, "end": 0.01,
            "fluids": [{"fill": [{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}],
            "bodies": [{"density": 500, "mesh": {"file": ")" +
                                              file + R"("}}]})");
    }

    test::TemporaryFolder folder_;
};

TEST_F(HostileFiles, PipesDevicesAndFoldersAreNoScenes) {
    pipe("pipe.json");
    huge("huge.json");
    expect_error(2, "pipe.json: cannot be read: it is a pipe", "info pipe.json");
    expect_error(2, "pipe.json: cannot be read: it is a pipe", "run pipe.json");
    expect_error(2, "pipe.json: cannot be read: it is a pipe", "convert pipe.json a.json");
    expect_error(2, "/dev/zero: cannot be read: it is a device", "info /dev/zero");
    expect_error(2, "cannot be read: Is a directory", "info .");
    expect_error(2, "huge.json: cannot be read: it has 4.4e+03 GB, more than", "info huge.json");
}

TEST_F(HostileFiles, NorMeshes) {
    const std::string place = "mesh.json: bodies[0].mesh.file: ";
    pipe("pipe.ply");
    fs::create_directory(folder_ / "folder.ply");
    fs::create_symlink("/dev/zero", folder_ / "zero.ply");
    huge("huge.ply");
    for (const auto& [file, text] : {std::pair{"pipe.ply", "it is a pipe"},
                                     {"zero.ply", "it is a device"},
                                     {"folder.ply", "Is a directory"},
                                     {"huge.ply", "4.4e+03 GB"}}) {
        scene_with_mesh(file);
        for (const char* command : {"info", "run"}) {
            expect_error(2, place, command + std::string(" mesh.json"));
            expect_error(2, text, command + std::string(" mesh.json"));
        }
    }
    // nor what a mesh names itself
    pipe("pipe.mtl");
    pipe("pipe.bin");
    write_file(folder_ / "box.obj",
               "mtllib pipe.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
               "usemtl red\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    scene_with_mesh("box.obj");
    const auto result = test::shell("cd '" + folder_.path().string() + "' && timeout 20 '" +
                                    test::k_program + "' info mesh.json");
    EXPECT_EQ(WEXITSTATUS(result.status), 0) << result.output;
    write_file(folder_ / "box.gltf", R"({"asset": {"version": "2.0"},
        "buffers": [{"uri": "pipe.bin", "byteLength": 12}]})");
    scene_with_mesh("box.gltf");
    expect_error(2, "box.gltf: buffers[0].uri: pipe.bin cannot be read: it is a pipe",
                 "info mesh.json");
}

TEST_F(HostileFiles, ADamagedMeshIsNamedWithItsKey) {
    write_file(folder_ / "quad.ply",
               "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
               "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
               "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 77\n");
    write_file(folder_ / "cut.gltf", R"({"asset": {"version": "2.0"}, "buffers": [{)");
    const std::string place = "error: mesh.json: bodies[0].mesh.file: ";
    for (const char* command : {"info mesh.json", "run mesh.json"}) {
        scene_with_mesh("quad.ply");
        expect_error(2, place, command);
        expect_error(2, "quad.ply: face 0: names a vertex that is not there (of 4)", command);
        scene_with_mesh("cut.gltf");
        expect_error(2, place, command);
        expect_error(2, "cut.gltf: is damaged: no valid JSON at byte 44", command);
    }
    EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(HostileFiles, NorCheckpointsAndFrames) {
    pipe("pipe.h5");
    pipe("pipe.vtu");
    pipe("pipe.ply");
    huge("huge.vtu");
    if (has_checkpoints()) {
        expect_error(2, "pipe.h5: cannot be read: it is a pipe", "run --resume pipe.h5");
        expect_error(2, "/dev/zero: cannot be read: it is a device", "run --resume /dev/zero");
    }
    expect_error(2, "pipe.vtu: cannot be read: it is a pipe", "convert pipe.vtu a.ply");
    expect_error(2, "pipe.ply: cannot be read: it is a pipe", "convert pipe.ply a.vtu");
    expect_error(2, "huge.vtu: cannot be read: it has", "convert huge.vtu a.ply");
    write_pond();
    Program run(folder_.path(), {"run", "pond.json", "--quiet"});
    ASSERT_EQ(run.wait(), 0) << run.errors();
    const fs::path frame = folder_ / "out/pond/particles/pond_000001.vtu";
    fs::remove(frame);
    ASSERT_EQ(mkfifo(frame.c_str(), 0666), 0);
    Program mesh(folder_.path(), {"mesh", "out/pond", "--quiet"});
    EXPECT_EQ(mesh.wait(), 2);  // and the other frames are made
    EXPECT_NE(mesh.errors().find("pond_000001.vtu: cannot be read: it is a pipe"),
              std::string::npos)
        << mesh.errors();
    EXPECT_TRUE(fs::exists(folder_ / "out/pond/surface/pond_000002.vtp"));
}

TEST_F(HostileFiles, ConvertReplacesFilesOnly) {
    write_particles(folder_ / "p.vtu", test::fluid_frame(5));
    fs::create_directory(folder_ / "folder.ply");
    expect_error(2, "folder.ply: is there and is not a file",
                 "convert p.vtu folder.ply --overwrite");
    EXPECT_TRUE(fs::is_directory(folder_ / "folder.ply"));
    expect_error(2, "a.vtu: the endings for scenes are .json", "convert column.json a.vtu");
    expect_error(2, "column.json: is not a folder; give the OUT folder", "mesh column.json");
    expect_error(2, "column.json: is not a folder; give the OUT folder", "foam column.json");
}

TEST_F(HostileFiles, OutputThatCannotBeWrittenIsAnError) {
    const std::string text = "error: standard output: cannot be written";
    expect_error(1, text, "info column.json 2>&1 >/dev/full");
    expect_error(1, text, "--version 2>&1 >/dev/full");
    expect_error(1, text, "run --help 2>&1 >/dev/full");
    expect_error(1, text, "bench --list 2>&1 >/dev/full");
    expect_error(1, text, "experiment --help 2>&1 >/dev/full");
    write_pond();
    expect_error(1, text, "run pond.json 2>&1 >/dev/full");
    test::expect_contract(folder_ / "out/pond");  // the run itself is whole
    expect_error(1, text, "mesh out/pond 2>&1 >/dev/full");
    expect_error(1, text, "foam out/pond 2>&1 >/dev/full");
    expect_error(1, text, "info column.json 2>&1 >&-");
    expect_error(2, "none.json: cannot be read", "info none.json 2>&1 >/dev/full");
}

// Without the first places taken, a file of the run would get what is printed.
TEST_F(HostileFiles, AClosedOutputIsNotTheFirstFileOfTheRun) {
    expect_error(1, "standard output", "run column.json --until 0.05 2>&1 <&- >&-");
    test::expect_contract(folder_ / "out/column");
}

}  // namespace
}  // namespace millrace
