#include "world/read_particles.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

/// Two fluids in a tank; `method` and dimension choose the world: World, PoolWorld or
/// ConstraintWorld.
Scene two_fluids(int dimension, const std::string& engine) {
    const double z = dimension == 3 ? 0.5 : 0;
    Scene scene = default_scene(engine);
    scene.dimension = dimension;
    scene.spacing = 0.1;
    scene.fluids.resize(2);
    for (int f = 0; f < 2; ++f) {
        Fill fill;
        fill.shape = Box{{0.5 * f, 0, 0}, {0.5 * f + 0.5, 0.5, z}};
        scene.fluids[f].name = f == 0 ? "left" : "right";
        scene.fluids[f].fill = {fill};
        scene.fluids[f].velocity = {1.0 + f, 0, 0};
    }
    return scene;
}

class ReadParticles : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, ReadParticles, testing::Values(2, 3));

TEST_P(ReadParticles, AreThoseOfTheSnapshotWithThreeComponents) {
    const int d = GetParam();
    for (const char* engine : {"sph", "constraints"}) {
        Simulation simulation(two_fluids(d, engine), {"cpu", 2});
        for (int step = 0; step < 3; ++step) {
            const ParticleArrays arrays = simulation.read_particles();
            const Snapshot state = simulation.snapshot();
            const std::size_t n = simulation.fluid_count();
            ASSERT_EQ(arrays.positions.size(), 3 * n);
            ASSERT_EQ(arrays.velocities.size(), 3 * n);
            for (std::size_t i = 0; i < n; ++i)
                for (int k = 0; k < 3; ++k) {
                    ASSERT_EQ(arrays.positions[3 * i + k], k < d ? state.positions[d * i + k] : 0);
                    ASSERT_EQ(arrays.velocities[3 * i + k],
                              k < d ? state.velocities[d * i + k] : 0);
                }
            EXPECT_EQ(arrays.pressures, state.pressures);
            EXPECT_EQ(arrays.ids, state.ids);
            EXPECT_EQ(arrays.fluids, state.fluids);
            EXPECT_TRUE(std::ranges::equal(simulation.positions(), state.positions));
            EXPECT_TRUE(std::ranges::equal(simulation.velocities(), state.velocities));
            EXPECT_TRUE(std::ranges::equal(simulation.volumes(), state.volumes));
            EXPECT_TRUE(std::ranges::equal(simulation.densities(), arrays.densities));
            EXPECT_EQ(simulation.emitted_counts(), state.emitted);
            EXPECT_TRUE(simulation.read_particles(false).pressures.empty());
            simulation.step();
        }
    }
}

// A span is that of the moment, and the same one until the next step.
TEST_P(ReadParticles, ArraysAreReadOnceAStep) {
    Simulation simulation(two_fluids(GetParam(), "sph"), {"cpu", 1});
    const float* first = simulation.positions().data();
    const std::vector<float> before(simulation.positions().begin(), simulation.positions().end());
    simulation.velocities();
    EXPECT_EQ(simulation.positions().data(), first);
    const Snapshot start = simulation.snapshot();
    simulation.step();
    EXPECT_FALSE(std::ranges::equal(simulation.positions(), before));
    simulation.restore(start);
    EXPECT_EQ(simulation.ids().size(), start.ids.size());
    EXPECT_TRUE(std::ranges::equal(simulation.positions(), simulation.snapshot().positions));
}

}  // namespace
}  // namespace millrace
