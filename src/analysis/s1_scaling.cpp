// How the speed of pressure solvers falls with the height of a column at rest: S1 chapter 6.
#include "analysis/s1_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "analysis/column.hpp"

namespace millrace {

namespace {

constexpr double k_missing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* k_cold = "IISPH cold";
constexpr const char* k_warm = "IISPH warm";
constexpr const char* k_dfsph = "DFSPH";
constexpr const char* k_pcisph = "PCISPH";
constexpr const char* k_default = "DFSPH, NNCG";

struct Solver {
    const char* name;
    std::vector<std::string> settings;
};

/// S1 6.1: at least 3 iterations in all, no maximum; and what Millrace does where nothing is said.
const std::vector<Solver>& solvers() {
    static const std::vector<Solver> all = {
        {k_cold,
         {"pressure.method=iisph", "pressure.linear_solver=jacobi", "pressure.warm_start=false"}},
        {k_warm,
         {"pressure.method=iisph", "pressure.linear_solver=jacobi", "pressure.warm_start=true"}},
        {k_dfsph,
         {"pressure.method=dfsph", "pressure.linear_solver=jacobi", "pressure.warm_start=true",
          "pressure.divergence_iterations=2"}},
        {k_pcisph, {"pressure.method=pcisph"}},
        {k_default, {"pressure.method=dfsph"}},
    };
    return all;
}

struct Plan {
    double spacing, seconds;
    std::vector<double> heights;
};

Plan plan_for(const ExperimentOptions& options) {
    Plan plan =
        options.quick ? Plan{0.1, 3, {0.5, 1, 2, 4}} : Plan{0.05, 60, {0.5, 1, 2, 4, 8, 16}};
    if (options.seconds > 0)
        plan.seconds = options.seconds;
    return plan;
}

Scene scaling_scene(const Solver& solver, double height, double spacing) {
    std::vector<std::string> settings = {"time_step.acceptance=0.01"};
    settings.insert(settings.end(), solver.settings.begin(), solver.settings.end());
    return column_scene(height, spacing, settings);
}

using Quantity = double ScalingCase::*;

double value_of(const std::vector<ScalingCase>& cases, const std::string& solver, double height,
                Quantity quantity) {
    for (const ScalingCase& c : cases)
        if (c.solver == solver && c.height == height)
            return c.*quantity;
    return k_missing;
}

/// Of one solver over another at every height where both were measured, from low to high.
std::vector<double> ratios(const std::vector<ScalingCase>& cases, const std::string& solver,
                           const std::string& other, Quantity quantity) {
    std::map<double, double> by_height;
    for (const ScalingCase& c : cases) {
        const double ratio = c.*quantity / value_of(cases, other, c.height, quantity);
        if (c.solver == solver && std::isfinite(ratio))
            by_height[c.height] = ratio;
    }
    std::vector<double> list;
    for (const auto& [height, ratio] : by_height)
        list.push_back(ratio);
    return list;
}

std::string percent_text(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g %%", 100 * ratio);
    return text;
}

std::string range_text(const std::vector<double>& list) {
    const auto [least, most] = std::minmax_element(list.begin(), list.end());
    return percent_text(*least) + " to " + percent_text(*most);
}

/// Whether a quantity only falls with the height, for every solver.
Claim falling_claim(const std::vector<ScalingCase>& cases, std::string text, Quantity quantity) {
    std::map<std::string, std::map<double, double>> curves;
    for (const ScalingCase& c : cases)
        if (std::isfinite(c.*quantity))
            curves[c.solver][c.height] = c.*quantity;
    bool measured = false, falls = true;
    std::string exceptions;
    for (const auto& [solver, curve] : curves) {
        measured |= curve.size() > 1;
        const bool ok = std::is_sorted(curve.begin(), curve.end(),
                                       [](auto& a, auto& b) { return a.second > b.second; });
        falls &= ok;
        exceptions += ok ? "" : (exceptions.empty() ? "not with " : ", ") + solver;
    }
    return judged(std::move(text), measured, falls,
                  exceptions.empty() ? "with every solver" : exceptions);
}

Claim height_claim(const std::vector<ScalingCase>& cases) {
    std::map<double, std::vector<double>> errors;
    for (const ScalingCase& c : cases)
        if (std::isfinite(c.height_error))
            errors[c.height].push_back(c.height_error);
    double worst = 0;
    bool measured = false;
    for (const auto& [height, list] : errors)
        if (list.size() > 1) {
            const auto [least, most] = std::minmax_element(list.begin(), list.end());
            worst = std::max(worst, *most / *least - 1);
            measured = true;
        }
    return judged("the height errors of the solvers differ by less than 1 % (Fig. 6.5)", measured,
                  worst < 0.01, "by at most " + percent_text(worst));
}

Chart chart_of(const std::vector<ScalingCase>& cases, const std::string& title,
               const std::string& label, bool logarithmic,
               const std::function<double(const ScalingCase&)>& value) {
    Chart chart{title, {"height of the column [m]", true}, {label, logarithmic}, {}};
    for (const Solver& solver : solvers()) {
        Series series{solver.name, {}, {}};
        for (const ScalingCase& c : cases)
            if (c.solver == solver.name) {
                series.x.push_back(c.height);
                series.y.push_back(value(c));
            }
        if (!series.x.empty())
            chart.series.push_back(std::move(series));
    }
    return chart;
}

ExperimentReport report_of(const std::vector<ScalingCase>& cases, std::vector<std::string> notes) {
    const auto relative = [&](const ScalingCase& c, Quantity quantity) {
        return c.*quantity / value_of(cases, k_cold, c.height, quantity);
    };
    ExperimentReport report;
    report.name = "s1-scaling";
    report.title = "Pressure solvers on columns of growing height (S1 Fig. 6.2 to 6.5)";
    report.notes = std::move(notes);
    Table table{
        "cases",
        "Cases",
        {"height [m]", "solver", "particles", "speed", "speed / IISPH cold", "step [ms]",
         "iterations", "height error [mm]", "height error / IISPH cold", "surface error [mm]"},
        {}};
    for (const ScalingCase& c : cases)
        table.rows.push_back({c.height, c.solver, c.particles, c.speed,
                              relative(c, &ScalingCase::speed), 1000 * c.mean_dt, c.mean_iterations,
                              1000 * c.height_error, relative(c, &ScalingCase::height_error),
                              1000 * c.surface_error});
    report.tables.push_back(std::move(table));
    report.charts = {
        {"speed", chart_of(cases, "Speed", "simulated seconds per second", true,
                           [](const ScalingCase& c) { return c.speed; })},
        {"step", chart_of(cases, "The fastest step", "mean step [ms]", true,
                          [](const ScalingCase& c) { return 1000 * c.mean_dt; })},
        {"relative_speed",
         chart_of(cases, "Speed relative to IISPH cold", "ratio", false,
                  [&](const ScalingCase& c) { return relative(c, &ScalingCase::speed); })},
        {"height_error",
         chart_of(cases, "Height error relative to IISPH cold", "ratio", false,
                  [&](const ScalingCase& c) { return relative(c, &ScalingCase::height_error); })}};
    report.claims = scaling_claims(cases);
    return report;
}

}  // namespace

std::vector<Claim> scaling_claims(const std::vector<ScalingCase>& cases) {
    std::vector<Claim> claims;
    claims.push_back(falling_claim(cases, "the speed falls as the column grows (Fig. 6.2)",
                                   &ScalingCase::speed));
    claims.push_back(falling_claim(cases,
                                   "the fastest step gets shorter as the column grows (Fig. 6.3)",
                                   &ScalingCase::mean_dt));
    {
        const auto r = ratios(cases, k_pcisph, k_cold, &ScalingCase::speed);
        const bool holds =
            std::all_of(r.begin(), r.end(), [](double x) { return x >= 0.5 && x <= 0.7; });
        claims.push_back(judged("PCISPH has 50 to 70 % of the speed of IISPH cold (Fig. 6.4)",
                                !r.empty(), holds, r.empty() ? "" : range_text(r)));
    }
    {
        const auto r = ratios(cases, k_warm, k_cold, &ScalingCase::speed);
        const double most = r.empty() ? 0 : *std::max_element(r.begin(), r.end());
        const bool faster = std::all_of(r.begin(), r.end(), [](double x) { return x > 1; });
        claims.push_back(
            judged("a warm start makes IISPH faster at every height, at best by 60 % (40 to 80 %; "
                   "Fig. 6.4)",
                   !r.empty(), faster && most > 1.4 && most < 1.8, r.empty() ? "" : range_text(r)));
    }
    {
        const auto r = ratios(cases, k_dfsph, k_warm, &ScalingCase::speed);
        claims.push_back(
            judged("DFSPH is slower than IISPH warm at first and catches up as the column grows "
                   "(Fig. 6.4)",
                   r.size() > 1, r.size() > 1 && r.front() < 0.9 && r.back() >= 0.9,
                   r.empty() ? ""
                             : percent_text(r.front()) + " at the lowest, " +
                                   percent_text(r.back()) + " at the highest column"));
    }
    claims.push_back(height_claim(cases));
    return claims;
}

ExperimentReport run_s1_scaling(const ExperimentOptions& options) {
    const Plan plan = plan_for(options);
    char text[160];
    std::snprintf(text, sizeof text,
                  "columns of 2 m x 2 m, spacing %g m, %g simulated seconds each, measured over "
                  "the second half",
                  plan.spacing, plan.seconds);
    std::vector<std::string> notes = {text};
    std::vector<Solver> used;
    for (const Solver& solver : solvers())
        try {
            scaling_scene(solver, plan.heights[0], plan.spacing);
            used.push_back(solver);
        } catch (const InputError& e) {
            notes.push_back(std::string(solver.name) + " is left out: " + e.what());
        }
    std::vector<ScalingCase> cases;
    double all = 0, done = 0;  // by the water that is to be simulated
    for (const double height : plan.heights)
        all += height * static_cast<double>(used.size());
    for (const double height : plan.heights)
        for (const Solver& solver : used) {
            std::snprintf(text, sizeof text, "%s, %g m", solver.name, height);
            const std::string what = text;
            ScalingCase result{solver.name, height,    k_missing, k_missing,
                               k_missing,   k_missing, k_missing, k_missing};
            try {
                const ColumnRun run = run_column(
                    scaling_scene(solver, height, plan.spacing), plan.seconds, options.device,
                    [&](double time) {
                        options.progress((done + height * time / plan.seconds) / all, what);
                    });
                result = {solver.name,      height,           static_cast<double>(run.particles),
                          run.speed(),      run.mean_dt(),    run.mean_iterations(),
                          run.height_error, run.surface_error};
            } catch (const RunError& e) {
                notes.push_back(what + " failed: " + e.what());
            }
            done += height;
            cases.push_back(result);
            options.save(report_of(cases, notes));
        }
    return report_of(cases, notes);
}

}  // namespace millrace
