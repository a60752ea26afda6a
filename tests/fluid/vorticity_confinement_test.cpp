#include "fluid/vorticity_confinement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/dimensions.hpp"
#include "support/motion.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

template <class T>
class ConfinementTest : public testing::Test {};
TYPED_TEST_SUITE(ConfinementTest, Dimensions);

/// A whirl about the middle of a block, v = Omega r exp(-r^2 / R^2), in 3D about z.
template <int D>
Vec<D, double> whirl(const Vec<D, double>& x, double middle, double radius) {
    const double dx = x[0] - middle, dy = x[1] - middle;
    const double speed = 2 * std::exp(-(dx * dx + dy * dy) / (radius * radius));
    Vec<D, double> v = Vec<D, double>::all(0);
    v[0] = -dy * speed;
    v[1] = dx * speed;
    return v;
}

template <int D>
std::vector<Vec<D>> accelerations(const World<D>& world, float strength) {
    VectorBuffer<k_spin_size<D>> curl(world.device(), world.fluid_count());
    VectorBuffer<D> acceleration(world.device(), world.fluid_count());
    Buffer<float> size(world.device());
    size.resize(world.fluid_count());
    acceleration.zero();
    add_vorticity_confinement(world.device(), world.view(), Confinement{{strength}}, curl.view(),
                              size.data(), acceleration.view());
    return acceleration.to_host();
}

// The force lies along the flow of a whirl, with the size epsilon |c|, and less where the vorticity
// is even.
TYPED_TEST(ConfinementTest, DrivesAWhirl) {
    constexpr int D = TypeParam::value;
    const int cells = D == 3 ? 14 : 24;
    const double middle = cells * 0.05, radius = 0.4;
    World<D> world(free_block<D>(cells), Device::cpu(2));
    set_velocities(world, [&](const Vec<D, double>& x) { return whirl<D>(x, middle, radius); });
    const auto a = accelerations(world, 0.3f);
    const Particles<D> p = particles(world);
    double power = 0, across = 0, along = 0;
    int count = 0;
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        const double r = std::hypot(p.x[i][0] - middle, p.x[i][1] - middle);
        if (r < 0.15 || r > 0.3 || (D == 3 && std::abs(p.x[i][D - 1] - middle) > 0.4))
            continue;
        ++count;
        const double q = r / radius, c = 4 * (1 - q * q) * std::exp(-q * q);
        const Vec<D, double> way = p.v[i] / norm(p.v[i]), acc = Vec<D, double>::from(a[i]);
        along += dot(acc, way) / (0.3 * c);
        across += norm(acc - way * dot(acc, way)) / (0.3 * c);
        power += dot(acc, p.v[i]);
    }
    ASSERT_GT(count, 20);
    EXPECT_GT(power, 0);
    // N is of length |eta| / (|eta| + 0.1 |c| / h) < 1
    EXPECT_GT(along / count, 0.5);
    EXPECT_LT(along / count, 1.0);
    EXPECT_LT(across / count, 0.2);
}

TYPED_TEST(ConfinementTest, LeavesASolidAlone) {
    constexpr int D = TypeParam::value;
    World<D> world(free_block<D>(8), Device::cpu(2));
    set_velocities(world, [&](const Vec<D, double>& x) {
        Vec<D, double> v = Vec<D, double>::all(0);
        v[0] = -2 * x[1];
        v[1] = 2 * x[0];
        return v;
    });
    int pushed = 0;
    for (const Vec<D>& a : accelerations(world, 0.3f))
        pushed += norm(a) > 0.05f * 0.3f * 4;
    EXPECT_LE(pushed, D == 3 ? 64 : 0);  // next to corners, where particles have no curl
}

TYPED_TEST(ConfinementTest, AWhirlInATankLastsLonger) {
    constexpr int D = TypeParam::value;
    const auto energy_after = [](double strength) {
        const int cells = D == 3 ? 10 : 20;
        Scene scene = full_tank<D>(cells, 1.0 / cells);
        scene.gravity = {0, 0, 0};
        std::get<Box>(scene.boundaries[0].shape).max[1] = 1;
        scene.boundaries[0].open = {};
        scene.fluids[0].viscosity = {"standard", 0.002};
        if (strength > 0) {
            scene.fluids[0].vorticity.method = "confinement";
            scene.fluids[0].vorticity.strength = strength;
        }
        World<D> world(scene, Device::cpu(2));
        set_velocities(world, [](const Vec<D, double>& x) { return whirl<D>(x, 0.5, 0.25); });
        double energy = 0;
        while (world.time() < 0.5)
            energy = world.step(0.5).kinetic_energy;
        return energy;
    };
    EXPECT_GT(energy_after(0.02), 1.05 * energy_after(0));
}

}  // namespace
}  // namespace millrace
