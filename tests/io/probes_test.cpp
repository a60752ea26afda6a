#include "io/probes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
