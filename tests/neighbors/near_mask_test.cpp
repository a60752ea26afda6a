#include "neighbors/near_mask.hpp"

#include <gtest/gtest.h>

#include <random>

namespace millrace {
namespace {

template <int D>
void expect_no_point_is_missed(float scale) {
    std::mt19937 random(3);
    const auto point = [&] {
        Vec<D> x;
        for (int k = 0; k < D; ++k)
            x[k] = scale * (static_cast<float>(random()) * 0x1p-32f - 0.3f);
        return x;
    };
    std::vector<Vec<D>> points(40);
    for (Vec<D>& x : points)
        x = point();
    const float radius = 0.05f * scale;
    const NearMask<D> mask(Device::cpu(1), points, radius, 1'000'000);
    int far = 0;
    for (int k = 0; k < 20'000; ++k) {
        // around the points and beyond their bounds
        Vec<D> x = point() * 1.5f;
        if (k % 2 == 0) {
            x = points[k % points.size()];
            x[k / 2 % D] += (k % 4 == 0 ? 0.99999f : -0.99999f) * radius;
        }
        bool near = false;
        for (const Vec<D>& p : points)
            near |= squared_norm(x - p) < radius * radius;
        if (near) {
            ASSERT_TRUE(mask.view().may_be_near(x));
        }
        far += !mask.view().may_be_near(x);
    }
    EXPECT_GT(far, 2000) << "a mask that is never of use";
}

TEST(NearMask, MissesNoPoint) {
    for (const float scale : {1.0f, 1e-3f, 1e3f}) {
        expect_no_point_is_missed<2>(scale);
        expect_no_point_is_missed<3>(scale);
    }
}

TEST(NearMask, SaysNearEverywhereWhereItWouldBeTooLarge) {
    const std::vector<Vec<3>> points{{{0, 0, 0}}, {{100, 100, 100}}};
    const NearMask<3> mask(Device::cpu(1), points, 0.1f, 10'000);
    EXPECT_TRUE(mask.view().may_be_near({{50, 50, 50}}));
}

TEST(NearMask, WithoutPoints) {
    EXPECT_TRUE(NearMask<2>(Device::cpu(1), {}, 0.1f, 100).view().may_be_near({{0, 0}}));
}

}  // namespace
}  // namespace millrace
