// Fluid that sticks to walls, against the start-up of plane Poiseuille flow.
#include <gtest/gtest.h>

#include "fluid/standard_viscosity.hpp"
#include "fluid/wall_grip.hpp"
#include "support/dimensions.hpp"
#include "support/motion.hpp"
#include "support/plug.hpp"

namespace millrace {
namespace {

template <class T>
class PoiseuilleTest : public testing::Test {};
TYPED_TEST_SUITE(PoiseuilleTest, Dimensions);

// With a support of 3 spacings: layers that slide over each other feel 0.95 nu in 2D and 0.97 nu in
// 3D there, and 0.75 nu with a support of 2 (docs/methods/viscosity.md).
TYPED_TEST(PoiseuilleTest, StartsUpAndSettlesBetweenPlates) {
    constexpr int D = TypeParam::value;
    for (const char* method : {"standard", "implicit"}) {
        Scene scene = plug<D>(method, D == 3 ? 0.1 : 0.05, D == 3 ? 3 : 4, 0.6);
        scene.support = 3;
        World<D> world(scene, Device::cpu(2));
        for (const double t : {0.03, 0.1, 0.3, 0.6}) {
            while (world.time() < t)
                world.step(t);
            EXPECT_LT(profile_error(world, scene, t), 0.05) << method << " at " << t;
        }
    }
}

TYPED_TEST(PoiseuilleTest, SlippingFluidFallsFreely) {
    constexpr int D = TypeParam::value;
    Scene scene = plug<D>("implicit", 0.1, 1, 0.6);
    scene.fluids[0].viscosity.walls = "slip";
    World<D> world(scene, Device::cpu(2));
    while (world.time() < 0.2)
        world.step(0.2);
    const Particles<D> p = particles(world);
    double mass = 0;
    for (const double m : p.mass)
        mass += m;
    EXPECT_NEAR(total<D>(p.mass, p.v).sum[1] / mass, -0.2, 1e-6);
}

// Fluid on a wall that is sheared at the rate gamma: the pull of the wall on all layers together is
// mu gamma per area, on average over sideways shifts.
TYPED_TEST(PoiseuilleTest, WallsPullWithTheShearStress) {
    constexpr int D = TypeParam::value;
    constexpr int k_shifts = 8;
    for (const double support : {1.5, 2.0, 2.5, 3.0}) {
        double force = 0;
        for (int shift = 0; shift < k_shifts; ++shift) {
            Scene scene = plug<D>("standard", 0.1, 1.2, 1.2);
            scene.support = support;
            Fill& fill = scene.fluids[0].fill[0];
            std::get<Box>(fill.shape).max[0] = 0.4;  // touches one plate only
            fill.jitter = 0;
            const double way[2] = {0.1 / k_shifts * shift, 0.1 / k_shifts * (3 * shift % k_shifts)};
            for (int k = 1; k < D; ++k) {
                std::get<Box>(fill.shape).min[k] += way[k - 1];
                std::get<Box>(fill.shape).max[k] += way[k - 1];
            }
            World<D> world(scene, Device::cpu(2));
            set_velocities(world, [](const Vec<D, double>& x) {
                Vec<D, double> v = Vec<D, double>::all(0);
                v[1] = x[0];
                return v;
            });
            VectorBuffer<D> slipping(world.device(), world.fluid().count),
                sticking(world.device(), world.fluid().count);
            slipping.zero();
            sticking.zero();
            WallFriction<D> walls;
            add_standard_viscosity(world.device(), world.view(), walls, slipping.view());
            walls.grip[0] = static_cast<float>(wall_grip<D>(support));
            add_standard_viscosity(world.device(), world.view(), walls, sticking.view());
            const std::vector<Vec<D>> with = sticking.to_host(), without = slipping.to_host();
            const Particles<D> p = particles(world);
            for (std::size_t i = 0; i < with.size(); ++i) {
                bool inside = true;  // the outermost particles have other volumes
                for (int k = 1; k < D; ++k)
                    inside = inside && std::abs(p.x[i][k] - way[k - 1] - 0.6) < 0.2;
                if (inside)
                    force += 1000 * 1e-3 * (D == 3 ? 1 : 10) * (without[i][1] - with[i][1]);
            }
        }
        const double area = D == 3 ? 0.16 : 0.4;
        EXPECT_NEAR(force / (k_shifts * area * 1000), 1, 0.02) << "support " << support;
    }
}

}  // namespace
}  // namespace millrace
