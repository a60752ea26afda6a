#include "math/mat.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/dimensions.hpp"

namespace millrace {
namespace {

template <class Dimension>
class MatTest : public testing::Test {
  protected:
    static constexpr int D = Dimension::value;
    using M = Mat<D, double>;
    using V = Vec<D, double>;

    V random_vector() {
        V v;
        for (int i = 0; i < D; ++i)
            v[i] = uniform_(random_);
        return v;
    }
    M random_matrix() {
        M m;
        for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j)
                m(i, j) = uniform_(random_);
        return m;
    }
    static void expect_near(const M& a, const M& b) {
        for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j)
                EXPECT_NEAR(a(i, j), b(i, j), 1e-11) << i << ' ' << j;
    }
    static void expect_near(const V& a, const V& b) {
        for (int i = 0; i < D; ++i)
            EXPECT_NEAR(a[i], b[i], 1e-12) << i;
    }

  private:
    std::mt19937 random_{7};
    std::uniform_real_distribution<double> uniform_{-1, 1};
};

TYPED_TEST_SUITE(MatTest, Dimensions);

TYPED_TEST(MatTest, IdentityLeavesVectorsAndMatricesAlone) {
    const auto identity = TestFixture::M::identity();
    const auto a = this->random_matrix();
    const auto x = this->random_vector();
    this->expect_near(identity * a, a);
    this->expect_near(a * identity, a);
    this->expect_near(identity * x, x);
    EXPECT_EQ(trace(identity), TestFixture::D);
    EXPECT_EQ(determinant(identity), 1);
}

TYPED_TEST(MatTest, ProductIsAssociativeAndDistributive) {
    const auto a = this->random_matrix(), b = this->random_matrix(), c = this->random_matrix();
    const auto x = this->random_vector();
    this->expect_near((a * b) * c, a * (b * c));
    this->expect_near((a * b) * x, a * (b * x));
    this->expect_near(a * (b + c), a * b + a * c);
    this->expect_near(2.0 * a - a, a);
}

TYPED_TEST(MatTest, TransposeReversesProductsAndMovesAcrossTheDotProduct) {
    const auto a = this->random_matrix(), b = this->random_matrix();
    const auto x = this->random_vector(), y = this->random_vector();
    this->expect_near(transpose(a * b), transpose(b) * transpose(a));
    this->expect_near(transpose(transpose(a)), a);
    EXPECT_NEAR(dot(a * x, y), dot(x, transpose(a) * y), 1e-12);
}

TYPED_TEST(MatTest, DeterminantAndTraceOfProducts) {
    const auto a = this->random_matrix(), b = this->random_matrix();
    EXPECT_NEAR(determinant(a * b), determinant(a) * determinant(b), 1e-12);
    EXPECT_NEAR(determinant(transpose(a)), determinant(a), 1e-12);
    EXPECT_NEAR(trace(a * b), trace(b * a), 1e-12);
}

TYPED_TEST(MatTest, InverseUndoes) {
    int inverted = 0;
    for (int i = 0; i < 100; ++i) {
        const auto a = this->random_matrix();
        if (std::abs(determinant(a)) < 0.01)
            continue;
        this->expect_near(a * inverse(a), TestFixture::M::identity());
        this->expect_near(inverse(a) * a, TestFixture::M::identity());
        ++inverted;
    }
    EXPECT_GT(inverted, 50);
}

TYPED_TEST(MatTest, OuterProductProjects) {
    const auto a = this->random_vector(), b = this->random_vector(), x = this->random_vector();
    this->expect_near(outer(a, b) * x, a * dot(b, x));
    EXPECT_NEAR(trace(outer(a, b)), dot(a, b), 1e-12);
    EXPECT_NEAR(determinant(outer(a, b)), 0, 1e-12);
}

TYPED_TEST(MatTest, ConvertsBetweenNumberTypes) {
    const auto a = this->random_matrix();
    const auto f = Mat<TestFixture::D, float>::from(a);
    EXPECT_EQ(f(0, 1), static_cast<float>(a(0, 1)));
}

}  // namespace
}  // namespace millrace
