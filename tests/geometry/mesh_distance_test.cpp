#include "geometry/mesh_distance.hpp"

#include "geometry/solid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exec/host_loops.hpp"
#include "geometry/primitives.hpp"
#include "support/distance_oracle.hpp"

namespace millrace {
namespace {

constexpr double k_spacing = 0.08, k_reach = 0.12, k_cell = k_spacing / 2;
const Vec3d k_low{-0.31, -0.22, -0.43}, k_high{0.38, 0.27, 0.25};

Solid<3> hollow_mesh(TriangleMesh mesh) {
    Solid<3> solid;
    solid.hollow = true;
    solid.shape = PlacedMesh(std::move(mesh));
    return solid;
}

/// A square of 1 m at a height, its triangles facing up.
TriangleMesh sheet(double z) {
    return {{{-0.5, -0.5, z}, {0.5, -0.5, z}, {0.5, 0.5, z}, {-0.5, 0.5, z}},
            {{{0, 1, 2}}, {{0, 2, 3}}}};
}

TEST(SignedDistanceOfMeshes, OfABallIsThatOfTheSphere) {
    const MeshDistance ball(sphere_mesh({0.1, 0, 0}, 0.5, 0.03), k_reach, k_spacing);
    EXPECT_EQ(ball.cell(), k_cell);
    int near = 0;
    for (const Vec3& x : places_around<3>(ball, 0.3f, 3000)) {
        const Vec3 from_center = x - Vec3{0.1f, 0, 0};
        const float exact = norm(from_center) - 0.5f;
        const auto sample = ball.at(x);
        EXPECT_NEAR(norm(sample.normal), 1, 1e-5);
        if (std::abs(exact) < k_reach) {
            EXPECT_NEAR(sample.distance, exact, 0.05 * k_cell);
            EXPECT_GT(dot(sample.normal, normalized(from_center)), 0.995f);
            ++near;
        } else {
            EXPECT_EQ(sample.distance < 0, exact < 0);
            EXPECT_GT(std::abs(sample.distance), k_reach * 0.99);
        }
    }
    EXPECT_GT(near, 500);
}

TEST(SignedDistanceOfMeshes, OfABoxIsThatOfTheBox) {
    const MeshDistance mesh(box_mesh(k_low, k_high), k_reach, k_spacing);
    Body body;
    body.shape = BodyBox{{0.69, 0.49, 0.68}};
    Solid<3> solid;
    solid.shape = moved<3>(placed_shape<3>(body), Vec3d{0.035, 0.025, -0.09});
    const auto box = std::move(solid.distances(0.2, k_reach, k_spacing)[0]);
    double sum = 0, worst = 0;
    int near = 0;
    for (const Vec3& x : places_around<3>(mesh, 0.1f, 2000)) {
        const double exact = box->at(x).distance;
        if (std::abs(exact) > k_reach)
            continue;
        const double error = std::abs(mesh.at(x).distance - exact);
        sum += error;
        worst = std::max(worst, error);
        ++near;
    }
    EXPECT_LT(sum / near, 0.03 * k_cell);
    EXPECT_LT(worst, 0.45 * k_cell) << "at the edges, which are blunted";
    EXPECT_NEAR(mesh.at({0.4f, 0, 0}).distance, 0.02, 1e-5) << "flat faces are exact";
    EXPECT_NEAR(mesh.at({0.34f, 0, 0}).distance, -0.04, 1e-5);
}

TEST(SignedDistanceOfMeshes, NormalsAreTheGradients) {
    const MeshDistance ball(sphere_mesh({0, 0, 0}, 0.5, 0.05), k_reach, k_spacing);
    int checked = 0;
    for (const Vec3& x : places_around<3>(ball, 0.1f, 500)) {
        const auto sample = ball.at(x);
        const Vec3 gradient = numerical_gradient(ball, x, 2e-4f);
        if (std::abs(sample.distance) > 0.1f || norm(gradient) < 0.5f)
            continue;
        EXPECT_LT(norm(normalized(gradient) - sample.normal), 0.02f);
        EXPECT_NEAR(ball.at(x - sample.normal * sample.distance).distance, 0, 0.05 * k_cell);
        ++checked;
    }
    EXPECT_GT(checked, 100);
}

TEST(SignedDistanceOfMeshes, AgreesWithDenseSampling) {
    const TriangleMesh torus = torus_mesh({0, 0, 0}, {0, 1, 1}, 0.3, 0.1, 0.03);
    const MeshDistance solid(torus, 0.4, 0.06);
    expect_agreement<3>(solid, oracle_of(torus, 0.02), 0.05f, 0.3 * solid.cell());
}

TEST(SignedDistanceOfMeshes, ABallThatIsScaledIsItsMesh) {
    Boundary wall;
    wall.shape = Sphere{{0, 0, 0}, 0.3};
    wall.scale = {1, 2, 1};
    const SolidParts<3> parts = make_wall<3>(wall, 0.03).distances(0.2, k_reach, k_spacing);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_NEAR(parts[0]->at({0, 0.65f, 0}).distance, 0.05, 0.1 * k_cell);
    EXPECT_NEAR(parts[0]->at({0.25f, 0, 0}).distance, -0.05, 0.1 * k_cell);
}

TEST(SignedDistanceOfMeshes, ATankIsWhatLiesOutside) {
    const SolidParts<3> parts =
        hollow_mesh(box_mesh(k_low, k_high)).distances(0.2, k_reach, k_spacing);
    EXPECT_NEAR(parts[0]->at({0.33f, 0, 0}).distance, 0.05, 1e-5);
    EXPECT_NEAR(parts[0]->at({0.33f, 0, 0}).normal[0], -1, 1e-5);
    EXPECT_NEAR(parts[0]->at({0.43f, 0, 0}).distance, -0.05, 1e-5);
    EXPECT_GT(parts[0]->at({0, 0, 0}).distance, k_reach) << "the middle of the tank";
    EXPECT_GT(parts[0]->at({0.6f, 0, 0}).distance, k_reach) << "behind its walls";
}

TEST(SignedDistanceOfMeshes, AnOpenMeshIsAThinWall) {
    for (const double z : {0.0, 0.0137, 0.05}) {
        // that it is hollow has no meaning here
        const SolidParts<3> parts = hollow_mesh(sheet(z)).distances(0.2, k_reach, k_spacing);
        const double half = k_spacing / 4;
        for (const double side : {-1.0, 1.0})
            for (double gap = half + 0.001; gap < k_reach; gap += 0.007) {
                const auto sample =
                    parts[0]->at({0.123f, 0.2f, static_cast<float>(z + side * gap)});
                EXPECT_NEAR(sample.distance, gap - half, 0.3 * half);
                EXPECT_NEAR(sample.normal[2], side, 0.05);
            }
        EXPECT_LT(parts[0]->at({0.123f, 0.2f, static_cast<float>(z)}).distance, 0);
        EXPECT_NEAR(parts[0]->at({0.6f, 0.2f, static_cast<float>(z)}).distance, 0.1 - half,
                    0.2 * half);
        Vec3 min, max;
        parts[0]->bounds(min, max);
        EXPECT_NEAR(max[2], z + half, 1e-6);
        EXPECT_NEAR(min[2], z - half, 1e-6);
    }
}

TEST(SignedDistanceOfMeshes, WithoutTrianglesThereIsNoSolid) {
    EXPECT_TRUE(hollow_mesh({}).distances(0.2, k_reach, k_spacing).empty());
}

TEST(SignedDistanceOfMeshes, AreTheSameForEveryNumberOfThreads) {
    const TriangleMesh torus = torus_mesh({0, 0, 0}, {0, 1, 1}, 0.3, 0.1, 0.03);
    const int threads = host_threads();
    set_host_threads(1);
    const MeshDistance alone(torus, k_reach, k_spacing);
    set_host_threads(4);
    const MeshDistance together(torus, k_reach, k_spacing);
    const std::vector<Vec3> places = places_around<3>(alone, 0.1f, 4000);
    std::vector<float> distances(places.size());
    parallel_for(places.size(), {},
                 [&](std::size_t i) { distances[i] = together.at(places[i]).distance; });
    set_host_threads(threads);
    for (std::size_t i = 0; i < places.size(); ++i)
        EXPECT_EQ(distances[i], alone.at(places[i]).distance);
    EXPECT_EQ(alone.bytes(), together.bytes());
}

TEST(SignedDistanceOfMeshes, OnlyBricksNearTheSurfaceAreKept) {
    const MeshDistance solid(box_mesh({0, 0, 0}, {12, 12, 12}), 0.1, 0.4);
    const double bricks = std::pow(std::ceil((12 + 2 * (0.1 + 0.2)) / (8 * 0.2)), 3);
    EXPECT_LT(solid.bytes(), 0.8 * bricks * 9 * 9 * 9 * sizeof(float));
    EXPECT_LT(solid.at({6, 6, 6}).distance, -0.1f);
    EXPECT_GT(solid.at({13, 6, 6}).distance, 0.1f);
}

}  // namespace
}  // namespace millrace
