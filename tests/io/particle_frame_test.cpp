#include "io/particle_frame.hpp"

#include <gtest/gtest.h>

#include "io/run_identity.hpp"
#include "support/small_run.hpp"

namespace millrace {
namespace {

const std::vector<std::string> k_two_fluids{
    R"(fluids=[{"name": "a", "fill": [{"box": {"min": [0, 0], "max": [0.2, 0.2]}}]},
               {"name": "b", "fill": [{"box": {"min": [0.2, 0], "max": [0.4, 0.2]}}]}])"};

TEST(ParticleFrame, HoldsWhatTheOutputAsksFor) {
    const Scene scene = test::small_scene();
    const Simulation simulation(scene, {"cpu", 1});
    const ParticleFrame frame = particle_frame(scene, 42, simulation);
    EXPECT_EQ(frame.count(), simulation.fluid_count());
    EXPECT_EQ(frame.dimension, 2);
    EXPECT_EQ(frame.numbers.at(k_run_identity), 42);
    EXPECT_NE(frame.find("pressure"), nullptr);
    EXPECT_EQ(frame.find("fluid"), nullptr);
    for (std::size_t i = 0; i < frame.count(); ++i) {
        EXPECT_EQ(frame.positions[3 * i], simulation.positions()[2 * i]);
        EXPECT_EQ(frame.positions[3 * i + 1], simulation.positions()[2 * i + 1]);
        EXPECT_EQ(frame.positions[3 * i + 2], 0);
    }
    EXPECT_NE(particle_frame(test::small_scene(k_two_fluids), 0,
                             Simulation(test::small_scene(k_two_fluids), {"cpu", 1}))
                  .find("fluid"),
              nullptr);
}

TEST(ParticleFrame, ItsMemoryIsCounted) {
    for (const Scene& scene : {test::small_scene(), test::small_scene(k_two_fluids),
                               test::small_scene({"output.fields=[\"velocity\"]"})}) {
        const ParticleFrame frame = particle_frame(scene, 0, Simulation(scene, {"cpu", 1}));
        double bytes = static_cast<double>(frame.positions.size() * sizeof(float));
        for (const Field& field : frame.fields)
            bytes += static_cast<double>(field.size() * sizeof(float));
        const double n = static_cast<double>(frame.count());
        EXPECT_EQ(frame_memory(scene, n), k_most_frames * bytes + 64 * n);
    }
    EXPECT_EQ(frame_memory(test::small_scene({"output.particles=[]"}), 1000), 0);
}

}  // namespace
}  // namespace millrace
