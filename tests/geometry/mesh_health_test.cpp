#include "geometry/mesh_health.hpp"

#include <gtest/gtest.h>

#include "geometry/primitives.hpp"

namespace millrace {
namespace {

TriangleMesh unit_box() {
    return box_mesh(Vec3d::all(0), Vec3d::all(1));
}

TEST(MeshHealth, ABoxIsSolid) {
    const MeshHealth health = inspect(unit_box());
    EXPECT_TRUE(health.solid());
    EXPECT_EQ(describe(health), "is a closed solid");
}

TEST(MeshHealth, CountsOpenEdges) {
    TriangleMesh box = unit_box();
    box.triangles.pop_back();
    const MeshHealth health = inspect(box);
    EXPECT_FALSE(health.closed);
    EXPECT_FALSE(health.solid());
    EXPECT_EQ(health.boundary_edges, 3u);
    EXPECT_EQ(describe(health), "has holes (3 open edges)");
}

TEST(MeshHealth, FindsAFlippedFace) {
    TriangleMesh box = unit_box();
    std::swap(box.triangles[5][0], box.triangles[5][1]);
    const MeshHealth health = inspect(box);
    EXPECT_TRUE(health.closed);
    EXPECT_FALSE(health.oriented);
    EXPECT_EQ(health.flipped_edges, 3u);
    box.triangles.pop_back();
    EXPECT_EQ(describe(inspect(box)), "has holes (3 open edges) and flipped faces");
}

TEST(MeshHealth, InsideOutIsNotSolid) {
    const MeshHealth health = inspect(turned_over(unit_box()));
    EXPECT_TRUE(health.closed && health.oriented);
    EXPECT_FALSE(health.outward);
    EXPECT_EQ(describe(health), "is inside out");
}

TEST(MeshHealth, ThreeTrianglesAtOneEdgeAreNonManifold) {
    TriangleMesh fan;
    fan.vertices = {{{0, 0, 0}}, {{0, 0, 1}}, {{1, 0, 0}}, {{-1, 1, 0}}, {{-1, -1, 0}}};
    fan.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
    const MeshHealth health = inspect(fan);
    EXPECT_EQ(health.non_manifold_edges, 1u);
    EXPECT_EQ(health.boundary_edges, 6u);
    EXPECT_FALSE(health.closed);
}

TEST(MeshHealth, CountsTrianglesWithoutArea) {
    TriangleMesh box = unit_box();
    box.triangles.push_back({0, 0, 1});
    box.vertices.push_back({{2, 2, 2}});
    box.triangles.push_back({0, 7, 8});  // three points of one line
    EXPECT_EQ(inspect(box).degenerate_triangles, 2u);
}

TEST(MeshHealth, FindsSelfIntersections) {
    TriangleMesh two = unit_box();
    append(two, transformed(unit_box(), Vec3d::all(1), Quaterniond::identity(), {{0.5, 0.4, 0.3}}));
    EXPECT_TRUE(inspect(two).self_intersecting);
    TriangleMesh apart = unit_box();
    append(apart, transformed(unit_box(), Vec3d::all(1), Quaterniond::identity(), {{1.5, 0, 0}}));
    EXPECT_FALSE(inspect(apart).self_intersecting);
    EXPECT_TRUE(inspect(apart).solid());
    EXPECT_FALSE(inspect(torus_mesh(Vec3d::all(0), {{0, 1, 0}}, 1, 0.3, 0.1)).self_intersecting);
    TriangleMesh pierced = torus_mesh(Vec3d::all(0), {{0, 1, 0}}, 1, 0.3, 0.1);
    append(pierced, cylinder_mesh({{1, -2, 0}}, {{1, 2, 0.1}}, 0.05, 0.1));
    EXPECT_TRUE(inspect(pierced).self_intersecting);
}

TEST(MeshHealth, NothingIsNotSolid) {
    EXPECT_FALSE(inspect({}).solid());
    EXPECT_EQ(describe(inspect({})), "is not the surface of a solid");
}

TEST(MeshHealth, NeighboursAreTurnedToTheSameSide) {
    TriangleMesh ball = sphere_mesh(Vec3d::all(0), 1, 0.3);
    const double volume = signed_volume(ball);
    for (std::size_t t = 0; t < ball.triangles.size(); t += 3)
        std::swap(ball.triangles[t][0], ball.triangles[t][1]);
    ASSERT_LT(signed_volume(ball), 0.5 * volume);
    const TriangleMesh repaired = consistently_oriented(ball);
    EXPECT_TRUE(inspect(repaired).solid());
    EXPECT_NEAR(signed_volume(repaired), volume, 1e-12);
}

}  // namespace
}  // namespace millrace
