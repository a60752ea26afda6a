#include "geometry/parts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/shape_oracle.hpp"

namespace millrace {
namespace {

double area_of(const std::vector<Point2>& p) {
    double sum = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
        const Point2 a = p[k], b = p[(k + 1) % p.size()];
        sum += 0.5 * (double(a.x) * b.y - double(a.y) * b.x);
    }
    return sum;
}

/// Whether all corners turn the same way, or not at all.
bool is_convex(const std::vector<Point2>& p) {
    int left = 0, right = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
        const Point2 a = p[k], b = p[(k + 1) % p.size()], c = p[(k + 2) % p.size()];
        const double turn =
            (double(b.x) - a.x) * (double(c.y) - b.y) - (double(b.y) - a.y) * (double(c.x) - b.x);
        left += turn > 1e-9;
        right += turn < -1e-9;
    }
    return left == 0 || right == 0;
}

struct Named {
    const char* name;
    std::vector<Point2> points;
};

std::vector<Point2> star(int rays) {
    std::vector<Point2> points;
    for (int k = 0; k < 2 * rays; ++k) {
        const float a =
            std::numbers::pi_v<float> * static_cast<float>(k) / static_cast<float>(rays);
        const float r = k % 2 ? 0.4f : 1.0f;
        points.push_back({r * std::cos(a), r * std::sin(a)});
    }
    return points;
}

std::vector<Point2> stairs(int steps) {
    std::vector<Point2> points{{0, 0}, {static_cast<float>(steps), 0}};
    for (int k = steps; k > 0; --k) {
        points.push_back({static_cast<float>(k), static_cast<float>(steps - k + 1)});
        points.push_back({static_cast<float>(k - 1), static_cast<float>(steps - k + 1)});
    }
    return points;
}

class ConcaveParts : public ::testing::TestWithParam<Named> {};
INSTANTIATE_TEST_SUITE_P(
    All, ConcaveParts,
    ::testing::Values(
        Named{"L", {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}},
        Named{"U", {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}},
        Named{"Star", star(5)}, Named{"ManyRays", star(17)}, Named{"Stairs", stairs(6)},
        // on straight edges, as editors leave them
        Named{"FlatCorners",
              {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {2, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 1}}},
        Named{"Dart", {{0, 0}, {2, 1}, {0, 2}, {0.5f, 1}}},
        Named{"Spiral",
              {{0, 0},
               {5, 0},
               {5, 5},
               {1, 5},
               {1, 2},
               {3, 2},
               {3, 3},
               {2, 3},
               {2, 4},
               {4, 4},
               {4, 1},
               {0, 1}}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(ConcaveParts, AreConvexAndMakeUpTheWhole) {
    for (const bool reversed : {false, true}) {
        std::vector<Point2> points = GetParam().points;
        if (reversed)
            std::reverse(points.begin(), points.end());
        const Shape2 whole = Shape2::polygon(points, 0.01f);
        const std::vector<Shape2> parts = parts_of(whole);
        EXPECT_GT(parts.size(), 1u);
        EXPECT_LT(parts.size(), points.size() - 1);
        double area = 0;
        for (const Shape2& part : parts) {
            EXPECT_EQ(part.kind, Shape2::Kind::polygon);
            EXPECT_EQ(part.radius, whole.radius);
            EXPECT_TRUE(is_convex(part.points));
            EXPECT_GE(part.points.size(), 3u);
            area += std::abs(area_of(part.points));
        }
        EXPECT_NEAR(area, std::abs(area_of(points)), 1e-5 * area);
        std::mt19937 random(1);
        std::uniform_real_distribution<float> place(-1.2f, 6.2f);
        const Shape2 bare = Shape2::polygon(points);
        for (int k = 0; k < 3000; ++k) {
            const Vec2 x{place(random), place(random)};
            int within = 0;
            bool at_an_edge = false;
            for (const Shape2& part : parts) {
                const float d = signed_distance(Shape2::polygon(part.points), x);
                within += d < 0;
                at_an_edge = at_an_edge || std::abs(d) < 1e-4f;
            }
            const int expected = signed_distance(bare, x) < 0 ? 1 : 0;
            EXPECT_TRUE(at_an_edge || within == expected) << x[0] << " " << x[1];
        }
    }
}

TEST(Parts, ConvexShapesStayWhole) {
    for (const Shape2& shape :
         {Shape2::box({-1, -2}, {3, 4}), Shape2::circle({1, 2}, 3),
          Shape2::polygon({{0, 0}, {0, 1}, {1, 0}}, 0.1f),               // clockwise
          Shape2::polygon({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}})}) {  // a flat corner
        const std::vector<Shape2> parts = parts_of(shape);
        ASSERT_EQ(parts.size(), 1u);
        EXPECT_EQ(parts[0].kind, shape.kind);
        EXPECT_EQ(parts[0].points, shape.points);
        EXPECT_EQ(parts[0].radius, shape.radius);
    }
}

TEST(Parts, ChainsAreCutAtCornersOnly) {
    // a bend of 24 small turns, then two corners
    std::vector<Point2> points;
    for (int k = 0; k <= 24; ++k) {
        const float a = std::numbers::pi_v<float> * static_cast<float>(k) / 24;
        points.push_back({-std::cos(a), -std::sin(a)});
    }
    points.push_back({1, 2});  // goes on as the bend ends
    points.push_back({3, 2});
    points.push_back({3, 2});  // twice
    points.push_back({3, 0});
    const std::vector<Shape2> parts = parts_of(Shape2::chain(points, 0.02f));
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].points.size(), 26u);
    EXPECT_EQ(parts[1].points, (std::vector<Point2>{{1, 2}, {3, 2}}));
    EXPECT_EQ(parts[2].points, (std::vector<Point2>{{3, 2}, {3, 0}}));
    for (const Shape2& part : parts) {
        EXPECT_EQ(part.kind, Shape2::Kind::chain);
        EXPECT_EQ(part.radius, 0.02f);
    }
}

}  // namespace
}  // namespace millrace
