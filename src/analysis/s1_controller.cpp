// The search of the fastest step on a column at rest, against fixed steps: S1 Fig. 3.2.
#include "analysis/s1_controller.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/column.hpp"
#include "analysis/formatted.hpp"

namespace millrace {

namespace {

constexpr double k_missing = std::numeric_limits<double>::quiet_NaN();
constexpr double k_height = 5;  // [m]

/// A run of the experiment and, where it did not fail, what came of it.
struct Trial {
    std::string name;
    std::vector<std::string> settings;
    double seconds = 0;
    bool fixed = false;
    bool done = false;
    ColumnRun run = {};
};

Trial search_trial(double acceptance, double seconds) {
    return {formatted("search, chi = %g", acceptance),
            {formatted("time_step.acceptance=%g", acceptance)},
            seconds,
            false};
}

Trial fixed_trial(double dt, double seconds) {
    return {formatted("fixed, %.3g ms", 1000 * dt),
            {formatted("time_step={\"mode\": \"fixed\", \"dt\": %.9g}", dt),
             "pressure.max_iterations=500"},  // one that is far too long shall not take forever
            seconds,
            true};
}

/// Costs of a step and an iteration over all runs: what a run lost to other programs is shared.
PerformanceModel common_costs(const std::vector<Trial>& trials) {
    double steps = 0, iterations = 0, constant = 0, pressure = 0;
    for (const Trial& trial : trials) {
        steps += trial.run.sums.steps;
        iterations += trial.run.sums.iterations;
        constant += trial.run.constant_seconds;
        pressure += trial.run.pressure_seconds;
    }
    return {steps > 0 ? constant / steps : 1, iterations > 0 ? pressure / iterations : 1};
}

std::vector<ControllerCase> cases_of(const std::vector<Trial>& trials) {
    const PerformanceModel model = common_costs(trials);
    std::vector<ControllerCase> cases;
    for (const Trial& trial : trials) {
        const ColumnRun& run = trial.run;
        // a step at which the solver gives up is none to compare with
        const bool good = trial.done && run.unconverged_steps <= 0.01 * run.sums.steps;
        cases.push_back({trial.name, trial.fixed, trial.done ? run.mean_dt() : k_missing,
                         trial.done ? run.mean_iterations() : k_missing,
                         good ? run.speed() : k_missing,
                         good ? model.performance(run.sums) : k_missing});
    }
    return cases;
}

Chart chart_over_time(const std::vector<Trial>& trials, const std::string& title,
                      const std::string& label,
                      const std::function<double(const ColumnSample&)>& value) {
    Chart chart{title, {"simulated time [s]", false}, {label, false}, {}, false};
    for (const Trial& trial : trials) {
        if (trial.fixed || !trial.done)
            continue;
        Series series{trial.name, {}, {}};
        for (const ColumnSample& sample : trial.run.history) {
            series.x.push_back(sample.time);
            series.y.push_back(value(sample));
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

Chart sweep_chart(const std::vector<ControllerCase>& cases) {
    Chart chart{
        "Speed against the step", {"mean step [ms]", true}, {"speed by the model", true}, {}};
    Series sweep{"fixed", {}, {}};
    std::vector<Series> searches;
    for (const ControllerCase& c : cases) {
        if (c.fixed) {
            sweep.x.push_back(1000 * c.mean_dt);
            sweep.y.push_back(c.model_speed);
        } else {
            searches.push_back({c.name, {1000 * c.mean_dt}, {c.model_speed}});
        }
    }
    chart.series.push_back(std::move(sweep));
    chart.series.insert(chart.series.end(), searches.begin(), searches.end());
    return chart;
}

ExperimentReport report_of(const std::vector<Trial>& trials, std::vector<std::string> notes) {
    const std::vector<ControllerCase> cases = cases_of(trials);
    const PerformanceModel model = common_costs(trials);
    ExperimentReport report;
    report.name = "s1-controller";
    report.title = "The search of the fastest step (S1 Fig. 3.2)";
    report.notes = std::move(notes);
    report.notes.push_back(
        formatted("over all runs a step takes %.4g ms", 1000 * model.constant_cost()) +
        formatted(" and an iteration %.4g ms", 1000 * model.iteration_cost()));
    Table table{
        "runs", "Runs", {"run", "step [ms]", "iterations", "speed", "speed by the model"}, {}};
    for (const ControllerCase& c : cases)
        table.rows.push_back({c.name, 1000 * c.mean_dt, c.mean_iterations, c.speed, c.model_speed});
    report.tables.push_back(std::move(table));
    const auto steps = [](const ColumnSample& s) { return s.sums.steps; };
    report.charts = {
        {"step",
         chart_over_time(trials, "Step", "mean step [ms]",
                         [&](const ColumnSample& s) { return 1000 * s.sums.seconds / steps(s); })},
        {"performance",
         chart_over_time(trials, "Performance", "simulated seconds per second",
                         [](const ColumnSample& s) { return s.sums.seconds / s.wall_seconds; })},
        {"iterations",
         chart_over_time(trials, "Iterations", "iterations per step",
                         [&](const ColumnSample& s) { return s.sums.iterations / steps(s); })},
        {"sweep", sweep_chart(cases)}};
    report.claims = controller_claims(cases);
    return report;
}

}  // namespace

std::vector<Claim> controller_claims(const std::vector<ControllerCase>& cases) {
    const ControllerCase* best = nullptr;
    for (const ControllerCase& c : cases)
        if (c.fixed && std::isfinite(c.model_speed) && (!best || c.model_speed > best->model_speed))
            best = &c;
    std::vector<Claim> claims;
    for (const ControllerCase& c : cases) {
        if (c.fixed)
            continue;
        Claim claim;
        claim.text = c.name + ": within 10 % of the best fixed step";
        if (best && std::isfinite(c.model_speed)) {
            const double ratio = c.model_speed / best->model_speed;
            claim.verdict = ratio >= 0.9 ? Claim::Verdict::holds : Claim::Verdict::does_not_hold;
            claim.figures =
                formatted("%.4g %% of the speed of ", 100 * ratio) + "'" + best->name + "'";
        }
        claims.push_back(std::move(claim));
        claim = {};
        claim.text = c.name + ": the fastest step needs 3 to 10 iterations";
        if (std::isfinite(c.mean_iterations)) {
            const bool holds = c.mean_iterations >= 3 && c.mean_iterations <= 10;
            claim.verdict = holds ? Claim::Verdict::holds : Claim::Verdict::does_not_hold;
            claim.figures = formatted("%.3g on average", c.mean_iterations);
        }
        claims.push_back(std::move(claim));
    }
    return claims;
}

ExperimentReport run_s1_controller(const ExperimentOptions& options) {
    const double spacing = options.quick ? 0.125 : 0.05;
    const double seconds = options.seconds > 0 ? options.seconds : options.quick ? 5 : 10;
    const std::vector<double> factors = {0.5, 0.7, 0.85, 1, 1.2, 1.4, 2};
    std::vector<std::string> notes = {
        formatted("a column of 2 m x 2 m x 5 m, spacing %g m, IISPH with warm start", spacing),
        formatted("searches for %g simulated seconds, fixed steps around what they found for "
                  "half as long; all measured over the second half",
                  seconds)};
    std::vector<Trial> trials = {search_trial(0.234, seconds), search_trial(0, seconds)};
    const double all = 2 * seconds + static_cast<double>(factors.size()) * seconds / 2;
    double done = 0;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        Trial& trial = trials[i];
        std::vector<std::string> settings = {
            "pressure.method=iisph", "pressure.linear_solver=jacobi", "pressure.warm_start=true"};
        settings.insert(settings.end(), trial.settings.begin(), trial.settings.end());
        try {
            trial.run =
                run_column(column_scene(k_height, spacing, settings), trial.seconds, options.device,
                           [&](double time) { options.progress((done + time) / all, trial.name); });
            trial.done = true;
        } catch (const RunError& e) {
            notes.push_back(trial.name + ": failed: " + e.what());
            trial.run = {};
        }
        done += trial.seconds;
        options.save(report_of(trials, notes));
        if (i == 1 && (trials[0].done || trials[1].done)) {  // now it is known where to look
            const double found = trials[1].done ? trials[1].run.mean_dt() : trials[0].run.mean_dt();
            for (const double factor : factors)
                trials.push_back(fixed_trial(factor * found, seconds / 2));
        }
    }
    return report_of(trials, notes);
}

}  // namespace millrace
