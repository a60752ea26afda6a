#include <gtest/gtest.h>

#include "support/step_sequences.hpp"
#include "world/constraint_world.hpp"

// Fluid and bodies in one solve (S2), in steps of any length.
namespace millrace {
namespace {

using Kind = StepSequence::Kind;

constexpr double k_g = 9.81, k_frame = 1.0 / 120;

Scene tank(int dimension, const Vector& size, const Vector& water) {
    Scene scene = default_scene("constraints");
    scene.seed = test_seed();
    scene.dimension = dimension;
    scene.spacing = 0.05;
    scene.gravity = {0, -k_g, 0};
    Fluid fluid;
    fluid.viscosity.nu = 1e-4;
    Fill fill;
    fill.shape = Box{{0, 0, 0}, water};
    fluid.fill.push_back(fill);
    scene.fluids = {fluid};
    Boundary walls;
    walls.name = "tank";
    walls.shape = Box{{0, 0, 0}, size};
    walls.inside = true;
    walls.open = {"+y"};
    scene.boundaries = {walls};
    scene.time_step.mode = "fixed";
    scene.time_step.dt = k_frame;
    if (dimension == 2) {
        std::get<Box>(scene.boundaries[0].shape).max[2] = 0;
        std::get<Box>(scene.fluids[0].fill[0].shape).max[2] = 0;
    }
    return scene;
}

Body box(const std::string& name, double side, const Vector& position, double density,
         int dimension) {
    Body body;
    body.name = name;
    body.shape = BodyBox{{side, side, dimension == 2 ? 0 : side}};
    body.position = position;
    if (dimension == 2)
        body.position[2] = 0;
    body.density = density;
    return body;
}

class AnyStepConstraintPhysics : public ::testing::TestWithParam<std::tuple<int, Kind>> {
  protected:
    static int dimension() { return std::get<0>(GetParam()); }
    static StepSequence steps() { return StepSequence(std::get<1>(GetParam()), 1e-6, k_frame); }

    /// Calls work(world) with the world of a scene.
    template <class Work>
    static void with(const Scene& scene, const Work& work) {
        if (dimension() == 2) {
            ConstraintWorld<2> world(scene, 1);
            work(world);
        } else {
            ConstraintWorld<3> world(scene, 1);
            work(world);
        }
    }
    /// Calls look(report) after every step.
    template <class World, class Look>
    static void run(World& world, StepSequence steps, double time, const Look& look) {
        steps.run(time, [&](double dt) { look(world.step(world.time() + dt)); });
    }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, AnyStepConstraintPhysics,
                         ::testing::Combine(::testing::Values(2, 3),
                                            ::testing::Values(Kind::random, Kind::alternating,
                                                              Kind::geometric)),
                         [](const auto& info) {
                             return std::to_string(std::get<0>(info.param)) + "D_" +
                                    name_of(std::get<1>(info.param));
                         });

/// Of bodies that are cubes, or squares in 2D.
template <class World>
double energy_of_bodies(const World& world, const Scene& scene) {
    double sum = 0;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const BodyView body = world.bodies()[b];
        const double side = std::get<BodyBox>(scene.bodies[b].shape).size[0];
        const double mass = scene.bodies[b].density * std::pow(side, scene.dimension);
        double v2 = 0, w2 = 0;
        for (int k = 0; k < 3; ++k) {
            v2 += body.velocity[k] * body.velocity[k];
            w2 += body.angular_velocity[k] * body.angular_velocity[k];
        }
        sum += mass * (k_g * body.position[1] + 0.5 * v2 + side * side / 12 * w2);
    }
    return sum;
}

struct Rest {
    double speed = 0, rms = 0, compression = 0;
};

TEST_P(AnyStepConstraintPhysics, StillWaterStaysStill) {
    const Scene scene = tank(dimension(), {dimension() == 2 ? 1.0 : 0.4, 2, 0.4},
                             {dimension() == 2 ? 1.0 : 0.4, 0.5, 0.4});
    const auto watch = [&](StepSequence steps) {
        Rest rest;
        with(scene, [&](auto& world) {
            run(world, StepSequence(Kind::even, k_frame, k_frame), 1.5, [](const StepReport&) {});
            const double mass = 1000 * std::pow(scene.spacing, dimension());
            double all = 0;
            run(world, steps, 1, [&](const StepReport& report) {
                rest.speed = std::max(rest.speed, report.max_speed);
                rest.rms += report.dt * 2 * report.kinetic_energy /
                            (mass * static_cast<double>(report.fluid_particles));
                rest.compression += report.dt * report.compression;
                all += report.dt;
            });
            rest.rms = std::sqrt(rest.rms / all);
            rest.compression /= all;
        });
        return rest;
    };
    const Rest even = watch(StepSequence(Kind::even, k_frame, k_frame)), any = watch(steps());
    RecordProperty("even_speed", std::to_string(even.speed));
    RecordProperty("speed", std::to_string(any.speed));
    RecordProperty("even_rms", std::to_string(even.rms));
    RecordProperty("rms", std::to_string(any.rms));
    RecordProperty("even_compression", std::to_string(even.compression));
    RecordProperty("compression", std::to_string(any.compression));
    // floors as of the pool's test
    const double scale = std::sqrt(k_g * scene.spacing);
    EXPECT_LT(any.rms, 1.5 * even.rms + 0.02 * scale);
    EXPECT_LT(any.speed, 1.5 * even.speed + 0.4 * scale);
    EXPECT_LT(any.compression, 1.5 * even.compression + 0.0005);
}

/// A column falls apart and hits a pile of light boxes and a heavy one. What its compression at the
/// start holds, 4/3 of it, and 0.001 for places and velocities half a step apart, may be added.
TEST_P(AnyStepConstraintPhysics, ADamBreakAmongBoxesGainsNoEnergy) {
    Scene scene = tank(dimension(), {1.6, 3, 0.4}, {0.5, 0.6, 0.4});
    const double shift = 0.02 * double(seeded_offset(3));
    scene.bodies = {box("below", 0.2, {1.1 + shift, 0.1001, 0.2}, 400, dimension()),
                    box("above", 0.2, {1.1 + shift, 0.3003, 0.2}, 400, dimension()),
                    box("heavy", 0.2, {0.8 + shift, 0.1001, 0.2}, 2500, dimension())};
    with(scene, [&](auto& world) {
        double start = 0, held = 0, most = -1;
        bool first = true;
        run(world, steps(), 1, [&](const StepReport& report) {
            const double energy =
                report.kinetic_energy + report.potential_energy + energy_of_bodies(world, scene);
            if (first) {  // after 1 us, or one even step: before anything moves
                start = energy;
                held = 4.0 / 3 * report.compression;
            }
            first = false;
            most = std::max(most, energy / start - 1);
        });
        RecordProperty("rise", std::to_string(most));
        RecordProperty("may_rise", std::to_string(held + 0.001));
        EXPECT_LT(most, held + 0.001);
        for (const BodyView& body : world.bodies()) {
            EXPECT_GT(body.position[1], 0.05) << body.name;
            EXPECT_GT(body.position[0], 0.05) << body.name;
            EXPECT_LT(body.position[0], 1.55) << body.name;
        }
    });
}

/// Four cubes on hinges, let go while the chain points sideways: no higher than it began, by 1 % of
/// what it falls in all.
TEST_P(AnyStepConstraintPhysics, ASwingingChainGainsNoEnergy) {
    Scene scene = tank(dimension(), {0.4, 4, 0.4}, {0.4, 0.1, 0.4});
    std::get<Box>(scene.boundaries[0].shape).min[0] = -2;
    std::get<Box>(scene.boundaries[0].shape).max[0] = 2;
    std::get<Box>(scene.fluids[0].fill[0].shape).min[0] = -0.2;
    double mass = 0;
    for (int k = 0; k < 4; ++k) {
        const std::string name = "link " + std::to_string(k);
        const double x = 0.15 + 0.3 * k;
        scene.bodies.push_back(box(name, 0.2, {x, 2, 0.2}, 500, dimension()));
        mass += 500 * std::pow(0.2, dimension());
        Joint hinge;
        hinge.name = "hinge " + std::to_string(k);
        hinge.type = "hinge";
        hinge.bodies = {name, k > 0 ? "link " + std::to_string(k - 1) : "world"};
        hinge.anchor = {x - 0.15, 2, dimension() == 2 ? 0 : 0.2};
        scene.joints.push_back(hinge);
    }
    with(scene, [&](auto& world) {
        const double start = energy_of_bodies(world, scene), falls = mass * k_g * 0.6;
        double most = -1, lowest = 2;
        run(world, steps(), 1.5, [&](const StepReport&) {
            most = std::max(most, (energy_of_bodies(world, scene) - start) / falls);
            lowest = std::min(lowest, world.bodies()[3].position[1]);
        });
        RecordProperty("rise", std::to_string(most));
        RecordProperty("end", std::to_string(lowest));
        RecordProperty("gain", std::to_string(world.joint_error(1)));
        EXPECT_LT(most, 0.01);
        EXPECT_LT(lowest, 1.2);
        EXPECT_LT(world.joint_error(1), 0.01);
    });
}

}  // namespace
}  // namespace millrace
