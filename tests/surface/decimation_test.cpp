#include "surface/decimation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/closed_mesh.hpp"
#include "surface/reconstruct.hpp"

namespace millrace {
namespace {

TEST(Decimation, KeepsItsPartTheVolumeAndTheTopology) {
    std::vector<float> drops = ball_of_particles(7, 0.2);  // with two single ones beside it
    drops.insert(drops.end(), {20, 0, 0, 0, 20, 0});
    SurfaceOptions options;
    const SurfaceMesh whole = reconstruct_surface({drops, drops, 1}, options);
    for (const double keep : {0.5, 0.2, 0.05}) {
        options.keep = keep;
        const SurfaceMesh mesh = reconstruct_surface({drops, drops, 1}, options);
        const double most = keep * static_cast<double>(whole.triangles.size());
        EXPECT_LE(static_cast<double>(mesh.triangles.size()), most);
        EXPECT_GT(static_cast<double>(mesh.triangles.size()), 0.99 * most - 2);
        EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
        EXPECT_EQ(euler_characteristic(mesh.vertices.size(), mesh.triangles), 6);
        EXPECT_EQ(mesh.normals.size(), mesh.vertices.size());
        EXPECT_EQ(mesh.velocities.size(), mesh.vertices.size());
        const auto before = part_volumes(whole.vertices, whole.triangles);
        const auto after = part_volumes(mesh.vertices, mesh.triangles);
        ASSERT_EQ(after.size(), 3u);
        for (int part = 0; part < 3; ++part)
            EXPECT_NEAR(after[part], before[part], 0.01 * before[part]);
    }
}

// The vertices of the sphere that is left lie near it.
TEST(Decimation, StaysNearTheSurface) {
    CellMesh sphere;
    const int rows = 24, columns = 48;
    const double pi = 3.14159265358979;
    sphere.vertices = {{{0, 0, 10}}, {{0, 0, -10}}};
    for (int r = 1; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            sphere.vertices.push_back(
                {{static_cast<float>(10 * std::sin(pi * r / rows) * std::cos(2 * pi * c / columns)),
                  static_cast<float>(10 * std::sin(pi * r / rows) * std::sin(2 * pi * c / columns)),
                  static_cast<float>(10 * std::cos(pi * r / rows))}});
    const auto at = [&](int r, int c) {
        return r == 0      ? 0u
               : r == rows ? 1u
                           : static_cast<std::uint32_t>(2 + (r - 1) * columns + c % columns);
    };
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            if (r > 0)
                sphere.triangles.push_back({at(r, c), at(r + 1, c), at(r, c + 1)});
            if (r + 1 < rows)
                sphere.triangles.push_back({at(r, c + 1), at(r + 1, c), at(r + 1, c + 1)});
        }
    ASSERT_TRUE(is_closed_manifold(sphere.vertices.size(), sphere.triangles));
    const double before = total_volume(sphere.vertices, sphere.triangles);
    decimate(sphere, 300);
    EXPECT_LE(sphere.triangles.size(), 300u);
    EXPECT_TRUE(is_closed_manifold(sphere.vertices.size(), sphere.triangles));
    EXPECT_NEAR(total_volume(sphere.vertices, sphere.triangles), before, 1e-3 * before);
    for (const Vec3& v : sphere.vertices)
        EXPECT_NEAR(norm(v), 10, 0.4);
}

TEST(Decimation, EndsWhereNothingCanGo) {
    CellMesh mesh{{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}},
                  {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                  {}};
    decimate(mesh, 1);
    EXPECT_EQ(mesh.triangles.size(), 4u);
    decimate(mesh, 4);
    EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
}

}  // namespace
}  // namespace millrace
