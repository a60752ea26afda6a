// Density over depth in a pillar of water 3 m wide: S0 6.2 and 7.1, Fig. 7.1 to 7.8.
#include "analysis/s0_incompressibility.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/formatted.hpp"
#include "analysis/pool_case.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr double k_width = 3;     // [m]
constexpr int k_layers = 10;      // of the profile
constexpr double k_blown_up = 2;  // so high over that at rest it is no pillar
constexpr double k_measured = 2;  // the mean over so long at the end [s]

struct PillarTrial {
    PoolCase setup;
    std::size_t particles = 0;
    PillarResult result = {};
    DepthProfile profile = {};
    bool done = false;
};

std::vector<PillarTrial> all_trials() {
    constexpr double k_dt = 1.0 / 120;
    std::vector<PillarTrial> trials;
    const auto add = [&](const PoolCase& c, std::size_t n) { trials.push_back({c, n}); };
    for (const double scp : {0.55, 0.65, 1.0})
        add(mueller_case(scp, k_dt), 1000);
    add(mueller_case(0.65, k_dt / 2), 1000);
    for (const char* kernels : {"original", "hybrid", "squared"})
        add(clavet_case(kernels, k_dt), 1000);
    add(clavet_case("hybrid", k_dt / 2), 1000);
    add(clavet_table_case(), 1000);
    for (const double scp : {0.55, 0.65, 1.0})
        add(bodin_case("poly6", scp, k_dt), 1000);
    add(bodin_case("poly6h", 0.65, k_dt), 1000);
    add(bodin_case("poly6", 0.65, k_dt / 2), 1000);
    for (const char* method : {"spook", "iisph", "dfsph"})
        add(own_case(method), 1000);
    add(mueller_case(0.65, k_dt), 2000);
    add(clavet_case("hybrid", k_dt), 2000);
    add(bodin_case("poly6", 0.65, k_dt), 2000);
    for (const char* method : {"spook", "iisph", "dfsph"})
        add(own_case(method), 2000);
    return trials;
}

void run_trial(PillarTrial& trial, double seconds, int threads) {
    const double ideal = ideal_height(trial.particles, k_s0_volume, k_width);
    const double spacing = std::sqrt(k_s0_volume);
    Pool pool = make_tank(trial.setup, threads, k_width, 3 * ideal);
    fill_rows(pool, k_width, trial.particles, spacing);
    PillarResult& r = trial.result;
    r = {trial.setup.name, !trial.setup.as_in_s0, trial.particles};
    DepthProfile& mean = trial.profile;
    mean = {std::vector<double>(k_layers), std::vector<double>(k_layers)};
    double samples = 0, bottom = 0, top = 0;
    run_pool(pool, seconds, trial.setup.dt, [&](const PoolReport&) {
        if (pool.time() < seconds - k_measured)
            return;
        const double surface = surface_height(pool.positions(), k_width, spacing);
        const auto density = [&](double from, double to) {
            return layer_density(pool.positions(), k_width, k_s0_volume, from * surface,
                                 to * surface);
        };
        bottom += density(0, 0.2);
        top += density(0.8, 1);
        r.height_ratio += surface / ideal;
        r.mean_speed += mean_speed(pool);
        const DepthProfile now = depth_profile(pool.positions(), k_width, spacing, k_layers);
        for (std::size_t k = 0; k < k_layers; ++k) {
            mean.depth[k] += now.depth[k];
            mean.density[k] += now.density[k];
        }
        ++samples;
    });
    r.height_ratio /= samples;
    if (!(r.height_ratio < k_blown_up)) {
        r.density_ratio = r.height_ratio = r.mean_speed = std::nan("");
        throw RunError("the water blew up");
    }
    r.density_ratio = bottom / top;
    r.mean_speed /= samples;
    for (std::size_t k = 0; k < k_layers; ++k) {
        mean.depth[k] /= samples;
        mean.density[k] /= samples;
    }
    trial.done = true;
}

Table table_of(const std::vector<PillarTrial>& trials, std::size_t particles) {
    Table table{formatted("pillar_%zu", particles),
                formatted("%zu particles", particles),
                {"method", "density bottom / top", "height / ideal", "mean speed [m/s]"},
                {}};
    for (const PillarTrial& t : trials)
        if (!t.result.name.empty() && t.particles == particles)
            table.rows.push_back({t.result.name, t.result.density_ratio, t.result.height_ratio,
                                  t.result.mean_speed});
    return table;
}

Chart chart_of(std::string title, const std::vector<PillarTrial>& trials, std::size_t particles,
               const std::vector<std::string>& names) {
    Chart chart{std::move(title), {"depth [m]"}, {"density over that at rest"}, {}};
    for (const std::string& name : names)
        for (const PillarTrial& t : trials)
            if (t.done && t.particles == particles && t.setup.name == name)
                chart.series.push_back({name, t.profile.depth, t.profile.density});
    return chart;
}

ExperimentReport report_of(const std::vector<PillarTrial>& trials,
                           const std::vector<std::string>& notes) {
    ExperimentReport report;
    report.name = "s0-incompressibility";
    report.title = "Density over depth in a pillar of water (S0 Fig. 7.1 to 7.8)";
    report.notes = notes;
    report.tables = {table_of(trials, 1000), table_of(trials, 2000)};
    // what S0 and peers say of theirs; an empty cell: nothing
    const double none = std::nan("");
    report.tables.push_back({"others",
                             "What others have",
                             {"code", "density bottom / top", "height / ideal"},
                             {{"S0, Müller, 1000 particles, SCP 1, 1/120 s", none, 4 / 6.667},
                              {"S0, Müller, 1000 particles, SCP 0.6, 1/120 s", none, 5.5 / 6.667},
                              {"LiquidFun, 2000 particles", 1.49, 0.67},
                              {"LiquidFun, static pressure", 1.12, 1.02},
                              {"LiquidFun, static pressure, 8 iterations", 0.97, 1.08}}});
    const std::vector<std::string> compared = {
        "mueller, SCP 0.65, 1/120 s", "clavet, hybrid, 1/120 s",  "spook, poly6, SCP 0.65, 1/120 s",
        "Millrace's spook, 1/60 s",   "Millrace's iisph, 1/60 s", "Millrace's dfsph, 1/60 s"};
    const std::vector<std::string> bodin = {
        "spook, poly6, SCP 0.55, 1/120 s", "spook, poly6, SCP 0.65, 1/120 s",
        "spook, poly6, SCP 1, 1/120 s",    "spook, poly6h, SCP 0.65, 1/120 s",
        "spook, poly6, SCP 0.65, 1/240 s", "Millrace's spook, 1/60 s"};
    report.charts = {
        {"density_1000", chart_of("Density over depth, 1000 particles", trials, 1000, compared)},
        {"density_2000", chart_of("Density over depth, 2000 particles", trials, 2000, compared)},
        {"density_bodin",
         chart_of("Kernels and SCP of Bodin's method, 1000 particles", trials, 1000, bodin)}};
    std::vector<PillarResult> results;
    for (const PillarTrial& t : trials)
        if (!t.result.name.empty())
            results.push_back(t.result);
    report.claims = incompressibility_claims(results);
    return report;
}

}  // namespace

std::vector<Claim> incompressibility_claims(const std::vector<PillarResult>& results) {
    std::vector<Claim> claims;
    for (const PillarResult& r : results) {
        if (!r.is_own)
            continue;
        Claim claim;
        claim.text = r.name + formatted(
                                  ", %zu particles: at most 1.03 times denser at the bottom, "
                                  "and the height within 2 %%",
                                  r.particles);
        if (std::isfinite(r.density_ratio) && std::isfinite(r.height_ratio)) {
            const bool holds = r.density_ratio <= 1.03 && std::abs(r.height_ratio - 1) <= 0.02;
            claim.verdict = holds ? Claim::Verdict::holds : Claim::Verdict::does_not_hold;
            claim.figures = formatted("%.4g and %.4g %%", r.density_ratio, 100 * r.height_ratio);
        }
        claims.push_back(std::move(claim));
    }
    return claims;
}

ExperimentReport run_s0_incompressibility(const ExperimentOptions& options) {
    const double seconds = options.seconds > 0 ? options.seconds : options.quick ? 5 : 20;
    std::vector<PillarTrial> trials = all_trials();
    std::vector<std::string> notes = {
        "particles of 2 kg at 100 kg/m^2, 3 m wide, gravity 9.82 m/s^2 (S0 Table 6.1)",
        formatted("%g simulated seconds; all figures are means over the last %g s", seconds,
                  std::min(seconds, k_measured)),
        "a density is the mass between two heights, not that of the method's kernel; bottom and "
        "top are the lowest and the highest fifth",
        "cases of S0 get its step in one, without sub-steps"};
    for (std::size_t k = 0; k < trials.size(); ++k) {
        PillarTrial& trial = trials[k];
        options.progress(static_cast<double>(k) / static_cast<double>(trials.size()),
                         trial.setup.name);
        try {
            run_trial(trial, seconds, options.device.threads);
        } catch (const RunError& e) {
            notes.push_back(trial.setup.name + ": failed: " + e.what());
        }
        options.save(report_of(trials, notes));
    }
    return report_of(trials, notes);
}

}  // namespace millrace
