// What water does, for every pressure method: it rests, carries its weight, stays in its tank and
// gains no energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "boundary/standoff.hpp"
#include "millrace/simulation.hpp"
#include "support/methods.hpp"
#include "support/probes.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

class MethodPhysics : public testing::TestWithParam<Method> {
  protected:
    Scene with_method(Scene scene) const {
        scene.pressure = GetParam().pressure;
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, MethodPhysics, testing::ValuesIn(all_methods()), method_label);

// Mean level of the surface, away from the walls.
double level(const Simulation& water) {
    double sum = 0;
    int points = 0;
    for (double x = 0.1; x < 0.45; x += 0.02, ++points)
        sum += water.probe(test::probe_of("height", {x, 0, 0})).at(0);
    return sum / points;
}

// Mean pressure of the particles around a height, away from the side walls.
double pressure_around(const Scene& scene, const Simulation& water, double height) {
    const auto x = water.positions(), p = water.pressures();
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (std::abs(x[2 * i + 1] - height) < scene.spacing && std::abs(x[2 * i] - 0.25) < 0.15) {
            sum += p[i];
            count += 1;
        }
    return sum / count;
}

// A column of 40 layers in 2D, 20 wide, with the viscosity of scenes/resting_column.json. Methods
// that start each solve from zero need more than 100 iterations for so many layers.
Scene column_2d() {
    Scene scene = full_tank<2>(20, 0.025);
    std::get<Box>(scene.fluids[0].fill[0].shape).max = {0.5, 1, 0};
    std::get<Box>(scene.boundaries[0].shape).max = {0.5, 1.5, 0};
    scene.fluids[0].viscosity.nu = 1e-3;
    return scene;
}

// p(y) = rho g (1 m - y)
TEST_P(MethodPhysics, ColumnRestsAndCarriesItsWeight) {
    Scene scene = with_method(column_2d());
    scene.pressure.max_iterations = 1000;
    Simulation water(scene);
    const double heights[] = {0.2, 0.4, 0.6, 0.8};
    double impulse[4] = {}, time = 0, lowest = 2, highest = 0, energy = 0;
    while (water.time() < 3) {
        const StepReport r = water.step(3);
        ASSERT_TRUE(r.converged) << "at " << r.time;
        if (GetParam().incompressible()) {
            ASSERT_LE(r.avg_density_error, 0.001) << "at " << r.time;
        }
        if (r.step % 20 == 0) {
            const double now = level(water);
            lowest = std::min(lowest, now);
            highest = std::max(highest, now);
        }
        // pressures that push for a step fluctuate: what counts is their mean over time
        if (r.time > 1) {
            for (int k = 0; k < 4; ++k)
                impulse[k] += r.dt * pressure_around(scene, water, heights[k]);
            energy += r.dt * r.kinetic_energy;
            time += r.dt;
        }
    }
    const double mass = 500;
    const double speed = std::sqrt(2 * energy / time / mass);  // root of the mean square
    EXPECT_LT(speed, 0.02 * std::sqrt(2 * 9.81 * 1)) << "2 % of a fall from top to bottom";
    EXPECT_GT(lowest, 0.99);
    EXPECT_LT(highest, 1.01);
    std::printf("level %.4f to %.4f, rms speed %.3f m/s; p / (rho g d) at heights 0.2 to 0.8:",
                lowest, highest, speed);
    for (int k = 0; k < 4; ++k) {
        const double ratio = impulse[k] / time / (1000 * 9.81 * (1 - heights[k]));
        EXPECT_NEAR(ratio, 1, 0.05) << "at height " << heights[k];
        std::printf(" %.3f", ratio);
    }
    std::printf("\n");
}

// Every particle stays on the water's side of the samples of the walls.
void expect_inside_tank(const Scene& scene, const Simulation& water) {
    const Box& tank = std::get<Box>(scene.boundaries[0].shape);
    const double slack = sample_depth<3>(scene.support) * scene.spacing;
    const auto x = water.positions();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t k = i % 3;
        ASSERT_GT(x[i], tank.min[k] - slack);
        ASSERT_LT(x[i], tank.max[k] + slack);
    }
}

// What the water of wcsph stores when it is compressed, integral of p d(rho) / rho^2 per mass, with
// delta = rho / rho0 (from the start of the last step):
//
//     E = sum_i V_i rho0 c^2 / gamma ( (delta^(gamma - 1) - 1) / (gamma - 1) + 1 / delta - 1 )
//
// of particles with delta > 1; for gamma = 1 the fraction is ln(delta).
double elastic_energy(const Scene& scene, const Simulation& water) {
    const double sound = 10 * scene.pressure.expected_speed;
    const double gamma = scene.pressure.equation_of_state == "tait" ? scene.pressure.gamma : 1;
    const auto density = water.densities(), volume = water.volumes();
    double sum = 0;
    for (std::size_t i = 0; i < volume.size(); ++i) {
        const double delta = std::max(1.0, density[i] / 1000.0);
        const double power =
            gamma > 1 ? (std::pow(delta, gamma - 1) - 1) / (gamma - 1) : std::log(delta);
        sum += volume[i] * 1000 * sound * sound / gamma * (power + 1 / delta - 1);
    }
    return sum;
}

// Without a motor water only loses energy; the solvers' tolerance of 0.1 % of compression may give
// a little back. At 0.8 s the impact on the far wall is past.
TEST_P(MethodPhysics, DamBreakGainsNoEnergyAndStaysInTheTank) {
    Scene scene = with_method(example_scene("dam_break", {"spacing=0.057"}));
    if (!GetParam().incompressible())
        scene.pressure.expected_speed = std::sqrt(2 * 9.81 * 1);
    Simulation water(scene);
    const std::size_t all = water.fluid_count();
    double least = 1e300, growth = 0;
    while (water.time() < 0.8) {
        const StepReport r = water.step(0.8);
        double energy = r.kinetic_energy + r.potential_energy;
        if (GetParam().incompressible()) {
            ASSERT_LE(r.avg_density_error, 0.001) << "at " << r.time;
        } else {
            energy += elastic_energy(scene, water);
        }
        growth = std::max(growth, energy / least - 1);
        least = std::min(least, energy);
    }
    std::printf("the energy grows by %.4f %% at most\n", 100 * growth);
    EXPECT_LT(growth, 0.001);
    EXPECT_EQ(water.fluid_count(), all);
    expect_inside_tank(scene, water);
}

}  // namespace
}  // namespace millrace
