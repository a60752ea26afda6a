#include "math/quaternion.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace millrace {
namespace {

constexpr double k_pi = std::numbers::pi;

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-12) {
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

void expect_near(const Mat3d& a, const Mat3d& b) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(a(i, j), b(i, j), 1e-12) << i << ' ' << j;
}

/// Rodrigues' formula, the oracle: x cos + (k x x) sin + k (k . x)(1 - cos), k of length 1.
Vec3d rodrigues(const Vec3d& k, double angle, const Vec3d& x) {
    const double c = std::cos(angle), s = std::sin(angle);
    return x * c + cross(k, x) * s + k * (dot(k, x) * (1 - c));
}

class QuaternionTest : public testing::Test {
  protected:
    Vec3d random_vector() { return {{uniform_(random_), uniform_(random_), uniform_(random_)}}; }
    Quaterniond random_rotation() {
        return Quaterniond::from_axis_angle(random_vector(), 4 * uniform_(random_));
    }

  private:
    std::mt19937 random_{11};
    std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST_F(QuaternionTest, AxisAndAngleTurnAsRodriguesSays) {
    for (int i = 0; i < 50; ++i) {
        const Vec3d axis = random_vector(), x = random_vector();
        const double angle = 0.25 * (i - 25);
        const Quaterniond q = Quaterniond::from_axis_angle(axis, angle);
        EXPECT_NEAR(squared_norm(q), 1, 1e-12);
        expect_near(rotate(q, x), rodrigues(axis / norm(axis), angle, x));
    }
}

TEST_F(QuaternionTest, MatrixTurnsAsTheQuaternionDoes) {
    for (int i = 0; i < 50; ++i) {
        const Quaterniond q = random_rotation();
        const Mat3d o = to_matrix(q);
        const Vec3d x = random_vector();
        expect_near(o * x, rotate(q, x));
        expect_near(o * transpose(o), Mat3d::identity());
        EXPECT_NEAR(determinant(o), 1, 1e-12);
    }
}

TEST_F(QuaternionTest, ProductTurnsByTheRightFactorFirst) {
    const Quaterniond a = random_rotation(), b = random_rotation(), c = random_rotation();
    const Vec3d x = random_vector();
    expect_near(rotate(a * b, x), rotate(a, rotate(b, x)));
    expect_near(to_matrix(a * b), to_matrix(a) * to_matrix(b));
    expect_near(rotate((a * b) * c, x), rotate(a * (b * c), x));
    expect_near(rotate(Quaterniond::identity() * a, x), rotate(a, x));
}

TEST_F(QuaternionTest, ConjugateTurnsBack) {
    const Quaterniond q = random_rotation();
    const Vec3d x = random_vector();
    expect_near(rotate(conjugate(q), rotate(q, x)), x);
    EXPECT_NEAR((q * conjugate(q)).s, 1, 1e-12);
    expect_near((q * conjugate(q)).v, Vec3d::all(0));
}

TEST_F(QuaternionTest, NormalizedHasUnitLengthAndTheSameRotation) {
    const Quaterniond q = random_rotation();
    const Quaterniond n = normalized(q * 17.0);
    EXPECT_NEAR(squared_norm(n), 1, 1e-12);
    EXPECT_NEAR(n.s, q.s, 1e-12);
    expect_near(n.v, q.v);
}

TEST_F(QuaternionTest, SurvivesTheWayThroughAMatrix) {
    for (int i = 0; i < 200; ++i) {
        const Mat3d o = to_matrix(random_rotation());
        expect_near(to_matrix(Quaterniond::from_matrix(o)), o);
    }
    // half turns, where s = 0
    for (const Vec3d& axis : {Vec3d{{1, 0, 0}}, Vec3d{{0, 1, 0}}, Vec3d{{0, 0, 1}},
                              Vec3d{{1, 1, 0}}, Vec3d{{-1, 2, 3}}}) {
        const Mat3d o = to_matrix(Quaterniond::from_axis_angle(axis, k_pi));
        expect_near(to_matrix(Quaterniond::from_matrix(o)), o);
    }
    EXPECT_EQ(Quaterniond::from_matrix(Mat3d::identity()).s, 1);
}

// Each step of S1 Eq. 4.27 turns by 2 atan(|omega| dt / 2) about omega, whatever q is.
TEST_F(QuaternionTest, OneRevolutionAtConstantAngularVelocity) {
    const Vec3d axis{{2.0 / 7, 3.0 / 7, 6.0 / 7}}, x = random_vector();
    const Quaterniond start = random_rotation();
    const Vec3d x0 = rotate(start, x);
    const double period = 0.5;
    double last_error = 0;
    for (const int steps : {100, 200, 400, 800}) {
        Quaterniond q = start;
        for (int i = 0; i < steps; ++i)
            q = integrate(q, axis * (2 * k_pi / period), period / steps);
        const double turned = 2 * steps * std::atan(k_pi / steps);
        expect_near(rotate(q, x), rodrigues(axis, turned, x0), 1e-11);
        EXPECT_NEAR(squared_norm(q), 1, 1e-12);

        const double error = norm(rotate(q, x) - x0);
        if (last_error > 0) {
            EXPECT_NEAR(last_error / error, 4, 0.05) << steps;  // second order in dt
        }
        last_error = error;
    }
    EXPECT_LT(last_error, 1e-4);
}

TEST_F(QuaternionTest, AngularVelocityIsInTheFrameOfTheWorld) {
    const Quaterniond start = Quaterniond::from_axis_angle({{1, 0, 0}}, k_pi / 2);
    const Vec3d omega{{0, 0, 0.3}};
    const double dt = 1e-4;
    const Vec3d x{{0.2, -0.4, 0.9}};
    const Vec3d before = rotate(start, x), after = rotate(integrate(start, omega, dt), x);
    expect_near((after - before) / dt, cross(omega, before), 1e-5);
}

}  // namespace
}  // namespace millrace
