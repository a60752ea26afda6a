#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "boundary/boundary_particles.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "math/quaternion.hpp"

namespace millrace {
namespace {

constexpr float k_spacing = 0.1f, k_radius = 0.2f;

/// A plate of samples a spacing apart in the plane y = 0.
std::vector<Vec3> plate(int cells) {
    std::vector<Vec3> samples;
    for (int a = -cells; a <= cells; ++a)
        for (int b = -cells; b <= cells; ++b)
            samples.push_back({a * k_spacing, 0, b * k_spacing});
    return samples;
}

Frame<3> frame(const Vec3d& position, const Vec3d& axis, double angle) {
    Frame<3> f;
    f.position = Vec3::from(position);
    f.rotation = Mat3::from(to_matrix(Quaterniond::from_axis_angle(axis, angle)));
    return f;
}

/// sum_l V_l W at a place
double density_at(const BoundaryParticles<3>& walls, const Vec3& at) {
    const CubicSpline<3> kernel(k_radius);
    const std::vector<Vec3> x = walls.host_positions();
    const std::vector<float> volume = walls.host_volumes();
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
        sum += double(volume[k]) * kernel.w(squared_norm(at - x[k]));
    return sum;
}

/// A floor, and a plate that stands on edge and can be put anywhere.
BoundaryParticles<3> floor_and_plate(const Frame<3>& start) {
    BoundaryObject<3> floor, gate;
    floor.samples = plate(8);
    gate.samples = plate(4);
    gate.frame = start;
    gate.moves = true;
    return BoundaryParticles<3>(Device::cpu(2), {floor, gate}, k_radius, 100'000);
}

TEST(MovingSamples, GoWhereTheirFrameIs) {
    const Vec3d axis{1, 2, 2};
    BoundaryParticles<3> walls = floor_and_plate(frame({0, 1, 0}, axis, 0.3));
    const Frame<3> now = frame({0.2, 0.9, -0.3}, axis, 1.1);
    walls.place(Device::cpu(2), std::vector<Frame<3>>{{}, now});
    const std::vector<Vec3> x = walls.host_positions();
    const auto sample_at = [&](const Vec3& at, float tolerance) {
        return std::any_of(x.begin(), x.end(),
                           [&](const Vec3& y) { return norm(y - at) < tolerance; });
    };
    for (const Vec3& local : plate(4))
        EXPECT_TRUE(sample_at(now.rotation * local + now.position, 1e-5f));
    for (const Vec3& local : plate(8))
        EXPECT_TRUE(sample_at(local, 1e-6f));
    EXPECT_EQ(x.size(), plate(4).size() + plate(8).size());
}

// S1 4.1.2: where walls intersect, the solid keeps rest density; without an update it would have
// twice as much.
TEST(MovingSamples, IntersectingWallsKeepRestDensity) {
    const Vec3d upright{0, 0, 1};
    const double quarter = 1.57079632679;
    BoundaryParticles<3> walls = floor_and_plate(frame({0, 2, 0}, upright, quarter));
    EXPECT_NEAR(density_at(walls, {0, 0, 0}), 1, 1e-3);
    // through the floor, where one round leaves a fifth too much, and lying in it
    for (const bool through : {true, false}) {
        const Frame<3> f = frame({0, 0, 0}, upright, through ? quarter : 0);
        walls.place(Device::cpu(2), std::vector<Frame<3>>{{}, f});
        for (const float along : {-0.2f, 0.0f, 0.1f})
            EXPECT_NEAR(density_at(walls, {0, 0, along}), 1, through ? 0.22 : 0.01);
        // far from the plate nothing has changed
        EXPECT_NEAR(density_at(walls, {0.7f, 0, 0.7f}), density_at(walls, {-0.7f, 0, -0.7f}), 1e-4);
    }
}

TEST(MovingSamples, VolumesAreAsBeforeWhenAWallHasLeft) {
    const Vec3d upright{0, 0, 1};
    const Frame<3> away = frame({0, 2, 0}, upright, 1.57);
    BoundaryParticles<3> walls = floor_and_plate(away);
    const std::vector<float> before = walls.host_volumes();
    walls.place(Device::cpu(2), std::vector<Frame<3>>{{}, frame({0.03, 0.02, 0}, upright, 1.2)});
    EXPECT_NE(walls.host_volumes(), before);
    walls.place(Device::cpu(2), std::vector<Frame<3>>{{}, away});
    EXPECT_EQ(walls.host_volumes(), before);
}

// An object that starts inside another one is not mistaken for a part of it.
TEST(MovingSamples, StartVolumesAreThoseOfTheObjectAlone) {
    const Vec3d upright{0, 0, 1};
    BoundaryParticles<3> apart = floor_and_plate(frame({0, 2, 0}, upright, 1.2));
    BoundaryParticles<3> together = floor_and_plate(frame({0.03, 0.02, 0}, upright, 1.2));
    together.place(Device::cpu(1), std::vector<Frame<3>>{{}, frame({0, 2, 0}, upright, 1.2)});
    const std::vector<float> a = apart.host_volumes(), b = together.host_volumes();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_NEAR(a[k], b[k], 1e-3f * a[k]);
}

TEST(MovingSamples, TheMaskMissesNoneOfThem) {
    BoundaryParticles<3> walls = floor_and_plate(frame({0, 0.5, 0}, {0, 0, 1}, 1.57));
    for (const double height : {0.4, 3.0, -20.0}) {  // within the mask's cells and beyond
        const Frame<3> f = frame({0.3, height, 0}, {0, 0, 1}, 1.0);
        walls.place(Device::cpu(2), std::vector<Frame<3>>{{}, f});
        for (const Vec3& local : plate(4)) {
            Vec3 x = f.rotation * local + f.position;
            x[2] += 0.99f * k_radius;
            EXPECT_TRUE(walls.near().may_be_near(x));
        }
    }
}

}  // namespace
}  // namespace millrace
