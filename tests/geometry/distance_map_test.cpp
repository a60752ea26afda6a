#include "geometry/distance_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>

#include "support/shape_oracle.hpp"

namespace millrace {
namespace {

constexpr float k_cell = 0.05f, k_reach = 0.4f;

/// A comb, in the sense of a clock: reflex and convex corners, narrow gaps.
Shape2 comb(float skin = 0) {
    std::vector<Point2> points{{0, 0}, {0, 1}};
    for (int k = 0; k < 4; ++k) {
        const float x = 0.5f * static_cast<float>(k);
        points.push_back({x + 0.3f, 1});
        points.push_back({x + 0.35f, 0.2f});
        points.push_back({x + 0.5f, 0.9f});
    }
    points.push_back({2, 0});
    return Shape2::polygon(std::move(points), skin);
}

Shape2 zigzag(float skin = 0) {
    return Shape2::chain({{-1, 0}, {0, 0.1f}, {0.5f, -0.5f}, {0.6f, 0.7f}, {1.3f, 0.7f}}, skin);
}

struct Case {
    std::string name;
    std::vector<Shape2> shapes;
};

void PrintTo(const Case& one, std::ostream* out) {
    *out << one.name;
}

std::vector<Case> cases() {
    return {{"Circle", {Shape2::circle({0.3f, -0.2f}, 0.7f)}},
            {"Box", {Shape2::box({-0.5f, -0.3f}, {0.7f, 0.4f})}},
            {"Comb", {comb()}},
            {"RoundedComb", {comb(0.03f)}},
            {"Chain", {zigzag()}},
            {"ThickChain", {zigzag(0.12f)}},
            {"Union",
             {Shape2::circle({0, 0}, 0.3f), Shape2::box({0.1f, -0.1f}, {1, 0.1f}),
              Shape2::polygon({{0, 0}, {1, 1}, {0, 1}}, 0.02f), zigzag()}}};
}

float exact(const DistanceMap& map, const Vec2& x) {
    return map.exact().at(x).distance;
}

float brute(const std::vector<Shape2>& shapes, const Vec2& x) {
    float least = 1e30f;
    for (const Shape2& shape : shapes)
        least = std::min(least, signed_distance(shape, x));
    return least;
}

std::vector<Vec2> random_points(const DistanceMap& map, std::size_t count, float more = 0) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> x(map.min()[0] - more, map.max()[0] + more);
    std::uniform_real_distribution<float> y(map.min()[1] - more, map.max()[1] + more);
    std::vector<Vec2> points(count);
    for (Vec2& p : points) {
        p[0] = x(random);
        p[1] = y(random);
    }
    return points;
}

class EveryShape : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(DistanceMap, EveryShape, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(SignedDistance, OfACircle) {
    const Shape2 circle = Shape2::circle({1, 2}, 0.5f);
    EXPECT_FLOAT_EQ(signed_distance(circle, {{1, 2}}), -0.5f);
    EXPECT_FLOAT_EQ(signed_distance(circle, {{4, 6}}), 4.5f);
}

TEST(SignedDistance, OfABox) {
    const Shape2 box = Shape2::box({0, 0}, {4, 2});
    EXPECT_FLOAT_EQ(signed_distance(box, {{2, 1}}), -1);
    EXPECT_FLOAT_EQ(signed_distance(box, {{0.25f, 1}}), -0.25f);
    EXPECT_FLOAT_EQ(signed_distance(box, {{2, 3}}), 1);
    EXPECT_FLOAT_EQ(signed_distance(box, {{7, 6}}), 5);  // of a corner
    EXPECT_FLOAT_EQ(signed_distance(box, {{-3, -4}}), 5);
    EXPECT_FLOAT_EQ(signed_distance(box, {{4, 2}}), 0);
}

TEST(SignedDistance, OfAConcavePolygonInEitherSense) {
    // an L: its reflex corner is at (1, 1)
    std::vector<Point2> points{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    for (int sense = 0; sense < 2; ++sense) {
        const DistanceMap map({Shape2::polygon(points)}, k_cell, k_reach);
        for (const auto& [x, d] : {std::pair{Vec2{{2, 2}}, 1.0f},
                                   {Vec2{{1.25f, 2}}, 0.25f},
                                   {Vec2{{0.5f, 0.5f}}, -0.5f},
                                   {Vec2{{0.9f, 0.9f}}, -0.1f * std::sqrt(2.0f)},
                                   {Vec2{{4, 0.5f}}, 1.0f}}) {
            EXPECT_NEAR(signed_distance(map.shapes()[0], x), d, 1e-6f);
            EXPECT_NEAR(exact(map, x), d, 1e-6f);
        }
        std::reverse(points.begin(), points.end());
    }
}

TEST(SignedDistance, OfARoundedBoxAndOfAChain) {
    const Shape2 box{Shape2::Kind::polygon, {{0, 0}, {4, 0}, {4, 2}, {0, 2}}, 0.5f};
    EXPECT_FLOAT_EQ(signed_distance(box, {{7, 6}}), 4.5f);
    EXPECT_FLOAT_EQ(signed_distance(box, {{2, 1.75f}}), -0.75f);
    const Shape2 chain = Shape2::chain({{0, 0}, {4, 0}}, 0.5f);
    EXPECT_FLOAT_EQ(signed_distance(chain, {{2, 2}}), 1.5f);
    EXPECT_FLOAT_EQ(signed_distance(chain, {{2, -2}}), 1.5f);
    EXPECT_FLOAT_EQ(signed_distance(chain, {{2, 0.25f}}), -0.25f);
    EXPECT_FLOAT_EQ(signed_distance(chain, {{7, 4}}), 4.5f);
}

TEST_P(EveryShape, ExactIsTheLeastOfTheShapes) {
    // The map takes the sign from the nearest corner or edge; signed_distance counts crossings.
    const DistanceMap map(GetParam().shapes, k_cell, k_reach);
    for (const Vec2& x : random_points(map, 20000, 0.5f))
        ASSERT_NEAR(exact(map, x), brute(map.shapes(), x), 1e-5f) << x[0] << ' ' << x[1];
}

TEST_P(EveryShape, LatticeIsCloseToExact) {
    DistanceMap map(GetParam().shapes, k_cell, k_reach);
    const std::vector<Vec2> points = random_points(map, 20000);
    map.prepare(points.data(), points.size());
    for (const Vec2& x : points) {
        const float exact = std::min(brute(map.shapes(), x), k_reach);
        ASSERT_NEAR(std::min(map.at(x).distance, k_reach), exact, 0.05f * k_cell)
            << x[0] << ' ' << x[1];
    }
}

TEST_P(EveryShape, NormalIsTheGradient) {
    DistanceMap map(GetParam().shapes, k_cell, k_reach);
    const std::vector<Vec2> points = random_points(map, 20000);
    map.prepare(points.data(), points.size());
    const float h = 1e-3f;
    int compared = 0;
    for (const Vec2& x : points) {
        if (brute(map.shapes(), x) >= k_reach)
            continue;
        const Vec2 normal = map.at(x).normal;
        ASSERT_NEAR(norm(normal), 1, 1e-5f);
        const Vec2 gradient{{exact(map, x + Vec2{{h, 0}}) - exact(map, x - Vec2{{h, 0}}),
                             exact(map, x + Vec2{{0, h}}) - exact(map, x - Vec2{{0, h}})}};
        if (norm(gradient) < 0.995f * 2 * h)
            continue;  // where two edges are equally near
        ASSERT_GT(dot(normal, gradient) / (2 * h), 0.965f) << x[0] << ' ' << x[1];
        ++compared;
    }
    EXPECT_GT(compared, 5000);
}

TEST(DistanceMap, ThinWallKeepsItsTwoSides) {
    DistanceMap map({Shape2::chain({{-1, 0.012f}, {1, 0.012f}})}, k_cell, k_reach);
    for (float d : {1e-6f, 1e-4f, 1e-2f, 0.03f, 0.1f, 0.3f})
        for (float side : {-1.0f, 1.0f}) {
            const Vec2 x{{0.123f, 0.012f + side * d}};
            map.prepare(&x, 1);
            EXPECT_NEAR(map.at(x).distance, d, 1e-7f);
            EXPECT_NEAR(map.at(x).normal[1], side, 1e-6f);
        }
    const Vec2 on{{0.123f, 0.012f}};
    EXPECT_EQ(map.at(on).distance, 0);
    EXPECT_EQ(std::abs(map.at(on).normal[1]), 1);
}

TEST(DistanceMap, NormalsWhereThereIsNoGradientHaveLengthOne) {
    DistanceMap map({Shape2::circle({0, 0}, 0.5f), Shape2::box({2, -1}, {4, 1}),
                     Shape2::chain({{6, 0}, {7, 0}, {7, 1}})},
                    k_cell, k_reach);
    for (const Vec2& x : {Vec2{{0, 0}}, Vec2{{3, 0}}, Vec2{{2.5f, 0.5f}}, Vec2{{2, -1}},
                          Vec2{{4, 1}}, Vec2{{6, 0}}, Vec2{{7, 0}}, Vec2{{6.5f, 0.5f}}}) {
        map.prepare(&x, 1);
        EXPECT_NEAR(norm(map.at(x).normal), 1, 1e-6f) << x[0] << ' ' << x[1];
    }
}

TEST(DistanceMap, NothingIsNearOutsideOfItsBox) {
    DistanceMap map({Shape2::circle({0, 0}, 0.5f)}, k_cell, k_reach);
    for (const Vec2& x : {Vec2{{2, 0}}, Vec2{{-1e30f, 1e30f}}, Vec2{{NAN, 0}}}) {
        map.prepare(&x, 1);
        EXPECT_GE(map.at(x).distance, k_reach);
    }
    DistanceMap nothing({}, k_cell, k_reach);
    const Vec2 x{{0, 0}};
    nothing.prepare(&x, 1);
    EXPECT_GE(nothing.at(x).distance, k_reach);
    EXPECT_GE(exact(nothing, x), k_reach);
    EXPECT_EQ(nothing.first_hit(x, {{1, 1}}), 1);
}

TEST(DistanceMap, UnpreparedPlacesAreExact) {
    const DistanceMap map({comb()}, k_cell, k_reach);
    for (const Vec2& x : random_points(map, 1000))
        EXPECT_EQ(map.at(x).distance, exact(map, x));
}

TEST(DistanceMap, AGreatLevelCostsOnlyWhatTheFluidSeesOfIt) {
    std::vector<Point2> ground;
    for (int k = 0; k <= 20000; ++k)
        ground.push_back({0.5f * static_cast<float>(k), std::sin(0.1f * static_cast<float>(k))});
    ground.push_back({10000, -5000});
    ground.push_back({0, -5000});
    DistanceMap map({Shape2::polygon(ground)}, k_cell, k_reach);
    const std::size_t before = map.bytes();
    EXPECT_LT(before, ground.size() * 200);
    std::vector<Vec2> water;  // 20 m by 3 m
    for (int i = 0; i < 400; ++i)
        for (int j = 0; j < 60; ++j)
            water.push_back(
                {{5000 + 0.05f * static_cast<float>(i), 0.05f * static_cast<float>(j)}});
    map.prepare(water.data(), water.size());
    EXPECT_LT(map.bytes() - before, 400000u);  // all of it would take 80 GB
    const std::size_t after = map.bytes();
    map.prepare(water.data(), water.size());
    EXPECT_EQ(map.bytes(), after);
    for (const Vec2& x : water)
        ASSERT_NEAR(std::min(map.at(x).distance, k_reach), std::min(exact(map, x), k_reach),
                    0.05f * k_cell);
}

TEST_P(EveryShape, FirstHitAgreesWithSmallSteps) {
    const DistanceMap map(GetParam().shapes, k_cell, k_reach);
    const std::vector<Vec2> ends = random_points(map, 4000, 0.2f);
    int hits = 0;
    for (std::size_t k = 0; k < ends.size(); k += 2) {
        const Vec2 a = ends[k], b = ends[k + 1];
        const float t = map.first_hit(a, b);
        const float length = norm(b - a);
        if (exact(map, a) < 0) {
            EXPECT_EQ(t, 0);
            continue;
        }
        // until it meets the solid, the way is outside; there, it is at the surface
        const int samples = 500;
        for (int s = 0; s < samples; ++s) {
            const float part = t * static_cast<float>(s) / samples;
            ASSERT_GT(exact(map, a + (b - a) * part), -1e-5f);
        }
        if (t < 1) {
            ++hits;
            ASSERT_NEAR(exact(map, a + (b - a) * t), 0, 1e-5f * (1 + length));
        }
        // thin walls: the sides do not change on the way (by crossings, a float at a time)
        for (const Shape2& shape : map.shapes())
            for (std::size_t e = 0; shape.kind == Shape2::Kind::chain && shape.radius == 0 &&
                                    e + 1 < shape.points.size();
                 ++e) {
                const Vec2 p{{shape.points[e].x, shape.points[e].y}};
                const Vec2 q{{shape.points[e + 1].x, shape.points[e + 1].y}};
                const Vec2 c = a + (b - a) * std::max(0.0f, t - 1e-4f);
                ASSERT_FALSE(cross(q - p, a - p) * cross(q - p, c - p) < 0 &&
                             cross(c - a, p - a) * cross(c - a, q - a) < 0);
            }
    }
    EXPECT_GT(hits, 300);
}

TEST(FirstHit, ThinWallsAreMetFromBothSidesAndAtTheirJoints) {
    const DistanceMap map({Shape2::chain({{-1, 0}, {0, 0}, {1, 0}})}, k_cell, k_reach);
    EXPECT_NEAR(map.first_hit({{0.3f, 1}}, {{0.3f, -3}}), 0.25f, 1e-6f);
    EXPECT_NEAR(map.first_hit({{0.3f, -1}}, {{0.3f, 3}}), 0.25f, 1e-6f);
    EXPECT_NEAR(map.first_hit({{0, -1}}, {{0, 3}}), 0.25f, 1e-6f);
    EXPECT_NEAR(map.first_hit({{1, -1}}, {{1, 3}}), 0.25f, 1e-6f);  // its end
    EXPECT_NEAR(map.first_hit({{-3, 0}}, {{1, 0}}), 0.5f, 1e-6f);   // along it
    EXPECT_EQ(map.first_hit({{0.3f, 0}}, {{0.3f, 1}}), 0);          // from it
    EXPECT_LT(map.first_hit({{0.3f, 1}}, {{0.3f, 0}}), 1);          // to it
    EXPECT_EQ(map.first_hit({{1.01f, -1}}, {{1.01f, 3}}), 1);
    EXPECT_EQ(map.first_hit({{0.3f, 1}}, {{0.3f, 1e-3f}}), 1);
}

TEST(FirstHit, SurfacesMayBeLeftAndFollowed) {
    const DistanceMap map({Shape2::box({0, 0}, {1, 1})}, k_cell, k_reach);
    EXPECT_EQ(map.first_hit({{0.5f, 1}}, {{0.5f, 2}}), 1);
    EXPECT_EQ(map.first_hit({{0.25f, 1}}, {{0.75f, 1}}), 1);
    EXPECT_EQ(map.first_hit({{0.5f, 1}}, {{0.5f, 0.5f}}), 0);
    EXPECT_NEAR(map.first_hit({{-1, -1}}, {{1, 1}}), 0.5f, 1e-6f);  // at a corner
    EXPECT_EQ(map.first_hit({{0.5f, 0.5f}}, {{5, 5}}), 0);          // from inside
    EXPECT_EQ(map.first_hit({{3, 3}}, {{3, 3}}), 1);
}

TEST(FirstHit, LatticeDoesNotChangeIt) {
    DistanceMap plain({comb(), zigzag()}, k_cell, k_reach), prepared = plain;
    const std::vector<Vec2> points = random_points(plain, 20000);
    prepared.prepare(points.data(), points.size());
    for (std::size_t k = 0; k + 1 < points.size(); k += 2) {
        const Vec2 b = points[k] + (points[k + 1] - points[k]) * 0.1f;
        ASSERT_EQ(plain.first_hit(points[k], b), prepared.first_hit(points[k], b));
    }
}

}  // namespace
}  // namespace millrace
