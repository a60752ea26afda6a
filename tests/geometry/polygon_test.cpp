#include "geometry/polygon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

using Corners = std::vector<Vec2d>;

const Corners k_square{{{1, 1}}, {{3, 1}}, {{3, 3}}, {{1, 3}}};
/// A bucket: 3 wide, 2 high, a hole of 1 x 1 from above.
const Corners k_bucket{{{0, 0}}, {{3, 0}}, {{3, 2}}, {{2, 2}},
                       {{2, 1}}, {{1, 1}}, {{1, 2}}, {{0, 2}}};

double area_of_triangles(const Corners& corners) {
    double sum = 0;
    for (const auto& t : triangulated(corners)) {
        const Corners triangle{corners[t[0]], corners[t[1]], corners[t[2]]};
        EXPECT_GT(signed_area(triangle), 0);
        sum += signed_area(triangle);
    }
    return sum;
}

/// How many triangles hold a point.
int covers(const Corners& corners, const Vec2d& x) {
    int count = 0;
    for (const auto& t : triangulated(corners)) {
        bool inside = true;
        for (int k = 0; k < 3; ++k) {
            const Vec2d &a = corners[t[k]], &b = corners[t[(k + 1) % 3]];
            inside = inside && cross(b - a, x - a) > 0;
        }
        count += inside;
    }
    return count;
}

TEST(Polygon, AreaAndCentroid) {
    EXPECT_DOUBLE_EQ(signed_area(k_square), 4);
    EXPECT_EQ(centroid(k_square), (Vec2d{{2, 2}}));
    EXPECT_DOUBLE_EQ(signed_area(k_bucket), 5);
    const Vec2d c = centroid(k_bucket);  // (6 * 1 - 1 * 1.5) / 5
    EXPECT_DOUBLE_EQ(c[0], 1.5);
    EXPECT_DOUBLE_EQ(c[1], 0.9);
    Corners clockwise(k_bucket.rbegin(), k_bucket.rend());
    EXPECT_DOUBLE_EQ(signed_area(clockwise), -5);
    EXPECT_DOUBLE_EQ(centroid(clockwise)[1], 0.9);
}

TEST(Polygon, TrianglesCoverItOnce) {
    for (Corners corners : {k_square, k_bucket}) {
        const double area = signed_area(corners);
        EXPECT_EQ(triangulated(corners).size(), corners.size() - 2);
        EXPECT_NEAR(area_of_triangles(corners), area, 1e-12);
        std::reverse(corners.begin(), corners.end());
        EXPECT_NEAR(area_of_triangles(corners), area, 1e-12);
    }
    EXPECT_EQ(covers(k_bucket, {{0.5, 1.51}}), 1);
    EXPECT_EQ(covers(k_bucket, {{1.5, 1.5}}), 0);  // in the hole
    EXPECT_EQ(covers(k_bucket, {{1.37, 0.51}}), 1);
}

TEST(Polygon, StraightCornersAndSpirals) {
    EXPECT_NEAR(area_of_triangles({{{0, 0}}, {{1, 0}}, {{2, 0}}, {{2, 1}}, {{0, 1}}}), 2, 1e-12);
    Corners spiral;  // out on one side, back on the other
    const auto point = [](double angle, double r) {
        return Vec2d{{r * std::cos(angle), r * std::sin(angle)}};
    };
    for (int i = 0; i <= 60; ++i)
        spiral.push_back(point(0.2 * i, 1 + 0.2 * i));
    for (int i = 60; i >= 0; --i)
        spiral.push_back(point(0.2 * i, 0.6 + 0.2 * i));
    EXPECT_NEAR(area_of_triangles(spiral), std::abs(signed_area(spiral)), 1e-9);
    EXPECT_EQ(triangulated(spiral).size(), spiral.size() - 2);
}

}  // namespace
}  // namespace millrace
