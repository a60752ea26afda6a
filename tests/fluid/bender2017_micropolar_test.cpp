#include "fluid/bender2017_micropolar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fluid/rotation_fit.hpp"
#include "support/dimensions.hpp"
#include "support/drop.hpp"
#include "support/motion.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

template <class T>
class MicropolarTest : public testing::Test {};
TYPED_TEST_SUITE(MicropolarTest, Dimensions);

template <int D>
Scene spinning(Scene scene, double nu_t, double inertia, double smoothing = 0) {
    for (Fluid& fluid : scene.fluids) {
        fluid.vorticity.method = "micropolar";
        fluid.vorticity.nu_t = nu_t;
        fluid.vorticity.inertia = inertia;
        fluid.vorticity.smoothing = smoothing;
        fluid.viscosity.method = "none";
    }
    return scene;
}

/// Gives every particle the spin spin(k) for its place k in the list.
template <int D, class Value>
void set_spins(World<D>& world, const Value& spin) {
    Snapshot s = world.snapshot();
    s.spins.clear();
    for (std::size_t i = 0; i < s.ids.size(); ++i) {
        const Spin<D> omega = spin(i);
        for (int k = 0; k < k_spin_size<D>; ++k)
            s.spins.push_back(omega[k]);
    }
    world.restore(s);
}

template <int D>
void set_random_spins(World<D>& world, double size) {
    std::mt19937 random(7);
    set_spins(world, [&](std::size_t) {
        Spin<D> omega;
        for (int k = 0; k < k_spin_size<D>; ++k)
            omega[k] = static_cast<float>(size * (random() * 0x1p-31 - 1));
        return omega;
    });
}

template <int D>
std::vector<Vec<D>> accelerations(const World<D>& world, const Micropolar& micropolar) {
    VectorBuffer<D> acceleration(world.device(), world.fluid_count());
    acceleration.zero();
    add_micropolar(world.device(), world.view(), micropolar, acceleration.view());
    return acceleration.to_host();
}

template <int D>
std::vector<Spin<D>> vorticity(const World<D>& world, const Micropolar& micropolar) {
    VectorBuffer<k_spin_size<D>> curl(world.device(), world.fluid_count());
    compute_vorticity(world.device(), world.view(), micropolar, curl.view());
    return curl.to_host();
}

TYPED_TEST(MicropolarTest, IsTheSumOverTheNeighboursOfTheSameFluid) {
    constexpr int D = TypeParam::value;
    World<D> world(spinning<D>(two_blocks<D>(5, 300), 0.2, 1), Device::cpu(2));
    set_random_velocities(world);
    set_random_spins(world, 3);
    const Micropolar micropolar{{0.2f, 0.1f}, {1, 1}, {}};
    const auto a = accelerations(world, micropolar);
    const auto curl = vorticity(world, micropolar);
    const Particles<D> p = particles(world);
    const std::vector<float> volume = world.fluid().volume.to_host();
    const auto spins = world.fluid().spin.to_host();
    const FluidView<D> view = world.view();
    for (std::uint32_t i = 0; i < p.x.size(); ++i) {
        const RotationFit<D> fit = fit_rotation(view, i);
        Spin<D, double> sum = Spin<D, double>::all(0);
        Vec<D, double> force = Vec<D, double>::all(0);
        for (std::size_t j = 0; j < p.x.size(); ++j) {
            if (j == i || p.fluid[i] != p.fluid[j])
                continue;
            const Vec<D, double> x = p.x[i] - p.x[j];
            const double f = volume[j] * view.kernel.gradient_factor(squared_norm(x));
            sum -= moment(x, p.v[i] - p.v[j]) * f;
            force -= spin_velocity(
                         Spin<D, double>::from(spins[j]) - Spin<D, double>::from(spins[i]), x) *
                     (f * (p.fluid[i] == 0 ? 0.2 : 0.1));
        }
        ASSERT_LT(norm(Spin<D, double>::from(fit.sum) - sum), 1e-4 * (1 + norm(sum)));
        ASSERT_LT(norm(Vec<D, double>::from(a[i]) - force), 1e-4 * (1 + norm(force)));
        const Spin<D> expected = fit.is_lonely() ? spins[i] * 2.0f : fit.normalized(fit.sum);
        ASSERT_LT(norm(curl[i] - expected), 1e-5f * (1 + norm(expected)));
    }
}

// Where the spin is that of the fluid, nothing happens, at its surface as little as within it.
TYPED_TEST(MicropolarTest, ASolidGoesOnTurning) {
    constexpr int D = TypeParam::value;
    const Scene scene = spinning<D>(free_block<D>(12), 0.2, 1);
    World<D> world = round_drop<D>(scene, 0.5, Vec<D, double>::all(0.6));
    Spin<D> omega = Spin<D>::all(0);
    omega[k_spin_size<D> - 1] = 2;
    set_velocities(world, [&](const Vec<D, double>& x) {
        return spin_velocity(Spin<D, double>::from(omega), x);
    });
    set_spins(world, [&](std::size_t) { return omega; });
    const Micropolar micropolar{{0.2f}, {1.0f}, {}};
    for (const Vec<D>& a : accelerations(world, micropolar))
        ASSERT_EQ(norm(a), 0.0f);
    for (const Spin<D>& c : vorticity(world, micropolar))
        ASSERT_LT(norm(c - omega * 2.0f), 1e-3f);
}

// Far from surfaces the sum is the curl: a spin that grows along y pushes along x.
TYPED_TEST(MicropolarTest, ThePushIsTheCurlOfTheSpin) {
    constexpr int D = TypeParam::value;
    World<D> world(spinning<D>(free_block<D>(10), 0.2, 1), Device::cpu(2));
    const std::vector<Vec<D>> x = world.fluid().position.to_host();
    set_spins(world, [&](std::size_t i) {
        Spin<D> omega = Spin<D>::all(0);
        omega[k_spin_size<D> - 1] = 3 * x[i][1];
        return omega;
    });
    const auto a = accelerations(world, {{0.2f}, {1.0f}, {}});
    const std::vector<Vec<D>> now = world.fluid().position.to_host();
    int within = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        bool deep = true;
        for (int k = 0; k < D; ++k)
            deep = deep && now[i][k] > 0.25f && now[i][k] < 0.75f;
        if (!deep)
            continue;
        ++within;
        EXPECT_NEAR(a[i][0], 0.2 * 3, 0.03);  // curl (0, 0, 3 y) = (3, 0, 0)
        EXPECT_NEAR(a[i][1], 0, 0.03);
    }
    EXPECT_GT(within, 10);
}

// In fluid at rest the spin decays as exp(-2 nu_t t / Theta).
TYPED_TEST(MicropolarTest, SpinDecaysInFluidAtRest) {
    constexpr int D = TypeParam::value;
    const double nu_t = 0.1, inertia = 0.5;
    World<D> world(spinning<D>(free_block<D>(6), nu_t, inertia, 0.5), Device::cpu(2));
    const Spin<D> omega = Spin<D>::all(3);
    set_spins(world, [&](std::size_t) { return omega; });
    const VectorBuffer<k_spin_size<D>> scratch(world.device(), world.fluid_count());
    VectorBuffer<k_spin_size<D>> curl(world.device(), world.fluid_count());
    curl.zero();
    const Micropolar micropolar{{static_cast<float>(nu_t)}, {static_cast<float>(inertia)}, {0.5f}};
    const float dt = 0.01f;
    for (int step = 0; step < 200; ++step)
        advance_spins(world.device(), world.view(), micropolar, curl.view(), dt, 1, scratch.view());
    const double expected = 3 * std::exp(-2 * nu_t * 2 / inertia);
    for (const Spin<D>& s : world.fluid().spin.to_host())
        ASSERT_NEAR(s[0], expected, 0.01 * expected);
}

// Whirls in a tank with slippery walls, v = (sin kx cos ky, -cos kx sin ky), c = 2 k sin kx sin ky:
// amplitudes V of the flow and W of the spin k sin kx sin ky obey
//     V' = nu_t k^2 W - 2 nu k^2 V,   Theta W' = nu_t (2 V - 2 W)
// (the spin's curl is k^2 (sin kx cos ky, -cos kx sin ky)); the fluid loses less than without spin.
TYPED_TEST(MicropolarTest, FeedsAWhirlAtTheRateOfTheEquations) {
    constexpr int D = TypeParam::value;
    const int cells = D == 3 ? 16 : 24;
    const double h = 1.0 / cells, pi = std::acos(-1), nu_t = 0.02, inertia = 0.005, end = 0.5;
    const auto speed_after = [&](bool with_spin) {
        Scene scene = full_tank<D>(cells, h);
        scene.gravity = {0, 0, 0};
        std::get<Box>(scene.boundaries[0].shape).max[1] = 1;
        scene.boundaries[0].open = {};
        scene.support = D == 3 ? 2 : 3;
        if (with_spin)
            scene = spinning<D>(scene, nu_t, inertia);
        scene.fluids[0].viscosity = {"standard", 0.005};
        World<D> world(scene, Device::cpu(2));
        const auto flow = [&](const Vec<D, double>& x) {
            Vec<D, double> v = Vec<D, double>::all(0);
            v[0] = std::sin(pi * x[0]) * std::cos(pi * x[1]);
            v[1] = -std::cos(pi * x[0]) * std::sin(pi * x[1]);
            return v;
        };
        set_velocities(world, [&](const Vec<D, double>& x) { return flow(x) * 0.1; });
        while (world.time() < end)
            world.step(end);
        const Particles<D> p = particles(world);
        double sum = 0, size = 0;
        for (std::size_t i = 0; i < p.x.size(); ++i) {
            sum += dot(p.v[i], flow(p.x[i]));
            size += squared_norm(flow(p.x[i]));
        }
        return sum / size / 0.1;
    };
    // what the spin adds to the logarithm of the amplitude, by the equations
    const double k2 = pi * pi;
    double flow = 1, spin = 0, plain = 1;
    constexpr int k_steps = 5000;
    for (int step = 0; step < k_steps; ++step) {
        const double dt = end / k_steps, gain = nu_t * k2 * spin - 2 * 0.005 * k2 * flow;
        spin += dt * nu_t / inertia * (2 * flow - 2 * spin);
        flow += dt * gain;
        plain -= dt * 2 * 0.005 * k2 * plain;
    }
    const double expected = std::log(flow / plain);
    const double measured = std::log(speed_after(true) / speed_after(false));
    EXPECT_GT(expected, 0.05);
    EXPECT_NEAR(measured / expected, 1, 0.3);  // a spin lacks neighbours along walls
}

TYPED_TEST(MicropolarTest, ARunGoesOnWithTheSameBits) {
    constexpr int D = TypeParam::value;
    const Scene scene = spinning<D>(full_tank<D>(6), 0.1, 0.5, 0.05);
    World<D> world(scene, Device::cpu(2)), other(scene, Device::cpu(1));
    set_random_velocities(world);
    for (int k = 0; k < 5; ++k)
        world.step(1e9);
    other.restore(world.snapshot());
    EXPECT_GT(squared_norm(world.fluid().spin.to_host()[0]), 0.0f);
    for (int k = 0; k < 5; ++k) {
        world.step(1e9);
        other.step(1e9);
    }
    EXPECT_EQ(world.snapshot().spins, other.snapshot().spins);
    EXPECT_EQ(world.snapshot().velocities, other.snapshot().velocities);
}

}  // namespace
}  // namespace millrace
