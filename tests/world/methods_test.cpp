// What every pressure method keeps to the last bits: momentum, free fall, and the same run twice.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/methods.hpp"
#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

class EveryMethod : public testing::TestWithParam<Method> {
  protected:
    /// The scene with the method of this test.
    Scene with_method(Scene scene) const {
        scene.pressure = GetParam().pressure;
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(all_methods()), method_label);

template <int D>
struct Motion {
    Vec<D, double> centre = Vec<D, double>::all(0);
    Vec<D, double> momentum = Vec<D, double>::all(0);
    double momentum_size = 0;  ///< sum of |m v|
};

template <int D>
Motion<D> motion(const World<D>& world) {
    const std::vector<Vec<D>> x = world.fluid().position.to_host();
    const std::vector<Vec<D>> v = world.fluid().velocity.to_host();
    const std::vector<float> volume = world.fluid().volume.to_host();
    Motion<D> sum;
    double all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double mass = 1000.0 * volume[i];
        all += mass;
        sum.centre += Vec<D, double>::from(x[i]) * mass;
        sum.momentum += Vec<D, double>::from(v[i]) * mass;
        sum.momentum_size += mass * norm(v[i]);
    }
    sum.centre = sum.centre * (1 / all);
    return sum;
}

// A lump of fluid that is stirred at random, without gravity and walls.
template <int D>
void expect_momentum_is_conserved(const Scene& scene) {
    World<D> world(scene, Device::cpu(2));
    Snapshot s = world.snapshot();
    std::mt19937 random(4);
    for (float& v : s.velocities)
        v = static_cast<float>(random()) * 0x1p-32f - 0.4f;
    world.restore(s);
    const Motion<D> before = motion(world);
    for (int k = 0; k < 30; ++k)
        world.step(1e9);
    EXPECT_LT(norm(motion(world).momentum - before.momentum), 1e-6 * before.momentum_size);
}

TEST_P(EveryMethod, ConservesMomentum) {
    expect_momentum_is_conserved<2>(with_method(free_block<2>(24, 0.02)));
    expect_momentum_is_conserved<3>(with_method(free_block<3>(10, 0.02)));
}

template <int D>
void expect_free_fall(Scene scene) {
    scene.gravity = {0.5, -9.81, 0};
    scene.fluids[0].velocity = {1, 2, 0};
    World<D> world(scene, Device::cpu(2));
    const Motion<D> start = motion(world);
    const double end = 0.4;
    double euler = 0;  // semi-implicit Euler is ahead of the parabola by a sum of dt^2 g / 2
    while (world.time() < end) {
        const StepReport r = world.step(end);
        euler += r.dt * r.dt / 2;
    }
    const Motion<D> last = motion(world);
    const Vec<D, double> way = last.centre - start.centre;
    EXPECT_NEAR(way[0], end + 0.5 * (end * end / 2 + euler), 1e-5);
    EXPECT_NEAR(way[1], 2 * end - 9.81 * (end * end / 2 + euler), 1e-5);
}

TEST_P(EveryMethod, FallsFreelyAsAPointMass) {
    expect_free_fall<2>(with_method(free_block<2>(8, 0.05)));
    expect_free_fall<3>(with_method(free_block<3>(6, 0.05)));
}

// Large enough for every parallel branch.
template <int D>
Scene small_dam() {
    Scene scene = full_tank<D>(D == 3 ? 17 : 70, 0.03);
    scene.boundaries[0].box.max[0] *= 2;
    return scene;
}

template <int D>
Snapshot after_steps(const Scene& scene, int threads, int steps) {
    World<D> world(scene, Device::cpu(threads));
    for (int k = 0; k < steps; ++k)
        world.step(1e9);
    return world.snapshot();
}

void expect_same_bits(const Snapshot& a, const Snapshot& b) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.ids, b.ids);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_EQ(a.pressures, b.pressures);
    EXPECT_EQ(a.divergence_pressures, b.divergence_pressures);
}

template <int D>
void expect_same_bits_for_any_threads(const Scene& scene) {
    const Snapshot one = after_steps<D>(scene, 1, 5);
    expect_same_bits(one, after_steps<D>(scene, 2, 5));
    expect_same_bits(one, after_steps<D>(scene, 7, 5));
}

TEST_P(EveryMethod, SameBitsForAnyNumberOfThreads) {
    expect_same_bits_for_any_threads<2>(with_method(small_dam<2>()));
    expect_same_bits_for_any_threads<3>(with_method(small_dam<3>()));
}

template <int D>
void expect_same_bits_resumed(const Scene& scene) {
    World<D> straight(scene, Device::cpu(2)), resumed(scene, Device::cpu(1));
    for (int k = 0; k < 4; ++k)
        straight.step(1e9);
    resumed.restore(straight.snapshot());
    for (int k = 0; k < 4; ++k) {
        straight.step(1e9);
        resumed.step(1e9);
    }
    expect_same_bits(straight.snapshot(), resumed.snapshot());
}

TEST_P(EveryMethod, ResumedRunHasTheSameBits) {
    expect_same_bits_resumed<2>(with_method(small_dam<2>()));
    expect_same_bits_resumed<3>(with_method(small_dam<3>()));
}

}  // namespace
}  // namespace millrace
