#include "geometry/flat_distance.hpp"

#include <gtest/gtest.h>

#include <random>

#include "geometry/distance_map.hpp"
#include "support/shape_oracle.hpp"

namespace millrace {
namespace {

const std::vector<Point2> k_hook{{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

std::vector<Vec2d> to_doubles(const std::vector<Point2>& points) {
    std::vector<Vec2d> corners;
    for (const Point2& p : points)
        corners.push_back({p.x, p.y});
    return corners;
}

/// From Shape2, and from doubles in either sense of rotation and with a repeated corner.
TEST(FlatDistance, IsThatOfBruteForceHoweverItWasGiven) {
    std::vector<Vec2d> corners = to_doubles(k_hook);
    corners.push_back(corners.front());
    const FlatDistance forwards(Shape2::Kind::polygon, corners);
    std::reverse(corners.begin(), corners.end());
    const FlatDistance backwards(Shape2::Kind::polygon, corners);
    const Shape2 shape = Shape2::polygon(k_hook);
    const FlatDistance of_floats({shape});
    std::mt19937 random(5);
    std::uniform_real_distribution<float> place(-1, 4);
    for (int k = 0; k < 5000; ++k) {
        const Vec2 x{place(random), place(random)};
        const float expected = signed_distance(shape, x);
        for (const FlatDistance* distance : {&forwards, &backwards, &of_floats}) {
            EXPECT_NEAR(distance->at(x).distance, expected, 1e-5f);
            EXPECT_EQ(distance->holds(Vec2d::from(x)), distance->at(x).distance < 0);
        }
    }
}

/// A kilometre away floats are 0.06 mm apart: the corners keep what lies between them.
TEST(FlatDistance, CornersKeepTheDigitsOfDoubles) {
    std::vector<Vec2d> corners = to_doubles(k_hook);
    for (Vec2d& corner : corners)
        corner += Vec2d{{1000 + 1e-5, 0}};
    const FlatDistance hook(Shape2::Kind::polygon, corners);
    EXPECT_NEAR(hook.sample({{999, 1}}).distance, 1 + 1e-5, 1e-9);
}

/// Users of a SignedDistance may ask the exact one or its map.
TEST(FlatDistance, AMapHasTheSameBoundsAndDistances) {
    const Shape2 shape = Shape2::polygon(k_hook, 0.05f);
    const FlatDistance exact({shape});
    DistanceMap map({shape}, 0.05f, 0.5f);
    std::vector<Vec2> places;
    for (int k = 0; k < 900; ++k)
        places.push_back({0.1f * static_cast<float>(k % 30), 0.1f * static_cast<float>(k / 30)});
    map.prepare(places.data(), places.size());
    const SignedDistance<2>& one = exact;
    const SignedDistance<2>& other = map;
    Vec2 min[2], max[2];
    one.bounds(min[0], max[0]);
    other.bounds(min[1], max[1]);
    EXPECT_EQ(min[0], min[1]);
    EXPECT_EQ(max[0], max[1]);
    EXPECT_NEAR(min[0][0], -0.05f, 1e-6f);
    EXPECT_NEAR(max[0][1], 2.05f, 1e-6f);
    for (const Vec2& x : places)
        EXPECT_NEAR(std::min(other.at(x).distance, 0.5f), std::min(one.at(x).distance, 0.5f),
                    0.05f * 0.05f);
}

}  // namespace
}  // namespace millrace
