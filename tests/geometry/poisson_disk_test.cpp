#include "geometry/poisson_disk.hpp"

#include <gtest/gtest.h>

#include "exec/host_threads.hpp"
#include "geometry/primitives.hpp"
#include "geometry/triangle_tree.hpp"
#include "millrace/error.hpp"
#include "support/surface_probes.hpp"

namespace millrace {
namespace {

// No two closer than the radius, no spot of the surface farther than 1.05 radii, all on it.
void expect_maximal(const TriangleMesh& mesh, double radius, const std::vector<Vec3>& samples) {
    ASSERT_FALSE(samples.empty());
    EXPECT_GE(test::NearestPoint(samples, 2 * radius).smallest_gap(), radius);
    EXPECT_LE(test::largest_hole(test::probes_on(mesh, 100'000), samples, radius), 1.05 * radius);
    const TriangleTree tree(mesh);
    double off = 0;
    for (const Vec3& x : samples)
        off = std::max(off, tree.nearest(Vec3d::from(x)).distance);
    EXPECT_LT(off, 1e-5 * norm(bounds(mesh).size()) + 1e-6 * norm(bounds(mesh).center()));
}

TriangleMesh thin_plate() {
    return box_mesh({{0, 0, 0}}, {{1, 0.01, 1}});
}

TriangleMesh acute_fan() {
    TriangleMesh fan;
    fan.vertices.push_back({{0, 0, 0}});
    for (int k = 0; k <= 12; ++k)
        fan.vertices.push_back({{10, 0.02 * k, 0.05 * k * k}});
    for (std::uint32_t k = 1; k <= 12; ++k)
        fan.triangles.push_back({0, k, k + 1});
    return fan;
}

TriangleMesh three_at_an_edge() {
    TriangleMesh fan;
    fan.vertices = {{{0, 0, 0}}, {{0, 0, 1}}, {{1, 0, 0}}, {{-1, 1, 0}}, {{-1, -1, 0}}};
    fan.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
    return fan;
}

TEST(PoissonDisk, IsMaximalOnAnyMesh) {
    const TriangleMesh coarse = sphere_mesh({{1, 2, 3}}, 1, 0.4),
                       fine = sphere_mesh({{1, 2, 3}}, 1, 0.02);
    for (const TriangleMesh& mesh : {coarse, fine, thin_plate(), acute_fan(), three_at_an_edge()})
        expect_maximal(mesh, 0.05, poisson_disk(mesh, 0.05, 7));
}

TEST(PoissonDisk, WorksForARadiusBeyondTheMesh) {
    const TriangleMesh ball = sphere_mesh(Vec3d::all(0), 0.1, 0.02);
    EXPECT_EQ(poisson_disk(ball, 1, 1).size(), 1u);
    EXPECT_TRUE(poisson_disk({}, 1, 1).empty());
    EXPECT_THROW(poisson_disk(ball, 0, 1), InputError);
    EXPECT_THROW(poisson_disk(ball, 1e-8, 1), InputError);
}

TEST(PoissonDisk, PassesOverTrianglesWithoutArea) {
    TriangleMesh mesh = three_at_an_edge();
    mesh.triangles.push_back({0, 0, 1});
    mesh.vertices.push_back({{1e-30, 1e-30, 0}});  // an area that float32 cannot hold
    mesh.triangles.push_back({0, 1, 5});
    expect_maximal(mesh, 0.1, poisson_disk(mesh, 0.1, 7));
}

TEST(PoissonDisk, FarFromTheOrigin) {
    const TriangleMesh ball = sphere_mesh({{1000, -2000, 500}}, 1, 0.1);
    expect_maximal(ball, 0.05, poisson_disk(ball, 0.05, 7));
}

TEST(PoissonDisk, HasTheDensityOfRandomPacking) {
    const TriangleMesh ball = sphere_mesh(Vec3d::all(0), 1, 0.1);
    const double radius = 0.02;
    const double per_area = double(poisson_disk(ball, radius, 1).size()) / area(ball);
    EXPECT_NEAR(per_area * radius * radius, 0.7, 0.03);
}

TEST(PoissonDisk, DependsOnTheSeedOnly) {
    const TriangleMesh ball = sphere_mesh(Vec3d::all(0), 1, 0.1);
    const int threads = host_threads();
    set_host_threads(1);
    const std::vector<Vec3> one = poisson_disk(ball, 0.04, 1);
    set_host_threads(3);
    const std::vector<Vec3> three = poisson_disk(ball, 0.04, 1);
    set_host_threads(threads);
    EXPECT_EQ(one, three);
    EXPECT_NE(one, poisson_disk(ball, 0.04, 2));
}

}  // namespace
}  // namespace millrace
