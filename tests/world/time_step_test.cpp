// The Metropolis search of the step on water at rest, with given costs: the same on every machine.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/scenes.hpp"
#include "timestep/performance_model.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

constexpr double k_constant = 0.004, k_iteration = 0.001;

Scene column(const std::vector<std::string>& settings) {
    std::vector<std::string> all = {"spacing=0.0625", "pressure.linear_solver=jacobi",
                                    "pressure.max_iterations=1000"};
    all.insert(all.end(), settings.begin(), settings.end());
    return example_scene("resting_column", all);
}

Scene searching(double acceptance) {
    Scene scene = column({"time_step={\"mode\": \"metropolis\"}"});
    scene.time_step.max = 0.05;
    scene.time_step.acceptance = acceptance;
    scene.time_step.cost_constant = k_constant;
    scene.time_step.cost_iteration = k_iteration;
    return scene;
}

/// Simulated seconds per second of computing, by the given costs, from one time to another.
double performance(const Scene& scene, double from, double until) {
    World<3> world(scene, Device::cpu());
    StepSums sums;
    while (world.time() < until) {
        const StepReport report = world.step(until);
        if (report.time > from)
            sums.add(report);
    }
    return PerformanceModel(k_constant, k_iteration).performance(sums);
}

TEST(Physics, MetropolisIsAlmostAsFastAsTheBestFixedStep) {
    double best = 0, best_dt = 0;
    for (double dt = 1.6e-3; dt < 9e-3; dt *= 1.35) {
        Scene scene = column({});
        scene.time_step = {};
        scene.time_step.mode = "fixed";
        scene.time_step.dt = dt;
        const double speed = performance(scene, 1, 3);
        if (speed > best) {
            best = speed;
            best_dt = dt;
        }
    }
    EXPECT_GT(best_dt, 1.7e-3);  // the maximum lies within
    EXPECT_LT(best_dt, 6e-3);
    for (const double acceptance : {0.234, 0.0}) {
        const double speed = performance(searching(acceptance), 1, 5);
        std::printf("acceptance %g: %.3f of the best fixed step's speed\n", acceptance,
                    speed / best);
        EXPECT_GT(speed, 0.9 * best) << acceptance << ", best fixed step " << best_dt;
    }
}

}  // namespace
}  // namespace millrace
