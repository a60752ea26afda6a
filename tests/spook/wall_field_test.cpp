#include "spook/wall_field.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

constexpr double k_spacing = 0.1, k_volume = k_spacing * k_spacing;
const double k_row = std::sqrt(0.5 * std::numbers::sqrt3 * k_volume);

/// A kernel with the integral 1.
struct TestKernel {
    const char* name;
    double reach;
    double (*shape)(double q);  ///< with q < 1
    double constant;

    double operator()(double r) const {
        const double q = std::abs(r) / reach;
        return q < 1 ? constant / (reach * reach) * shape(q) : 0;
    }
    double derivative(double r) const {
        const double e = 1e-6 * reach;
        return ((*this)(r + e) - (*this)(r - e)) / (2 * e);
    }
};

class RestStates : public ::testing::TestWithParam<TestKernel> {
  protected:
    WallField field() const { return WallField::of<2>(GetParam(), GetParam().reach, k_volume); }
};
INSTANTIATE_TEST_SUITE_P(
    Kernels, RestStates,
    ::testing::Values(TestKernel{"SpikyShort", 1.93 * k_spacing,
                                 [](double q) { return (1 - q) * (1 - q) * (1 - q); },
                                 10 / std::numbers::pi},
                      TestKernel{"SpikyLong", 3 * k_spacing,
                                 [](double q) { return (1 - q) * (1 - q) * (1 - q); },
                                 10 / std::numbers::pi},
                      TestKernel{"Poly6", 2 * k_spacing,
                                 [](double q) {
                                     const double s = 1 - q * q;
                                     return s * s * s;
                                 },
                                 4 / std::numbers::pi}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(HexagonalLattice, HasAPointInEveryVolume) {
    const double reach = 30 * k_spacing;
    int count = 1;
    double nearest = 1e30;
    for_each_hexagonal(k_volume, reach, [&](const Vec2d& x) {
        ++count;
        nearest = std::min(nearest, norm(x));
    });
    EXPECT_NEAR(count * k_volume, std::numbers::pi * reach * reach, 0.01 * count * k_volume);
    EXPECT_NEAR(nearest, std::sqrt(2 * k_volume / std::numbers::sqrt3), 1e-12);
}

TEST_P(RestStates, WithinTheLatticeTheDensityIsOne) {
    const TestKernel& w = GetParam();
    double sum = w(0);
    for_each_hexagonal(k_volume, w.reach, [&](const Vec2d& x) { sum += w(norm(x)); });
    EXPECT_NEAR(field().rest().scale * k_volume * sum, 1, 1e-9);
}

/// Half a row from a wall, the wall stands for all rows that are not there.
TEST_P(RestStates, AWallCompletesTheFirstRow) {
    const TestKernel& w = GetParam();
    const WallField wall = field();
    double sum = w(0);
    for_each_hexagonal(k_volume, w.reach, [&](const Vec2d& x) {
        if (x[1] > -0.5 * k_row)
            sum += w(norm(x));
    });
    const double density = wall.rest().scale * k_volume * sum +
                           double(wall.at(static_cast<float>(0.5 * k_row)).density);
    EXPECT_NEAR(density, 1, 0.003);
    EXPECT_LT(std::abs(wall.rest().shift), 0.5 * k_row);
}

TEST_P(RestStates, TheSlopeIsTheDerivativeOfLambda) {
    const WallField wall = field();
    const float e = static_cast<float>(0.01 * k_spacing);
    for (float d = -0.04f; d < wall.reach() - 2 * e; d += 0.003f) {
        const float numerical = (wall.at(d + e).density - wall.at(d - e).density) / (2 * e);
        EXPECT_NEAR(wall.at(d).slope, numerical, 0.03f * std::abs(numerical) + 0.15f) << d;
    }
}

TEST_P(RestStates, LambdaFallsToNothingAtItsReach) {
    const WallField wall = field();
    float last = 1e30f;
    for (float d = -0.1f; d < wall.reach(); d += 0.001f) {
        EXPECT_LE(wall.at(d).density, last);
        EXPECT_LE(wall.at(d).slope, 0);
        last = wall.at(d).density;
    }
    EXPECT_LT(last, 0.01f);
    for (const float d : {wall.reach(), 2 * wall.reach(), 1e30f}) {
        EXPECT_NEAR(wall.at(d).density, 0, 1e-9f);
        EXPECT_NEAR(wall.at(d).slope, 0, 1e-6f);
    }
}

/// With a lattice that is a little denser, everything else the same.
TEST_P(RestStates, TheStiffnessTellsHowTheDensityGrows) {
    const TestKernel& w = GetParam();
    const auto density = [&](double volume) {
        double sum = w(0);
        for_each_hexagonal(volume, 1.2 * w.reach, [&](const Vec2d& x) { sum += w(norm(x)); });
        return sum;
    };
    const double e = 1e-4;
    const double numerical = std::log(density(k_volume * (1 - e)) / density(k_volume * (1 + e))) /
                             std::log((1 + e) / (1 - e));
    EXPECT_NEAR(field().rest().stiffness, numerical, 0.01 * numerical);
}

}  // namespace
}  // namespace millrace
