#include "timestep/time_step_controller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr double k_spacing = 0.02;
constexpr int k_iterations = 100;  // that the solver may take

StepReport report_of(double dt, int iterations = 5) {
    StepReport report;
    report.dt = dt;
    report.iterations = iterations;
    report.ms.total = 10 + iterations;
    report.ms.pressure = iterations;
    return report;
}

TEST(TimeStepController, GrowsSlowlyAndShrinksAtOnce) {
    TimeStepController controller({}, k_spacing, 1, k_iterations);
    const Motion slow{1, 0, 0}, fast{8, 0, 0};
    EXPECT_EQ(controller.next(slow), 0.005);  // no ramp at the start
    EXPECT_DOUBLE_EQ(controller.next(fast), 0.001);
    double last = 0.001;
    for (int k = 0; k < 16; ++k) {
        const double dt = controller.next(slow);
        EXPECT_DOUBLE_EQ(dt, 1.1 * last);
        controller.observe(report_of(dt / 7));  // cut short for a frame
        last = dt;
    }
    controller.next(slow);
    EXPECT_EQ(controller.next(slow), 0.005);
}

TEST(TimeStepController, StepsBecomeShorterUntilTheSolverGetsAlong) {
    TimeStepController controller({}, k_spacing, 1, k_iterations);
    const auto solved = [&](double dt) {  // a solver that needs the more, the longer the step
        StepReport report = report_of(dt, std::min(100, static_cast<int>(dt / 2e-5)));
        report.converged = report.iterations < 100;
        return report;
    };
    int failed = 0;
    double dt = 0;
    for (int k = 0; k < 200; ++k) {
        dt = controller.next({});
        const StepReport report = solved(dt);
        controller.observe(report);
        failed += !report.converged;
    }
    EXPECT_LT(failed, 6);
    EXPECT_GT(dt, 0.0011);
    EXPECT_LT(dt, 0.002);
    // it is never given up, and when the trouble is over, the steps are whole again
    for (int k = 0; k < 200; ++k) {
        StepReport report = report_of(controller.next({}), 100);
        report.converged = false;
        controller.observe(report);
    }
    EXPECT_NEAR(controller.next({}), 0.005 / 16, 1e-12);
    for (int k = 0; k < 200; ++k)
        controller.observe(report_of(controller.next({}), 5));
    EXPECT_EQ(controller.next({}), 0.005);
}

TEST(TimeStepController, FixedStepsAreFixed) {
    TimeStep settings;
    settings.mode = "fixed";
    settings.dt = 0.1;
    TimeStepController controller(settings, k_spacing, 1, k_iterations);
    for (const double speed : {0.0, 1e6, 0.0})
        EXPECT_EQ(controller.next({speed, 0, 0}), 0.1);
}

TimeStep metropolis() {
    TimeStep settings;
    settings.mode = "metropolis";
    settings.cost_constant = 0.01;
    settings.cost_iteration = 0.002;
    return settings;
}

int iterations_of(double dt) {
    return 3 + static_cast<int>(dt * dt * 3e6);
}

TEST(TimeStepController, MetropolisKeepsTheLimitsAndTheGrowth) {
    TimeStepController controller(metropolis(), k_spacing, 1, k_iterations);
    double last = 0;
    for (int k = 0; k < 3000; ++k) {
        const Motion motion{5 + 4 * std::sin(0.05 * k), 0, 0};
        const double dt = controller.next(motion);
        ASSERT_LE(dt, allowed_time_step(metropolis(), k_spacing, motion));
        if (last > 0) {
            ASSERT_LE(dt, last * 1.1 * (1 + 1e-12));
        }
        controller.observe(report_of(dt, iterations_of(dt)));
        last = dt;
    }
}

TEST(TimeStepController, GoesOnFromItsStateAtAnyStep) {
    const Motion motion{1, 0, 0};
    for (const bool measured : {false, true}) {
        TimeStep settings = metropolis();
        if (measured)
            settings.cost_constant = settings.cost_iteration = 0;
        TimeStepController straight(settings, k_spacing, 3, k_iterations);
        for (int k = 0; k < 60; ++k) {
            TimeStepController resumed(settings, k_spacing, 3, k_iterations);
            resumed.restore(straight.state());
            TimeStepController copy = straight;
            for (int n = 0; n < 40; ++n) {
                const double dt = copy.next(motion);
                ASSERT_EQ(resumed.next(motion), dt);
                copy.observe(report_of(dt, iterations_of(dt)));
                resumed.observe(report_of(dt, iterations_of(dt)));
            }
            const double dt = straight.next(motion);
            straight.observe(report_of(dt, iterations_of(dt)));
        }
    }
}

// With given costs no clock gets into a checkpoint.
TEST(TimeStepController, GivenCostsKeepTimesOutOfTheState) {
    TimeStepController a(metropolis(), k_spacing, 3, k_iterations),
        b(metropolis(), k_spacing, 3, k_iterations);
    for (int k = 0; k < 100; ++k) {
        const double dt = a.next({});
        ASSERT_EQ(b.next({}), dt);
        StepReport report = report_of(dt, iterations_of(dt));
        a.observe(report);
        report.ms.total *= 3;
        report.ms.pressure *= 2;
        b.observe(report);
    }
    EXPECT_EQ(a.state(), b.state());
}

TEST(TimeStepController, StateOfAnotherKindIsRefused) {
    TimeStepController controller({}, k_spacing, 1, k_iterations);
    controller.next({8, 0, 0});
    std::vector<double> state = controller.state();
    EXPECT_NO_THROW(controller.restore(state));
    state.back() = std::nan("");
    EXPECT_THROW(controller.restore(state), InputError);
    state.pop_back();
    EXPECT_THROW(controller.restore(state), InputError);
    controller.restore({});  // of an older version: it starts anew
    EXPECT_EQ(controller.next({}), 0.005);
}

}  // namespace
}  // namespace millrace
