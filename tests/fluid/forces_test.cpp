// Several fluids with methods of their own in one scene.
#include "fluid/forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/dimensions.hpp"
#include "support/motion.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

template <class T>
class FluidForcesTest : public testing::Test {};
TYPED_TEST_SUITE(FluidForcesTest, Dimensions);

/// Two fluids on top of each other in a closed tank, each `cells` wide and half as high.
template <int D>
Scene layers(int cells, double lower_density, double upper_density, double spacing = 0.05) {
    Scene scene = full_tank<D>(cells, spacing);
    scene.boundaries[0].open = {};
    std::get<Box>(scene.boundaries[0].shape).max[1] = cells * spacing;
    Fluid upper = scene.fluids[0];
    scene.fluids[0].name = "lower";
    scene.fluids[0].density = lower_density;
    std::get<Box>(scene.fluids[0].fill[0].shape).max[1] = cells / 2 * spacing;
    upper.name = "upper";
    upper.density = upper_density;
    std::get<Box>(upper.fill[0].shape).min[1] = cells / 2 * spacing;
    scene.fluids.push_back(upper);
    return scene;
}

/// How much higher the upper fluid lies than the lower one, from 1 at the start to -1.
template <int D>
double order(const World<D>& world, double height) {
    const Particles<D> p = particles(world);
    double y[2] = {}, count[2] = {};
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        y[p.fluid[i]] += p.x[i][1];
        count[p.fluid[i]] += 1;
    }
    return (y[1] / count[1] - y[0] / count[0]) / (height / 2);
}

TYPED_TEST(FluidForcesTest, OilStaysOnWater) {
    constexpr int D = TypeParam::value;
    const int cells = D == 3 ? 10 : 20;
    Scene scene = layers<D>(cells, 1000, 800);
    scene.fluids[0].viscosity = {"standard", 1e-3};
    scene.fluids[1].viscosity = {"implicit", 0.02};
    World<D> world(scene, Device::cpu(2));
    while (world.time() < 1)
        world.step(1);
    EXPECT_NEAR(order(world, cells * scene.spacing), 1, 0.03);
    EXPECT_EQ(world.lost_count(), 0u);
}

TYPED_TEST(FluidForcesTest, HeavyOverLightTurnsOver) {
    constexpr int D = TypeParam::value;
    const int cells = D == 3 ? 10 : 20;
    Scene scene = layers<D>(cells, 300, 1000);
    for (Fluid& fluid : scene.fluids)
        fluid.viscosity = {"standard", 1e-3};
    World<D> world(scene, Device::cpu(2));
    set_velocities(world, [&](const Vec<D, double>& x) {
        Vec<D, double> v = Vec<D, double>::all(0);
        v[1] = 0.3 * std::cos(std::numbers::pi * x[0] / (cells * scene.spacing));
        return v;
    });
    while (world.time() < 2)
        world.step(2);
    EXPECT_LT(order(world, cells * scene.spacing), 0);
}

template <int D>
Scene of_every_kind() {
    Scene scene = two_blocks<D>(8, 1400, 0.05);
    Fluid third = scene.fluids[0];
    third.name = "third";
    third.density = 700;
    std::get<Box>(third.fill[0].shape).min[0] = 0.8;
    std::get<Box>(third.fill[0].shape).max[0] = 1.2;
    third.viscosity = {"xsph", 0, "slip", 0.3};
    scene.fluids.push_back(third);
    scene.fluids[0].viscosity = {"standard", 1e-3, "no-slip"};
    scene.fluids[0].surface_tension = {"cohesion", 5};
    scene.fluids[1].viscosity = {"implicit", 0.5, "no-slip"};
    scene.fluids[2].surface_tension = {"cohesion", 2};
    return scene;
}

// In empty space, with every method that promises it, side by side.
TYPED_TEST(FluidForcesTest, FluidsTogetherConserveMomentum) {
    constexpr int D = TypeParam::value;
    World<D> world(of_every_kind<D>(), Device::cpu(2));
    set_random_velocities(world);
    const Particles<D> before = particles(world);
    const Total<D> start = total<D>(before.mass, before.v);
    for (int k = 0; k < 20; ++k)
        world.step(1e9);
    const Particles<D> after = particles(world);
    EXPECT_LT(norm(total<D>(after.mass, after.v).sum - start.sum) / start.size, 2e-6);
}

TYPED_TEST(FluidForcesTest, SameBitsForAnyNumberOfThreadsAndAfterRestore) {
    constexpr int D = TypeParam::value;
    Scene scene = of_every_kind<D>();
    scene.gravity = {0, -9.81, 0};
    scene.fluids[2].surface_tension.method = "color_field";
    Boundary tank;
    tank.name = "tank";
    tank.shape = Box{{0, 0, 0}, {2, 1, D == 3 ? 0.6 : 0.0}};
    tank.inside = true;
    scene.boundaries.push_back(tank);
    const auto run = [&](int threads) {
        World<D> world(scene, Device::cpu(threads));
        for (int k = 0; k < 6; ++k)
            world.step(1e9);
        return world.snapshot();
    };
    const Snapshot one = run(1);
    for (const int threads : {2, 7}) {
        const Snapshot other = run(threads);
        EXPECT_EQ(one.positions, other.positions);
        EXPECT_EQ(one.velocities, other.velocities);
    }
    World<D> straight(scene, Device::cpu(2)), resumed(scene, Device::cpu(2));
    straight.restore(one);
    resumed.restore(one);
    straight.step(1e9);
    resumed.restore(straight.snapshot());
    straight.step(1e9);
    resumed.step(1e9);
    EXPECT_EQ(straight.snapshot().positions, resumed.snapshot().positions);
}

TYPED_TEST(FluidForcesTest, AllocatesNothingOnceWarm) {
    constexpr int D = TypeParam::value;
    World<D> world(of_every_kind<D>(), Device::cpu(2));
    world.step(1e9);
    const std::size_t bytes = world.memory_bytes();
    const SceneSize size = estimate_size(of_every_kind<D>());
    EXPECT_GE(size.bytes, static_cast<double>(bytes));
    for (int k = 0; k < 5; ++k)
        world.step(1e9);
    EXPECT_EQ(world.memory_bytes(), bytes);
}

}  // namespace
}  // namespace millrace
