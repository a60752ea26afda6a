#include "world/object_samples.hpp"

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
TEST(ObjectSamples, DisksHoldTheWaterOffAsALatticeDoes) {
    Scene scene;
    scene.spacing = 1;
    for (const double support : {2.0, 2.5}) {
        scene.support = support;
        EXPECT_NEAR(disk_standoff(support, SampleRules::of(scene).disk_radius),
                    wall_standoff<3>(support), 0.02);
    }
}

SampleRules rules() {
    Scene scene;
    scene.spacing = 0.05;
    return SampleRules::of(scene);
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
TEST(ObjectSamples, LieInsideBodies) {
    const double d = rules().depth;
    const auto length = [](const Vec3& x) { return norm(x); };
    Body ball;
    ball.sphere = BodySphere{0.5};
    const std::vector<Vec3> on_ball = body_samples(ball, {}, rules());
    EXPECT_NEAR(largest(on_ball, length), 0.5 - d, 1e-3);
    EXPECT_NEAR(least(on_ball, length), 0.5 - d, 2e-3);

    Body can;
    can.cylinder = BodyCylinder{0.3, 0.8};
    const std::vector<Vec3> on_can = body_samples(can, {}, rules());
    EXPECT_NEAR(largest(on_can, [](const Vec3& x) { return std::abs(x[1]); }), 0.4 - d, 1e-3);
    EXPECT_NEAR(largest(on_can, [](const Vec3& x) { return std::hypot(x[0], x[2]); }), 0.3 - d,
                1e-3);

    Body pill;
    pill.capsule = BodyCylinder{0.2, 0.8};
    const std::vector<Vec3> on_pill = body_samples(pill, {}, rules());
    EXPECT_NEAR(largest(on_pill, [](const Vec3& x) { return x[1]; }), 0.4 - d, 5e-3);
    EXPECT_NEAR(largest(on_pill, [](const Vec3& x) { return std::hypot(x[0], x[2]); }), 0.2 - d,
                1e-3);

    Body crate;
    crate.box = BodyBox{{0.4, 0.6, 0.8}};
    const std::vector<Vec3> on_crate = body_samples(crate, {}, rules());
    EXPECT_NEAR(largest(on_crate, [](const Vec3& x) { return x[2]; }), 0.4 - d, 1e-6);
    EXPECT_NEAR(least(on_crate, [](const Vec3& x) { return x[1]; }), -0.3 + d, 1e-6);
}

TEST(ObjectSamples, LieOutsideOfTanksAndInsideOfObstacles) {
    const double d = rules().depth;
    const Box reach{{-2, -2, -2}, {2, 2, 2}};
    const auto length = [](const Vec3& x) { return norm(x); };
    Boundary ball;
    ball.sphere = Sphere{{0, 0, 0}, 1};
    ball.scale = {0.5, 0.5, 0.5};
    EXPECT_NEAR(largest(wall_samples(ball, {}, reach, rules()), length), 0.5 - d, 1e-3);
    ball.inside = true;
    EXPECT_NEAR(least(wall_samples(ball, {}, reach, rules()), length), 0.5 + d, 2e-3);
    // the same as a mesh
    Boundary mesh;
    mesh.mesh = MeshFile();
    mesh.inside = true;
    const TriangleMesh sphere = sphere_mesh({0, 0, 0}, 0.5, 0.02);
    EXPECT_NEAR(least(wall_samples(mesh, sphere, reach, rules()), length), 0.5 + d, 5e-3);
    EXPECT_NEAR(largest(wall_samples(mesh, sphere, reach, rules()), length), 0.5 + d, 5e-3);

    Boundary tilted;
    tilted.plane = Plane{{0, 0.3, 0}, {1, 1, 0}};
    const std::vector<Vec3> below = wall_samples(tilted, {}, reach, rules());
    const auto height = [](const Vec3& x) { return (x[0] + x[1] - 0.3f) / std::sqrt(2.0f); };
    EXPECT_NEAR(largest(below, height), -d, 1e-5);
    EXPECT_NEAR(least(below, height), -d, 1e-5);
    EXPECT_GT(largest(below, [](const Vec3& x) { return x[2]; }), 2);

    Boundary crate;
    crate.box = Box{{-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}};
    crate.scale = {2, 1, 1};
    crate.rotation = {{0, 0, 1}, 90};
    crate.position = {0, 3, 0};
    const std::vector<Vec3> turned = wall_samples(crate, {}, reach, rules());
    EXPECT_NEAR(largest(turned, [](const Vec3& x) { return x[1]; }), 3.4 - d, 1e-5);
    EXPECT_NEAR(largest(turned, [](const Vec3& x) { return x[0]; }), 0.2 - d, 1e-5);
}

// Thinner than the depth: samples in the middle instead of none.
TEST(ObjectSamples, ThinShapesKeepSamples) {
    Body needle;
    needle.cylinder = BodyCylinder{0.01, 0.8};
    EXPECT_GT(body_samples(needle, {}, rules()).size(), 10u);
    Body grain;
    grain.sphere = BodySphere{0.01};
    EXPECT_GE(body_samples(grain, {}, rules()).size(), 1u);
}

}  // namespace
}  // namespace millrace
