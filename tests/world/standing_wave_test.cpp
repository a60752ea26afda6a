// The period of a wave against linear theory.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "millrace/simulation.hpp"
#include "support/methods.hpp"
#include "support/scenes.hpp"

namespace millrace {
namespace {

constexpr double k_length = 1, k_depth = 0.5;  // of scenes/standing_wave.json [m]
constexpr double k_wave_number = std::numbers::pi / k_length;

// omega^2 = g k tanh(k h) (Airy)
double exact_period() {
    const double k = k_wave_number;
    return 2 * std::numbers::pi / std::sqrt(9.81 * k * std::tanh(k * k_depth));
}

/// First Fourier mode of the surface, 2 / L integral cos(kx) dx dy over the water [m].
double surface_mode(const Simulation& water) {
    const auto x = water.positions(), volume = water.volumes();
    double sum = 0;
    for (std::size_t i = 0; i < volume.size(); ++i)
        sum += volume[i] * std::cos(k_wave_number * x[2 * i]);
    return 2 / k_length * sum;
}

/// From the first passage of the mode through zero to the fifth: two periods.
double measured_period(const Scene& scene) {
    Simulation water(scene);
    double last_time = 0, last = surface_mode(water), first_passage = 0;
    for (int passages = 0;;) {
        water.step();
        const double now = surface_mode(water);
        if ((now < 0) != (last < 0)) {
            const double passage = last_time + (water.time() - last_time) * last / (last - now);
            if (++passages == 1)
                first_passage = passage;
            if (passages == 5)
                return (passage - first_passage) / 2;
        }
        if (water.time() > 3 * exact_period())
            return 0;
        last = now;
        last_time = water.time();
    }
}

void expect_period(const Scene& scene) {
    const double ratio = measured_period(scene) / exact_period();
    std::printf("period / exact %.4f, %g particles over the depth\n", ratio,
                k_depth / scene.spacing);
    EXPECT_NEAR(ratio, 1, 0.03);
}

class WavePhysics : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, WavePhysics, testing::ValuesIn(all_methods()), method_label);

TEST_P(WavePhysics, StandingWaveHasThePeriodOfLinearTheory) {
    Scene scene = example_scene("standing_wave", {"spacing=0.025"});
    scene.pressure = GetParam().pressure;
    expect_period(scene);
}

TEST(Physics, FineStandingWaveHasThePeriodOfLinearTheory) {
    for (const char* method : {"pressure.method=iisph", "pressure.method=dfsph"})
        expect_period(example_scene("standing_wave", {method}));
}

}  // namespace
}  // namespace millrace
