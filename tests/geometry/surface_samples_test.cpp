#include "geometry/surface_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "boundary/standoff.hpp"
#include "geometry/poisson_disk.hpp"
#include "geometry/primitives.hpp"
#include "math/kernels/cubic_spline.hpp"

namespace millrace {
namespace {

constexpr double k_patch = 16;  ///< width of the measured patch, in spacings

TriangleMesh square_patch(double width) {
    TriangleMesh mesh;
    mesh.vertices = {{{0, 0, 0}}, {{width, 0, 0}}, {{width, 0, width}}, {{0, 0, width}}};
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
    return mesh;
}

/// sum_l V_l W at a place
double kernel_sum(const CubicSpline<3>& kernel, const std::vector<Vec3>& samples,
                  const std::vector<double>& volumes, const Vec3& at) {
    const float reach2 = kernel.support() * kernel.support();
    double sum = 0;
    for (std::size_t l = 0; l < samples.size(); ++l) {
        const float r2 = squared_norm(at - samples[l]);
        if (r2 < reach2)
            sum += volumes[l] * kernel.w(r2);
    }
    return sum;
}

/// Volumes with sum_l V_l W_kl = 1, as BoundaryParticles finds them.
std::vector<double> rest_volumes(const std::vector<Vec3>& samples, const CubicSpline<3>& kernel) {
    std::vector<double> volumes(samples.size(), 1), next(samples.size());
    for (int round = 0; round < 40; ++round) {
        for (std::size_t k = 0; k < samples.size(); ++k)
            next[k] = volumes[k] / kernel_sum(kernel, samples, volumes, samples[k]);
        volumes.swap(next);
    }
    return volumes;
}

/// As wall_standoff, for Poisson disks with this radius in spacings.
double disk_standoff(double support, double radius) {
    const CubicSpline<3> kernel(static_cast<float>(support));
    const std::vector<Vec3> samples = poisson_disk(square_patch(k_patch), radius, 1);
    const std::vector<double> volumes = rest_volumes(samples, kernel);
    const auto mean_sum = [&](double distance) {
        double sum = 0;
        int points = 0;
        for (double x = 4; x < k_patch - 4; x += 0.37)
            for (double z = 4; z < k_patch - 4; z += 0.41, ++points) {
                const Vec3 at{static_cast<float>(x), static_cast<float>(distance),
                              static_cast<float>(z)};
                sum += kernel_sum(kernel, samples, volumes, at);
            }
        return sum / points;
    };
    const double missing = missing_density<3>(support);
    double near = 0, far = support;
    for (int k = 0; k < 14; ++k) {
        const double middle = (near + far) / 2;
        (mean_sum(middle) > missing ? near : far) = middle;
    }
    return (near + far) / 2;
}

// Water rests as far from Poisson disks as from a lattice: one depth serves both.
TEST(SurfaceSamples, DisksHoldTheWaterOffAsALatticeDoes) {
    const double radius = SampleRules::of(1, 0.6, 1).disk_radius;
    for (const double support : {2.0, 2.5})
        EXPECT_NEAR(disk_standoff(support, radius), wall_standoff<3>(support), 0.02);
}

SampleRules rules() {
    return SampleRules::of(0.05, sample_depth<3>(2) * 0.05, 1);
}

constexpr ShapeBounds<3> k_around{{{-2, -2, -2}}, {{2, 2, 2}}};

std::vector<Vec3> samples_of(const Body& body) {
    std::vector<std::string> warnings;
    return surface_samples<3>(make_body<3>(body, 0.05, "", warnings).solid, k_around, rules());
}

std::vector<Vec3> samples_of(const Boundary& wall) {
    return surface_samples<3>(make_wall<3>(wall, 0.05), k_around, rules());
}

double largest(const std::vector<Vec3>& samples, const auto& measure) {
    double most = -1e9;
    for (const Vec3& x : samples)
        most = std::max(most, double(measure(x)));
    return most;
}

double least(const std::vector<Vec3>& samples, const auto& measure) {
    return -largest(samples, [&](const Vec3& x) { return -double(measure(x)); });
}

// Samples lie inside the solid by the depth, on every side of a shape.
TEST(SurfaceSamples, LieInsideBodies) {
    const double d = rules().depth;
    const auto length = [](const Vec3& x) { return norm(x); };
    Body ball;
    ball.shape = BodySphere{0.5};
    const std::vector<Vec3> on_ball = samples_of(ball);
    EXPECT_NEAR(largest(on_ball, length), 0.5 - d, 1e-3);
    EXPECT_NEAR(least(on_ball, length), 0.5 - d, 2e-3);

    Body can;
    can.shape = BodyCylinder{0.3, 0.8};
    const std::vector<Vec3> on_can = samples_of(can);
    EXPECT_NEAR(largest(on_can, [](const Vec3& x) { return std::abs(x[1]); }), 0.4 - d, 1e-3);
    EXPECT_NEAR(largest(on_can, [](const Vec3& x) { return std::hypot(x[0], x[2]); }), 0.3 - d,
                1e-3);

    Body pill;
    pill.shape = BodyCapsule{0.2, 0.8};
    const std::vector<Vec3> on_pill = samples_of(pill);
    EXPECT_NEAR(largest(on_pill, [](const Vec3& x) { return x[1]; }), 0.4 - d, 5e-3);
    EXPECT_NEAR(largest(on_pill, [](const Vec3& x) { return std::hypot(x[0], x[2]); }), 0.2 - d,
                1e-3);

    Body crate;
    crate.shape = BodyBox{{0.4, 0.6, 0.8}};
    const std::vector<Vec3> on_crate = samples_of(crate);
    EXPECT_NEAR(largest(on_crate, [](const Vec3& x) { return x[2]; }), 0.4 - d, 1e-6);
    EXPECT_NEAR(least(on_crate, [](const Vec3& x) { return x[1]; }), -0.3 + d, 1e-6);
}

TEST(SurfaceSamples, LieOutsideOfTanksAndInsideOfObstacles) {
    const double d = rules().depth;
    const auto length = [](const Vec3& x) { return norm(x); };
    Boundary ball;
    ball.shape = Sphere{{0, 0, 0}, 1};
    ball.scale = {0.5, 0.5, 0.5};
    EXPECT_NEAR(largest(samples_of(ball), length), 0.5 - d, 1e-3);
    ball.inside = true;
    EXPECT_NEAR(least(samples_of(ball), length), 0.5 + d, 2e-3);
    // the same as a mesh
    Solid<3> mesh;
    mesh.hollow = true;
    mesh.shape = PlacedMesh(sphere_mesh({0, 0, 0}, 0.5, 0.02));
    const std::vector<Vec3> around = surface_samples<3>(mesh, k_around, rules());
    EXPECT_NEAR(least(around, length), 0.5 + d, 5e-3);
    EXPECT_NEAR(largest(around, length), 0.5 + d, 5e-3);

    Boundary tilted;
    tilted.shape = Plane{{0, 0.3, 0}, {1, 1, 0}};
    const std::vector<Vec3> below = samples_of(tilted);
    const auto height = [](const Vec3& x) { return (x[0] + x[1] - 0.3f) / std::sqrt(2.0f); };
    EXPECT_NEAR(largest(below, height), -d, 1e-5);
    EXPECT_NEAR(least(below, height), -d, 1e-5);
    EXPECT_GT(largest(below, [](const Vec3& x) { return x[2]; }), 2);

    Boundary crate;
    crate.shape = Box{{-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}};
    crate.scale = {2, 1, 1};
    crate.rotation = {{0, 0, 1}, 90};
    crate.position = {0, 3, 0};
    const std::vector<Vec3> turned = samples_of(crate);
    EXPECT_NEAR(largest(turned, [](const Vec3& x) { return x[1]; }), 3.4 - d, 1e-5);
    EXPECT_NEAR(largest(turned, [](const Vec3& x) { return x[0]; }), 0.2 - d, 1e-5);
}

// Thinner than the depth: samples in the middle instead of none.
TEST(SurfaceSamples, ThinShapesKeepSamples) {
    Body needle;
    needle.shape = BodyCylinder{0.01, 0.8};
    EXPECT_GT(samples_of(needle).size(), 10u);
    Body grain;
    grain.shape = BodySphere{0.01};
    EXPECT_GE(samples_of(grain).size(), 1u);
}

/// Samples of a solid of the plane, a spacing of 0.05 m apart.
std::vector<Vec2> outline(const Solid<2>& solid) {
    return surface_samples<2>(solid, {{{-2, -2}}, {{2, 2}}}, rules());
}

/// Every sample lies `depth` inside the solid, and no place of that line is farther from a sample
/// than a good half spacing.
void expect_line(const std::vector<Vec2>& samples, const Solid<2>& solid, double depth) {
    const SolidParts<2> parts = solid.distances(1, 1, 0.05);
    ASSERT_EQ(parts.size(), 1u);
    double nearest = 1e9;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_NEAR(parts[0]->at(samples[i]).distance, -depth, 2e-4);
        for (std::size_t j = 0; j < i; ++j)
            nearest = std::min(nearest, double(norm(samples[i] - samples[j])));
    }
    EXPECT_GT(nearest, 0.45 * 0.05);
    for (float x = -1.5f; x < 1.5f; x += 0.0073f)
        for (float y = -1.5f; y < 1.5f; y += 0.0071f) {
            if (std::abs(parts[0]->at({x, y}).distance + depth) > 0.002)
                continue;
            double to_sample = 1e9;
            for (const Vec2& s : samples)
                to_sample = std::min(to_sample, double(norm(s - Vec2{x, y})));
            EXPECT_LT(to_sample, 0.8 * 0.05) << x << ' ' << y;
        }
}

TEST(SurfaceSamples, OutlinesOfThePlaneLieInsideTheSolid) {
    const double d = rules().depth;
    const PlacedPolygon l{{{{-1, -1}}, {{1, -1}}, {{1, 0}}, {{0, 0}}, {{0, 1}}, {{-1, 1}}}};
    for (const bool hollow : {false, true}) {
        Solid<2> solid;
        solid.hollow = hollow;
        solid.shape = l;
        expect_line(outline(solid), solid, d);
        PlacedPolygon other = l;  // in the other sense of rotation
        std::reverse(other.corners.begin(), other.corners.end());
        solid.shape = other;
        expect_line(outline(solid), solid, d);
        solid.shape = PlacedBall<2>{{{0.2, -0.1}}, 0.7};
        expect_line(outline(solid), solid, d);
    }
    Solid<2> half;
    half.shape = PlacedHalfSpace<2>{{{0, 0.3}}, {{0.6, 0.8}}};
    const std::vector<Vec2> below = outline(half);
    EXPECT_GT(below.size(), 100u);
    for (const Vec2& x : below)
        EXPECT_NEAR(0.6 * x[0] + 0.8 * (x[1] - 0.3), -d, 1e-5);
}

// A plate that is thinner than two depths has one row of samples in its middle, from end to end.
TEST(SurfaceSamples, ThinPolygonsAndChainsKeepOneRow) {
    Solid<2> plate;
    plate.shape = PlacedPolygon{{{{-1, 0}}, {{1, 0}}, {{1, 0.03}}, {{-1, 0.03}}}};
    const std::vector<Vec2> row = outline(plate);
    EXPECT_NEAR(static_cast<double>(row.size()), 40, 4);
    for (const Vec2& x : row)
        EXPECT_NEAR(x[1], 0.015, 1e-4);
    Solid<2> chain;
    chain.shape = PlacedChain{{{{0, 0}}, {{1, 0}}, {{1, 1}}}};
    EXPECT_EQ(outline(chain).size(), 41u);
}

}  // namespace
}  // namespace millrace
