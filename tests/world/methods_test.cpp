// What every pressure method keeps to the last bits: momentum, free fall, and the same run twice.
#include <gtest/gtest.h>

#include "support/methods.hpp"
#include "support/motion.hpp"
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
Total<D> momentum(const World<D>& world) {
    const Particles<D> p = particles(world);
    return total(p.mass, p.v);
}

template <int D>
Vec<D, double> centre(const World<D>& world) {
    const Particles<D> p = particles(world);
    double mass = 0;
    for (const double m : p.mass)
        mass += m;
    return total(p.mass, p.x).sum / mass;
}

// A lump of fluid that is stirred at random, without gravity and walls.
template <int D>
void expect_momentum_is_conserved(const Scene& scene) {
    World<D> world(scene, Device::cpu(2));
    set_random_velocities(world);
    const Total<D> before = momentum(world);
    for (int k = 0; k < 30; ++k)
        world.step(1e9);
    EXPECT_LT(norm(momentum(world).sum - before.sum), 1e-6 * before.size);
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
    const Vec<D, double> start = centre(world);
    const double end = 0.4;
    // Semi-implicit Euler is ahead of the parabola by a sum of dt^2 g / 2. Leapfrog, with
    // velocities between the steps, is so by the first step only, whose velocity was that of its
    // start.
    const bool leaps = scene.pressure.method == "wcsph";
    double ahead = 0, first = 0;
    while (world.time() < end) {
        const StepReport r = world.step(end);
        first = first > 0 ? first : r.dt;
        ahead += leaps ? r.dt * first / 2 : r.dt * r.dt / 2;
    }
    const Vec<D, double> way = centre(world) - start;
    EXPECT_NEAR(way[0], end + 0.5 * (end * end / 2 + ahead), 1e-5);
    EXPECT_NEAR(way[1], 2 * end - 9.81 * (end * end / 2 + ahead), 1e-5);
}

TEST_P(EveryMethod, FallsFreelyAsAPointMass) {
    expect_free_fall<2>(with_method(free_block<2>(8, 0.05)));
    expect_free_fall<3>(with_method(free_block<3>(6, 0.05)));
}

// Large enough for every parallel branch.
template <int D>
Scene small_dam() {
    Scene scene = full_tank<D>(D == 3 ? 17 : 70, 0.03);
    std::get<Box>(scene.boundaries[0].shape).max[0] *= 2;
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
