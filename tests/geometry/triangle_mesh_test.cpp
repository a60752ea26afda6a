#include "geometry/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mesh_health.hpp"
#include "geometry/primitives.hpp"

namespace millrace {
namespace {

constexpr double k_pi = std::numbers::pi;

TEST(TriangleMesh, BoundsAndAreaOfABox) {
    const TriangleMesh box = box_mesh({{-1, 2, 3}}, {{1, 5, 4}});
    EXPECT_EQ(bounds(box).min, (Vec3d{{-1, 2, 3}}));
    EXPECT_EQ(bounds(box).max, (Vec3d{{1, 5, 4}}));
    EXPECT_NEAR(area(box), 2 * (2 * 3 + 3 * 1 + 2 * 1), 1e-12);
    EXPECT_NEAR(signed_volume(box), 6, 1e-12);
}

TEST(TriangleMesh, UnusedVerticesDoNotWidenTheBounds) {
    TriangleMesh box = box_mesh(Vec3d::all(0), Vec3d::all(1));
    box.vertices.push_back(Vec3d::all(9));
    EXPECT_EQ(bounds(box).max, Vec3d::all(1));
}

TEST(TriangleMesh, MirroringKeepsNormalsOutward) {
    const TriangleMesh box = box_mesh(Vec3d::all(0), Vec3d::all(1));
    const auto turn = Quaterniond::from_axis_angle({{0, 0, 1}}, k_pi / 2);
    const TriangleMesh moved = transformed(box, {{-2, 1, 3}}, turn, {{10, 0, 0}});
    EXPECT_NEAR(signed_volume(moved), 6, 1e-12);
    const Bounds b = bounds(moved);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(b.min[k], (Vec3d{{9, -2, 0}})[k], 1e-12);
        EXPECT_NEAR(b.max[k], (Vec3d{{10, 0, 3}})[k], 1e-12);
    }
}

TEST(TriangleMesh, WeldingJoinsEqualVertices) {
    const TriangleMesh box = box_mesh({{-1, -1, 0}}, Vec3d::all(1));
    TriangleMesh soup;
    for (std::size_t t = 0; t < box.triangles.size(); ++t) {
        TriangleMesh one{{box.corner(t, 0), box.corner(t, 1), box.corner(t, 2)}, {{0, 1, 2}}};
        if (t % 2)
            for (Vec3d& x : one.vertices)
                x[2] = x[2] == 0 ? -0.0 : x[2];
        append(soup, one);
    }
    EXPECT_EQ(soup.vertices.size(), 36u);
    EXPECT_EQ(welded(soup).vertices.size(), 8u);
    EXPECT_TRUE(inspect(soup).solid());
}

TEST(Primitives, AreClosedSolidsOfTheirVolumeAndArea) {
    struct Case {
        TriangleMesh mesh;
        double volume, area;
    };
    const double edge = 0.05;
    const Case cases[] = {{sphere_mesh({{1, 2, 3}}, 0.5, edge), 4 * k_pi / 3 * 0.125, k_pi},
                          {cylinder_mesh({{0, 0, 0}}, {{0, 3, 4}}, 0.5, edge), k_pi * 0.25 * 5,
                           k_pi * 5 + 2 * k_pi * 0.25},
                          {capsule_mesh({{1, 0, 0}}, {{3, 0, 0}}, 0.5, edge),
                           k_pi * 0.5 + 4 * k_pi / 3 * 0.125, 2 * k_pi + k_pi},
                          {torus_mesh({{0, 1, 0}}, {{1, 1, 0}}, 1, 0.3, edge),
                           2 * k_pi * k_pi * 0.09, 4 * k_pi * k_pi * 0.3}};
    for (const Case& c : cases) {
        EXPECT_TRUE(inspect(c.mesh).solid()) << describe(inspect(c.mesh));
        EXPECT_EQ(inspect(c.mesh).degenerate_triangles, 0u);
        EXPECT_NEAR(signed_volume(c.mesh) / c.volume, 1, 0.01);
        EXPECT_NEAR(area(c.mesh) / c.area, 1, 0.01);
        for (std::size_t t = 0; t < c.mesh.triangles.size(); ++t)
            for (int k = 0; k < 3; ++k)
                EXPECT_LE(norm(c.mesh.corner(t, k) - c.mesh.corner(t, (k + 1) % 3)), edge * 1.42);
    }
}

}  // namespace
}  // namespace millrace
