#include "math/portable.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

namespace millrace {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

// The error in units of the last place of the true value, which has 64 bits.
double units_off(double value, long double truth) {
    const double near = std::abs(static_cast<double>(truth));
    const long double unit = std::nextafter(near, k_infinity) - near;
    return static_cast<double>(std::abs(value - truth) / unit);
}

double worst_of(const std::function<double(double)>& ours,
                const std::function<long double(long double)>& truth, double from, double to) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(from, to);
    double worst = 0;
    for (int k = 0; k < 200000; ++k) {
        const double x = uniform(random);
        worst = std::max(worst, units_off(ours(x), truth(x)));
    }
    return worst;
}

// Worst of three million arguments up to 100: sin 0.8, cos 0.8, exp 0.9, log 0.8, atan2 1.5, cbrt
// 0.7.
constexpr double k_most_units = 2;

TEST(Portable, SineAndCosineAreExact) {
    for (const double reach : {0.8, 10.0, 1e3, 9.9e5}) {
        EXPECT_LT(worst_of([](double x) { return portable::sin(x); },
                           [](long double x) { return sinl(x); }, -reach, reach),
                  k_most_units);
        EXPECT_LT(worst_of([](double x) { return portable::cos(x); },
                           [](long double x) { return cosl(x); }, -reach, reach),
                  k_most_units);
    }
    EXPECT_EQ(portable::sin(0.0), 0);
    EXPECT_EQ(portable::cos(0.0), 1);
    EXPECT_NEAR(portable::sin(1e15), std::sin(1e15), 1);  // anything, but a sine
    EXPECT_LE(std::abs(portable::sin(1e300)), 1);
    EXPECT_TRUE(std::isnan(portable::sin(k_infinity)));
}

TEST(Portable, ExponentialIsExact) {
    for (const double reach : {0.3, 5.0, 700.0})
        EXPECT_LT(worst_of([](double x) { return portable::exp(x); },
                           [](long double x) { return expl(x); }, -reach, reach),
                  k_most_units);
    EXPECT_EQ(portable::exp(0.0), 1);
    EXPECT_EQ(portable::exp(710.0), k_infinity);
    EXPECT_EQ(portable::exp(-746.0), 0);
    EXPECT_NEAR(portable::exp(-744.0) / std::exp(-744.0), 1, 0.1);  // subnormal
    EXPECT_TRUE(std::isnan(portable::exp(std::nan(""))));
}

TEST(Portable, LogarithmIsExact) {
    EXPECT_LT(worst_of([](double x) { return portable::log(x); },
                       [](long double x) { return logl(x); }, 0.5, 2),
              k_most_units);
    EXPECT_LT(
        worst_of([](double x) { return portable::log(std::exp2(x)); },
                 [](long double x) { return logl(exp2(static_cast<double>(x))); }, -1070, 1000),
        k_most_units);
    EXPECT_EQ(portable::log(1.0), 0);
    EXPECT_EQ(portable::log(0.0), -k_infinity);
    EXPECT_EQ(portable::log(k_infinity), k_infinity);
    EXPECT_TRUE(std::isnan(portable::log(-1.0)));
}

TEST(Portable, AnglesAreExactInEveryQuadrant) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1), power(-40, 40);
    double worst = 0;
    for (int k = 0; k < 300000; ++k) {
        const double y = uniform(random) * std::exp2(power(random)),
                     x = uniform(random) * std::exp2(power(random));
        worst = std::max(worst, units_off(portable::atan2(y, x), atan2l(y, x)));
        worst = std::max(worst, units_off(portable::atan(y), atanl(y)));
    }
    EXPECT_LT(worst, k_most_units);
    constexpr double pi = std::numbers::pi;
    for (const double y : {0.0, -0.0, 1.0, -1.0, k_infinity, -k_infinity, 1e308, 5e-324})
        for (const double x : {0.0, -0.0, 1.0, -1.0, k_infinity, -k_infinity, 1e308, 5e-324})
            EXPECT_NEAR(portable::atan2(y, x), std::atan2(y, x), 1e-15 * pi) << y << ' ' << x;
    EXPECT_TRUE(std::signbit(portable::atan2(-0.0, 1.0)));
    EXPECT_TRUE(std::isnan(portable::atan2(std::nan(""), 1.0)));
}

TEST(Portable, CubeRootIsExact) {
    EXPECT_LT(worst_of([](double x) { return portable::cbrt(x); },
                       [](long double x) { return cbrtl(x); }, -10, 10),
              k_most_units);
    for (const double x : {1e-320, 5e-324, 1e-300, 1e300, 27.0, -8.0, 1.0})
        EXPECT_LT(units_off(portable::cbrt(x), cbrtl(x)), k_most_units) << x;
    EXPECT_EQ(portable::cbrt(0.0), 0);
}

TEST(Portable, PowersOfFloatsAreRight) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<float> base(0.01f, 3.0f), exponent(-8, 8);
    for (int k = 0; k < 100000; ++k) {
        const float x = base(random), y = exponent(random);
        const double truth = std::pow(double{x}, double{y});
        ASSERT_NEAR(portable::pow(x, y) / truth, 1, 6.1e-8) << x << ' ' << y;
    }
    EXPECT_EQ(portable::pow(0.0f, 3.0f), 0);
    EXPECT_EQ(portable::pow(0.0f, 0.0f), 1);
    EXPECT_EQ(portable::power(1.5f, 3), 1.5f * 1.5f * 1.5f);
    EXPECT_EQ(portable::power(2.0, 0), 1);
}

TEST(Portable, NearestPowerOfTwo) {
    for (double x = 1e-9; x < 1e9; x *= 1.01) {
        const double near = portable::nearest_power_of_two(x);
        EXPECT_EQ(near, std::exp2(std::round(std::log2(x)))) << x;
    }
}

}  // namespace
}  // namespace millrace
