#include "timestep/metropolis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

// A solver whose iterations grow with the square of the step: l = 3 + (dt / scale)^2. With the
// costs c and i of a step and an iteration the best step is scale sqrt(c / i + 3).
struct Solver {
    double scale = 1e-3;
    double fails_above = 1e9;
    double carry = 0;  // iterations are whole numbers, but right on average

    StepReport step(double dt) {
        StepReport report;
        report.dt = dt;
        const double exact = 3 + (dt / scale) * (dt / scale) + carry;
        report.iterations = static_cast<int>(exact);
        carry = exact - report.iterations;
        report.converged = dt <= fails_above;
        return report;
    }
    double best_step(const TimeStep& s) const {
        return scale * std::sqrt(s.cost_constant / s.cost_iteration + 3);
    }
    double performance(const TimeStep& s, double dt) const {
        const double iterations = 3 + (dt / scale) * (dt / scale);
        return dt / (s.cost_constant + iterations * s.cost_iteration);
    }
};

TimeStep settings_of(double acceptance) {
    TimeStep settings;
    settings.mode = "metropolis";
    settings.acceptance = acceptance;
    settings.cost_constant = 0.006;
    settings.cost_iteration = 0.001;  // the best step is 3 scales
    return settings;
}

constexpr double k_no_limit = 0.1;

/// Mean performance over a time, relative to the best.
double mean_performance(MetropolisSearch& search, Solver& solver, const TimeStep& settings,
                        double seconds, double limit = k_no_limit) {
    StepSums sums;
    while (sums.seconds < seconds) {
        const double dt = search.step(limit);
        const StepReport report = solver.step(dt);
        search.observe(report, dt);
        sums.add(report);
    }
    PerformanceModel model(settings.cost_constant, settings.cost_iteration);
    return model.performance(sums) / solver.performance(settings, solver.best_step(settings));
}

TEST(Metropolis, FindsTheBestStepFromBelowAndAbove) {
    for (const double acceptance : {0.0, 0.01, 0.234})
        for (const double initial : {3e-4, 3e-2}) {
            TimeStep settings = settings_of(acceptance);
            settings.initial = initial;
            MetropolisSearch search(settings, 1);
            Solver solver;
            for (int k = 0; k < 1500; ++k) {
                const double dt = search.step(k_no_limit);
                search.observe(solver.step(dt), dt);
            }
            EXPECT_GT(mean_performance(search, solver, settings, 10), 0.95)
                << acceptance << " from " << initial;
        }
}

TEST(Metropolis, FollowsAChangeWithinSomeHorizons) {
    for (const double acceptance : {0.0, 0.234}) {
        TimeStep settings = settings_of(acceptance);
        settings.initial = 0.003;
        MetropolisSearch search(settings, 2);
        Solver solver;
        mean_performance(search, solver, settings, 5);
        for (const double factor : {0.4, 2.5}) {  // harder, so that no proposal ever matches what
            solver.scale *= factor;               // was measured before, then easier again
            mean_performance(search, solver, settings, 2 * settings.horizon);
            EXPECT_GT(mean_performance(search, solver, settings, 5), 0.93) << acceptance;
        }
    }
}

TEST(Metropolis, TemperatureGivesTheRateThatItIsMadeFor) {
    for (const double chi : {0.01, 0.1, 0.234, 0.6})
        for (const double improving : {0.0, 1.0, 7.5})
            for (const double loss : {1e-4, 0.02, 3.0}) {
                const double worsening = 40;
                const double z = improving / (improving + worsening);
                const double t = metropolis_temperature(chi, improving, worsening, loss);
                if (z >= chi) {
                    EXPECT_EQ(t, 0);
                    continue;
                }
                // S1 Eq. 3.79, solved for T by bisection: the rate grows with T
                const auto rate = [&](double temperature) {
                    return (improving + worsening * std::exp(-loss / temperature)) /
                           (improving + worsening);
                };
                double low = 1e-12, high = 1e6;
                for (int k = 0; k < 200; ++k)
                    (rate(std::sqrt(low * high)) < chi ? low : high) = std::sqrt(low * high);
                EXPECT_NEAR(t / low, 1, 1e-9);
            }
    EXPECT_EQ(metropolis_temperature(0.234, 0, 0, 0), 0);
    EXPECT_EQ(metropolis_temperature(0, 0, 10, 1), 0);
}

TEST(Metropolis, WithoutAcceptanceOnlyImprovementsAreTaken) {
    TimeStep settings = settings_of(0);
    settings.initial = 0.01;
    MetropolisSearch search(settings, 3);
    // no noise: performance depends on the step alone, with a single maximum
    const auto report = [](double dt) {
        StepReport r;
        r.dt = dt;
        r.iterations = static_cast<int>(1e6 * dt * dt / 9e-6);
        return r;
    };
    double last = 0, best = 0;
    for (int k = 0; k < 20000; ++k) {
        const double dt = search.step(k_no_limit);
        search.observe(report(dt), dt);
        const double accepted = search.accepted_step();
        if (accepted == last)
            continue;
        last = accepted;
        const double performance = accepted / (0.006 + report(accepted).iterations * 0.001);
        EXPECT_GE(performance, best * (1 - 1e-6));
        best = performance;
    }
    EXPECT_EQ(search.temperature(), 0);
}

TEST(Metropolis, AcceptsAboutAsManyProposalsAsAskedFor) {
    TimeStep settings = settings_of(0.234);
    settings.initial = 0.003;
    settings.horizon = 20;
    MetropolisSearch search(settings, 4);
    Solver solver;
    mean_performance(search, solver, settings, 20);
    int moves = 0, steps = 0;
    for (double last = search.accepted_step(); steps < 100000; ++steps) {
        const double dt = search.step(k_no_limit);
        search.observe(solver.step(dt), dt);
        moves += search.accepted_step() != last;
        last = search.accepted_step();
    }
    // a rejected proposal takes two episodes: it is followed by one of the accepted step
    const double episodes = steps / 5.0, rejected = (episodes - moves) / 2;
    EXPECT_GE(moves / (moves + rejected), 0.2);
    EXPECT_LE(moves / (moves + rejected), 0.6);
}

TEST(Metropolis, NeverExceedsTheLimit) {
    const TimeStep settings = settings_of(0.234);
    MetropolisSearch search(settings, 5);
    Solver solver;
    for (int k = 0; k < 20000; ++k) {
        const double limit = 1e-3 * (2 + std::sin(0.01 * k));
        const double dt = search.step(limit);
        ASSERT_LE(dt, limit);
        ASSERT_GE(dt, settings.min);
        search.observe(solver.step(dt), dt);
    }
    // the best step is 3 ms: it stays near the limit
    EXPECT_GT(mean_performance(search, solver, settings, 2, 1e-3),
              0.9 * solver.performance(settings, 1e-3) / solver.performance(settings, 3e-3));
}

TEST(Metropolis, AStepThatFailsDoesNotWin) {
    TimeStep settings = settings_of(0.234);
    settings.initial = 0.02;
    MetropolisSearch search(settings, 6);
    Solver solver;
    solver.scale = 0.1;  // long steps would be best by far
    solver.fails_above = 0.002;
    for (int k = 0; k < 400; ++k) {
        const double dt = search.step(0.03);
        search.observe(solver.step(dt), dt);
    }
    int failures = 0;
    for (int k = 0; k < 10000; ++k) {
        const double dt = search.step(0.03);
        failures += dt > solver.fails_above;
        search.observe(solver.step(dt), dt);
        ASSERT_LE(search.accepted_step(), solver.fails_above);
    }
    EXPECT_LT(failures, 1000);
    EXPECT_GT(search.accepted_step(), 0.75 * solver.fails_above);
    // where it always fails, short steps are no remedy
    solver.fails_above = 0;
    for (int k = 0; k < 1000; ++k) {
        const double dt = search.step(0.03);
        search.observe(solver.step(dt), dt);
    }
    EXPECT_GE(search.accepted_step(), 0.001);
}

// Steps cut at frames are as short as the frames make them: that is no merit of the proposal.
TEST(Metropolis, CutStepsDoNotCount) {
    const TimeStep settings = settings_of(0);
    MetropolisSearch whole(settings, 7), cut(settings, 7);
    Solver a, b;
    for (int k = 0; k < 3000; ++k) {
        const double dt = whole.step(k_no_limit);
        whole.observe(a.step(dt), dt);
        EXPECT_EQ(cut.step(k_no_limit), dt);
        if (k % 3 == 0) {
            Solver other;
            cut.observe(other.step(dt / 2), dt);
        }
        EXPECT_EQ(cut.step(k_no_limit), dt);
        cut.observe(b.step(dt), dt);
    }
}

TEST(Metropolis, LearnsBetweenFramesShorterThanAStep) {
    TimeStep settings = settings_of(0.234);
    settings.initial = 0.01;
    MetropolisSearch search(settings, 8);
    Solver solver;  // the best step is 3 ms; frames come every 5 ms, so that longer ones are cut
    double remaining = 0;
    for (int k = 0; k < 20000; ++k) {
        if (remaining < 1e-9)
            remaining = 0.005;
        const double uncut = search.step(k_no_limit);
        const double dt = uncut >= remaining      ? remaining
                          : 2 * uncut > remaining ? remaining / 2
                                                  : uncut;
        remaining -= dt;
        search.observe(solver.step(dt), uncut);
    }
    EXPECT_LE(search.accepted_step(), 0.0051);
    EXPECT_GE(search.accepted_step(), 0.0015);
}

TEST(Metropolis, SameSeedSameSteps) {
    const TimeStep settings = settings_of(0.234);
    MetropolisSearch a(settings, 9), b(settings, 9), other(settings, 10);
    Solver solvers[3];
    int differences = 0;
    for (int k = 0; k < 2000; ++k) {
        const double dt = a.step(0.01), other_dt = other.step(0.01);
        ASSERT_EQ(b.step(0.01), dt);
        a.observe(solvers[0].step(dt), dt);
        b.observe(solvers[1].step(dt), dt);
        other.observe(solvers[2].step(other_dt), other_dt);
        differences += dt != other_dt;
    }
    EXPECT_GT(differences, 1900);
}

TEST(PerformanceModel, AveragesMeasuredTimes) {
    PerformanceModel model(0, 0);
    for (int k = 0; k < 5000; ++k) {
        StepReport report;
        report.iterations = 2 + k % 3;
        report.divergence_iterations = 1;
        report.ms.pressure = 4 * (3 + k % 3) + (k % 2 ? 1 : -1);
        report.ms.total = report.ms.pressure + 10 + (k % 2 ? 3 : -3);
        report.step = k + 1;
        if (k < 2)  // as of a GPU that wakes up
            report.ms.total = 5000;
        model.observe(report);
    }
    EXPECT_NEAR(model.constant_cost(), 0.010, 1e-5);
    EXPECT_NEAR(model.iteration_cost(), 0.004, 1e-5);
    EXPECT_NEAR(model.performance({2, 0.01, 5}), 0.01 / (2 * 0.010 + 5 * 0.004), 1e-4);
}

TEST(PerformanceModel, GivenCostsStay) {
    PerformanceModel model(0.02, 0.001);
    StepReport report;
    report.ms.total = 1000;
    model.observe(report);
    EXPECT_EQ(model.constant_cost(), 0.02);
    EXPECT_EQ(model.iteration_cost(), 0.001);
}

TEST(PerformanceModel, AMethodWithoutIterationsHasACostToo) {
    PerformanceModel model(0, 0);
    StepReport report;
    report.ms.pressure = 4;
    report.ms.total = 10;
    model.observe(report);
    EXPECT_DOUBLE_EQ(model.performance({1, 0.001, 0}), 0.1);
}

}  // namespace
}  // namespace millrace
