#include "fluid/standard_viscosity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/dimensions.hpp"
#include "support/motion.hpp"
#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

template <class T>
class StandardViscosityTest : public testing::Test {};
TYPED_TEST_SUITE(StandardViscosityTest, Dimensions);

template <int D, class Velocity>
World<D> with_velocity(const Scene& scene, const Velocity& velocity) {
    World<D> world(scene, Device::cpu(2));
    Snapshot s = world.snapshot();
    for (std::size_t i = 0; i < s.ids.size(); ++i)
        for (int k = 0; k < D; ++k)
            s.velocities[i * D + k] = velocity(&s.positions[i * D], k);
    world.restore(s);
    return world;
}

// A random pair of directions at right angles: of a wave and of the flow in it.
template <int D>
void random_directions(std::mt19937& random, Vec<D, double>& wave, Vec<D, double>& flow) {
    std::normal_distribution<double> normal;
    for (int k = 0; k < D; ++k) {
        wave[k] = normal(random);
        flow[k] = normal(random);
    }
    wave = wave / norm(wave);
    flow -= wave * dot(wave, flow);
    flow = flow / norm(flow);
}

// A shear wave v = e sin(k . x), e at right angles to k, has the Laplacian -|k|^2 v. On a lattice
// the discrete operator depends on the direction (0.7 along the axes); its mean does not.
TYPED_TEST(StandardViscosityTest, IsNuTimesTheLaplacianOnAverageOverDirections) {
    constexpr int D = TypeParam::value;
    const double nu = 0.3;
    Scene scene = free_block<D>(D == 3 ? 16 : 40);
    scene.fluids[0].fill[0].jitter = 0;
    scene.fluids[0].viscosity.nu = nu;
    const double size = std::get<Box>(scene.fluids[0].fill[0].shape).max[0];
    const double rim = 3 * scene.spacing, wave_number = 0.25 / scene.spacing;
    std::mt19937 random(2);
    World<D> world(scene, Device::cpu(2));
    const Snapshot still = world.snapshot();
    double measured = 0, expected = 0;
    for (int trial = 0; trial < 150; ++trial) {
        Vec<D, double> wave, flow;
        random_directions(random, wave, flow);
        const auto phase = [&](const Vec<D>& x) {
            return wave_number * dot(wave, Vec<D, double>::from(x));
        };
        Snapshot s = still;
        for (std::size_t i = 0; i < s.ids.size(); ++i) {
            Vec<D> x;
            for (int k = 0; k < D; ++k)
                x[k] = s.positions[i * D + k];
            for (int k = 0; k < D; ++k)
                s.velocities[i * D + k] = static_cast<float>(flow[k] * std::sin(phase(x)));
        }
        world.restore(s);
        VectorBuffer<D> acceleration(world.device(), world.fluid().count);
        acceleration.zero();
        add_standard_viscosity(world.device(), world.view(), {}, acceleration.view());
        const std::vector<Vec<D>> a = acceleration.to_host(), x = world.fluid().position.to_host();
        for (std::size_t i = 0; i < a.size(); ++i) {
            bool inside = true;
            for (int k = 0; k < D; ++k)
                inside = inside && x[i][k] > rim && x[i][k] < size - rim;
            if (!inside)
                continue;
            const double exact = -nu * wave_number * wave_number * std::sin(phase(x[i]));
            measured += dot(Vec<D, double>::from(a[i]), flow) * exact;
            expected += exact * exact;
        }
    }
    EXPECT_NEAR(measured / expected, 1, 0.06);
}

TYPED_TEST(StandardViscosityTest, ConservesMomentumAndTakesEnergy) {
    constexpr int D = TypeParam::value;
    Scene scene = free_block<D>(8);
    scene.fluids[0].viscosity.nu = 0.1;
    Fluid heavy = scene.fluids[0];
    heavy.name = "heavy";
    heavy.density = 3000;
    heavy.viscosity.nu = 0.01;
    std::get<Box>(heavy.fill[0].shape).min[0] = 0.8;
    std::get<Box>(heavy.fill[0].shape).max[0] = 1.6;
    scene.fluids.push_back(heavy);
    const World<D> world = with_velocity<D>(scene, [](const float* x, int axis) {
        return std::sin(13 * x[0] + 7 * x[1] + static_cast<float>(axis));
    });
    VectorBuffer<D> acceleration(world.device(), world.fluid().count);
    acceleration.zero();
    add_standard_viscosity(world.device(), world.view(), {}, acceleration.view());
    const std::vector<Vec<D>> a = acceleration.to_host(), v = world.fluid().velocity.to_host();
    const std::vector<float> volume = world.fluid().volume.to_host();
    const std::vector<std::uint8_t> fluid = world.fluid().fluid.to_host();
    Vec<D, double> force = Vec<D, double>::all(0);
    double size = 0, power = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double mass = volume[i] * (fluid[i] ? 3000.0 : 1000.0);
        force += Vec<D, double>::from(a[i]) * mass;
        size += norm(a[i]) * mass;
        power += dot(a[i], v[i]) * mass;
    }
    EXPECT_LT(norm(force) / size, 1e-6);
    EXPECT_LT(relative_torque(particles(world), a), 1e-6);
    EXPECT_LT(power, 0);
}

// Euler steps with the viscous force alone, from random velocities: at the limit every step takes
// energy, at four times the limit energy grows.
TYPED_TEST(StandardViscosityTest, StepLimitIsStableAndNotFarFromTheEdge) {
    constexpr int D = TypeParam::value;
    for (const double support : {2.0, 3.0}) {
        Scene scene = free_block<D>(8);
        scene.support = support;
        scene.fluids[0].fill[0].jitter = 0.1;
        scene.fluids[0].viscosity.nu = 0.7;
        const double limit = longest_viscous_step<D>(0.7, scene.spacing, support);
        for (const double factor : {1.0, 4.0}) {
            World<D> world(scene, Device::cpu(2));
            set_random_velocities(world);
            VectorBuffer<D> velocity = copy_velocities(world);
            FluidView<D> view = world.view();
            view.velocity = velocity.view();
            double earlier = 0, last = 0;
            for (int step = 0; step < 30; ++step) {
                VectorBuffer<D> acceleration(world.device(), view.count);
                acceleration.zero();
                add_standard_viscosity(world.device(), view, {}, acceleration.view());
                std::vector<Vec<D>> v = velocity.to_host();
                const std::vector<Vec<D>> a = acceleration.to_host();
                double energy = 0;
                for (std::size_t i = 0; i < v.size(); ++i) {
                    energy += view.volume[i] * squared_norm(v[i]);
                    v[i] += a[i] * static_cast<float>(factor * limit);
                }
                if (factor == 1.0 && step > 0) {
                    EXPECT_LT(energy, last);
                }
                earlier = step == 20 ? energy : earlier;
                last = energy;
                velocity.assign(v);
            }
            EXPECT_EQ(last > earlier, factor > 1) << "support " << support;
        }
    }
}

TYPED_TEST(StandardViscosityTest, ThickFluidShortensTheStep) {
    constexpr int D = TypeParam::value;
    Scene scene = free_block<D>(6);
    scene.fluids[0].viscosity.nu = 5;
    const double limit = longest_viscous_step<D>(5, scene.spacing, scene.support);
    ASSERT_LT(limit, scene.time_step.max);
    EXPECT_EQ(World<D>(scene, Device::cpu(1)).step(1e9).dt, limit);
    scene.fluids[0].viscosity.method = "implicit";
    EXPECT_EQ(World<D>(scene, Device::cpu(1)).step(1e9).dt, scene.time_step.max);
}

}  // namespace
}  // namespace millrace
