#include "pressure/pressure_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/dimensions.hpp"
#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

constexpr float k_dt = 1e-3f;

template <class T>
class PressureSystemTest : public testing::Test {
  protected:
    static constexpr int D = T::value;

    // Disordered fluid in a tank, with pressures of its own.
    World<D> disordered(const std::vector<float>& pressures = {}) {
        Scene scene = full_tank<D>(D == 3 ? 7 : 14);
        scene.fluids[0].fill[0].jitter = 0.1;
        World<D> world(scene, Device::cpu(2));
        Snapshot s = world.snapshot();
        std::mt19937 random(5);
        for (std::size_t i = 0; i < s.ids.size(); ++i) {
            s.pressures[i] = pressures.empty() ? 0 : pressures[s.ids[i]];
            for (int k = 0; k < D; ++k)
                s.velocities[i * D + k] = static_cast<float>(random()) * 0x1p-32f - 0.5f;
        }
        world.restore(s);
        return world;
    }

    // (A p)_i with the pressures that the world holds.
    static std::vector<double> product(World<D>& world, PressureSystem<D>& system) {
        const FluidView<D> view = world.view();
        system.prepare(world.device(), view, world.fluid().velocity.view(), k_dt);
        system.add_density_source(world.device(), view);
        system.start_from(world.device(), view, view.pressure, 1);
        system.accelerate(world.device(), view);
        Buffer<IterationSums> sums(world.device(), 1);
        system.update(world.device(), view, k_dt, sums.data());
        const std::vector<float> error = system.error().to_host(),
                                 source = system.source().to_host();
        std::vector<double> result(error.size());
        for (std::size_t i = 0; i < error.size(); ++i)
            result[i] = double(error[i]) + source[i];
        return result;
    }

    // 1 - s for a fluid that moves with its velocities.
    static std::vector<float> source(World<D>& world, float dt) {
        PressureSystem<D> system(world.device(), {});
        system.prepare(world.device(), world.view(), world.fluid().velocity.view(), dt);
        system.add_density_source(world.device(), world.view());
        return system.source().to_host();
    }
};
TYPED_TEST_SUITE(PressureSystemTest, Dimensions);

// A_ii is what (A p)_i becomes per p_i when all other pressures are 0 (S1 Eq. 3.60).
TYPED_TEST(PressureSystemTest, DiagonalIsTheDerivativeByTheOwnPressure) {
    World<TypeParam::value> probe = this->disordered();
    const std::size_t n = probe.fluid().count;
    for (const std::size_t chosen : {std::size_t{0}, n / 3, n / 2, n - 1}) {
        std::vector<float> pressures(n, 0);
        pressures[chosen] = 1e6f;
        World<TypeParam::value> world = this->disordered(pressures);
        PressureSystem<TypeParam::value> system(world.device(), {});
        const std::vector<double> product = this->product(world, system);
        const std::vector<std::uint32_t> ids = world.fluid().id.to_host();
        const std::size_t i = std::find(ids.begin(), ids.end(), chosen) - ids.begin();
        // omega_i = omega V_i / (delta_i^2 |A_ii|)
        const double delta = world.host_densities()[i] / 1000;
        const double diagonal = -0.5 * world.fluid().volume.to_host()[i] /
                                (delta * delta * system.weights().to_host()[i]);
        EXPECT_NEAR(product[i] / (1e6 * diagonal), 1, 1e-3);
    }
}

// The one diagonal of PCISPH (S1 Eq. 6.3) is that of a particle in the middle of a lattice.
TYPED_TEST(PressureSystemTest, LatticeDiagonalIsThatOfAFullNeighbourhood) {
    constexpr int D = TypeParam::value;
    for (const double support : {2.0, 2.5, 3.0}) {
        Scene scene = free_block<D>(11);
        scene.support = support;
        scene.fluids[0].fill[0].jitter = 0;
        World<D> world(scene, Device::cpu(2));
        Snapshot s = world.snapshot();
        for (float& volume : s.volumes)
            volume = std::pow(0.1f, static_cast<float>(D));
        world.restore(s);
        const FluidView<D> view = world.view();
        PressureSystem<D> own(world.device(), {}), lattice(world.device(), {0.5f, true, false});
        own.prepare(world.device(), view, world.fluid().velocity.view(), k_dt);
        lattice.prepare(world.device(), view, world.fluid().velocity.view(), k_dt);
        const std::vector<Vec<D>> x = world.fluid().position.to_host();
        std::size_t middle = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (norm(x[i] - Vec<D>::all(0.55f)) < norm(x[middle] - Vec<D>::all(0.55f)))
                middle = i;
        EXPECT_NEAR(lattice.weights().to_host()[middle] / own.weights().to_host()[middle], 1, 1e-4)
            << "support " << support;
    }
}

// (A p)_i is how the density changes when the particles move by dt^2 a: a numerical derivative.
TYPED_TEST(PressureSystemTest, ProductIsTheChangeOfDensityByPressureAccelerations) {
    constexpr int D = TypeParam::value;
    World<D> probe = this->disordered();
    std::mt19937 random(8);
    std::vector<float> pressures(probe.fluid().count);
    for (float& p : pressures)
        p = 2000.0f * (static_cast<float>(random()) * 0x1p-32f);
    World<D> world = this->disordered(pressures);
    PressureSystem<D> system(world.device(), {});
    const std::vector<double> product = this->product(world, system);
    const std::vector<Vec<D>> weighted = system.weighted_acceleration().to_host();
    const std::vector<float> volume = world.fluid().volume.to_host();

    // densities in double, at positions displaced forwards and backwards
    const std::vector<Vec<D>> x = world.fluid().position.to_host(),
                              walls = world.walls().host_positions();
    const std::vector<float> wall_volume = world.walls().host_volumes();
    const CubicSpline<D> kernel(0.2f);
    double largest = 0;
    for (const Vec<D>& w : weighted)
        largest = std::max(largest, double(norm(w)) / volume[0]);
    const double step = 1e-4 * 0.1 / largest;  // moves the fastest by 1e-4 spacings
    const auto displaced = [&](std::size_t i, double t) {
        return Vec<D, double>::from(x[i]) +
               Vec<D, double>::from(weighted[i]) * (t / double(volume[i]));
    };
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double change = 0;
        for (const double sign : {1.0, -1.0}) {
            const Vec<D, double> x_i = displaced(i, sign * step);
            double sum = 0;
            for (std::size_t j = 0; j < x.size(); ++j)
                sum += volume[j] * kernel.w(squared_norm(x_i - displaced(j, sign * step)));
            for (std::size_t k = 0; k < walls.size(); ++k)
                sum +=
                    wall_volume[k] * kernel.w(squared_norm(x_i - Vec<D, double>::from(walls[k])));
            change += sign * sum / (2 * step);
        }
        worst = std::max(worst, std::abs(change * k_dt * k_dt - product[i]));
        scale = std::max(scale, std::abs(product[i]));
    }
    EXPECT_LT(worst / scale, 5e-3);
}

// s_i = 1 - delta_i* (S1 Eq. 3.35): the density ahead, by moving the particles with v*.
TYPED_TEST(PressureSystemTest, SourceIsThePredictedLackOfDensity) {
    constexpr int D = TypeParam::value;
    World<D> world = this->disordered();
    const std::vector<float> source = this->source(world, k_dt), before = world.host_densities();
    // the change over a hundredth of the step, where it is linear
    const std::vector<float> short_source = this->source(world, 0.01f * k_dt);
    Snapshot s = world.snapshot();
    const float way = 0.1f * k_dt;  // large enough for float positions
    for (std::size_t i = 0; i < s.positions.size(); ++i)
        s.positions[i] += way * s.velocities[i];
    const std::vector<std::uint32_t> ids = s.ids;
    world.restore(s);
    const std::vector<float> after = world.host_densities();
    const std::vector<std::uint32_t> new_ids = world.fluid().id.to_host();
    std::vector<double> moved(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        moved[new_ids[i]] = after[i] / 1000.0;
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const double change = (moved[ids[i]] - before[i] / 1000.0) * (k_dt / way);
        const double predicted = 1 - source[i] - before[i] / 1000.0;
        worst = std::max(worst, std::abs(change - predicted));
        scale = std::max(scale, std::abs(predicted));
        // linear in the step
        EXPECT_NEAR(1 - short_source[i] - before[i] / 1000.0, 0.01 * predicted, 1e-6);
    }
    EXPECT_LT(worst / scale, 0.02);
}

// A with rest densities is A with densities for other names of the pressures: the same motion.
TYPED_TEST(PressureSystemTest, RestDensityOnlyRenamesThePressures) {
    constexpr int D = TypeParam::value;
    World<D> world = this->disordered();
    const FluidView<D> view = world.view();
    std::vector<Vec<D>> moved[2];
    std::vector<float> pressure[2];
    for (const bool rest : {false, true}) {
        PressureSystem<D> system(world.device(), {0.5f, false, rest});
        system.prepare(world.device(), view, world.fluid().velocity.view(), k_dt);
        system.add_density_source(world.device(), view);
        system.start_from_zero();
        Buffer<IterationSums> sums(world.device(), 1);
        for (int k = 0; k < 5; ++k) {
            system.accelerate(world.device(), view);
            system.update(world.device(), view, k_dt, sums.data());
            std::swap(system.unknowns(), system.updated());
        }
        moved[rest] = system.weighted_acceleration().to_host();
        Buffer<float> p(world.device(), view.count);
        p.zero();
        system.store(world.device(), view, p.data(), 0, 1);
        pressure[rest] = p.to_host();
    }
    const std::vector<float> density = world.host_densities();
    for (std::size_t i = 0; i < density.size(); ++i) {
        EXPECT_EQ(norm(moved[0][i] - moved[1][i]), 0);
        const double delta = density[i] / 1000;
        EXPECT_NEAR(pressure[0][i], pressure[1][i] * delta * delta, 1e-4 * pressure[1][i]);
    }
}

// Two steps of half the length count as one.
TEST(PressureSystem, PressuresOfShortStepsCountByTheirShare) {
    World<2> world(full_tank<2>(8), Device::cpu(1));
    const FluidView<2> view = world.view();
    PressureSystem<2> system(world.device(), {0.5f, false, true});
    system.prepare(world.device(), view, world.fluid().velocity.view(), 0.001f);
    Buffer<float> eight(world.device(), view.count), p(world.device(), view.count);
    for (std::size_t i = 0; i < view.count; ++i) {
        eight.data()[i] = 8;
        p.data()[i] = 4;
        system.updated().data()[i] = 1;
    }
    system.start_from(world.device(), view, eight.data(), 1);
    system.store(world.device(), view, p.data(), 0.75f, 0.25f);
    const std::vector<float> weights = system.weights().to_host();
    for (std::size_t i = 0; i < view.count; ++i)
        EXPECT_NEAR(p.data()[i], weights[i] > 0 ? 5 : 3, 1e-4);
    // the start of the next solve rises as slowly, and falls at once
    system.store_start(world.device(), view, p.data(), 0.25f);
    for (std::size_t i = 0; i < view.count; ++i)
        EXPECT_NEAR(p.data()[i], weights[i] > 0 ? 5.75 : 0, 1e-4);
    system.start_from(world.device(), view, eight.data(), 0.5f);
    system.store_start(world.device(), view, p.data(), 0.25f);
    for (std::size_t i = 0; i < view.count; ++i)
        EXPECT_NEAR(p.data()[i], weights[i] > 0 ? 4 : 0, 1e-4);
    // nothing is left of a pressure that the next update would take away
    system.updated().zero();
    system.store_start(world.device(), view, p.data(), 0.25f);
    for (std::size_t i = 0; i < view.count; ++i)
        EXPECT_EQ(p.data()[i], 0);
}

}  // namespace
}  // namespace millrace
