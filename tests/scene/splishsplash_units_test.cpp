// Coefficients of SPlisHSPlasH in physical units, against what their forces do.
#include "scene/splishsplash_units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "math/kernels/cubic_spline.hpp"
#include "millrace/simulation.hpp"

namespace millrace::scene_file::splishsplash {
namespace {

/// Half the work per area [N/m] that parts evenly spread particles along a plane, against pair
/// forces that reach as far as the support: the definition of surface tension. Of pairs with the
/// difference (x, y, z) there are N^2 z for an area of 1 that the plane separates.
double work_of_parting(const TheirParticles& particles,
                       const std::function<double(double)>& force) {
    constexpr int k_cells = 40;
    const double support = particles.support(), cell = support / k_cells;
    std::vector<double> energy(2 * k_cells + 1, 0);  // of a pair, to bring it out of reach
    for (int k = 2 * k_cells - 1; k >= 0; --k)
        energy[k] = energy[k + 1] + force((k + 0.5) * cell / 2) * cell / 2;
    double work = 0;
    for (int a = -k_cells; a < k_cells; ++a)
        for (int b = -k_cells; b < k_cells; ++b)
            for (int c = 0; c < k_cells; ++c) {
                const double x = a + 0.5, y = b + 0.5, z = c + 0.5,
                             r = std::sqrt(x * x + y * y + z * z);
                if (r < k_cells)
                    work += z * cell * energy[static_cast<std::size_t>(std::lround(2 * r))];
            }
    return work * std::pow(cell, 3) / (2 * particles.volume() * particles.volume());
}

}  // namespace

TEST(SplishSplashUnits, PairForcesHaveTheTensionThatPartsAFluid) {
    const TheirParticles particles{3, 0.05};
    const CubicSpline<3> kernel(0.1f);
    const auto flat = [&](double r) {
        const double at = std::max(r, particles.diameter);
        return kernel.w(at * at);
    };
    const double v = particles.volume();
    const double jeske =
        work_of_parting(particles, [&](double r) { return 10.0 / 7 * 200 * v * r * flat(r); });
    EXPECT_NEAR(jeske_2023_sigma(200, particles) / jeske, 1, 0.02);
    const double becker =
        work_of_parting(particles, [&](double r) { return 3.0 * 900 * v * r * flat(r); });
    EXPECT_NEAR(becker_teschner_2007_sigma(3, 900, particles) / becker, 1, 0.02);
}

TEST(SplishSplashUnits, TensionScalesWithTheParticlesAsItsForceDoes) {
    const TheirParticles coarse{3, 0.1}, fine{3, 0.05};
    EXPECT_NEAR(jeske_2023_sigma(1, coarse), jeske_2023_sigma(1, fine), 1e-6);
    EXPECT_NEAR(zorilla_ritter_2020_sigma(1, coarse) * 4, zorilla_ritter_2020_sigma(1, fine), 1e-6);
    EXPECT_NEAR(akinci_2013_sigma(1, 1000, coarse), 4 * akinci_2013_sigma(1, 1000, fine), 1e-3);
}

// A ball of radius R, covered by particles of the area A, is pressed together by k / R on each.
TEST(SplishSplashUnits, ZorillaPressesABallAsLaplaceDoes) {
    const TheirParticles particles{3, 0.04};
    const double k = 0.1, radius = 0.5, area = std::pow(particles.volume(), 2.0 / 3);
    const double pressure = k / radius / area;
    EXPECT_NEAR(2 * zorilla_ritter_2020_sigma(k, particles) / radius, pressure, 1e-9 * pressure);
}

TEST(SplishSplashUnits, StrainIsDampedByItsPart) {
    const double xi = 0.6, dt = 0.001, thickness = 0.15;
    const double nu = strain_damping_nu(xi, dt, thickness), k = std::acos(-1) / thickness;
    EXPECT_NEAR(1 / (1 + nu * k * k * dt), 1 - xi, 1e-12);
    EXPECT_TRUE(std::isfinite(strain_damping_nu(1, dt, thickness)));
}

// A strip of the thickness L in empty space, sheared by v = cos(pi y / L): in a step it loses the
// part xi of its velocity.
TEST(SplishSplashUnits, AFluidOfThatViscosityIsCalmedAsMuch) {
    const double xi = 0.5, dt = 0.01, thickness = 0.5, pi = std::acos(-1);
    Scene scene;
    scene.dimension = 2;
    scene.spacing = 0.025;
    scene.support = 3;
    scene.gravity = {0, 0, 0};
    scene.time_step.mode = "fixed";
    scene.time_step.dt = dt;
    scene.fluids.resize(1);
    scene.fluids[0].fill.resize(1);
    scene.fluids[0].fill[0].shape = Box{{0, 0, 0}, {3, thickness, 0}};
    scene.fluids[0].viscosity.method = "implicit";
    scene.fluids[0].viscosity.nu = strain_damping_nu(xi, dt, thickness);
    Simulation strip(scene, {"cpu", 2});
    Snapshot s = strip.snapshot();
    for (std::size_t i = 0; i < s.ids.size(); ++i)
        s.velocities[2 * i] =
            static_cast<float>(0.01 * std::cos(pi * s.positions[2 * i + 1] / thickness));
    const auto amplitude = [&](const Snapshot& now) {
        double sum = 0, count = 0;
        for (std::size_t i = 0; i < now.ids.size(); ++i) {
            if (now.positions[2 * i] < 1 || now.positions[2 * i] > 2)
                continue;  // near the ends
            const double wave = std::cos(pi * now.positions[2 * i + 1] / thickness);
            sum += now.velocities[2 * i] * wave;
            count += wave * wave;
        }
        return sum / count;
    };
    const double before = amplitude(s);
    strip.restore(s);
    strip.step();
    // the operator on a lattice with a support of 3 has 0.95 nu
    EXPECT_NEAR(amplitude(strip.snapshot()) / before, 1 - xi, 0.03);
}

}  // namespace millrace::scene_file::splishsplash
