#include "timestep/cfl.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace millrace {
namespace {

TEST(TimeStep, FollowsTheFastestParticle) {
    TimeStep settings;
    EXPECT_DOUBLE_EQ(allowed_time_step(settings, 0.02, {8, 0, 0}), 0.4 * 0.02 / 8);
    EXPECT_DOUBLE_EQ(allowed_time_step(settings, 0.02, {}), settings.max);
    EXPECT_DOUBLE_EQ(allowed_time_step(settings, 0.02, {1e9, 0, 0}), settings.min);
}

TEST(TimeStep, FollowsTheStrongestForce) {
    TimeStep settings;
    EXPECT_DOUBLE_EQ(allowed_time_step(settings, 0.02, {0, 0, 500}), 0.25 * std::sqrt(0.02 / 500));
    // a particle that falls from rest for such a step goes 1/32 of a spacing
    const double dt = allowed_time_step(settings, 1e-4, {0, 0, 9.81});
    EXPECT_NEAR(9.81 * dt * dt / 2, 1e-4 / 32, 1e-12);
}

TEST(TimeStep, IsShorterInDeepFineWater) {
    TimeStep settings;
    const double pressure_speed = 7;  // of 5 m of water
    EXPECT_DOUBLE_EQ(allowed_time_step(settings, 0.005, {0, pressure_speed, 0}), 0.7 * 0.005 / 7);
    EXPECT_DOUBLE_EQ(allowed_time_step(settings, 0.5, {0, pressure_speed, 0}), settings.max);
}

TEST(TimeStep, StaysFixed) {
    TimeStep settings;
    settings.mode = "fixed";
    settings.dt = 0.003;
    EXPECT_DOUBLE_EQ(allowed_time_step(settings, 0.02, {100, 100, 100}), 0.003);
}

TEST(TimeStep, EndsExactlyWithoutATinyStep) {
    EXPECT_DOUBLE_EQ(fit_time_step(0.01, 0.1), 0.01);
    EXPECT_DOUBLE_EQ(fit_time_step(0.01, 0.011), 0.0055);
    EXPECT_DOUBLE_EQ(fit_time_step(0.01, 0.01), 0.01);
    EXPECT_DOUBLE_EQ(fit_time_step(0.01, 0.004), 0.004);
}

}  // namespace
}  // namespace millrace
