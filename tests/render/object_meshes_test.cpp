#include "render/object_meshes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/primitives.hpp"
#include "render/paints.hpp"

namespace millrace {
namespace {

Vec3d unit(const Vec3d& v) {
    return v / norm(v);
}

TEST(ShadedCorners, EdgesOfABoxStayHard) {
    const TriangleMesh box = box_mesh({{0, 0, 0}}, {{1, 2, 3}});
    const std::vector<Corner> corners = shaded_corners(box);
    ASSERT_EQ(corners.size(), 3 * box.triangles.size());
    for (std::size_t i = 0; i < corners.size(); ++i)
        EXPECT_NEAR(norm(Vec3d::from(corners[i].normal) - unit(box.normal(i / 3))), 0, 1e-6);
    EXPECT_EQ(hard_edges(box).size(), 12u);
}

TEST(ShadedCorners, ASphereIsSmooth) {
    const TriangleMesh sphere = sphere_mesh({{0, 0, 0}}, 1, 0.15);
    for (const Corner& corner : shaded_corners(sphere))
        EXPECT_NEAR(norm(Vec3d::from(corner.normal) - Vec3d::from(corner.position)), 0, 0.03);
    EXPECT_TRUE(hard_edges(sphere).empty());
}

TEST(ShadedCorners, ACylinderIsSmoothAroundAndHardAtItsEnds) {
    const TriangleMesh cylinder = cylinder_mesh({{0, 0, 0}}, {{0, 2, 0}}, 1, 0.2);
    for (const Corner& corner : shaded_corners(cylinder)) {
        const Vec3d n = Vec3d::from(corner.normal), x = Vec3d::from(corner.position);
        const Vec3d radial = unit({{x[0], 0, x[2]}});
        if (std::abs(n[1]) < 0.5)
            EXPECT_NEAR(norm(n - radial), 0, 0.03);
        else
            EXPECT_NEAR(std::abs(n[1]), 1, 1e-5);
    }
    for (const auto& [a, b] : hard_edges(cylinder))
        EXPECT_EQ(a[1], b[1]);  // the two rims alone
}

TEST(HardEdges, HaveTheBorderOfAnOpenSurface) {
    TriangleMesh sheet;
    sheet.vertices = {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    EXPECT_EQ(hard_edges(sheet).size(), 4u);
}

TEST(Paints, EveryObjectHasItsColourAndParticlesTheRest) {
    Scene scene;
    EXPECT_EQ(Paints(scene).levels(), 254);
    scene.boundaries.resize(3);
    scene.boundaries[1].color = {1, 0, 0};
    scene.bodies.resize(1);
    scene.bodies[0].color = {0, 1, 0};
    const Paints paints(scene);
    EXPECT_EQ(paints.levels(), 251);
    EXPECT_EQ(paints.all().size(), 254u);
    EXPECT_EQ(paints.all()[paints.code({1, 0, 0})].r, 1);
    EXPECT_EQ(paints.all()[paints.code({0, 1, 0})].g, 1);
    EXPECT_EQ(paints.code({0.6, 0.6, 0.6}), paints.code({0.61, 0.6, 0.6}));
}

TEST(Paints, VeryManyColoursLeaveEnoughForTheParticles) {
    Scene scene;
    for (int i = 0; i < 500; ++i)
        scene.bodies.emplace_back().color = {i / 499.0, 0, 0};
    const Paints paints(scene);
    EXPECT_GE(paints.levels(), 128);
    const int code = paints.code({1, 0, 0});
    EXPECT_TRUE(code >= paints.levels() && code < Paints::k_ground);
}

}  // namespace
}  // namespace millrace
