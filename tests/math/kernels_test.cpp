#include "math/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "math/vec.hpp"

namespace millrace {
namespace {

constexpr double k_pi = std::numbers::pi;
constexpr float k_supports[] = {0.02f, 0.1f, 1.0f, 3.7f};

/// What docs/methods/kernels.md says of a kernel beyond its own code; most need nothing here.
template <class Kernel>
struct Documented {
    static constexpr double w_at_edge = 0.0;  ///< lim q -> 1 of W H^D
    static constexpr bool gradient_is_derivative = true;
};

template <>
struct Documented<Viscosity<2>> {
    static constexpr double w_at_edge = 50.0 / (29.0 * k_pi);
    static constexpr bool gradient_is_derivative = true;
};

/// The radial component of grad W, times H^(D+1), where it is by intent not the derivative of W.
template <double (*Gradient)(int dimension, double q)>
struct DocumentedGradient {
    static constexpr double w_at_edge = 0.0;
    static constexpr bool gradient_is_derivative = false;
    static double gradient(int dimension, double q) { return Gradient(dimension, q); }
};

// S0 Eq. A.40 and A.42, negative
double poly6h_gradient(int dimension, double q) {
    const double constant = dimension == 2 ? 24 / k_pi : 945 / (32 * k_pi);
    return -constant * std::pow(1 - q * q, 2);
}

// S0 Eq. A.32; in 3D the constant of Clavet<3>
double hybrid_gradient(int dimension, double q) {
    return -(dimension == 2 ? 12 / k_pi : 15 / k_pi) * (1 - q * q);
}

// S0 Eq. A.33; in 3D the constant of Spiky<3>
double hybrid_near_gradient(int dimension, double q) {
    return -(dimension == 2 ? 30 / k_pi : 45 / k_pi) * std::pow(1 - q * q, 2);
}

template <int D>
struct Documented<Poly6h<D>> : DocumentedGradient<poly6h_gradient> {};
template <int D>
struct Documented<ClavetHybrid<D>> : DocumentedGradient<hybrid_gradient> {};
template <int D>
struct Documented<ClavetHybridNear<D>> : DocumentedGradient<hybrid_near_gradient> {};

/// The integral of a function of the radius over the D-dimensional ball of this radius (midpoints).
template <class Function>
double integrate_ball(int dimension, double radius, Function f) {
    constexpr int k_intervals = 20000;
    double sum = 0;
    for (int i = 0; i < k_intervals; ++i) {
        const double r = radius * (i + 0.5) / k_intervals;
        const double sphere = dimension == 1 ? 2 : dimension == 2 ? 2 * k_pi * r : 4 * k_pi * r * r;
        sum += f(r) * sphere;
    }
    return sum * radius / k_intervals;
}

template <class Kernel>
double w_at(const Kernel& kernel, double r) {
    return kernel.w(r * r);
}

template <class Kernel>
double radial_derivative(const Kernel& kernel, double r) {
    const double d = 1e-6 * kernel.support();
    return (w_at(kernel, r + d) - w_at(kernel, r - d)) / (2 * d);
}

/// Four floats side by side, as the vectorised loops use them.
struct Pack {
    float lane[4];
    Pack() = default;
    explicit Pack(float value) : lane{value, value, value, value} {}
};
struct Mask {
    bool lane[4];
};
template <class Function>
auto lanes(Function f) {
    std::conditional_t<std::is_same_v<decltype(f(0)), bool>, Mask, Pack> r;
    for (int k = 0; k < 4; ++k)
        r.lane[k] = f(k);
    return r;
}
Pack operator+(Pack a, Pack b) {
    return lanes([&](int k) { return a.lane[k] + b.lane[k]; });
}
Pack operator-(Pack a, Pack b) {
    return lanes([&](int k) { return a.lane[k] - b.lane[k]; });
}
Pack operator*(Pack a, Pack b) {
    return lanes([&](int k) { return a.lane[k] * b.lane[k]; });
}
Mask operator<(Pack a, Pack b) {
    return lanes([&](int k) { return a.lane[k] < b.lane[k]; });
}
Pack rsqrt(Pack a) {
    return lanes([&](int k) { return millrace::rsqrt(a.lane[k]); });
}
Pack max(Pack a, Pack b) {
    return lanes([&](int k) { return millrace::max(a.lane[k], b.lane[k]); });
}
Pack select(Mask m, Pack a, Pack b) {
    return lanes([&](int k) { return m.lane[k] ? a.lane[k] : b.lane[k]; });
}

template <class Kernel>
class KernelTest : public testing::Test {};

// Poly6 and Spiky are also ClavetSquaredNear and ClavetNear.
using AllKernels =
    testing::Types<CubicSpline<1>, CubicSpline<2>, CubicSpline<3>, Poly6<2>, Poly6<3>, Poly6h<2>,
                   Poly6h<3>, Spiky<2>, Spiky<3>, Viscosity<2>, Viscosity<3>, Clavet<2>, Clavet<3>,
                   ClavetHybrid<2>, ClavetHybrid<3>, ClavetHybridNear<2>, ClavetHybridNear<3>,
                   ClavetSquared<2>, ClavetSquared<3>, Foam<2>, Foam<3>>;
TYPED_TEST_SUITE(KernelTest, AllKernels);

TYPED_TEST(KernelTest, IntegralIsTheDocumentedOne) {
    for (const float support : k_supports) {
        const TypeParam kernel(support);
        const double integral = integrate_ball(TypeParam::k_dimension, support,
                                               [&](double r) { return w_at(kernel, r); });
        EXPECT_NEAR(integral, TypeParam::k_integral, 5e-6) << "support " << support;
    }
}

TYPED_TEST(KernelTest, GradientIsTheDerivativeOrTheDocumentedFormula) {
    using Expected = Documented<TypeParam>;
    for (const float support : k_supports) {
        const TypeParam kernel(support);
        for (double q = 0.02; q < 0.995; q += 0.01) {
            const double r = q * support;
            double expected;
            if constexpr (Expected::gradient_is_derivative)
                expected = radial_derivative(kernel, r);
            else
                expected = Expected::gradient(TypeParam::k_dimension, q) /
                           std::pow(double(support), TypeParam::k_dimension + 1);
            EXPECT_NEAR(kernel.gradient_factor(r * r) * r, expected, 5e-6 * std::abs(expected))
                << "support " << support << " q " << q;
        }
    }
}

TYPED_TEST(KernelTest, IsExactlyZeroAtAndBeyondTheSupport) {
    for (int i = 1; i <= 1000; ++i) {
        const float support = 0.00317f * static_cast<float>(i);
        const TypeParam kernel(support);
        const auto expect_zero = [&](auto r2) {
            EXPECT_EQ(kernel.w(r2), 0) << "support " << support << " r2 " << r2;
            EXPECT_EQ(kernel.gradient_factor(r2), 0) << "support " << support << " r2 " << r2;
        };
        const float support2 = support * support;
        for (const float factor : {1.0f, 1.000001f, 1.5f, 4.0f, 1e6f}) {
            expect_zero(support2 * factor);
            expect_zero(double(support) * support * factor);
        }
    }
}

TYPED_TEST(KernelTest, ApproachesTheDocumentedValueAtTheSupport) {
    for (const float support : k_supports) {
        const TypeParam kernel(support);
        const double volume = std::pow(double(support), TypeParam::k_dimension);
        EXPECT_NEAR(w_at(kernel, support * (1 - 1e-6)) * volume, Documented<TypeParam>::w_at_edge,
                    1e-5);
    }
}

TYPED_TEST(KernelTest, IsFiniteEverywhereAndPullsNowhereAtZeroDistance) {
    for (const float support : {1e-3f, 0.1f, 100.0f}) {
        const TypeParam kernel(support);
        for (const float q : {0.0f, 1e-20f, 1e-8f, 1e-4f, 0.5f, 0.999999f}) {
            const float r = q * support;
            EXPECT_TRUE(std::isfinite(kernel.w(r * r))) << "support " << support << " q " << q;
            EXPECT_TRUE(std::isfinite(kernel.gradient_factor(r * r)))
                << "support " << support << " q " << q;
            EXPECT_GE(kernel.w(r * r), 0.0f);
        }
        EXPECT_EQ(kernel.gradient_factor(0.0f) * 0.0f, 0.0f);
    }
}

TYPED_TEST(KernelTest, IsSymmetricAndItsGradientAntisymmetric) {
    constexpr int D = TypeParam::k_dimension;
    const TypeParam kernel(0.8f);
    Vec<D> a, b;
    for (int k = 0; k < D; ++k) {
        a[k] = 0.3f + 0.11f * static_cast<float>(k);
        b[k] = 0.7f - 0.13f * static_cast<float>(k);
    }
    const Vec<D> x_ab = a - b, x_ba = b - a;
    const float r2_ab = squared_norm(x_ab), r2_ba = squared_norm(x_ba);
    EXPECT_GT(kernel.w(r2_ab), 0.0f);
    EXPECT_EQ(kernel.w(r2_ab), kernel.w(r2_ba));
    EXPECT_NE(kernel.gradient_factor(r2_ab), 0.0f);
    EXPECT_EQ(x_ab * kernel.gradient_factor(r2_ab), -(x_ba * kernel.gradient_factor(r2_ba)));
}

TYPED_TEST(KernelTest, FloatsAndPacksAgreeWithDoubles) {
    const float support = 0.3f;
    const TypeParam kernel(support);
    const double w_scale = w_at(kernel, 0.3 * support);
    const double f_scale = std::abs(kernel.gradient_factor(0.09 * support * support));
    for (int i = 0; i < 60; ++i) {
        Pack r2;
        for (int k = 0; k < 4; ++k)
            r2.lane[k] =
                std::pow((0.022f + 0.005f * static_cast<float>(4 * i + k)) * support, 2.0f);
        const Pack w = kernel.w(r2), f = kernel.gradient_factor(r2);
        for (int k = 0; k < 4; ++k) {
            const double exact_w = kernel.w(double(r2.lane[k]));
            const double exact_f = kernel.gradient_factor(double(r2.lane[k]));
            const double w_tolerance = 2e-6 * (w_scale + std::abs(exact_w));
            const double f_tolerance = 2e-6 * (f_scale + std::abs(exact_f));
            EXPECT_NEAR(kernel.w(r2.lane[k]), exact_w, w_tolerance);
            EXPECT_NEAR(w.lane[k], exact_w, w_tolerance);
            EXPECT_NEAR(kernel.gradient_factor(r2.lane[k]), exact_f, f_tolerance);
            EXPECT_NEAR(f.lane[k], exact_f, f_tolerance);
        }
    }
}

template <class Kernel>
class LaplacianTest : public testing::Test {};

using KernelsWithLaplacian = testing::Types<Viscosity<2>, Viscosity<3>>;
TYPED_TEST_SUITE(LaplacianTest, KernelsWithLaplacian);

TYPED_TEST(LaplacianTest, IsThatOfTheKernel) {
    for (const float support : k_supports) {
        const TypeParam kernel(support);
        const double d = 1e-4 * support;
        for (double q = 0.05; q < 0.99; q += 0.01) {
            const double r = q * support;
            const double second =
                (w_at(kernel, r + d) - 2 * w_at(kernel, r) + w_at(kernel, r - d)) / (d * d);
            const double expected =
                second + (TypeParam::k_dimension - 1) / r * radial_derivative(kernel, r);
            // the second difference of 1/q is off by (d/r)^2 of W''
            EXPECT_NEAR(kernel.laplacian(r * r), expected,
                        1e-6 * std::abs(expected) + 2 * d * d / (r * r) * std::abs(second))
                << "support " << support << " q " << q;
        }
    }
}

TYPED_TEST(LaplacianTest, IsFiniteAtZeroNeverNegativeAndZeroAtTheSupport) {
    for (const float support : k_supports) {
        const TypeParam kernel(support);
        EXPECT_TRUE(std::isfinite(kernel.laplacian(0.0f)));
        for (float q = 0.0f; q < 1.0f; q += 0.01f)
            EXPECT_GT(kernel.laplacian(q * support * q * support), 0.0f) << q;
        EXPECT_EQ(kernel.laplacian(support * support), 0.0f);
        EXPECT_EQ(kernel.laplacian(4.0f * support * support), 0.0f);
    }
}

// The values printed in the sources, at r = 0 and H = 1, to catch a constant in the wrong row.
TEST(KernelConstantsTest, MatchTheSources) {
    EXPECT_NEAR(CubicSpline<2>(1.0f).w(0.0), 40 / (7 * k_pi), 1e-6);
    EXPECT_NEAR(CubicSpline<3>(1.0f).w(0.0), 8 / k_pi, 1e-6);
    EXPECT_NEAR(Poly6<2>(1.0f).w(0.0), 4 / k_pi, 1e-6);
    EXPECT_NEAR(Poly6<3>(1.0f).w(0.0), 315 / (64 * k_pi), 1e-6);
    EXPECT_NEAR(Spiky<2>(1.0f).w(0.0), 10 / k_pi, 1e-5);
    EXPECT_NEAR(Spiky<3>(1.0f).w(0.0), 15 / k_pi, 1e-5);
    EXPECT_NEAR(Clavet<2>(1.0f).w(0.0), 6 / k_pi, 1e-5);
    EXPECT_NEAR(ClavetHybrid<2>(1.0f).w(0.0), 6 / k_pi, 1e-6);
    EXPECT_NEAR(ClavetHybridNear<2>(1.0f).w(0.0), 10 / k_pi, 1e-6);
    EXPECT_NEAR(ClavetSquared<2>(1.0f).w(0.0), 3 / k_pi, 1e-6);
    EXPECT_NEAR(Foam<3>(1.0f).w(0.0), 3 / k_pi, 1e-6);
    EXPECT_NEAR(Viscosity<2>(1.0f).laplacian(0.0), 360 / (29 * k_pi), 1e-5);
    EXPECT_NEAR(Viscosity<3>(1.0f).laplacian(0.0), 45 / k_pi, 1e-5);
}

}  // namespace
}  // namespace millrace
