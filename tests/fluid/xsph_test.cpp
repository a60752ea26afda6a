#include "fluid/xsph.hpp"

#include <gtest/gtest.h>

#include "support/dimensions.hpp"
#include "support/motion.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

template <class T>
class XsphTest : public testing::Test {};
TYPED_TEST_SUITE(XsphTest, Dimensions);

TYPED_TEST(XsphTest, IsTheSumOverTheNeighboursOfTheSameFluid) {
    constexpr int D = TypeParam::value;
    const Scene scene = two_blocks<D>(5, 300);
    World<D> world(scene, Device::cpu(2));
    set_random_velocities(world);
    const Particles<D> p = particles(world);
    VectorBuffer<D> velocity = copy_velocities(world), scratch(world.device());
    const XsphStrength strength{{0.5f, 0.2f}};
    smooth_velocities(world.device(), world.view(), strength, scratch, velocity.view());
    const std::vector<Vec<D>> smoothed = velocity.to_host();
    const std::vector<float> volume = world.fluid().volume.to_host();
    const FluidView<D> view = world.view();
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        Vec<D, double> v = p.v[i];
        for (std::size_t j = 0; j < p.x.size(); ++j)
            if (p.fluid[i] == p.fluid[j])
                v += (p.v[j] - p.v[i]) * (strength.alpha[p.fluid[i]] * volume[j] *
                                          view.kernel.w(squared_norm(p.x[i] - p.x[j])) * 2 /
                                          (view.density[i] + view.density[j]));
        ASSERT_LT(norm(v - Vec<D, double>::from(smoothed[i])), 1e-5);
    }
}

TYPED_TEST(XsphTest, ConservesMomentumAndTakesEnergy) {
    constexpr int D = TypeParam::value;
    for (const float alpha : {0.1f, 1.0f}) {
        World<D> world(two_blocks<D>(8, 300), Device::cpu(2));
        set_random_velocities(world);
        const Particles<D> p = particles(world);
        VectorBuffer<D> velocity = copy_velocities(world), scratch(world.device());
        smooth_velocities(world.device(), world.view(), {{alpha, alpha}}, scratch, velocity.view());
        const std::vector<Vec<D>> smoothed = velocity.to_host();
        const Total<D> before = total<D>(p.mass, p.v), after = total<D>(p.mass, smoothed);
        EXPECT_LT(norm(after.sum - before.sum) / before.size, 1e-6);
        double energy = 0, smoothed_energy = 0;
        for (std::size_t i = 0; i < p.v.size(); ++i) {
            energy += p.mass[i] * squared_norm(p.v[i]);
            smoothed_energy += p.mass[i] * squared_norm(smoothed[i]);
        }
        EXPECT_LT(smoothed_energy, energy);
    }
}

// A shear wave of wave number k decays as with a viscosity nu = alpha <r^2> / (2 D dt), where <r^2>
// is the mean over the kernel, 0.63 h^2 in 2D and 0.90 h^2 in 3D.
TYPED_TEST(XsphTest, CalmsAWorld) {
    constexpr int D = TypeParam::value;
    const auto energy_after = [](const Viscosity& viscosity) {
        Scene scene = free_block<D>(10);
        scene.fluids[0].viscosity = viscosity;
        World<D> world(scene, Device::cpu(2));
        set_velocities(world, [](const Vec<D, double>& x) {
            Vec<D, double> v = Vec<D, double>::all(0);
            v[1] = 0.1 * std::sin(6 * x[0]);
            return v;
        });
        double energy = 0;
        for (int k = 0; k < 10; ++k)
            energy = world.step(1e9).kinetic_energy;
        return energy;
    };
    const double free = energy_after({"none"}), calmed = energy_after({"xsph", 0, "slip", 0.5});
    EXPECT_LT(calmed, 0.8 * free);
    EXPECT_GT(calmed, 0.2 * free);
}

}  // namespace
}  // namespace millrace
