#include "geometry/inside_test.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "geometry/primitives.hpp"

namespace millrace {
namespace {

std::vector<Vec3> random_points(const Bounds& box, int n) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
        Vec3d x;
        for (int k = 0; k < 3; ++k)
            x[k] = box.min[k] + (box.size()[k] * 1.2) * unit(random) - 0.1 * box.size()[k];
        points.push_back(Vec3::from(x));
    }
    return points;
}

TEST(InsideTest, AgreesWithTheTorus) {
    const TriangleMesh torus = torus_mesh({{0, 0, 0}}, {{0, 1, 0}}, 1, 0.4, 0.05);
    for (const TriangleMesh& mesh : {torus, turned_over(torus)}) {
        const InsideTest test(mesh);
        const std::vector<Vec3> points = random_points(bounds(mesh), 20'000);
        const std::vector<std::uint8_t> inside = test.contains(points);
        int checked = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3d p = Vec3d::from(points[i]);
            const double from_tube = std::hypot(std::hypot(p[0], p[2]) - 1, p[1]);
            if (std::abs(from_tube - 0.4) < 2e-3)
                continue;  // between the torus and its polyhedron
            ASSERT_EQ(inside[i], from_tube < 0.4) << p[0] << ' ' << p[1] << ' ' << p[2];
            ASSERT_EQ(inside[i], test.contains(p));
            ++checked;
        }
        EXPECT_GT(checked, 19'000);
    }
}

// Rays from these points run through edges, corners and within faces.
TEST(InsideTest, IsRightOnTheAxesOfABox) {
    const InsideTest test(box_mesh(Vec3d::all(-1), Vec3d::all(1)));
    for (int x = -12; x <= 12; ++x)
        for (int y = -12; y <= 12; ++y)
            for (int z = -12; z <= 12; ++z) {
                const Vec3d p{{x / 8.0, y / 8.0, z / 8.0}};
                const int farthest = std::max({std::abs(x), std::abs(y), std::abs(z)});
                if (farthest != 8) {
                    ASSERT_EQ(test.contains(p), farthest < 8) << x << ' ' << y << ' ' << z;
                }
            }
}

TEST(InsideTest, OverlapsCountOnceAndCavitiesAreOutside) {
    TriangleMesh mesh = box_mesh(Vec3d::all(0), Vec3d::all(2));
    append(mesh, box_mesh(Vec3d::all(1), Vec3d::all(3)));
    append(mesh, turned_over(box_mesh(Vec3d::all(0.2), Vec3d::all(0.6))));
    const InsideTest test(mesh);
    EXPECT_TRUE(test.contains(Vec3d::all(1.5)));
    EXPECT_TRUE(test.contains(Vec3d::all(0.8)));
    EXPECT_TRUE(test.contains(Vec3d::all(2.5)));
    EXPECT_FALSE(test.contains(Vec3d::all(0.4)));
    EXPECT_FALSE(test.contains({{0.5, 0.5, 2.5}}));
}

TEST(InsideTest, FarFromTheOrigin) {
    const Vec3d far{{1e5, -2e5, 3e5}};
    const TriangleMesh ball = transformed(sphere_mesh(Vec3d::all(0), 0.5, 0.05), Vec3d::all(1),
                                          Quaterniond::identity(), far);
    const InsideTest test(ball);
    EXPECT_TRUE(test.contains(far + Vec3d{{0.49, 0, 0}}));
    EXPECT_FALSE(test.contains(far + Vec3d{{0.505, 0, 0}}));
    EXPECT_FALSE(test.contains(Vec3d::all(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace millrace
