#include "particles/box_fill.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "particles/fluid_particles.hpp"

namespace millrace {
namespace {

Box box(double x, double y, double z) {
    return {{0.1, 0.2, 0.3}, {0.1 + x, 0.2 + y, z > 0 ? 0.3 + z : 0.3}};
}

TEST(BoxFill, HasTheVolumeOfTheBoxAtAnySpacing) {
    for (const double spacing : {0.05, 0.07, 0.11}) {
        const FillSamples<3> solid = box_fill<3>(box(1, 0.7, 0.5), spacing, 0.01, 1);
        EXPECT_NEAR(solid.volume * static_cast<double>(solid.positions.size()), 0.35, 1e-9);
        EXPECT_EQ(solid.positions.size(), count_box_fill<3>(box(1, 0.7, 0.5), spacing));
        const FillSamples<2> flat = box_fill<2>(box(1, 0.7, 0), spacing, 0.01, 1);
        EXPECT_NEAR(flat.volume * static_cast<double>(flat.positions.size()), 0.7, 1e-9);
    }
}

TEST(BoxFill, StartsHalfASpacingFromTheFaces) {
    const FillSamples<3> samples = box_fill<3>(box(0.5, 0.5, 0.5), 0.1, 0, 1);
    for (const Vec<3>& x : samples.positions)
        for (int k = 0; k < 3; ++k) {
            const double low = k == 0 ? 0.1 : k == 1 ? 0.2 : 0.3;
            EXPECT_GE(x[k], low + 0.05 - 1e-6);
            EXPECT_LE(x[k], low + 0.45 + 1e-6);
        }
}

TEST(BoxFill, JitterIsNormalAndFollowsTheSeed) {
    const double spacing = 0.05, jitter = 0.02;
    const FillSamples<3> still = box_fill<3>(box(1, 1, 1), spacing, 0, 1),
                         a = box_fill<3>(box(1, 1, 1), spacing, jitter, 1),
                         b = box_fill<3>(box(1, 1, 1), spacing, jitter, 1),
                         c = box_fill<3>(box(1, 1, 1), spacing, jitter, 2);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_NE(a.positions, c.positions);
    double mean = 0, square = 0, fourth = 0;
    for (std::size_t i = 0; i < a.positions.size(); ++i) {
        const double d = (a.positions[i][0] - still.positions[i][0]) / (jitter * spacing);
        mean += d;
        square += d * d;
        fourth += d * d * d * d;
    }
    const double n = static_cast<double>(a.positions.size());
    EXPECT_NEAR(mean / n, 0, 4 / std::sqrt(n));
    EXPECT_NEAR(square / n, 1, 0.06);
    EXPECT_NEAR(fourth / n, 3, 0.4);
}

TEST(FluidParticles, IdsSurviveTheSort) {
    const Device device = Device::cpu(2);
    FluidParticles<2> fluid(device);
    fluid.resize(3);
    fluid.position.assign({{{1, 0}}, {{2, 0}}, {{3, 0}}});
    fluid.velocity.assign({{{10, 0}}, {{20, 0}}, {{30, 0}}});
    fluid.id.assign(std::vector<std::uint32_t>{7, 8, 9});
    Buffer<std::uint32_t> order(device);
    order.assign(std::vector<std::uint32_t>{2, 0, 1});
    fluid.reorder(device, order, 2);  // the last one goes
    EXPECT_EQ(fluid.count, 2u);
    EXPECT_EQ(fluid.id.to_host(), (std::vector<std::uint32_t>{9, 7}));
    EXPECT_EQ(fluid.velocity.to_host()[0], (Vec<2>{{30, 0}}));
}

}  // namespace
}  // namespace millrace
