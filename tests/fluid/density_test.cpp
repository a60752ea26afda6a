#include "fluid/density.hpp"

#include <gtest/gtest.h>

#include "support/dimensions.hpp"
#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

template <class T>
class DensityTest : public testing::Test {};
TYPED_TEST_SUITE(DensityTest, Dimensions);

// Against the sum over all pairs, walls included (S1 Eq. 4.7).
TYPED_TEST(DensityTest, IsTheSumOverFluidAndWalls) {
    constexpr int D = TypeParam::value;
    const Scene scene = full_tank<D>(8);
    const World<D> world(scene, Device::cpu(2));
    const CubicSpline<D> kernel(static_cast<float>(scene.spacing * scene.support));
    const std::vector<Vec<D>> x = world.fluid().position.to_host(),
                              walls = world.walls().host_positions();
    const std::vector<float> volume = world.fluid().volume.to_host(),
                             wall_volume = world.walls().host_volumes(),
                             density = world.host_densities();
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < x.size(); ++j)
            sum += double(volume[j]) * kernel.w(double(squared_norm(x[i] - x[j])));
        for (std::size_t k = 0; k < walls.size(); ++k)
            sum += double(wall_volume[k]) * kernel.w(double(squared_norm(x[i] - walls[k])));
        ASSERT_NEAR(density[i] / 1000, sum, 1e-5);
    }
}

// S1 3.1: masses are chosen so that every particle starts at rest density, at walls and surfaces.
TYPED_TEST(DensityTest, StartsAtRestDensityEverywhere) {
    constexpr int D = TypeParam::value;
    for (const Scene& scene : {full_tank<D>(10), free_block<D>(10)}) {
        const World<D> world(scene, Device::cpu(2));
        for (const float rho : world.host_densities())
            EXPECT_NEAR(rho, 1000, 0.5);
    }
}

// Two fluids side by side: neither sees the other's mass, both are at rest.
TYPED_TEST(DensityTest, DoesNotMixFluidsOfDifferentDensity) {
    constexpr int D = TypeParam::value;
    Scene scene = free_block<D>(10);
    Fluid oil = scene.fluids[0];
    oil.name = "oil";
    oil.density = 100;
    const double size = std::get<Box>(oil.fill[0].shape).max[0];
    std::get<Box>(oil.fill[0].shape).min[0] = size;
    std::get<Box>(oil.fill[0].shape).max[0] = 2 * size;
    scene.fluids.push_back(oil);
    const World<D> world(scene, Device::cpu(2));
    const std::vector<float> density = world.host_densities();
    const std::vector<std::uint8_t> fluid = world.fluid().fluid.to_host();
    for (std::size_t i = 0; i < density.size(); ++i)
        EXPECT_NEAR(density[i] / (fluid[i] == 0 ? 1000 : 100), 1, 5e-4);
}

}  // namespace
}  // namespace millrace
