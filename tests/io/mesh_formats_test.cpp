#include "io/mesh_formats.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "support/damage.hpp"
#include "support/format_frames.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

const std::vector<std::string> k_readable{"vtp", "ply"};

void expect_same(const SurfaceFrame& a, const SurfaceFrame& b, const std::string& format) {
    EXPECT_EQ(a.time, b.time) << format;
    EXPECT_EQ(a.mesh.triangles, b.mesh.triangles) << format;
    EXPECT_TRUE(a.mesh.vertices == b.mesh.vertices) << format;
    EXPECT_TRUE(a.mesh.normals == b.mesh.normals) << format;
    EXPECT_TRUE(a.mesh.velocities == b.mesh.velocities) << format;
    EXPECT_TRUE(a.mesh.vorticities == b.mesh.vorticities) << format;
    EXPECT_EQ(a.mesh.fluids, b.mesh.fluids) << format;
}

TEST(MeshFormats, EverySurfaceComesBackAsItWas) {
    const TemporaryFolder folder;
    SurfaceFrame bare = test::ball_surface(4, false);
    bare.mesh.normals.clear();
    bare.mesh.velocities.clear();
    bare.mesh.vorticities.clear();
    SurfaceFrame empty;
    empty.time = 2.0 / 3;
    SurfaceFrame points = test::ball_surface(3);
    points.mesh.triangles.clear();
    for (const std::string& format : k_readable)
        for (const SurfaceFrame& surface :
             {test::ball_surface(40), test::ball_surface(5, false), bare, empty, points}) {
            write_mesh(folder / ("a." + format), surface, 0.1);
            expect_same(read_mesh(folder / ("a." + format)), surface, format);
        }
    EXPECT_EQ(folder.files().size(), k_readable.size());
}

TEST(MeshFormats, DamageIsAnInputError) {
    const TemporaryFolder folder;
    for (const std::string& format : k_readable) {
        const std::string name = "a." + format;
        write_mesh(folder / name, test::ball_surface(3), 0.1);
        test::expect_damage_is_noticed(folder, name, read_mesh);
    }
}

TEST(MeshFormats, CornersThatAreNotThereAreInputErrors) {
    const TemporaryFolder folder;
    write_mesh(folder / "a.ply", test::ball_surface(3), 0.1);
    std::string bytes = read_file(folder / "a.ply");
    bytes[bytes.size() - 3] = 1;  // of the last corner
    write_file(folder / "a.ply", bytes);
    EXPECT_NE(test::input_error([&] { read_mesh(folder / "a.ply"); }).find("corner"),
              std::string::npos);
    bytes[bytes.size() - 13] = 4;
    write_file(folder / "a.ply", bytes);
    EXPECT_NE(test::input_error([&] { read_mesh(folder / "a.ply"); }).find("no triangle"),
              std::string::npos);
}

TEST(MeshFormats, ObjHasEveryBitOfItsNumbers) {
    const TemporaryFolder folder;
    SurfaceFrame surface = test::ball_surface(6);
    surface.mesh.vertices[1] = {{-1.17549435e-38f, 3.40282347e38f, 0.1f}};
    write_mesh(folder / "a.obj", surface, 0);
    SurfaceMesh back;
    std::istringstream lines(read_file(folder / "a.obj"));
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '#' || line[0] == 'o')
            continue;
        std::istringstream words(line);
        std::string key, word[3];
        words >> key >> word[0] >> word[1] >> word[2];
        if (key == "f") {
            auto& triangle = back.triangles.emplace_back();
            for (int k = 0; k < 3; ++k) {
                triangle[k] = static_cast<std::uint32_t>(std::stoul(word[k]) - 1);
                const std::string number = std::to_string(triangle[k] + 1);
                EXPECT_EQ(word[k], number + "//" + number);
            }
        } else {
            ASSERT_TRUE(key == "v" || key == "vn") << line;
            Vec3& v = (key == "v" ? back.vertices : back.normals).emplace_back();
            for (int k = 0; k < 3; ++k)
                v[k] = std::strtof(word[k].c_str(), nullptr);
        }
    }
    EXPECT_TRUE(back.vertices == surface.mesh.vertices);
    EXPECT_TRUE(back.normals == surface.mesh.normals);
    EXPECT_EQ(back.triangles, surface.mesh.triangles);
}

TEST(MeshFormats, UnknownEndingsAndPlacesAreErrors) {
    const SurfaceFrame surface = test::ball_surface(3);
    EXPECT_TRUE(test::input_error([&] {
                    write_mesh("a.stl", surface, 1);
                }).starts_with("a.stl: the endings for surfaces are .vtp, .ply, .obj"));
    EXPECT_EQ(test::input_error([] { read_mesh("a.obj"); }),
              "a.obj: the endings for surfaces that can be read are .vtp, .ply");
    for (const std::string& format : mesh_formats())
        EXPECT_THROW(write_mesh("/nowhere/at/all." + format, surface, 0.1), RunError) << format;
}

TEST(MeshFormats, LevelSetsNeedVoxelsAndFiniteVertices) {
    if (mesh_formats().back() != "vdb")
        GTEST_SKIP() << "OpenVDB is not built in";
    const TemporaryFolder folder;
    SurfaceFrame surface = test::ball_surface(3);
    for (const double voxel : {0., -1., std::nan(""), 1e-9})
        EXPECT_THROW(write_mesh(folder / "a.vdb", surface, voxel), RunError) << voxel;
    surface.mesh.vertices[3][1] = NAN;
    EXPECT_THROW(write_mesh(folder / "a.vdb", surface, 0.1), RunError);
    EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace millrace
