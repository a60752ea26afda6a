#include "fluid/rotation_fit.hpp"

#include <gtest/gtest.h>

#include "support/dimensions.hpp"
#include "support/motion.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

template <class T>
class RotationFitTest : public testing::Test {};
TYPED_TEST_SUITE(RotationFitTest, Dimensions);

/// An angular velocity without a special direction.
template <int D>
Spin<D, double> some_spin() {
    Spin<D, double> omega;
    for (int k = 0; k < k_spin_size<D>; ++k)
        omega[k] = 1.5 - k;
    return omega;
}

// At surfaces, edges and in the midst of it, whatever the places of the neighbours.
TYPED_TEST(RotationFitTest, IsExactForASolid) {
    constexpr int D = TypeParam::value;
    Scene scene = free_block<D>(8);
    scene.fluids[0].fill[0].jitter = 0.1;
    World<D> world(scene, Device::cpu(1));
    const Spin<D, double> omega = some_spin<D>();
    set_velocities(world, [&](const Vec<D, double>& x) {
        return spin_velocity(omega, x) + Vec<D, double>::all(0.5);
    });
    const FluidView<D> view = world.view();
    int lonely = 0;
    for (std::uint32_t i = 0; i < view.count; ++i) {
        const RotationFit<D> fit = fit_rotation(view, i);
        lonely += fit.is_lonely();
        if (!fit.is_lonely()) {
            ASSERT_LT(norm(Spin<D, double>::from(fit.normalized(fit.sum)) - omega * 2.0), 1e-3);
        }
    }
    EXPECT_LE(lonely, D == 3 ? 8 : 0);  // corners
}

// Within the fluid M is about 2: the curl of any flow is about the sum itself.
TYPED_TEST(RotationFitTest, MeasuresShear) {
    constexpr int D = TypeParam::value;
    World<D> world(free_block<D>(10), Device::cpu(1));
    set_velocities(world, [&](const Vec<D, double>& x) {
        Vec<D, double> v = Vec<D, double>::all(0);
        v[0] = 2 * x[1];
        return v;
    });
    const FluidView<D> view = world.view();
    int within = 0;
    for (std::uint32_t i = 0; i < view.count; ++i) {
        bool deep = true;
        for (int k = 0; k < D; ++k)
            deep = deep && view.position.get(i)[k] > 0.25f && view.position.get(i)[k] < 0.75f;
        if (!deep)
            continue;
        ++within;
        const RotationFit<D> fit = fit_rotation(view, i);
        const Spin<D> curl = fit.normalized(fit.sum);
        EXPECT_NEAR(curl[k_spin_size<D> - 1], -2, 0.1);
        EXPECT_NEAR(norm(curl), 2, 0.1);
    }
    EXPECT_GT(within, 10);
}

TYPED_TEST(RotationFitTest, KnowsAParticleThatIsAlone) {
    constexpr int D = TypeParam::value;
    World<D> world(free_block<D>(1), Device::cpu(1));
    EXPECT_TRUE(fit_rotation(world.view(), 0).is_lonely());
}

}  // namespace
}  // namespace millrace
