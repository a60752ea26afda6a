#include "world/fluid_fill.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mesh_file.hpp"
#include "geometry/primitives.hpp"
#include "millrace/error.hpp"
#include "millrace/simulation.hpp"

namespace millrace {
namespace {

Scene filled(const Fill& fill, double spacing) {
    Scene scene;
    scene.spacing = spacing;
    scene.fluids.resize(1);
    scene.fluids[0].fill = {fill};
    scene.fluids[0].fill[0].jitter = 0;
    return scene;
}

/// Among no walls but these samples, with a test of what is solid.
template <int D>
FluidSamples<D> filled_among(
    const Scene& scene, const std::vector<Vec<D>>& samples = {},
    const SolidTest<D>& in_solids = [](std::span<const Vec<D>>, std::vector<std::uint8_t>&) {}) {
    return sample_fluid<D>(scene, make_solids<D>(scene), samples, in_solids);
}

Fill ball_fill() {
    Fill fill;
    fill.shape = Sphere{{7, 1, -3}, 0.5};
    return fill;
}

// As a shape and as a mesh, the particles make up the volume of a ball and lie in it.
TEST(FluidFill, FillsTheVolumeOfASphere) {
    const std::string path = testing::TempDir() + "fluid_fill_ball.ply";
    write_ply(sphere_mesh({{7, 1, -3}}, 0.5, 0.01), path);
    Fill mesh;
    mesh.shape = MeshFile{path, {1, 1, 1}, {}, {}};
    for (const double across : {20.0, 40.0})
        for (const Fill& fill : {ball_fill(), mesh}) {
            const Scene scene = filled(fill, 1 / across);
            const FluidSamples<3> samples = filled_among<3>(scene);
            double volume = 0;
            for (const float v : samples.volumes)
                volume += v;
            EXPECT_NEAR(volume / (std::numbers::pi / 6), 1, across == 20 ? 0.02 : 0.01);
            for (const Vec3& x : samples.positions)
                EXPECT_LT(norm(x - Vec3{7, 1, -3}), 0.5001f);
            EXPECT_TRUE(make_solids<3>(scene).warnings.empty());
            const double count = static_cast<double>(samples.positions.size());
            EXPECT_NEAR(estimate_size(scene).fluid_particles / count, 1, 0.02);
        }
}

TEST(FluidFill, FillsTheAreaOfADisc) {
    Scene scene = filled(ball_fill(), 0.02);
    scene.dimension = 2;
    const double expected = std::numbers::pi * 25 * 25;
    EXPECT_NEAR(filled_among<2>(scene).positions.size() / expected, 1, 0.02);
    EXPECT_NEAR(estimate_size(scene).fluid_particles / expected, 1, 1e-9);
}

// Particles keep a spacing from the samples of walls (S1 3.1), and stay out of solids and of fills
// that came before.
TEST(FluidFill, LeavesOutWhatIsTaken) {
    const double h = 0.05;
    Fill box;
    box.shape = Box{{0, 0, 0}, {1, 1, 1}};
    Scene scene = filled(box, h);
    const std::size_t all = filled_among<3>(scene).positions.size();
    EXPECT_EQ(all, 8000u);
    const std::vector<Vec3> wall{{0.5f, 0.5f, 0.5f}};
    for (const Vec3& x : filled_among<3>(scene, wall).positions)
        EXPECT_GE(norm(x - wall[0]), 0.999f * 0.05f);
    const SolidTest<3> left_half = [](std::span<const Vec3> points,
                                      std::vector<std::uint8_t>& solid) {
        for (std::size_t i = 0; i < points.size(); ++i)
            solid[i] |= points[i][0] < 0.5f;
    };
    EXPECT_EQ(filled_among<3>(scene, {}, left_half).positions.size(), all / 2);
    scene.fluids.push_back(scene.fluids[0]);
    std::get<Box>(scene.fluids[1].fill[0].shape).max[0] = 2;
    const FluidSamples<3> two = filled_among<3>(scene);
    EXPECT_EQ(two.positions.size(), 2 * all);
    for (std::size_t i = 0; i < two.positions.size(); ++i)
        EXPECT_EQ(two.fluids[i], two.positions[i][0] > 1 ? 1 : 0);
}

// A broken mesh is mended, and the user is told; one that encloses nothing is refused.
TEST(FluidFill, MendsMeshesWithAWarning) {
    const std::string path = testing::TempDir() + "fluid_fill_broken.ply";
    TriangleMesh ball = sphere_mesh({{7, 1, -3}}, 0.5, 0.1);
    ball.triangles.erase(ball.triangles.begin() + 40, ball.triangles.begin() + 44);
    write_ply(ball, path);
    Fill fill;
    fill.shape = MeshFile{path, {1, 1, 1}, {}, {}};
    const FluidSamples<3> samples = filled_among<3>(filled(fill, 0.05));
    const std::vector<std::string> warnings = make_solids<3>(filled(fill, 0.05)).warnings;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("fluids[0].fill[0].mesh.file: the mesh has holes"),
              std::string::npos)
        << warnings[0];
    double volume = 0;
    for (const float v : samples.volumes)
        volume += v;
    EXPECT_NEAR(volume / (std::numbers::pi / 6), 1, 0.06);
    TriangleMesh sheet;
    sheet.vertices = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}};
    sheet.triangles = {{0, 1, 2}};
    write_ply(sheet, path);
    EXPECT_THROW(filled_among<3>(filled(fill, 0.05)), InputError);
}

}  // namespace
}  // namespace millrace
