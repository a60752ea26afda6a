#include "spook/stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

namespace millrace {
namespace {

constexpr double k_infinite = std::numeric_limits<double>::infinity();
constexpr double k_gravity = 9.81;
const Vec3d k_origin = Vec3d::all(0);
const Vec3d k_down{{0, -k_gravity, 0}};
const Vec3d k_y{{0, 1, 0}}, k_z{{0, 0, 1}};

using Places = std::span<const Vec3d>;
using Function = std::function<holonomic::Value(Places)>;

// ---- constraint functions ----

struct NamedFunction {
    const char* name;
    std::size_t particles;
    Function function;
};

class Gradients : public ::testing::TestWithParam<NamedFunction> {};
INSTANTIATE_TEST_SUITE_P(
    Holonomic, Gradients,
    ::testing::Values(
        NamedFunction{"Circle", 1,
                      [](Places x) {
                          const Vec3d normal = normalized(Vec3d{{1, 2, -1}});
                          return holonomic::circle(x[0], {{0.1, 0.2, 0.3}}, normal, 0.7);
                      }},
        NamedFunction{"Distance", 2, [](Places x) { return holonomic::distance(x[0], x[1], 0.6); }},
        NamedFunction{"DistanceToPoint", 1,
                      [](Places x) {
                          return holonomic::distance_to_point(x[0], {{2, 1, 0}}, 0.6);
                      }},
        NamedFunction{"Area", 3, [](Places x) { return holonomic::area(x[0], x[1], x[2], 0.4); }},
        NamedFunction{"Volume", 4,
                      [](Places x) { return holonomic::volume(x[0], x[1], x[2], x[3], 0.2); }},
        NamedFunction{"Plane", 1,
                      [](Places x) {
                          return holonomic::plane(x[0], {{0, 1, 0}}, normalized(Vec3d{{1, 1, 3}}));
                      }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(Gradients, AreTheDerivativesOfTheValue) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> anywhere(-1, 1);
    const double e = 1e-6;
    for (int round = 0; round < 50; ++round) {
        std::vector<Vec3d> x(GetParam().particles);
        for (Vec3d& place : x)
            place = {{anywhere(random), anywhere(random), anywhere(random)}};
        const holonomic::Value value = GetParam().function(x);
        for (std::size_t p = 0; p < x.size(); ++p)
            for (int axis = 0; axis < 3; ++axis) {
                std::vector<Vec3d> ahead = x, behind = x;
                ahead[p][axis] += e;
                behind[p][axis] -= e;
                const double slope =
                    (GetParam().function(ahead).g - GetParam().function(behind).g) / (2 * e);
                EXPECT_NEAR(value.gradients[p][axis], slope, 1e-8);
            }
        for (std::size_t p = x.size(); p < 4; ++p)
            EXPECT_EQ(norm(value.gradients[p]), 0);
    }
}

TEST(Holonomic, KnowsSimpleShapes) {
    const Vec3d a = k_origin, b{{1, 0, 0}}, c{{0, 1, 0}}, d{{0, 0, 1}};
    EXPECT_DOUBLE_EQ(holonomic::area(a, b, c, 0).g, 0.5);
    EXPECT_DOUBLE_EQ(holonomic::area(a, c, b, 0).g, -0.5);
    EXPECT_DOUBLE_EQ(holonomic::volume(a, b, c, d, 0).g, 1.0 / 6);
    EXPECT_DOUBLE_EQ(holonomic::circle({{3, 4, 7}}, a, k_z, 1).g, 4);
    EXPECT_DOUBLE_EQ(holonomic::distance({{3, 4, 0}}, a, 1).g, 4);
    EXPECT_EQ(norm(holonomic::distance(a, a, 1).gradients[0]), 0);
}

// ---- the stepper ----

using Particle = SpookStepper::Particle;

double kinetic_energy(const SpookStepper& stepper) {
    double sum = 0;
    for (const Particle& p : stepper.particles())
        sum += 0.5 * p.mass * squared_norm(p.velocity);
    return sum;
}

/// Velocities belong to the middle of a step: that of a position is the mean of those around it.
double centred_energy(const Particle& before, const Particle& after) {
    const Vec3d velocity = (before.velocity + after.velocity) * 0.5;
    return before.mass * (0.5 * squared_norm(velocity) - dot(k_down, before.position));
}

void add_distance(SpookStepper& stepper, std::uint32_t a, std::uint32_t b, double length,
                  Relaxation relaxation = {}) {
    stepper.add({.particles = {a, b},
                 .function = [length](Places x) { return holonomic::distance(x[0], x[1], length); },
                 .relaxation = relaxation});
}

void add_floor(SpookStepper& stepper, std::uint32_t particle, Relaxation relaxation = {}) {
    stepper.add({.particles = {particle},
                 .function = [](Places x) { return holonomic::plane(x[0], k_origin, k_y); },
                 .relaxation = relaxation,
                 .one_sided = true});
}

// A bead on a circle.

constexpr double k_radius = 0.5, k_speed = 2;

/// At (radius, 0) in the plane of x and y, which it may not leave.
SpookStepper bead(double speed, const Vec3d& gravity = k_origin) {
    SpookStepper stepper;
    stepper.settings().gravity = gravity;
    stepper.particles().push_back({.position = {{k_radius, 0, 0}}, .velocity = {{0, speed, 0}}});
    stepper.add({.particles = {0}, .function = [](Places x) {
                     return holonomic::circle(x[0], k_origin, k_z, k_radius);
                 }});
    stepper.add({.particles = {0},
                 .function = [](Places x) { return holonomic::plane(x[0], k_origin, k_z); }});
    return stepper;
}

/// A bead that goes around steadily turns by 2 a in a step, sin a = v dt / (2 R). It leaves with
/// G v = -v sin a and arrives with +v sin a; the row asks for -v sin a = -undo g + xi v sin a.
double steady_drift(const SpookStepper& stepper, double dt) {
    const RowFactors factors({}, dt);
    const double v = norm(stepper.particles()[0].velocity);
    return v * v * dt / (2 * norm(stepper.particles()[0].position)) * (1 + factors.xi) /
           factors.undo;
}

TEST(BeadOnACircle, DriftsToASteadyOrbitAndNoFurther) {
    const double dt = 0.01;
    SpookStepper stepper = bead(k_speed);
    double early = 0, late = 0;
    for (int k = 0; k < 10000; ++k) {
        stepper.step(dt);
        double& worst = k < 1000 ? early : late;
        worst = std::max(worst, std::abs(stepper.value(0).g));
    }
    EXPECT_LT(late, early * (1 + 1e-9));
    EXPECT_NEAR(stepper.value(0).g, steady_drift(stepper, dt), 1e-8 * k_radius * dt);
    EXPECT_NEAR(stepper.particles()[0].position[2], 0, 1e-15);
}

TEST(BeadOnACircle, KeepsItsSpeed) {
    const double dt = 0.01;
    SpookStepper stepper = bead(k_speed);
    for (int k = 0; k < 100; ++k)
        stepper.step(dt);
    const double settled = norm(stepper.particles()[0].velocity);
    for (int k = 0; k < 10000; ++k)
        stepper.step(dt);
    EXPECT_NEAR(norm(stepper.particles()[0].velocity), settled, 1e-9 * k_speed);
    // the orbit grows by its drift, of second order, and v R stays nearly what it was
    EXPECT_NEAR(settled * norm(stepper.particles()[0].position), k_speed * k_radius,
                std::pow(k_speed * dt / k_radius, 2) * k_speed * k_radius);
    EXPECT_LT(settled, k_speed);
}

TEST(BeadOnACircle, DriftIsOfSecondOrder) {
    double drift[3];
    for (int level = 0; level < 3; ++level) {
        const double dt = 0.01 / (1 << level);
        SpookStepper stepper = bead(k_speed);
        for (int k = 0; k < 200; ++k)
            stepper.step(dt);
        drift[level] = stepper.value(0).g;
    }
    EXPECT_NEAR(std::log2(drift[0] / drift[1]), 2, 0.01);
    EXPECT_NEAR(std::log2(drift[1] / drift[2]), 2, 0.01);
}

/// What the bead loses in ten seconds of swinging from one side to the other, over m g R. It must
/// never have more than at first.
double lost_energy(double dt) {
    SpookStepper stepper = bead(0, k_down);
    double first = 0, last = 0;
    for (int k = 0; k < std::lround(10 / dt); ++k) {
        const Particle before = stepper.particles()[0];
        stepper.step(dt);
        last = centred_energy(before, stepper.particles()[0]);
        if (k == 0)
            first = last;
        EXPECT_LE(last, first + 1e-12) << dt << ", step " << k;
    }
    return (first - last) / (k_gravity * k_radius);
}

TEST(BeadOnACircle, LosesLittleEnergyUnderGravityAndNeverGains) {
    const double coarse = lost_energy(0.01), fine = lost_energy(0.005);
    EXPECT_LT(coarse, 0.02);
    EXPECT_LT(fine, coarse / 6);  // of third order
}

// A pendulum.

SpookStepper pendulum(double length, double amplitude, Relaxation relaxation = {}) {
    SpookStepper stepper;
    stepper.settings().gravity = k_down;
    stepper.particles().push_back(
        {.position = {{length * std::sin(amplitude), -length * std::cos(amplitude), 0}}});
    stepper.add(
        {.particles = {0},
         .function =
             [length](Places x) { return holonomic::distance_to_point(x[0], k_origin, length); },
         .relaxation = relaxation});
    return stepper;
}

/// Between the first and the third time that it passes the middle.
double period(double length, double amplitude, double dt) {
    SpookStepper stepper = pendulum(length, amplitude);
    double passed[3];
    double before = stepper.particles()[0].position[0];
    for (int k = 1, count = 0; count < 3; ++k) {
        stepper.step(dt);
        const double now = stepper.particles()[0].position[0];
        if (before * now < 0 || now == 0)
            passed[count++] = (k - now / (now - before)) * dt;
        before = now;
    }
    return passed[2] - passed[0];
}

/// T = 4 sqrt(L / g) K(sin(amplitude / 2)), with the elliptic integral K.
double exact_period(double length, double amplitude) {
    return 4 * std::sqrt(length / k_gravity) * std::comp_ellint_1(std::sin(0.5 * amplitude));
}

TEST(Pendulum, HasTheAnalyticPeriod) {
    for (const double amplitude : {0.02, 0.5, 2.0}) {
        const double exact = exact_period(1, amplitude);
        const double coarse = std::abs(period(1, amplitude, 0.01) / exact - 1);
        const double fine = std::abs(period(1, amplitude, 0.0025) / exact - 1);
        EXPECT_LT(coarse, 2e-3) << amplitude;
        EXPECT_LT(fine, coarse / 10) << amplitude;  // of second order: 16
    }
    EXPECT_NEAR(exact_period(1, 0.02), 2 * std::numbers::pi / std::sqrt(k_gravity), 1e-4);
}

/// epsilon lambda + g = 0 at rest (S2 Eq. 12), with the weight for -lambda.
TEST(Pendulum, HangsLowerByTheComplianceTimesItsWeight) {
    const double dt = 0.005, compliance = 1e-3;
    SpookStepper stepper = pendulum(1, 0, {.compliance = compliance, .steps = 5});
    stepper.particles()[0].mass = 3;
    const double weight = 3 * k_gravity;
    for (int k = 0; k < 2000; ++k)
        stepper.step(dt);
    EXPECT_NEAR(stepper.value(0).g, compliance * weight, 1e-9);
    EXPECT_NEAR(stepper.impulse(0) / dt, -weight, 1e-6);
    EXPECT_NEAR(norm(stepper.particles()[0].velocity), 0, 1e-9);
}

// Free particles.

TEST(TwoParticles, KeepMomentumAndAngularMomentum) {
    SpookStepper stepper;
    stepper.particles() = {
        {.position = {{0, 0, 0}}, .velocity = {{0.3, 1, -0.2}}, .mass = 2},
        {.position = {{1, 0.5, 0.2}}, .velocity = {{-1, 0.4, 0.7}}, .mass = 0.1}};
    add_distance(stepper, 0, 1, 1.1);
    const auto momenta = [&] {
        Vec3d linear = k_origin, angular = k_origin;
        for (const Particle& p : stepper.particles()) {
            linear += p.velocity * p.mass;
            angular += cross(p.position, p.velocity) * p.mass;
        }
        return std::pair(linear, angular);
    };
    const auto first = momenta();
    for (int k = 0; k < 10000; ++k)
        stepper.step(0.01);
    EXPECT_NEAR(norm(momenta().first - first.first), 0, 1e-12);
    EXPECT_NEAR(norm(momenta().second - first.second), 0, 1e-11);
}

TEST(Net, NeverGainsEnergy) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> anywhere(-1, 1);
    SpookStepper stepper;
    for (int i = 0; i < 12; ++i)
        stepper.particles().push_back(
            {.position = {{0.5 * i, anywhere(random), anywhere(random)}},
             .velocity = {{anywhere(random), anywhere(random), anywhere(random)}},
             .mass = 1.5 + anywhere(random)});
    for (std::uint32_t i = 0; i + 1 < 12; ++i)
        add_distance(stepper, i, i + 1,
                     norm(stepper.particles()[i].position - stepper.particles()[i + 1].position));
    stepper.settings().conjugate_gradients = true;
    stepper.step(0.005);
    const double first = kinetic_energy(stepper);  // the velocities now suit the constraints
    for (int k = 0; k < 4000; ++k) {
        stepper.step(0.005);
        EXPECT_LE(kinetic_energy(stepper), first) << k;
    }
    EXPECT_GT(kinetic_energy(stepper), 0.95 * first);
}

/// Springs that are half as long as the sides press on what keeps the area or the volume.
SpookStepper pressed(std::vector<Vec3d> corners, double side, double compliance) {
    SpookStepper stepper;
    for (const Vec3d& x : corners)
        stepper.particles().push_back({.position = x});
    for (std::uint32_t a = 0; a < corners.size(); ++a)
        for (std::uint32_t b = 0; b < a; ++b)
            add_distance(stepper, a, b, 0.5 * side, {.compliance = compliance, .steps = 40});
    return stepper;
}

constexpr double k_side = 0.8, k_soft = 0.01;
constexpr double k_tension = 0.5 * k_side / k_soft;

void settle(SpookStepper& stepper, std::uint32_t kept, double scale) {
    const double dt = 0.002;
    for (int k = 0; k < 3000; ++k) {
        stepper.step(dt);
        ASSERT_LT(std::abs(stepper.value(kept).g), 1e-3 * scale) << k;
    }
    EXPECT_NEAR(stepper.value(kept).g, 0, 1e-10 * scale);
    for (std::uint32_t spring = 0; spring < kept; ++spring)
        EXPECT_NEAR(stepper.value(spring).g, 0.5 * k_side, 1e-6 * k_side);
}

/// Two springs at 60 degrees pull at a corner, and lambda times half the opposite side pushes.
TEST(Triangle, KeepsItsAreaUnderLoad) {
    const double area = 0.25 * std::numbers::sqrt3 * k_side * k_side, wide = 1.2 * k_side;
    SpookStepper stepper =
        pressed({k_origin, {{wide, 0, 0}}, {{0.5 * wide, 2 * area / wide, 0}}}, k_side, k_soft);
    const std::uint32_t kept = stepper.add({.particles = {0, 1, 2}, .function = [=](Places x) {
                                                return holonomic::area(x[0], x[1], x[2], area);
                                            }});
    settle(stepper, kept, area);
    EXPECT_NEAR(stepper.impulse(kept) / 0.002, 2 * std::numbers::sqrt3 * k_tension / k_side,
                1e-4 * k_tension);
}

/// Three springs pull at a corner, with cos = sqrt(2/3) along the height, and lambda times a third
/// of the opposite side pushes.
TEST(Tetrahedron, KeepsItsVolumeUnderLoad) {
    const double volume = std::pow(k_side, 3) / (6 * std::numbers::sqrt2);
    std::vector<Vec3d> corners = {{{1, 1, 1}}, {{-1, 1, -1}}, {{1, -1, -1}}, {{-1, -1, 1}}};
    for (Vec3d& x : corners) {
        x *= 0.5 * k_side / std::numbers::sqrt2;
        x[0] *= 1.1;
        x[1] /= 1.1;
    }
    SpookStepper stepper = pressed(corners, k_side, k_soft);
    const double sign =
        holonomic::volume(corners[0], corners[1], corners[2], corners[3], 0).g > 0 ? 1.0 : -1.0;
    const std::uint32_t kept =
        stepper.add({.particles = {0, 1, 2, 3}, .function = [=](Places x) {
                         return holonomic::volume(x[0], x[1], x[2], x[3], sign * volume);
                     }});
    settle(stepper, kept, volume);
    EXPECT_NEAR(sign * stepper.impulse(kept) / 0.002,
                12 * std::numbers::sqrt2 * k_tension / (k_side * k_side), 1e-4 * k_tension);
}

// One-sided constraints.

TEST(Floor, StopsAFallingParticleAndNeverPulls) {
    SpookStepper stepper;
    stepper.settings().gravity = k_down;
    stepper.particles().push_back({.position = {{0, 1, 0}}, .velocity = {{0.7, 0, 0}}});
    add_floor(stepper, 0);
    const double dt = 0.01, touch = stepper.settings().tolerance * dt;
    bool touched = false;
    for (int k = 1; k < 500; ++k) {
        stepper.step(dt);
        const Particle& p = stepper.particles()[0];
        EXPECT_GE(p.position[1], -touch);
        EXPECT_GE(stepper.impulse(0), 0);
        EXPECT_DOUBLE_EQ(p.velocity[0], 0.7);
        touched = touched || stepper.impulse(0) > 0;
        if (!touched) {
            EXPECT_NEAR(p.velocity[1], -k_gravity * k * dt, 1e-12);
        }
    }
    EXPECT_NEAR(stepper.particles()[0].position[1], 0, touch);
    EXPECT_NEAR(stepper.impulse(0), k_gravity * dt, 1e-10);
}

TEST(Floor, LetsAParticleLeave) {
    SpookStepper stepper;
    stepper.particles().push_back({.velocity = {{0, 3, 0}}});
    add_floor(stepper, 0);
    for (int k = 1; k < 100; ++k) {
        stepper.step(0.01);
        EXPECT_EQ(stepper.impulse(0), 0);
        EXPECT_NEAR(stepper.particles()[0].position[1], 0.03 * k, 1e-12);
    }
}

TEST(Floor, LiftsWhatStartsBelowAndYieldsByItsCompliance) {
    SpookStepper stepper;
    stepper.settings().gravity = k_down;
    stepper.particles().push_back({.position = {{0, -0.1, 0}}, .mass = 2});
    add_floor(stepper, 0, {.compliance = 1e-4});
    for (int k = 0; k < 500; ++k)
        stepper.step(0.01);
    EXPECT_NEAR(stepper.particles()[0].position[1], -1e-4 * 2 * k_gravity, 1e-9);
}

// Ways to solve.

/// From a point that does not move, along x, with a heavy end.
SpookStepper chain(std::uint32_t links, double heavy) {
    SpookStepper stepper;
    stepper.settings().gravity = k_down;
    stepper.particles().push_back({.mass = k_infinite});
    for (std::uint32_t i = 1; i <= links; ++i) {
        stepper.particles().push_back(
            {.position = {{0.1 * i, 0, 0}}, .mass = i == links ? heavy : 1});
        add_distance(stepper, i - 1, i, 0.1);
    }
    return stepper;
}

TEST(HeavyChain, ConjugateGradientsNeedFarFewerIterationsForTheSameMotion) {
    SpookStepper swept = chain(10, 1000), solved = chain(10, 1000);
    swept.settings().iterations = 1000000;
    solved.settings().conjugate_gradients = true;
    std::size_t sweeps = 0, iterations = 0;
    for (int k = 0; k < 5; ++k) {
        swept.step(0.01);
        solved.step(0.01);
        EXPECT_LE(swept.residuals().back(), 1e-10);
        EXPECT_LE(solved.residuals().back(), 1e-10);
        sweeps += swept.residuals().size() - 1;
        iterations += solved.residuals().size() - 1;
    }
    EXPECT_LT(100 * iterations, sweeps);
    for (std::size_t i = 0; i < solved.particles().size(); ++i)
        EXPECT_NEAR(norm(solved.particles()[i].position - swept.particles()[i].position), 0, 1e-7);
    EXPECT_EQ(norm(solved.particles()[0].position), 0);
}

TEST(HangingChain, StartsFromTheImpulsesOfTheLastStep) {
    SpookStepper stepper = chain(8, 1);
    for (std::uint32_t i = 1; i <= 8; ++i)
        stepper.particles()[i].position = {{0, -0.1 * i, 0}};
    stepper.settings().iterations = 5000;
    stepper.step(0.01);
    EXPECT_GT(stepper.residuals().size(), 20u);
    for (std::size_t k = 1; k < stepper.residuals().size(); ++k)
        EXPECT_LT(stepper.residuals()[k], stepper.residuals()[k - 1]);
    for (int k = 0; k < 3; ++k)
        stepper.step(0.01);
    EXPECT_LT(stepper.residuals().size(), 8u);
    for (std::uint32_t link = 0; link < 8; ++link)  // the weight of what hangs below
        EXPECT_NEAR(stepper.impulse(link) / 0.01, -(8.0 - link) * k_gravity, 1e-5);
}

TEST(ChainOnAFloor, IsSolvedAlikeBySweepsAndWithConjugateGradients) {
    SpookStepper swept = chain(6, 5);
    for (Particle& p : swept.particles())
        p.position[1] = 0.15;
    for (std::uint32_t i = 1; i <= 6; ++i)
        add_floor(swept, i);
    swept.settings().iterations = 20000;
    SpookStepper solved = swept;
    solved.settings().conjugate_gradients = true;
    bool pushed = false;
    for (int k = 0; k < 100; ++k) {
        swept.step(0.01);
        solved.step(0.01);
        EXPECT_LE(solved.residuals().back(), 1e-10);
        for (std::uint32_t f = 6; f < 12; ++f) {
            EXPECT_GE(solved.impulse(f), 0);
            pushed = pushed || solved.impulse(f) > 0;
        }
    }
    EXPECT_TRUE(pushed);
    for (std::size_t i = 0; i < solved.particles().size(); ++i)
        EXPECT_NEAR(norm(solved.particles()[i].position - swept.particles()[i].position), 0, 1e-6);
}

}  // namespace
}  // namespace millrace
