#include "diffuse/potentials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/kernels/foam.hpp"
#include "support/fluid_block.hpp"

namespace millrace {
namespace {

constexpr float k_h = 0.1f;
constexpr double k_volume = double(k_h) * k_h * k_h;
const Device k_device = Device::cpu(2);

Vec3 at_rest(const Vec3&) {
    return Vec3::all(0);
}

/// K by its formula.
double kernel(double r) {
    const double support = 2 * k_h;
    return r < support ? 3 / (std::numbers::pi * support * support * support) * (1 - r / support)
                       : 0;
}

/// Values by the original number of the particle.
std::vector<PotentialValues> values_of(const FluidBlock& block, double least_kinetic = 0) {
    const SortedFluid fluid(k_device, block.frame(0), k_h);
    const auto sorted = potential_values(k_device, fluid, k_h, least_kinetic);
    std::vector<PotentialValues> values(block.count());
    for (std::uint32_t i = 0; i < sorted.size(); ++i)
        values[fluid.original(i)] = sorted[i];
    return values;
}

/// v^diff of Eq. 5.13 in double, times h^3.
double trapped_directly(const FluidBlock& block, std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < block.count(); ++j) {
        const Vec3d x = Vec3d::from(block.position(i) - block.position(j));
        const Vec3d v = Vec3d::from(block.velocity(i) - block.velocity(j));
        if (j != i && norm(v) > 0)
            sum += norm(v) * (1 - dot(v, x) / (norm(v) * norm(x))) * kernel(norm(x));
    }
    return sum * k_volume;
}

FluidBlock ball(double radius, const Vec3& velocity) {
    FluidBlock block;
    const int n = static_cast<int>(radius / k_h) + 1;
    for (int z = -n; z <= n; ++z)
        for (int y = -n; y <= n; ++y)
            for (int x = -n; x <= n; ++x) {
                // off the lattice's symmetry, so that no pair is level
                const Vec3 place = Vec3{{x + 0.123f, y + 0.317f, z + 0.211f}} * k_h;
                if (norm(place) <= radius)
                    block.add(place, velocity);
            }
    return block;
}

TEST(DiffusePotentials, AreClampedBetweenTheThresholds) {
    EXPECT_DOUBLE_EQ(clamped(0.5, 1, 3), 0);
    EXPECT_DOUBLE_EQ(clamped(1, 1, 3), 0);
    EXPECT_DOUBLE_EQ(clamped(1.5, 1, 3), 0.25);
    EXPECT_DOUBLE_EQ(clamped(3, 1, 3), 1);
    EXPECT_DOUBLE_EQ(clamped(7, 1, 3), 1);
    EXPECT_DOUBLE_EQ(clamped(7, 0, 0), 0);
    const Potentials potentials = potentials_of({0.55f, 2, 0.05f}, {1, 1, 1});
    EXPECT_NEAR(potentials.crest, 0.5, 1e-6);
    EXPECT_DOUBLE_EQ(potentials.trapped, 1);
    EXPECT_DOUBLE_EQ(potentials.kinetic, 0);
}

TEST(Potentials, BelowHalfAMetreASecondNothingArises) {
    const auto kinetic = [](double speed, double tau_max) {
        const PotentialValues values{0, 0, static_cast<float>(0.5 * speed * speed)};
        return potentials_of(values, {1, 1, tau_max}).kinetic;
    };
    EXPECT_EQ(kinetic(0.49, 0.5), 0);
    EXPECT_NEAR(kinetic(0.75, 0.5), (0.28125 - 0.125) / (0.5 - 0.125), 1e-6);
    EXPECT_EQ(kinetic(1, 0.5), 1);
    EXPECT_EQ(kinetic(1.4, 10), 0);  // a tenth of tau_max is more
    EXPECT_GT(kinetic(1.5, 10), 0);
}

TEST(DiffusePotentials, TheirKernelIntegratesToOne) {
    const Foam<3> k(2 * k_h);
    double integral = 0;
    constexpr int k_steps = 2000;
    for (int i = 0; i < k_steps; ++i) {
        const double width = 2 * k_h / k_steps, r = (i + 0.5) * width;
        EXPECT_NEAR(k.w(r * r), kernel(r), 1e-4 * kernel(0));
        integral += 4 * std::numbers::pi * r * r * k.w(r * r) * width;
    }
    EXPECT_NEAR(integral, 1, 1e-5);
}

TEST(DiffusePotentials, APlaneHasItsNormalAndNoCurvature) {
    FluidBlock block;
    block.add_lattice(Vec3::all(0), {{14, 10, 14}}, k_h, at_rest);
    const SortedFluid fluid(k_device, block.frame(0), k_h);
    const std::vector<Vec3> normals = unit_normals(k_device, fluid, k_h);
    const std::vector<float> curvatures = convex_curvatures(k_device, fluid, normals, k_h);
    int top = 0, inside = 0;
    for (std::uint32_t i = 0; i < fluid.count(); ++i) {
        const Vec3 x = fluid.positions().get(i);
        // farther from the edges than two supports
        if (std::abs(x[0] - 0.7f) > 0.25f || std::abs(x[2] - 0.7f) > 0.25f)
            continue;
        if (x[1] > 0.9f) {
            ++top;
            EXPECT_NEAR(normals[i][1], 1, 1e-5);
            EXPECT_NEAR(curvatures[i], 0, 1e-5);
        } else if (std::abs(x[1] - 0.5f) < 0.2f) {
            ++inside;
            EXPECT_EQ(norm(normals[i]), 0);
        }
    }
    EXPECT_GT(top, 10);
    EXPECT_GT(inside, 10);
}

/// With exact normals: against the sum in double, and falling as 1/R^2.
TEST(DiffusePotentials, ASphereHasItsCurvature) {
    double mean[2] = {0, 0};
    for (int size = 0; size < 2; ++size) {
        const double radius = (size ? 20 : 10) * k_h;
        const FluidBlock block = ball(radius, Vec3::all(0));
        const SortedFluid fluid(k_device, block.frame(0), k_h);
        std::vector<Vec3> normals(fluid.count(), Vec3::all(0));
        std::vector<std::uint32_t> shell;
        for (std::uint32_t i = 0; i < fluid.count(); ++i) {
            const Vec3 x = fluid.positions().get(i);
            if (norm(x) < radius - k_h)
                continue;
            normals[i] = normalized(x);
            shell.push_back(i);
        }
        const std::vector<float> curvatures = convex_curvatures(k_device, fluid, normals, k_h);
        for (const std::uint32_t i : shell) {
            mean[size] += curvatures[i] / double(shell.size());
            if (i % 7)
                continue;
            double sum = 0;
            for (const std::uint32_t j : shell) {
                const Vec3d x =
                    Vec3d::from(fluid.positions().get(i)) - Vec3d::from(fluid.positions().get(j));
                const Vec3d n = Vec3d::from(normals[i]);
                if (dot(x, n) > 0)
                    sum += (1 - dot(n, Vec3d::from(normals[j]))) * kernel(norm(x)) * k_volume;
            }
            EXPECT_NEAR(curvatures[i], sum, 2e-4 * sum + 1e-6);
        }
    }
    // the middle of the shell is half a spacing below the surface
    EXPECT_NEAR(mean[0] / mean[1], std::pow(19.5 / 9.5, 2), 0.4);
}

TEST(DiffusePotentials, ACrestMovesAlongItsNormal) {
    const FluidBlock block = ball(4 * k_h, {{0, 2, 0}});
    const std::vector<PotentialValues> values = values_of(block);
    double top = 0;
    for (std::size_t i = 0; i < block.count(); ++i) {
        const Vec3 x = block.position(i);
        if (x[1] > 3 * k_h)
            top += values[i].crest;
        if (x[1] < 0.3f * norm(x)) {  // the normals of a lattice differ a little from the ball's
            EXPECT_EQ(values[i].crest, 0) << x[0] << " " << x[1] << " " << x[2];
        }
        EXPECT_FLOAT_EQ(values[i].kinetic, 2);
        EXPECT_EQ(values[i].trapped, 0);
    }
    EXPECT_GT(top, 0.1);
}

/// 1 - v-hat . x-hat is 2 for a pair that approaches and 0 for one that parts.
TEST(DiffusePotentials, APairTrapsAirOnlyWhileItApproaches) {
    for (const float speed : {-3.0f, 3.0f}) {
        FluidBlock block;
        block.add(Vec3::all(0), {{-speed / 2, 0, 0}});
        block.add({{k_h, 0, 0}}, {{speed / 2, 0, 0}});
        const double expected = speed < 0 ? 2 * 3 * kernel(k_h) * k_volume : 0;
        for (const PotentialValues& value : values_of(block))
            EXPECT_NEAR(value.trapped, expected, 1e-5);
    }
}

TEST(DiffusePotentials, BlocksThatCollideTrapAir) {
    const auto trapped = [](float speed, const Vec3& drift) {
        FluidBlock block;
        block.add_lattice(Vec3::all(0), {{12, 6, 6}}, k_h, [&](const Vec3& x) {
            return drift + Vec3{{x[0] < 0.6f ? speed : -speed, 0, 0}};
        });
        const std::vector<PotentialValues> values = values_of(block);
        for (std::size_t i = 0; i < block.count(); i += 5)
            EXPECT_NEAR(values[i].trapped, trapped_directly(block, i), 1e-4);
        double sum = 0;
        for (const PotentialValues& value : values)
            sum += value.trapped;
        return sum;
    };
    const double colliding = trapped(1, Vec3::all(0));
    EXPECT_GT(colliding, 10);
    EXPECT_LT(trapped(-1, Vec3::all(0)), 0.15 * colliding);
    EXPECT_NEAR(trapped(1, {{8, -4, 2}}), colliding, 1e-3 * colliding);  // seen from a train
    EXPECT_EQ(trapped(0, {{8, -4, 2}}), 0);
}

TEST(DiffusePotentials, SlowWaterIsSkipped) {
    FluidBlock block;
    block.add_lattice(Vec3::all(0), {{4, 4, 4}}, k_h, [](const Vec3& x) {
        return Vec3{{x[0] < 0.2f ? 1.0f : -0.5f, 0, 0}};
    });
    const std::vector<PotentialValues> all = values_of(block), fast = values_of(block, 0.3);
    for (std::size_t i = 0; i < block.count(); ++i) {
        EXPECT_EQ(fast[i].kinetic, all[i].kinetic);
        EXPECT_EQ(fast[i].trapped, all[i].kinetic < 0.3 ? 0 : all[i].trapped);
    }
}

}  // namespace
}  // namespace millrace
