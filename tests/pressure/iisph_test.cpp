#include "pressure/iisph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

constexpr float k_dt = 1e-3f;

template <class T>
class IisphTest : public testing::Test {
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

    // (A p)_i with p = half the pressures that the world holds: the warm start of Eq. 3.63.
    static std::vector<double> product(World<D>& world, Iisph<D>& iisph) {
        iisph.prepare(world.device(), world.view(), world.fluid().velocity.view(), k_dt);
        iisph.accelerate(world.device(), world.view());
        iisph.predict_error(world.device(), world.view(), k_dt);
        const std::vector<float> error = iisph.error().to_host(), source = iisph.source().to_host();
        std::vector<double> result(error.size());
        for (std::size_t i = 0; i < error.size(); ++i)
            result[i] = double(error[i]) + source[i];
        return result;
    }
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(IisphTest, Dimensions);

// A_ii is what (A p)_i becomes per p_i when all other pressures are 0 (S1 Eq. 3.60).
TYPED_TEST(IisphTest, DiagonalIsTheDerivativeByTheOwnPressure) {
    World<TypeParam::value> probe = this->disordered();
    const std::size_t n = probe.fluid().count;
    for (const std::size_t chosen : {std::size_t{0}, n / 3, n / 2, n - 1}) {
        std::vector<float> pressures(n, 0);
        pressures[chosen] = 2e6f;  // halved by the warm start
        World<TypeParam::value> world = this->disordered(pressures);
        Iisph<TypeParam::value> iisph(world.device(), {});
        const std::vector<double> product = this->product(world, iisph);
        const std::vector<std::uint32_t> ids = world.fluid().id.to_host();
        const std::size_t i = std::find(ids.begin(), ids.end(), chosen) - ids.begin();
        const double diagonal = iisph.diagonal().to_host()[i];
        EXPECT_LT(diagonal, 0);
        EXPECT_NEAR(product[i] / (1e6 * diagonal), 1, 1e-3);
    }
}

// (A p)_i is how the density changes when the particles move by dt^2 a: a numerical derivative.
TYPED_TEST(IisphTest, ProductIsTheChangeOfDensityByPressureAccelerations) {
    constexpr int D = TypeParam::value;
    World<D> probe = this->disordered();
    std::mt19937 random(8);
    std::vector<float> pressures(probe.fluid().count);
    for (float& p : pressures)
        p = 2000.0f * (static_cast<float>(random()) * 0x1p-32f);
    World<D> world = this->disordered(pressures);
    Iisph<D> iisph(world.device(), {});
    const std::vector<double> product = this->product(world, iisph);
    const std::vector<Vec<D>> weighted = iisph.weighted_acceleration().to_host();
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
TYPED_TEST(IisphTest, SourceIsThePredictedLackOfDensity) {
    constexpr int D = TypeParam::value;
    World<D> world = this->disordered();
    Iisph<D> iisph(world.device(), {});
    iisph.prepare(world.device(), world.view(), world.fluid().velocity.view(), k_dt);
    const std::vector<float> source = iisph.source().to_host(), before = world.host_densities();
    // the change over a hundredth of the step, where it is linear
    const float part = 0.01f * k_dt;
    Iisph<D> shorter(world.device(), {});
    shorter.prepare(world.device(), world.view(), world.fluid().velocity.view(), part);
    const std::vector<float> short_source = shorter.source().to_host();
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

// A block that is squeezed by 3 % expands, and the predicted error falls below the thresholds.
TYPED_TEST(IisphTest, CompressedFluidExpands) {
    constexpr int D = TypeParam::value;
    for (const bool warm_start : {true, false}) {
        World<D> world(free_block<D>(D == 3 ? 10 : 20), Device::cpu(2));
        Snapshot s = world.snapshot();
        for (float& x : s.positions)
            x *= 0.99f;
        world.restore(s);
        PressureSettings settings;
        settings.warm_start = warm_start;
        Iisph<D> iisph(world.device(), settings);
        VectorBuffer<D> velocity(world.device(), world.fluid().count);
        velocity.zero();
        const PressureResult result =
            iisph.solve(world.device(), world.view(), velocity.view(), k_dt);
        EXPECT_TRUE(result.converged);
        EXPECT_LE(result.avg_error, settings.avg_error);
        EXPECT_LE(result.max_error, settings.max_error);
        EXPECT_GE(result.iterations, settings.min_iterations);
        const std::vector<Vec<D>> x = world.fluid().position.to_host(), v = velocity.to_host();
        const std::vector<float> p = world.fluid().pressure.to_host();
        Vec<D> middle = Vec<D>::all(0);
        for (const Vec<D>& at : x)
            middle += at * (1.0f / static_cast<float>(x.size()));
        double outwards = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            outwards += dot(v[i], x[i] - middle);
            EXPECT_GE(p[i], 0);
        }
        EXPECT_GT(outwards, 0);
    }
}

TYPED_TEST(IisphTest, StretchedFluidIsNotPulledTogether) {
    constexpr int D = TypeParam::value;
    World<D> world(free_block<D>(8), Device::cpu(2));
    Snapshot s = world.snapshot();
    for (float& x : s.positions)
        x *= 1.05f;
    world.restore(s);
    Iisph<D> iisph(world.device(), {});
    VectorBuffer<D> velocity(world.device(), world.fluid().count);
    velocity.zero();
    iisph.solve(world.device(), world.view(), velocity.view(), k_dt);
    for (const Vec<D>& v : velocity.to_host())
        EXPECT_EQ(norm(v), 0);
}

TYPED_TEST(IisphTest, StopsAtTheMaximumAndSaysSo) {
    constexpr int D = TypeParam::value;
    World<D> world(free_block<D>(8), Device::cpu(2));
    Snapshot s = world.snapshot();
    for (float& x : s.positions)
        x *= 0.9f;
    world.restore(s);
    PressureSettings settings;
    settings.max_iterations = 4;
    Iisph<D> iisph(world.device(), settings);
    VectorBuffer<D> velocity(world.device(), world.fluid().count);
    velocity.zero();
    const PressureResult result = iisph.solve(world.device(), world.view(), velocity.view(), k_dt);
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.iterations, 4);
}

}  // namespace
}  // namespace millrace
