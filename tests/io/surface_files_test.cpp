#include "io/surface_files.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/mesh_file.hpp"
#include "geometry/primitives.hpp"
#include "io/atomic_file.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

ObjectSurface surface_of_box(const std::string& name, bool is_body, const Rotation& rotation = {},
                             const Vec3d& scale = {{1, 1, 1}}) {
    const Vector& axis = rotation.axis;
    const TriangleMesh mesh = transformed(
        box_mesh({{0, 0, 0}}, {{1, 2, 3}}), scale,
        Quaterniond::from_axis_angle({{axis[0], axis[1], axis[2]}}, rotation.angle * M_PI / 180),
        {{0, 0, 0}});
    ObjectSurface surface;
    surface.name = name;
    surface.is_body = is_body;
    for (const Vec3d& x : mesh.vertices)
        surface.vertices.push_back({x[0], x[1], x[2]});
    surface.triangles = mesh.triangles;
    return surface;
}

Scene scene_of(const std::vector<std::string>& walls, const std::vector<std::string>& bodies) {
    Scene scene;
    for (const std::string& name : walls) {
        scene.boundaries.emplace_back().name = name;
        scene.boundaries.back().shape = Box{{0, 0, 0}, {1, 2, 3}};
    }
    for (const std::string& name : bodies)
        scene.bodies.emplace_back().name = name;
    return scene;
}

TEST(SurfaceFiles, WallsAndBodiesOfTheSameNameGetTheirOwnFiles) {
    const SurfaceFiles plain = surface_files(std::vector<std::string>{"a", "b"}, {"c"});
    EXPECT_EQ(plain.walls, (std::vector<std::string>{"a.ply", "b.ply"}));
    EXPECT_EQ(plain.bodies, (std::vector<std::string>{"c.ply"}));
    const SurfaceFiles shared = surface_files(std::vector<std::string>{"a", "body_a"}, {"a", "c"});
    EXPECT_EQ(shared.walls, (std::vector<std::string>{"wall_a.ply", "wall_body_a.ply"}));
    EXPECT_EQ(shared.bodies, (std::vector<std::string>{"body_a.ply", "body_c.ply"}));
}

TEST(SurfaceFiles, AreReadBackAsTheyWere) {
    const TemporaryFolder folder;
    ObjectSurface plane;  // has no triangles
    plane.name = "ground";
    write_surfaces(folder / "meshes", scene_of({"tank", "ground"}, {"crate"}),
                   {surface_of_box("tank", false), plane, surface_of_box("crate", true)});
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"meshes/crate.ply", "meshes/tank.ply"}));
    const TriangleMesh mesh = read_surface(folder / "meshes/crate.ply");
    const TriangleMesh box = box_mesh({{0, 0, 0}}, {{1, 2, 3}});
    EXPECT_EQ(mesh.triangles, box.triangles);
    ASSERT_EQ(mesh.vertices.size(), box.vertices.size());
    for (std::size_t i = 0; i < box.vertices.size(); ++i)
        EXPECT_EQ(norm(mesh.vertices[i] - box.vertices[i]), 0);
    EXPECT_NEAR(signed_volume(mesh), 6, 1e-6);
}

TEST(SurfaceFiles, NothingToWriteMakesNoFolder) {
    const TemporaryFolder folder;
    write_surfaces(folder / "meshes", scene_of({}, {}), {});
    EXPECT_FALSE(std::filesystem::exists(folder / "meshes"));
}

TEST(SurfaceFiles, DamageIsAnInputError) {
    const TemporaryFolder folder;
    write_ply(box_mesh({{0, 0, 0}}, {{1, 1, 1}}), (folder / "a.ply").string());
    const std::string whole = read_file(folder / "a.ply");
    std::string wrong_corner = whole;
    wrong_corner[whole.size() - 1] = 1;
    for (const std::string& bytes : {std::string(), std::string("ply\n"), whole + "x",
                                     whole.substr(0, whole.size() - 1), wrong_corner}) {
        write_file(folder / "a.ply", bytes);
        EXPECT_THROW(read_surface(folder / "a.ply"), InputError) << bytes.size();
    }
}

}  // namespace
}  // namespace millrace
