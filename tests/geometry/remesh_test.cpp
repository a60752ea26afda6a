#include "geometry/remesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "exec/host_threads.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/primitives.hpp"
#include "geometry/triangle_tree.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr double k_pi = std::numbers::pi;

void expect_watertight(const TriangleMesh& mesh) {
    const MeshHealth health = inspect(mesh);
    EXPECT_TRUE(health.closed && health.oriented && health.outward) << describe(health);
}

TriangleMesh unit_box() {
    return box_mesh(Vec3d::all(0), Vec3d::all(1));
}

// Without the triangles whose middle `hole` accepts.
template <class Hole>
TriangleMesh without(TriangleMesh mesh, const Hole& hole) {
    std::vector<std::array<std::uint32_t, 3>> kept;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (!hole((mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) / 3.0))
            kept.push_back(mesh.triangles[t]);
    EXPECT_LT(kept.size(), mesh.triangles.size());
    mesh.triangles = kept;
    return mesh;
}

TEST(TriangleTree, NearestAndWindingNumberAgreeWithTheSphere) {
    const double radius = 1.3;
    const Vec3d center{{1, 2, 3}};
    const TriangleTree tree(sphere_mesh(center, radius, 0.05));
    for (int k = 0; k < 300; ++k) {
        const double u = std::fmod(0.618034 * k, 1.0) * 2 * k_pi, z = -1 + 2 * (k + 0.5) / 300;
        const double r = 0.1 + 0.01 * k;
        const Vec3d direction{
            {std::sqrt(1 - z * z) * std::cos(u), z, std::sqrt(1 - z * z) * std::sin(u)}};
        const Vec3d p = center + direction * r;
        EXPECT_NEAR(tree.nearest(p).distance, std::abs(r - radius), 1e-3);
        EXPECT_NEAR(tree.nearest(p, std::abs(r - radius) + 0.1).distance, std::abs(r - radius),
                    1e-3);
        if (std::abs(r - radius) < 2e-3)
            continue;
        EXPECT_NEAR(tree.winding_number(p), r < radius ? 1 : 0, 0.03);
        const double hit = tree.first_hit(p, direction, 0);
        EXPECT_NEAR(r < radius ? hit : 0, r < radius ? radius - r : 0, 2e-3);
        EXPECT_EQ(hit == TriangleTree::k_far, r > radius);
    }
}

TEST(Watertight, ACleanMeshKeepsItsVolume) {
    const TriangleMesh meshes[] = {unit_box(), sphere_mesh({{5, 5, 5}}, 0.5, 0.05),
                                   torus_mesh(Vec3d::all(0), {{1, 1, 1}}, 0.35, 0.15, 0.03)};
    for (const TriangleMesh& mesh : meshes) {
        const TriangleMesh closed = watertight(mesh, 1.0 / 50);
        expect_watertight(closed);
        EXPECT_NEAR(signed_volume(closed) / signed_volume(mesh), 1, 0.01);
        EXPECT_NEAR(area(closed) / area(mesh), 1, 0.03);
    }
}

TEST(Watertight, ClosesHoles) {
    const double voxel = 0.02;
    const TriangleMesh ball = sphere_mesh(Vec3d::all(0), 0.5, 0.04);
    const TriangleMesh holed =
        without(ball, [](const Vec3d& x) { return x[0] > 0.48 || x[2] < -0.49; });
    ASSERT_GT(inspect(holed).boundary_edges, 10u);
    const TriangleMesh closed = watertight(holed, voxel);
    expect_watertight(closed);
    EXPECT_NEAR(signed_volume(closed) / signed_volume(ball), 1, 0.01);
    // far from the holes the surface is where it was
    const TriangleTree tree(holed);
    for (const Vec3d& x : closed.vertices)
        if (x[0] < 0.4 && x[2] > -0.4) {
            EXPECT_LT(tree.nearest(x).distance, 0.3 * voxel);
        }
}

TEST(Watertight, CoversAWholeMissingFace) {
    TriangleMesh box = unit_box();
    box.triangles.erase(box.triangles.begin(), box.triangles.begin() + 2);  // z = 0
    const TriangleMesh closed = watertight(box, 0.02);  // the hole is 50 voxels wide
    expect_watertight(closed);
    EXPECT_EQ(inspect(closed).boundary_edges, 0u);
    EXPECT_NEAR(signed_volume(closed), 1, 0.35);
    EXPECT_LT(signed_volume(closed), 1);
}

TEST(Watertight, TurnsFlippedFacesBack) {
    TriangleMesh ball = sphere_mesh(Vec3d::all(0), 0.5, 0.05);
    const double volume = signed_volume(ball);
    for (std::size_t t = 0; t < ball.triangles.size(); t += 7)
        std::swap(ball.triangles[t][0], ball.triangles[t][1]);
    for (const TriangleMesh& mesh : {ball, turned_over(ball)}) {
        const TriangleMesh closed = watertight(mesh, 0.02);
        expect_watertight(closed);
        EXPECT_NEAR(signed_volume(closed) / volume, 1, 0.01);
    }
}

TEST(Watertight, JoinsPartsThatCutThroughEachOther) {
    TriangleMesh two = unit_box();
    append(two, box_mesh({{0.5, 0.5, 0.5}}, {{1.5, 1.5, 1.5}}));
    const TriangleMesh closed = watertight(two, 0.025);
    expect_watertight(closed);
    EXPECT_FALSE(inspect(closed).self_intersecting);
    EXPECT_NEAR(signed_volume(closed), 2 - 0.125, 0.02);
}

TEST(Watertight, DropsInnerWallsAndKeepsCavities) {
    TriangleMesh mesh = unit_box();  // two boxes with a common wall: edges of four faces
    append(mesh, box_mesh({{1, 0, 0}}, {{2, 1, 1}}));
    append(mesh, turned_over(sphere_mesh({{0.5, 0.5, 0.5}}, 0.3, 0.05)));
    ASSERT_GT(inspect(mesh).non_manifold_edges, 0u);
    const TriangleMesh closed = watertight(mesh, 0.025);
    expect_watertight(closed);
    EXPECT_NEAR(signed_volume(closed), 2 - 4 * k_pi / 3 * 0.027, 0.02);
}

TEST(Watertight, ASheetEnclosesNothing) {
    TriangleMesh sheet;
    sheet.vertices = {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0.1}}, {{0, 1, 0}}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    EXPECT_THROW(watertight(sheet, 0.05), InputError);
}

TEST(OffsetSurface, LiesAtItsDistance) {
    const double radius = 0.5, voxel = 0.02;
    const TriangleMesh ball = sphere_mesh({{3, 0, 0}}, radius, 0.02);
    for (const double distance : {-0.3, -0.1, -0.02, 0.05, 0.2}) {
        const TriangleMesh offset = offset_surface(ball, distance, voxel);
        expect_watertight(offset);
        EXPECT_EQ(inspect(offset).boundary_edges, 0u);
        for (const Vec3d& x : offset.vertices)
            EXPECT_NEAR(norm(x - Vec3d{{3, 0, 0}}), radius + distance, 0.1 * voxel);
    }
    EXPECT_TRUE(offset_surface(ball, -0.55, voxel).triangles.empty());
}

TEST(OffsetSurface, OfABoxInwardsIsABox) {
    const TriangleMesh inner = offset_surface(unit_box(), -0.2, 0.03);
    expect_watertight(inner);
    EXPECT_NEAR(signed_volume(inner), 0.216, 0.216 * 0.01);
    const TriangleMesh outer = offset_surface(unit_box(), 0.2, 0.03);
    const double rounded = 1 + 6 * 0.2 + 3 * k_pi * 0.04 + 4 * k_pi / 3 * 0.008;
    EXPECT_NEAR(signed_volume(outer) / rounded, 1, 0.005);
}

TEST(OffsetSurface, IsTheSameForAnyNumberOfThreads) {
    const TriangleMesh torus = torus_mesh(Vec3d::all(0), {{1, 1, 1}}, 0.35, 0.15, 0.03);
    const int threads = host_threads();
    set_host_threads(1);
    const TriangleMesh one = offset_surface(torus, -0.05, 0.02);
    set_host_threads(3);
    const TriangleMesh three = offset_surface(torus, -0.05, 0.02);
    set_host_threads(threads);
    EXPECT_EQ(one.vertices, three.vertices);
    EXPECT_EQ(one.triangles, three.triangles);
}

}  // namespace
}  // namespace millrace
