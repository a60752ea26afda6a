#include "analysis/s2_water.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/s2_convergence.hpp"
#include "analysis/s2_flush.hpp"
#include "analysis/s2_pillar.hpp"
#include "analysis/s2_stability.hpp"

namespace millrace {
namespace {

using Verdict = Claim::Verdict;

TEST(S2Water, PillarHasTheParticlesOfS2) {
    const Scene scene = s2_pillar_scene(k_s2_base, k_s2_depth);
    validate_scene(scene);
    EXPECT_NEAR(std::pow(scene.spacing, 3) * k_s2_density, k_s2_mass, 1e-12);
    EXPECT_NEAR(estimate_size(scene).fluid_particles, 10000, 200);
    EXPECT_NEAR(scene.support * scene.spacing, k_s2_support, 1e-12);
}

TEST(S2Water, DamBreaksRunInBothDimensions) {
    for (const int dimension : {2, 3}) {
        Simulation simulation(dam_break(dimension, 6, 0.1), {"cpu", 1});
        EXPECT_EQ(simulation.fluid_count(), dimension == 2 ? 36u : 108u);
        EXPECT_GT(simulation.step().kinetic_energy, 0);
    }
}

TEST(S2Water, StateOfALatticeIsThatOfItsLayers) {
    constexpr double k_spacing = 0.1, k_base = 0.6;
    std::vector<float> positions, velocities, densities;
    for (int x = 0; x < 6; ++x)
        for (int y = 0; y < 8; ++y)
            for (int z = 0; z < 6; ++z) {
                for (const int k : {x, y, z})
                    positions.push_back(static_cast<float>((k + 0.5) * k_spacing));
                for (const float v : {3.0f, 0.0f, 4.0f})
                    velocities.push_back(v);
                densities.push_back(y < 2 ? 2000.0f : 990.0f);
            }
    const WaterState state = water_state(positions, velocities, densities, k_base, k_spacing, 0.2);
    EXPECT_NEAR(state.level, 0.8, 1e-6);
    EXPECT_NEAR(state.surface, 0.8, 1e-6);
    EXPECT_NEAR(state.inside_error, 0.01, 1e-6);  // what is near the floor is left out
    EXPECT_NEAR(state.rms_speed, 5, 1e-6);
}

TEST(S2Water, ProfileHasTheMeansOfTheLayers) {
    DepthProfile profile(0.5);
    const std::vector<float> positions = {0, 1, 0, 0, 0.9f, 0, 0, -0.2f, 0};
    profile.add(positions, std::vector<float>{1000, 1100, 1300}, 1.1);
    EXPECT_EQ(profile.depths(), (std::vector<double>{0.25, 0.75, 1.25}));
    EXPECT_EQ(profile.means()[0], 1050);
    EXPECT_TRUE(std::isnan(profile.means()[1]));
    EXPECT_EQ(profile.means()[2], 1300);
}

TEST(S2Water, ParticlesAtARateAreInterpolated) {
    EXPECT_DOUBLE_EQ(particles_at({100, 200, 400}, {10, 20, 60}, 40), 300);
    EXPECT_DOUBLE_EQ(particles_at({100}, {10}, 5), 50);
    EXPECT_DOUBLE_EQ(particles_at({100, 200}, {10, 20}, 100), 1000);  // beyond: in proportion
    EXPECT_TRUE(std::isnan(particles_at({}, {}, 100)));
}

TEST(S2Flush, ClaimsAskForTheNumbersAtTenHertz) {
    const auto claims = flush_claims({{20000, 60000}, {40, 110}}, {{50000}, {60}});
    EXPECT_EQ(claims.at(0).verdict, Verdict::holds);
    EXPECT_EQ(claims[0].figures, "54286");
    EXPECT_EQ(claims.at(1).verdict, Verdict::does_not_hold);
    EXPECT_EQ(claims[1].figures, "83333, in proportion to the last figure");
    EXPECT_EQ(flush_claims({}, {}).at(0).verdict, Verdict::not_measured);
}

TEST(S2Pillar, ClaimsAreThoseOfTheirCases) {
    S2PillarResult s2{k_pillar_s2, 1e4, 1180}, field{k_pillar_field, 1e4, 1040},
        warm{k_pillar_warm, 1e4, 995}, sph{k_pillar_sph, std::nan(""), std::nan("")};
    const auto claims = s2_pillar_claims({s2, field, warm, sph});
    const auto verdict = [&](const std::string& text) {
        for (const Claim& claim : claims)
            if (claim.text.find(text) != std::string::npos)
                return claim.verdict;
        ADD_FAILURE() << text;
        return Verdict::not_measured;
    };
    EXPECT_EQ(verdict("1170"), Verdict::holds);
    EXPECT_EQ(verdict("with pair damping"), Verdict::does_not_hold);
    EXPECT_EQ(verdict("warm start"), Verdict::holds);
    EXPECT_EQ(verdict("standard SPH"), Verdict::not_measured);  // it blew up
    EXPECT_EQ(verdict("50 iterations"), Verdict::not_measured);
}

TEST(S2Convergence, SweepsAreCountedToAPartOfTheFirstResidual) {
    EXPECT_EQ(sweeps_to({2, 1, 0.5, 0.1}, 0.25), 2);
    EXPECT_EQ(sweeps_to({2, 1}, 0.1), -1);
    std::vector<double> fast, slow;
    for (int k = 0; k <= 200; ++k) {
        fast.push_back(std::pow(0.9, k));
        slow.push_back(std::pow(0.99, k));
    }
    const auto claims = convergence_claims({{k_convergence_s2, slow}, {k_convergence_own, fast}});
    EXPECT_EQ(claims.at(0).verdict, Verdict::does_not_hold);
    EXPECT_EQ(claims.at(1).verdict, Verdict::holds);
    EXPECT_EQ(convergence_claims({}).at(0).verdict, Verdict::not_measured);
}

TEST(S2Stability, EnergyWallsAndFailuresDecide) {
    StabilityCase good;
    good.energy_gain = -0.01;
    StabilityCase gained = good, leaked = good, failed = good;
    gained.energy_gain = 0.1;
    leaked.outside = 1;
    failed.blew_up = true;
    EXPECT_TRUE(good.stable());
    for (const StabilityCase& c : {gained, leaked, failed})
        EXPECT_FALSE(c.stable());
    EXPECT_EQ(stability_claims({good}).at(0).verdict, Verdict::holds);
    EXPECT_EQ(stability_claims({good, leaked}).at(0).figures, "1 of 2 are stable");
    EXPECT_EQ(stability_claims({good}).at(1).verdict, Verdict::not_measured);
}

}  // namespace
}  // namespace millrace
