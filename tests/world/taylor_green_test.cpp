// The decay of a vortex by viscosity.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "millrace/simulation.hpp"
#include "support/methods.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

class TaylorGreenPhysics : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, TaylorGreenPhysics, testing::ValuesIn(all_methods()),
                         method_label);

constexpr double k_reynolds = 50;  // U L / nu with U = 1 m/s, L = 1 m

// A closed box, full of fluid without weight. A lattice fits into less room than the disorder that
// the flow makes of it: a box filled with one would be too full, and its particles would jam (see
// docs/validation.md). Particles that start irregular get volumes that fit.
Scene full_box(const Pressure& pressure) {
    Scene scene = free_block<2>(50, 0.02);
    scene.fluids[0].fill[0].jitter = 0.1;
    scene.fluids[0].viscosity.nu = 1 / k_reynolds;
    Boundary box;
    box.name = "box";
    box.shape = std::get<Box>(scene.fluids[0].fill[0].shape);
    box.inside = true;
    scene.boundaries.push_back(box);
    scene.pressure = pressure;
    return scene;
}

// One cell of Taylor and Green's vortices (1937), whose walls slip, with k = pi / L:
//
//     u = U sin(kx) cos(ky) exp(-2 nu k^2 t),   v = -U cos(kx) sin(ky) exp(-2 nu k^2 t)
//
// solves the equations of Navier and Stokes; its energy falls as exp(-4 nu k^2 t).
TEST_P(TaylorGreenPhysics, EnergyFallsAsViscosityTells) {
    Simulation fluid(full_box(GetParam().pressure));
    Snapshot s = fluid.snapshot();
    const double k = std::numbers::pi;
    double first = 0;  // energy per density
    for (std::size_t i = 0; i < s.ids.size(); ++i) {
        const double x = k * s.positions[2 * i], y = k * s.positions[2 * i + 1];
        const double u = std::sin(x) * std::cos(y), v = -std::cos(x) * std::sin(y);
        s.velocities[2 * i] = static_cast<float>(u);
        s.velocities[2 * i + 1] = static_cast<float>(v);
        first += 0.5 * s.volumes[i] * (u * u + v * v);
    }
    fluid.restore(s);
    const double exact = 4 / k_reynolds * k * k;  // rate of decay [1/s]
    std::printf("rate of decay / exact, when the energy should be");
    for (int quarter = 1; quarter <= 4; ++quarter) {
        const double energy = fluid.advance(0.5 / exact).kinetic_energy / 1000;
        const double ratio = -std::log(energy / first) / (0.5 * quarter);
        std::printf("  %.3f: %.3f", std::exp(-0.5 * quarter), ratio);
        if (quarter == 4) {
            EXPECT_NEAR(ratio, 1, 0.1);
        }
    }
    std::printf("\n");
}

}  // namespace
}  // namespace millrace
