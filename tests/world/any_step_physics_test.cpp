// Whatever the lengths of the steps, water does the same: still water rests, a dam break loses its
// energy, bodies float and sink.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "millrace/simulation.hpp"
#include "support/scenes.hpp"
#include "support/step_sequences.hpp"

namespace millrace {
namespace {

using Kind = StepSequence::Kind;

constexpr double k_g = 9.81;

/// What a run came to.
struct Course {
    double highest_gain = 0;  ///< of the whole energy over that of the start [J]
    double loss = 0;          ///< of energy at the end [J]
    double kinetic = 0;       ///< largest of the fluid in the second half [J]
    double speed = 0;         ///< largest of a particle in the second half [m/s]
    double density = 0;       ///< mean of the second half, relative
    double compression = 0;   ///< mean of the second half
    double body_height = 0;   ///< mean of the last quarter [m]
    int retakes = 0;
    std::int64_t steps = 0;
};

/// Kinetic and potential energy of the bodies, which are cubes.
double body_energy(const Scene& scene, const Simulation& simulation) {
    double energy = 0;
    const std::vector<BodyView> bodies = simulation.bodies();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const double edge = std::get<BodyBox>(scene.bodies[b].shape).size[0];
        const double mass = scene.bodies[b].density * edge * edge * edge;
        const auto squared = [](const Vector& v) {
            return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        };
        energy += mass * (k_g * bodies[b].position[1] + 0.5 * squared(bodies[b].velocity) +
                          edge * edge / 12 * squared(bodies[b].angular_velocity));
    }
    return energy;
}

/// Random, alternating and geometric sequences of steps from 1e-6 s to 5 ms; "even": as long as
/// allowed; "short": a quarter of a millisecond always.
StepSequence steps_of(const std::string& kind) {
    for (const Kind any : {Kind::random, Kind::alternating, Kind::geometric})
        if (name_of(any) == kind)
            return StepSequence(any, 1e-6, 0.005);
    return StepSequence(Kind::even, 1e-6, kind == "short" ? 2.5e-4 : 1);
}

Course run(const Scene& scene, const std::string& kind, double end) {
    Simulation simulation(scene, {"cpu", 1});
    StepSequence steps = steps_of(kind);
    Course course;
    const auto x = simulation.positions();
    double start = body_energy(scene, simulation);
    for (std::size_t i = 0; i < simulation.fluid_count(); ++i)
        start += 1000 * simulation.volumes()[i] * k_g * x[i * scene.dimension + 1];
    double half = 0, quarter = 0;
    while (simulation.time() < end) {
        const StepReport report = simulation.step(std::min(end, simulation.time() + steps.next()));
        const double energy =
            report.kinetic_energy + report.potential_energy + body_energy(scene, simulation);
        course.highest_gain = std::max(course.highest_gain, energy - start);
        course.loss = start - energy;
        course.retakes += report.retakes;
        ++course.steps;
        if (report.time > end / 2) {
            course.kinetic = std::max(course.kinetic, report.kinetic_energy);
            course.speed = std::max(course.speed, report.max_speed);
            course.density += report.dt * report.avg_density / 1000;
            course.compression += report.dt * report.compression;
            half += report.dt;
        }
        if (report.time > 0.75 * end && !scene.bodies.empty()) {
            course.body_height += report.dt * simulation.bodies()[0].position[1];
            quarter += report.dt;
        }
    }
    course.density /= half;
    course.compression /= half;
    if (quarter > 0)
        course.body_height /= quarter;
    return course;
}

struct Case {
    std::string method;
    int dimension;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.method << "_" << c.dimension << "d";
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
    return info.param.method + "_" + std::to_string(info.param.dimension) + "d";
}

/// A tank with water in a part of it, `wide` and `high` particles.
Scene water(const Case& c, int wide, int high, double tank_width) {
    Scene scene = c.dimension == 3 ? full_tank<3>(1, 0.025) : full_tank<2>(1, 0.025);
    const double h = scene.spacing, depth = c.dimension == 3 ? 6 * h : 0;
    std::get<Box>(scene.fluids[0].fill[0].shape).max = {wide * h, high * h, depth};
    std::get<Box>(scene.boundaries[0].shape).max = {tank_width * h, 2.5 * high * h, depth};
    scene.fluids[0].fill[0].jitter = 0.01;  // by the seed
    scene.pressure.method = c.method;
    return scene;
}

double weight_times_height(const Scene& scene) {
    const Box& box = std::get<Box>(scene.fluids[0].fill[0].shape);
    const double area = (box.max[0] - box.min[0]) * (scene.dimension == 3 ? box.max[2] : 1);
    return 1000 * k_g * area * box.max[1] * box.max[1];
}

void print(const char* what, const Case& c, const std::string& kind, const Course& course,
           double scale) {
    std::printf(
        "%-8s %-6s %dD %-11s %5lld steps: gain %8.1e, loss %8.1e of m g h, %.3f m/s, "
        "density %.4f, compression %.1e\n",
        what, c.method.c_str(), c.dimension, kind.c_str(), static_cast<long long>(course.steps),
        course.highest_gain / scale, course.loss / scale, course.speed, course.density,
        course.compression);
}

class SphAnyStepPhysics : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Methods, SphAnyStepPhysics,
                         testing::Values(Case{"wcsph", 2}, Case{"wcsph", 3}, Case{"pcisph", 2},
                                         Case{"pcisph", 3}, Case{"iisph", 2}, Case{"iisph", 3},
                                         Case{"dfsph", 2}, Case{"dfsph", 3}),
                         case_name);
class SphAnyStepBodiesPhysics : public SphAnyStepPhysics {};
INSTANTIATE_TEST_SUITE_P(Methods, SphAnyStepBodiesPhysics,
                         testing::Values(Case{"wcsph", 3}, Case{"pcisph", 3}, Case{"iisph", 3},
                                         Case{"dfsph", 3}),
                         case_name);

constexpr double k_most_gain = 0.002;  // of m g h; the solvers leave errors of 0.001
const char* const k_kinds[] = {"random", "alternating", "geometric", "short"};

TEST_P(SphAnyStepPhysics, StillWaterStaysAsStillAsWithEvenSteps) {
    const Case c = GetParam();
    const Scene scene = c.dimension == 3 ? water(c, 6, 14, 6) : water(c, 16, 24, 16);
    const double end = 0.3, scale = weight_times_height(scene);
    const Course even = run(scene, "even", end);
    print("still", c, "even", even, scale);
    for (const std::string kind : k_kinds) {
        const Course course = run(scene, kind, end);
        print("still", c, kind, course, scale);
        EXPECT_LT(course.highest_gain, k_most_gain * scale) << kind;
        EXPECT_LT(course.kinetic, 1.5 * 1.5 * even.kinetic) << kind;
        EXPECT_LT(course.speed, 1.5 * even.speed) << kind;
        EXPECT_NEAR(course.density, even.density, 0.005) << kind;
        EXPECT_LT(course.compression, 1.5 * even.compression) << kind;
        EXPECT_EQ(course.retakes, 0) << kind;
    }
}

TEST_P(SphAnyStepPhysics, DamBreakLosesItsEnergy) {
    const Case c = GetParam();
    const Scene scene = c.dimension == 3 ? water(c, 8, 10, 24) : water(c, 16, 20, 48);
    const double end = 0.6, scale = weight_times_height(scene);
    const Course even = run(scene, "even", end);
    print("dam", c, "even", even, scale);
    for (const std::string kind : k_kinds) {
        const Course course = run(scene, kind, end);
        print("dam", c, kind, course, scale);
        EXPECT_LT(course.highest_gain, k_most_gain * scale) << kind;
        EXPECT_GT(course.loss, 0.5 * even.loss) << kind;
        EXPECT_LT(course.speed, 1.5 * even.speed) << kind;
        EXPECT_EQ(course.retakes, 0) << kind;
    }
}

TEST_P(SphAnyStepBodiesPhysics, CubesFloatAndSink) {
    const Case c = GetParam();
    for (const double density : {400.0, 2500.0}) {
        Scene scene = water(c, 8, 8, 8);
        std::get<Box>(scene.fluids[0].fill[0].shape).max[2] =
            std::get<Box>(scene.boundaries[0].shape).max[2] = 8 * scene.spacing;
        Body cube;
        cube.name = "cube";
        cube.shape = BodyBox{{0.08, 0.08, 0.08}};
        cube.density = density;
        cube.position = {0.1 + 0.002 * seeded_offset(0), 0.26, 0.1 + 0.002 * seeded_offset(1)};
        scene.bodies.push_back(cube);
        const double end = 0.6, scale = weight_times_height(scene);
        const Course even = run(scene, "even", end);
        print("cube", c, "even", even, scale);
        for (const std::string kind : k_kinds) {
            const Course course = run(scene, kind, end);
            print("cube", c, kind, course, scale);
            EXPECT_LT(course.highest_gain, k_most_gain * scale) << kind << " " << density;
            EXPECT_NEAR(course.body_height, even.body_height, scene.spacing)
                << kind << " " << density;
            EXPECT_EQ(course.retakes, 0) << kind << " " << density;
        }
    }
}

}  // namespace
}  // namespace millrace
