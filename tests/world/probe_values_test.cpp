#include "world/probe_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "math/kernels/cubic_spline.hpp"
#include "math/vec.hpp"
#include "support/probes.hpp"

namespace millrace {
namespace {

constexpr double h = 0.1;

/// A block of water at rest on a lattice: 10 spacings along x and z, 8 along y.
Scene block(int dimension) {
    Scene scene;
    scene.dimension = dimension;
    scene.spacing = h;
    scene.fluids.emplace_back();
    Fill fill;
    fill.shape = Box{{0, 0, 0}, {1, 0.8, dimension == 3 ? 1.0 : 0.0}};
    fill.jitter = 0;
    scene.fluids[0].fill = {fill};
    if (dimension == 2)
        scene.gravity = {0, -9.81, 0};
    return scene;
}

/// One particle by itself.
Fill droplet(int dimension, Vector at) {
    Fill fill;
    fill.jitter = 0;
    fill.shape = Box{};
    for (int k = 0; k < dimension; ++k) {
        std::get<Box>(fill.shape).min[k] = at[k] - 0.5 * h;
        std::get<Box>(fill.shape).max[k] = at[k] + 0.5 * h;
    }
    return fill;
}

Simulation build(const Scene& scene) {
    return Simulation(scene, {"cpu", 1});
}

/// Sets the pressure of every particle from its position.
template <class Function>
void set_pressures(Simulation& simulation, Function&& pressure) {
    Snapshot state = simulation.snapshot();
    const int d = simulation.dimension();
    for (std::size_t i = 0; i < state.pressures.size(); ++i)
        state.pressures[i] = static_cast<float>(pressure(&state.positions[i * d]));
    simulation.restore(state);
}

Probe at(const std::string& type, const Vector& point) {
    return test::probe_of(type, point);
}
Probe front(int axis) {
    return test::probe_of("front", {}, axis);
}

/// The only value of a probe; NaN where there is none.
double value(const Simulation& simulation, const Probe& probe) {
    const std::vector<double> values = simulation.probe(probe);
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values.at(0);
}

class ProbeValues : public testing::TestWithParam<int> {
  protected:
    int dimension() const { return GetParam(); }
    Vector point(double x, double y, double z) const { return {x, y, dimension() == 3 ? z : 0}; }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, ProbeValues, testing::Values(2, 3));

TEST_P(ProbeValues, HeightOfABlockIsItsSurface) {
    const Simulation simulation = build(block(dimension()));
    for (const double x : {0.3, 0.45, 0.5, 0.62})
        EXPECT_NEAR(value(simulation, at("height", point(x, 0, 0.55))), 0.8, 0.1 * h) << x;
    // half a spacing from the face of the block it is still seen
    EXPECT_NEAR(value(simulation, at("height", point(0.05, 0, 0.5))), 0.8, 0.5 * h);
    EXPECT_TRUE(simulation.probe(at("height", point(1.3, 0, 0.5))).empty());
}

TEST_P(ProbeValues, HeightAndFrontLeaveOutSpray) {
    Scene scene = block(dimension());
    auto& fill = scene.fluids[0].fill;
    fill.push_back(droplet(dimension(), point(0.55, 1.55, 0.55)));
    fill.push_back(droplet(dimension(), point(0.55, 1e7, 0.55)));
    fill.push_back(droplet(dimension(), point(2.05, 0.05, 0.55)));
    const Simulation simulation = build(scene);
    EXPECT_NEAR(value(simulation, at("height", point(0.55, 0, 0.55))), 0.8, 0.1 * h);
    EXPECT_NEAR(value(simulation, front(0)), 1, 1e-6);
    EXPECT_NEAR(value(simulation, front(1)), 0.8, 1e-6);
    EXPECT_TRUE(simulation.probe(at("height", point(2.05, 0, 0.55))).empty());
}

TEST_P(ProbeValues, HeightIsTheTopOfTheHighestWater) {
    Scene scene = block(dimension());
    Fill above;
    above.jitter = 0;
    above.shape = Box{point(0.2, 1.5, 0.2), point(0.8, 2, 0.8)};
    scene.fluids[0].fill.push_back(above);
    EXPECT_NEAR(value(build(scene), at("height", point(0.5, 0, 0.5))), 2, 0.1 * h);
}

TEST_P(ProbeValues, SprayAloneHasNoFront) {
    Scene scene = block(dimension());
    scene.fluids[0].fill = {droplet(dimension(), point(0.55, 1.55, 0.55)),
                            droplet(dimension(), point(2.05, 0.05, 0.55)),
                            droplet(dimension(), point(-1e7, 0.05, 0.55))};
    const Simulation simulation = build(scene);
    for (int axis = 0; axis < dimension(); ++axis)
        EXPECT_TRUE(simulation.probe(front(axis)).empty());
}

TEST_P(ProbeValues, PressureOfALinearField) {
    Simulation simulation = build(block(dimension()));
    set_pressures(simulation, [](const float* x) { return 20000 - 9810.0 * x[1] + 500 * x[0]; });
    const auto pressure = [&](double x, double y, double z) {
        return value(simulation, at("pressure", point(x, y, z)));
    };
    // where the kernel is full, to some percent of the change over a spacing
    EXPECT_NEAR(pressure(0.45, 0.35, 0.55), 20000 - 9810 * 0.35 + 500 * 0.45, 0.005 * 9810 * h);
    EXPECT_NEAR(pressure(0.43, 0.37, 0.52), 20000 - 9810 * 0.37 + 500 * 0.43, 0.03 * 9810 * h);
    // at the floor the particles in reach lie higher, on the average by less than a spacing
    EXPECT_NEAR(pressure(0.45, 0, 0.55), 20000 + 500 * 0.45, 9810 * h);
    EXPECT_EQ(pressure(0.5, 3, 0.5), 0);
}

TEST_P(ProbeValues, VelocityOfAUniformFieldIsExact) {
    Scene scene = block(dimension());
    scene.fluids[0].velocity = point(1.25, -3, 0.7);
    const Simulation simulation = build(scene);
    // inside, and at a corner where most of the kernel is empty
    for (const Vector& x : {point(0.43, 0.37, 0.52), point(-0.05, -0.05, -0.05)}) {
        const std::vector<double> velocity = simulation.probe(at("velocity", x));
        ASSERT_EQ(velocity.size(), static_cast<std::size_t>(dimension()));
        for (int k = 0; k < dimension(); ++k)
            EXPECT_NEAR(velocity[k], scene.fluids[0].velocity[k], 1e-6);
    }
    EXPECT_TRUE(simulation.probe(at("velocity", point(5, 5, 5))).empty());
}

TEST_P(ProbeValues, EnergyOfMovingWater) {
    Scene scene = block(dimension());
    scene.fluids[0].velocity = point(3, 0, 4);
    scene.fluids[0].density = 800;
    const Simulation simulation = build(scene);
    double mass = 0, moment = 0;
    for (std::size_t i = 0; i < simulation.volumes().size(); ++i) {
        mass += 800.0 * simulation.volumes()[i];
        moment += 800.0 * simulation.volumes()[i] * simulation.positions()[i * dimension() + 1];
    }
    const std::vector<double> energy = simulation.probe(test::probe_of("energy"));
    ASSERT_EQ(energy.size(), 2u);
    EXPECT_NEAR(energy[0] / mass, dimension() == 3 ? 12.5 : 4.5, 1e-4);
    EXPECT_NEAR(energy[1] / moment, 9.81, 1e-6);
}

TEST_P(ProbeValues, OfABodyIsNotOfTheFluid) {
    EXPECT_THROW(build(block(dimension())).probe(test::probe_of("body")), InputError);
}

/// The same sums, one particle after the other.
class ByHand {
  public:
    ByHand(const Scene& scene, const Simulation& simulation)
        : d_(scene.dimension),
          volume_(std::pow(scene.spacing, d_)),
          support_(scene.support * scene.spacing),
          x_(simulation.positions()),
          v_(simulation.velocities()),
          p_(simulation.pressures()),
          volumes_(simulation.volumes()) {}

    double w(const Vector& a, const Vector& b) const {
        double r2 = 0;
        for (int k = 0; k < d_; ++k)
            r2 += (a[k] - b[k]) * (a[k] - b[k]);
        const float support = static_cast<float>(support_), r = static_cast<float>(r2);
        return d_ == 2 ? CubicSpline<2>(support).w(r) : CubicSpline<3>(support).w(r);
    }
    Vector position(std::size_t i) const {
        Vector x{};
        for (int k = 0; k < d_; ++k)
            x[k] = x_[i * d_ + k];
        return x;
    }
    double filled(const Vector& at) const {
        double sum = 0;
        for (std::size_t i = 0; i < p_.size(); ++i)
            sum += volume_ * w(at, position(i));
        return sum;
    }
    double pressure(const Vector& at) const {
        double weight = 0, sum = 0;
        for (std::size_t i = 0; i < p_.size(); ++i) {
            weight += volumes_[i] * w(at, position(i));
            sum += volumes_[i] * w(at, position(i)) * p_[i];
        }
        return weight > 0 ? sum / weight : 0;
    }
    double velocity(const Vector& at, int axis) const {
        double weight = 0, sum = 0;
        for (std::size_t i = 0; i < p_.size(); ++i) {
            weight += volumes_[i] * w(at, position(i));
            sum += volumes_[i] * w(at, position(i)) * v_[i * d_ + axis];
        }
        return sum / weight;
    }
    double front(int axis) const {
        double farthest = -1e300;
        for (std::size_t i = 0; i < p_.size(); ++i)
            if (x_[i * d_ + axis] > farthest && filled(position(i)) >= 0.5)
                farthest = x_[i * d_ + axis];
        return farthest + 0.5 * h;
    }

  private:
    int d_;
    double volume_, support_;
    std::span<const float> x_, v_, p_, volumes_;
};

/// Particles that have been shaken up, with velocities and pressures of their own.
Simulation splashed(Scene scene, int threads) {
    scene.fluids[0].fill[0].jitter = 0.1;
    Simulation simulation(scene, {"cpu", threads});
    Snapshot state = simulation.snapshot();
    std::mt19937 random(3);
    std::uniform_real_distribution<float> number(-1, 1);
    for (float& v : state.velocities)
        v = number(random);
    for (float& p : state.pressures)
        p = 1000 * number(random);
    for (std::size_t i = 0; i < state.positions.size(); i += 7 * scene.dimension)
        state.positions[i] += 0.5f * static_cast<float>(h) * number(random);
    for (std::size_t i = 0; i < state.positions.size(); i += 50 * scene.dimension)
        state.positions[i] += 1 + number(random);  // some spray
    simulation.restore(state);
    return simulation;
}

TEST_P(ProbeValues, AreTheSumsOfAllParticles) {
    for (const std::string engine : {"sph", "game", "constraints"}) {
        if (engine == "game" && dimension() == 3)
            continue;
        Scene scene = block(dimension());
        scene.engine = engine;
        scene.pressure.method = default_scene(engine).pressure.method;
        const Simulation simulation = engine == "sph" ? splashed(scene, 1) : build(scene);
        const ByHand by_hand(scene, simulation);
        std::mt19937 random(5);
        std::uniform_real_distribution<double> number(0.05, 0.95);
        for (int n = 0; n < 20; ++n) {
            const Vector x = point(number(random), 0.8 * number(random), number(random));
            EXPECT_NEAR(value(simulation, at("pressure", x)), by_hand.pressure(x), 0.01) << engine;
            const std::vector<double> velocity = simulation.probe(at("velocity", x));
            ASSERT_EQ(velocity.size(), static_cast<std::size_t>(dimension()));
            for (int k = 0; k < dimension(); ++k)
                EXPECT_NEAR(velocity[k], by_hand.velocity(x, k), 1e-5) << engine;
            // the kernel is half full at the height, and nowhere above
            Vector top = x;
            top[1] = value(simulation, at("height", x));
            const double found = top[1];
            for (top[1] = found + 0.02 * h; top[1] < 1.2; top[1] += 0.25 * h)
                EXPECT_LT(by_hand.filled(top), 0.5) << engine;
            top[1] = found - 0.02 * h;
            EXPECT_GE(by_hand.filled(top), 0.5) << engine;
        }
        for (int axis = 0; axis < dimension(); ++axis)
            EXPECT_NEAR(value(simulation, front(axis)), by_hand.front(axis), 1e-6) << engine;
    }
}

TEST_P(ProbeValues, HaveTheSameBitsForAnyNumberOfThreads) {
    Scene scene = block(dimension());
    scene.spacing = dimension() == 2 ? 0.01 : 0.05;  // enough particles for several threads
    const Simulation one = splashed(scene, 1), three = splashed(scene, 3);
    for (const Probe& probe :
         {at("pressure", point(0.5, 0.4, 0.5)), at("velocity", point(0.5, 0.4, 0.5)),
          at("height", point(0.5, 0, 0.5)), front(0), test::probe_of("energy")})
        EXPECT_EQ(one.probe(probe), three.probe(probe)) << probe.type;
}

}  // namespace
}  // namespace millrace
