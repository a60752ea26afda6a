#include "spook/wall_field.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace millrace {
namespace {

constexpr double k_spacing = 0.1;

/// A kernel with the integral 1 in its dimension.
struct TestKernel {
    const char* name;
    int dimension;
    double reach;
    double (*shape)(double q);  ///< with q < 1
    double constant;

    double operator()(double r) const {
        const double q = std::abs(r) / reach;
        return q < 1 ? constant / std::pow(reach, dimension) * shape(q) : 0;
    }
    double volume() const { return std::pow(k_spacing, dimension); }
    double row() const {
        return dimension == 2 ? row_at_rest<2>(volume()) : row_at_rest<3>(volume());
    }
    /// Calls body(distance, height) for all others of a lattice with one point in `volume`.
    template <class Body>
    void for_each_neighbor(double volume, const Body& body) const {
        const auto visit = [&](const auto& x) { body(norm(x), x[1]); };
        if (dimension == 2)
            for_each_at_rest<2>(volume, 1.2 * reach, visit);
        else
            for_each_at_rest<3>(volume, 1.2 * reach, visit);
    }
    /// The sum of the kernel over the lattice above a height.
    double sum_above(double height, double volume) const {
        double sum = (*this)(0);
        for_each_neighbor(volume, [&](double r, double y) { sum += y > height ? (*this)(r) : 0; });
        return sum;
    }
};

class RestStates : public ::testing::TestWithParam<TestKernel> {
  protected:
    WallField field() const {
        const TestKernel& w = GetParam();
        return w.dimension == 2 ? WallField::of<2>(w, w.reach, w.volume())
                                : WallField::of<3>(w, w.reach, w.volume());
    }
};

double spiky(double q) {
    return (1 - q) * (1 - q) * (1 - q);
}
double poly6(double q) {
    return (1 - q * q) * (1 - q * q) * (1 - q * q);
}
constexpr double k_pi = std::numbers::pi;

INSTANTIATE_TEST_SUITE_P(
    Kernels, RestStates,
    ::testing::Values(TestKernel{"SpikyShort2D", 2, 1.93 * k_spacing, spiky, 10 / k_pi},
                      TestKernel{"SpikyLong2D", 2, 3 * k_spacing, spiky, 10 / k_pi},
                      TestKernel{"Poly62D", 2, 2 * k_spacing, poly6, 4 / k_pi},
                      TestKernel{"SpikyShort3D", 3, 1.93 * k_spacing, spiky, 15 / k_pi},
                      TestKernel{"SpikyLong3D", 3, 3 * k_spacing, spiky, 15 / k_pi},
                      TestKernel{"Poly63D", 3, 2 * k_spacing, poly6, 315 / (64 * k_pi)}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(HexagonalLattice, HasAPointInEveryVolume) {
    const double reach = 30 * k_spacing, volume = k_spacing * k_spacing;
    int count = 1, touching = 0;
    const double a = std::sqrt(2 * volume / std::numbers::sqrt3);
    for_each_hexagonal(volume, reach, [&](const Vec2d& x) {
        ++count;
        EXPECT_GT(norm(x), a * (1 - 1e-12));
        touching += norm(x) < 1.001 * a;
    });
    EXPECT_NEAR(count * volume, k_pi * reach * reach, 0.01 * count * volume);
    EXPECT_EQ(touching, 6);
}

TEST(ClosePackedLattice, HasAPointInEveryVolume) {
    const double reach = 15 * k_spacing, volume = k_spacing * k_spacing * k_spacing;
    int count = 1, touching = 0;
    const double a = std::cbrt(std::numbers::sqrt2 * volume);
    for_each_close_packed(volume, reach, [&](const Vec3d& x) {
        ++count;
        EXPECT_GT(norm(x), a * (1 - 1e-12));
        touching += norm(x) < 1.001 * a;
    });
    EXPECT_NEAR(count * volume, 4 * k_pi / 3 * reach * reach * reach, 0.01 * count * volume);
    EXPECT_EQ(touching, 12);
}

/// As seen from any of its points, it is the same: a and b in it means a - b in it.
TEST(ClosePackedLattice, LooksTheSameFromEveryPoint) {
    const double reach = 2.5 * k_spacing, volume = k_spacing * k_spacing * k_spacing;
    std::vector<Vec3d> points = {Vec3d::all(0)};
    for_each_close_packed(volume, 2 * reach, [&](const Vec3d& x) { points.push_back(x); });
    for (const Vec3d& a : points)
        for (const Vec3d& b : points) {
            if (norm(a) > reach || norm(b) > reach)
                continue;
            double nearest = reach;
            for (const Vec3d& c : points)
                nearest = std::min(nearest, norm(a - b - c));
            EXPECT_LT(nearest, 1e-12);
        }
}

TEST_P(RestStates, WithinTheLatticeTheDensityIsOne) {
    const TestKernel& w = GetParam();
    const double sum = w.sum_above(-w.reach, w.volume());
    EXPECT_NEAR(field().rest().scale * w.volume() * sum, 1, 1e-9);
}

/// Half a row from a wall, the wall stands for all rows that are not there.
TEST_P(RestStates, AWallCompletesTheFirstRow) {
    const TestKernel& w = GetParam();
    const WallField wall = field();
    const double density =
        wall.rest().scale * w.volume() * w.sum_above(-0.5 * w.row(), w.volume()) +
        double(wall.at(static_cast<float>(0.5 * w.row())).density);
    EXPECT_NEAR(density, 1, 0.003);
    EXPECT_LT(std::abs(wall.rest().shift), 0.5 * w.row());
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
    const auto density = [&](double volume) { return w.sum_above(-2 * w.reach, volume); };
    const double e = 1e-4;
    const double numerical =
        std::log(density(w.volume() * (1 - e)) / density(w.volume() * (1 + e))) /
        std::log((1 + e) / (1 - e));
    EXPECT_NEAR(field().rest().stiffness, numerical, 0.01 * numerical);
}

}  // namespace
}  // namespace millrace
