// How a pillar of water comes to rest: S0 6.3 and 7.2, Fig. 7.9 to 7.12; and how still a pool lies.
#include "analysis/s0_energy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/formatted.hpp"
#include "analysis/pool_case.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr double k_width = 4;                                // of the pillar [m]
constexpr double k_pool_width = 8, k_pool_depth = 1.5;       // [m]
constexpr double k_pool_spacing = 0.1, k_pool_seconds = 20;  // [m], [s]
constexpr double k_wall_height = 1000;                       // nothing is thrown over it [m]
constexpr double k_sample = 0.1;                             // between points of the curves [s]

/// S0 puts particles SCP times the smoothing length apart, closer than they are at rest.
double s0_pitch() {
    constexpr double k_scp = 0.65;
    return k_scp * 2 * std::sqrt(k_s0_volume / (std::numbers::pi * k_scp));
}

struct EnergyTrial {
    PoolCase setup;
    std::size_t particles = 0;
    double seconds = 0;
    std::vector<double> times = {}, energies = {};  ///< [s], [J]
    int outside = 0;                                ///< particles that went through the walls
};

/// The mean over a part of the curve.
double mean_energy(const EnergyTrial& trial, double from, double to) {
    double sum = 0, n = 0;
    for (std::size_t k = 0; k < trial.times.size(); ++k)
        if (trial.times[k] > from && trial.times[k] <= to) {
            sum += trial.energies[k];
            ++n;
        }
    return n > 0 ? sum / n : std::nan("");
}

void run_trial(EnergyTrial& trial, int threads) {
    const double mass = k_s0_volume * k_s0_density;
    Pool pool = make_tank(trial.setup, threads, k_width, k_wall_height);
    fill_rows(pool, k_width, trial.particles, s0_pitch());
    run_pool(pool, trial.seconds, trial.setup.dt, [&](const PoolReport&) {
        if (pool.time() < k_sample * static_cast<double>(trial.times.size() + 1) - 1e-6)
            return;
        trial.times.push_back(pool.time());
        trial.energies.push_back(kinetic_energy(pool, mass));
    });
    for (const Point2& p : pool.positions())
        trial.outside += p.y < 0 || p.x < 0 || p.x > k_width;
}

StillPoolResult run_still_pool(PoolCase setup, double seconds, int threads) {
    setup.spacing = k_pool_spacing;
    setup.density = 1000;
    Pool pool = make_tank(setup, threads, k_pool_width, 2 * k_pool_depth);
    const double count = k_pool_width * k_pool_depth / (k_pool_spacing * k_pool_spacing);
    fill_rows(pool, k_pool_width, static_cast<std::size_t>(std::lround(count)), k_pool_spacing);
    double sum = 0, samples = 0;
    run_pool(pool, seconds, setup.dt, [&](const PoolReport&) {
        if (pool.time() > seconds - 1) {
            sum += mean_speed(pool);
            ++samples;
        }
    });
    return {setup.name, sum / samples};
}

std::vector<PoolCase> methods() {
    return {mueller_case(0.65, 1.0 / 120),
            clavet_case("hybrid", 1.0 / 120),
            bodin_case("poly6", 0.65, 1.0 / 120),
            own_case("spook"),
            own_case("iisph"),
            own_case("dfsph")};
}

ExperimentReport report_of(const std::vector<EnergyTrial>& trials,
                           const std::vector<StillPoolResult>& pools,
                           const std::vector<std::string>& notes) {
    ExperimentReport report;
    report.name = "s0-energy";
    report.title = "How a pillar of water comes to rest (S0 Fig. 7.9 to 7.12)";
    report.notes = notes;
    for (const std::size_t particles : {1000, 2000}) {
        Table table{formatted("energy_%zu", particles),
                    formatted("Kinetic energy [J], %zu particles, means over 0.5 s", particles),
                    {"method", "to 0.5 s", "to 2 s", "to 6 s", "at the end", "through walls"},
                    {}};
        Chart chart{formatted("Kinetic energy, %zu particles", particles),
                    {"time [s]"},
                    {"kinetic energy [J]", true},
                    {},
                    false};
        for (const EnergyTrial& t : trials) {
            if (t.particles != particles || t.times.empty())
                continue;
            const auto energy = [&](double to) { return mean_energy(t, to - 0.5, to + 0.01); };
            table.rows.push_back({t.setup.name, energy(0.5), energy(2), energy(6),
                                  energy(t.times.back()), static_cast<double>(t.outside)});
            chart.series.push_back({t.setup.name, t.times, t.energies});
        }
        report.tables.push_back(std::move(table));
        report.charts.push_back({formatted("energy_%zu", particles), std::move(chart)});
    }
    Table table{"still_pool", "A still pool, mean speed", {"method", "mean speed [mm/s]"}, {}};
    for (const StillPoolResult& r : pools)
        table.rows.push_back({r.name, 1000 * r.mean_speed});
    report.tables.push_back(std::move(table));
    report.claims = energy_claims(pools);
    return report;
}

}  // namespace

std::vector<Claim> energy_claims(const std::vector<StillPoolResult>& results) {
    Claim claim;
    claim.text = "Millrace's spook: the mean speed of a still pool is less than 1 mm/s";
    for (const StillPoolResult& r : results)
        if (r.name == own_case("spook").name && std::isfinite(r.mean_speed)) {
            const bool holds = r.mean_speed < 1e-3;
            claim.verdict = holds ? Claim::Verdict::holds : Claim::Verdict::does_not_hold;
            claim.figures = formatted("%.3g mm/s", 1000 * r.mean_speed);
        }
    return {claim};
}

ExperimentReport run_s0_energy(const ExperimentOptions& options) {
    const double deep = options.seconds > 0 ? options.seconds : options.quick ? 6 : 30;
    const double shallow = std::min(deep, 6.0);
    const double still = options.seconds > 0 ? options.seconds : options.quick ? 5 : k_pool_seconds;
    std::vector<EnergyTrial> trials;
    for (const PoolCase& c : methods()) {
        trials.push_back({c, 1000, shallow});
        trials.push_back({c, 2000, deep});
    }
    std::vector<StillPoolResult> pools;
    std::vector<std::string> notes = {
        formatted("a pillar 4 m wide; 1000 particles for %g s, 2000 for %g s (S0: 90 s)", shallow,
                  deep),
        formatted("particles start %.3g m apart, SCP times the smoothing length (S0 6.3); at rest "
                  "it is %.3g m",
                  s0_pitch(), std::sqrt(k_s0_volume)),
        formatted("the still pool: 8 m x 1.5 m, spacing 0.1 m, filled at rest; the mean over the "
                  "last of %g s",
                  still)};
    const double all = static_cast<double>(trials.size() + methods().size());
    double done = 0;
    const auto attempt = [&](const std::string& name, const std::function<void()>& run) {
        options.progress(done++ / all, name);
        try {
            run();
        } catch (const RunError& e) {
            notes.push_back(name + ": failed: " + e.what());
        }
        options.save(report_of(trials, pools, notes));
    };
    for (const PoolCase& c : methods())
        attempt(c.name + ", still pool",
                [&] { pools.push_back(run_still_pool(c, still, options.device.threads)); });
    for (EnergyTrial& trial : trials)
        attempt(trial.setup.name, [&] { run_trial(trial, options.device.threads); });
    return report_of(trials, pools, notes);
}

}  // namespace millrace
