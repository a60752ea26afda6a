#include "io/probes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/gauges.hpp"
#include "millrace/error.hpp"

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

class Gauges : public testing::TestWithParam<int> {
  protected:
    int dimension() const { return GetParam(); }
    Vector point(double x, double y, double z) const { return {x, y, dimension() == 3 ? z : 0}; }
};

TEST_P(Gauges, HeightOfABlockIsItsSurface) {
    const Scene scene = block(dimension());
    const Simulation simulation = build(scene);
    for (const double x : {0.3, 0.45, 0.5, 0.62})
        EXPECT_NEAR(surface_height(gauge_view(scene, simulation), point(x, 0, 0.55)).value_or(NAN),
                    0.8, 0.1 * h)
            << x;
    // half a spacing from the face of the block it is still seen
    EXPECT_NEAR(surface_height(gauge_view(scene, simulation), point(0.05, 0, 0.5)).value_or(NAN),
                0.8, 0.5 * h);
    EXPECT_FALSE(surface_height(gauge_view(scene, simulation), point(1.3, 0, 0.5)));
}

TEST_P(Gauges, HeightAndFrontLeaveOutSpray) {
    Scene scene = block(dimension());
    auto& fill = scene.fluids[0].fill;
    fill.push_back(droplet(dimension(), point(0.55, 1.55, 0.55)));
    fill.push_back(droplet(dimension(), point(0.55, 1e7, 0.55)));
    fill.push_back(droplet(dimension(), point(2.05, 0.05, 0.55)));
    const Simulation simulation = build(scene);
    const GaugeView view = gauge_view(scene, simulation);
    EXPECT_NEAR(surface_height(view, point(0.55, 0, 0.55)).value_or(NAN), 0.8, 0.1 * h);
    EXPECT_NEAR(front_position(view, 0).value_or(NAN), 1, 1e-6);
    EXPECT_NEAR(front_position(view, 1).value_or(NAN), 0.8, 1e-6);
    EXPECT_FALSE(surface_height(view, point(2.05, 0, 0.55)));
}

TEST_P(Gauges, HeightIsTheTopOfTheHighestWater) {
    Scene scene = block(dimension());
    Fill above;
    above.jitter = 0;
    above.shape = Box{point(0.2, 1.5, 0.2), point(0.8, 2, 0.8)};
    scene.fluids[0].fill.push_back(above);
    const Simulation simulation = build(scene);
    EXPECT_NEAR(surface_height(gauge_view(scene, simulation), point(0.5, 0, 0.5)).value_or(NAN), 2,
                0.1 * h);
}

TEST_P(Gauges, PressureOfALinearField) {
    const Scene scene = block(dimension());
    Simulation simulation = build(scene);
    set_pressures(simulation, [](const float* x) { return 20000 - 9810.0 * x[1] + 500 * x[0]; });
    const GaugeView view = gauge_view(scene, simulation);
    // where the kernel is full, to some percent of the change over a spacing
    EXPECT_NEAR(pressure_at(view, point(0.45, 0.35, 0.55)), 20000 - 9810 * 0.35 + 500 * 0.45,
                0.005 * 9810 * h);
    EXPECT_NEAR(pressure_at(view, point(0.43, 0.37, 0.52)), 20000 - 9810 * 0.37 + 500 * 0.43,
                0.03 * 9810 * h);
    // at the floor the particles in reach lie higher, on the average by less than a spacing
    EXPECT_NEAR(pressure_at(view, point(0.45, 0, 0.55)), 20000 + 500 * 0.45, 9810 * h);
    EXPECT_EQ(pressure_at(view, point(0.5, 3, 0.5)), 0);
}

TEST_P(Gauges, VelocityOfAUniformFieldIsExact) {
    Scene scene = block(dimension());
    scene.fluids[0].velocity = point(1.25, -3, 0.7);
    const Simulation simulation = build(scene);
    const GaugeView view = gauge_view(scene, simulation);
    // inside, and at a corner where most of the kernel is empty
    for (const Vector& at : {point(0.43, 0.37, 0.52), point(-0.05, -0.05, -0.05)}) {
        const auto velocity = velocity_at(view, at);
        ASSERT_TRUE(velocity);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR((*velocity)[k], scene.fluids[0].velocity[k], 1e-6);
    }
    EXPECT_FALSE(velocity_at(view, point(5, 5, 5)));
}

TEST_P(Gauges, EnergyOfMovingWater) {
    Scene scene = block(dimension());
    scene.fluids[0].velocity = point(3, 0, 4);
    scene.fluids[0].density = 800;
    const Simulation simulation = build(scene);
    double mass = 0, moment = 0;
    for (std::size_t i = 0; i < simulation.volumes().size(); ++i) {
        mass += 800.0 * simulation.volumes()[i];
        moment += 800.0 * simulation.volumes()[i] * simulation.positions()[i * dimension() + 1];
    }
    const Energy energy = fluid_energy(scene, simulation);
    EXPECT_NEAR(energy.kinetic / mass, dimension() == 3 ? 12.5 : 4.5, 1e-4);
    EXPECT_NEAR(energy.potential / moment, 9.81, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Gauges, testing::Values(2, 3));

Probe probe(const std::string& name, const std::string& type, Vector at = {}) {
    Probe probe;
    probe.name = name;
    probe.type = type;
    probe.at = at;
    return probe;
}

const auto k_all_due = [](std::size_t) { return true; };

TEST(Probes, ColumnsFollowTheOrderOfTheProbes) {
    Scene scene = block(2);
    scene.probes = {probe("v", "velocity", {5, 5}), probe("e", "energy"),
                    probe("level", "height", {5, 0}), probe("front", "front")};
    Probes probes(scene);
    EXPECT_EQ(probes.header(), "time,v_x,v_y,e_kinetic,e_potential,e_total,level,front\n");
    const Simulation simulation = build(scene);
    // no water there: empty cells
    const std::string row = probes.row(simulation, k_all_due);
    EXPECT_TRUE(row.starts_with("0,,,0,")) << row;
    EXPECT_NE(row.find(",,"), std::string::npos) << row;
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), 7) << row;
    EXPECT_EQ(probes.row(simulation, [](std::size_t) { return false; }), "0,,,,,,,\n");
    EXPECT_TRUE(Probes(block(3)).header() == "time\n");
}

TEST(Probes, PressureIsTheMeanSinceTheLastValue) {
    Scene scene = block(2);
    scene.probes = {probe("p", "pressure", {0.5, 0.4})};
    Simulation simulation = build(scene);
    Probes probes(scene);
    const auto value = [&] { return std::stod(probes.row(simulation, k_all_due).substr(2)); };
    const auto observe = [&](double pressure, double dt) {
        set_pressures(simulation, [&](const float*) { return pressure; });
        probes.observe(simulation, dt);
    };
    set_pressures(simulation, [](const float*) { return 7; });
    EXPECT_NEAR(value(), 7, 1e-5);  // nothing observed: the moment's
    observe(1, 0.1);
    observe(5, 0.3);
    EXPECT_EQ(probes.row(simulation, [](std::size_t) { return false; }), "0,\n");

    Probes other(scene);
    other.restore(probes.state());
    EXPECT_EQ(other.row(simulation, k_all_due), probes.row(simulation, k_all_due));
    observe(1, 0.1);
    observe(5, 0.3);
    EXPECT_NEAR(value(), 4, 1e-5);
    observe(2, 0.1);
    EXPECT_NEAR(value(), 2, 1e-5);
}

TEST(Probes, BodyIsItsMotionAndTheMeanForceOfTheFluid) {
    Scene scene = block(3);
    Body crate;
    crate.name = "crate";
    crate.shape = BodyBox{{0.4, 0.4, 0.4}};
    crate.position = {3, 2, 1};  // in the air
    crate.velocity = {0.5, 0, 0};
    crate.angular_velocity = {0, 0.25, 0};
    scene.bodies = {crate};
    scene.rigid.engine = "own";
    scene.probes = {probe("c", "body")};
    scene.probes[0].body = "crate";
    Simulation simulation = build(scene);
    Probes probes(scene);
    EXPECT_EQ(probes.header(), "time,c_x,c_y,c_z,c_vx,c_vy,c_vz,c_wx,c_wy,c_wz,c_fx,c_fy,c_fz\n");
    EXPECT_EQ(probes.row(simulation, k_all_due), "0,3,2,1,0.5,0,0,0,0.25,0,0,0,0\n");
    EXPECT_EQ(probes.row(simulation, [](std::size_t) { return false; }),
              "0" + std::string(12, ',') + "\n");

    std::vector<double> state = probes.state();
    ASSERT_EQ(state.size(), 4u);
    state = {2, 4, -6, 0.5};  // an impulse [N s] in half a second
    probes.restore(state);
    EXPECT_EQ(probes.state(), state);
    const std::string row = probes.row(simulation, k_all_due);
    EXPECT_TRUE(row.ends_with(",4,8,-12\n")) << row;
    probes.observe(simulation, 0.25);  // no force in the air
    EXPECT_EQ(probes.state(), (std::vector<double>{0, 0, 0, 0.25}));
}

TEST(Probes, ColumnsOfTheSameNameAreRefused) {
    Scene scene = block(2);
    scene.probes = {probe("a", "velocity", {0, 0}), probe("a_y", "front")};
    try {
        Probes probes(scene);
        FAIL() << "no error";
    } catch (const InputError& e) {
        EXPECT_STREQ(e.what(),
                     "probes[1].name: its column 'a_y' is already one of 'a', choose another");
    }
}

}  // namespace
}  // namespace millrace
