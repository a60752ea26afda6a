#include "math/vec.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

const Vec3d k_a{{1, -2, 3}}, k_b{{0.5, 4, -1}}, k_c{{-3, 0.25, 2}};

TEST(VecTest, SumsAndMultiples) {
    EXPECT_EQ(k_a + k_b - k_b, k_a);
    EXPECT_EQ(k_a + k_a, 2.0 * k_a);
    EXPECT_EQ(k_a * 2.0 / 2.0, k_a);
    EXPECT_EQ(-k_a, Vec3d::all(0) - k_a);
    Vec3d sum = k_a;
    sum += k_b;
    sum -= k_a;
    sum *= 2.0;
    EXPECT_EQ(sum, k_b + k_b);
    EXPECT_FALSE(k_a == k_b);
}

TEST(VecTest, LengthAndDotProduct) {
    EXPECT_EQ(norm(Vec2d{{3, 4}}), 5);
    EXPECT_EQ(squared_norm(k_a), 14);
    EXPECT_EQ(dot(k_a, k_b), dot(k_b, k_a));
    EXPECT_EQ(norm(Vec3::from(Vec3d{{2, 3, 6}})), 7.0f);
}

TEST(VecTest, CrossProductIsPerpendicularAndObeysLagrange) {
    const Vec3d n = cross(k_a, k_b);
    EXPECT_EQ(dot(n, k_a), 0);
    EXPECT_EQ(dot(n, k_b), 0);
    EXPECT_EQ(n, -cross(k_b, k_a));
    EXPECT_DOUBLE_EQ(squared_norm(n),
                     squared_norm(k_a) * squared_norm(k_b) - dot(k_a, k_b) * dot(k_a, k_b));
    EXPECT_EQ(cross(k_a, cross(k_b, k_c)), k_b * dot(k_a, k_c) - k_c * dot(k_a, k_b));
    EXPECT_EQ(cross(Vec3d{{1, 0, 0}}, Vec3d{{0, 1, 0}}), (Vec3d{{0, 0, 1}}));
}

TEST(VecTest, PlaneCrossProductIsTheZComponent) {
    const Vec2d a{{2, 5}}, b{{-1, 3}};
    EXPECT_EQ(cross(a, b), cross(Vec3d{{2, 5, 0}}, Vec3d{{-1, 3, 0}})[2]);
}

}  // namespace
}  // namespace millrace
