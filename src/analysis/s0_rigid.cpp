// Five bodies dropped into water, and water on five bodies: S0 6.5 and 7.4, Fig. 7.13 to 7.16.
#include "analysis/s0_rigid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/body_pool.hpp"
#include "analysis/formatted.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr double k_measured = 3;  // the mean over so long at the end [s]

struct RigidTrial {
    PoolCase setup;
    bool poured;
};

std::vector<RigidTrial> all_trials(bool quick) {
    const double s0_spacing = std::sqrt(k_s0_volume);
    std::vector<PoolCase> setups;
    for (const double spacing : {s0_spacing, 0.1, quick ? 0.08 : 0.05}) {
        setups.push_back(own_case("spook"));
        setups.back().spacing = spacing;
    }
    for (const char* method : {"iisph", "dfsph"}) {
        setups.push_back(own_case(method));
        setups.back().spacing = 0.1;
    }
    for (const PoolCase& c : {mueller_case(0.65, 1.0 / 120), clavet_case("hybrid", 1.0 / 120),
                              bodin_case("poly6", 0.65, 1.0 / 120)}) {
        setups.push_back(c);
        setups.back().spacing = s0_spacing;
    }
    std::vector<RigidTrial> trials;
    for (const bool poured : {false, true})
        for (PoolCase& c : setups)
            trials.push_back({c, poured});
    return trials;
}

std::vector<BodyResult> run_trial(const RigidTrial& trial, double seconds, int threads) {
    BodyScene scene;
    scene.poured = trial.poured;
    std::vector<std::vector<Corners>> poses;  // of the last seconds
    const double water = run_bodies(scene, trial.setup, threads, seconds,
                                    [&](double time, const std::vector<Corners>& bodies) {
                                        if (time > seconds - k_measured)
                                            poses.push_back(bodies);
                                    });
    const double level = water_level(scene, water);
    std::vector<BodyResult> results;
    for (std::size_t k = 0; k < scene.relative_densities.size(); ++k) {
        BodyResult r{trial.setup.name, !trial.setup.as_in_s0, trial.poured, trial.setup.spacing,
                     scene.relative_densities[k]};
        const double n = static_cast<double>(poses.size());
        for (const std::vector<Corners>& bodies : poses) {
            double lowest = std::numeric_limits<double>::max();
            for (const Point2& p : bodies[k]) {
                lowest = std::min<double>(lowest, p.y);
                r.height += p.y / (n * static_cast<double>(bodies[k].size()));
            }
            r.gap += lowest / n;
            r.displaced += area_below(bodies[k], level) / (scene.size * scene.size * n);
        }
        r.upright_height = r.density > 1   ? scene.size / 2
                           : r.density < 1 ? level + scene.size * (0.5 - r.density)
                                           : std::nan("");  // anywhere
        results.push_back(std::move(r));
    }
    return results;
}

Table table_of(const std::vector<BodyResult>& results, bool poured) {
    Table table{poured ? "poured" : "dropped",
                poured ? "Water poured on bodies" : "Bodies dropped into water",
                {"method", "spacing [m]", "relative density", "displaced / area", "by Archimedes",
                 "height [m]", "upright, by Archimedes [m]", "where", "as it should"},
                {}};
    for (const BodyResult& r : results)
        if (r.poured == poured)
            table.rows.push_back({r.setup, r.spacing, r.density, r.displaced,
                                  std::min(r.density, 1.0), r.height, r.upright_height,
                                  r.is_on_floor()      ? "on the floor"
                                  : r.displaced < 0.98 ? "floats"
                                                       : "submerged",
                                  r.obeys_archimedes() ? "yes" : "no"});
    return table;
}

Chart chart_of(const std::vector<BodyResult>& results, bool poured) {
    Chart chart{poured ? "Water poured on bodies" : "Bodies dropped into water",
                {"density of the body over that of water"},
                {"part of the body below the water level"},
                {{"Archimedes", {0.5, 1, 1.5}, {0.5, 1, 1}}}};
    for (const BodyResult& r : results) {
        if (r.poured != poured)
            continue;
        const std::string name = r.setup + formatted(", %.2g m", r.spacing);
        if (chart.series.back().name != name)
            chart.series.push_back({name, {}, {}});
        chart.series.back().x.push_back(r.density);
        chart.series.back().y.push_back(r.displaced);
    }
    return chart;
}

ExperimentReport report_of(const std::vector<BodyResult>& results,
                           const std::vector<std::string>& notes) {
    ExperimentReport report;
    report.name = "s0-rigid";
    report.title = "Bodies in water and water on bodies (S0 Fig. 7.13 to 7.16)";
    report.notes = notes;
    report.tables = {table_of(results, false), table_of(results, true)};
    report.tables.push_back(
        {"others",
         "What others have",
         {"code", "dropped", "poured"},
         {{"S0, Müller", "0.5 floats, 0.75 too deep; 1.25 and 1.5 sink", "all stay on the floor"},
          {"S0, Clavet", "0.5 floats, 1.5 sinks; the others hover", "all stay on the floor"},
          {"S0, Bodin", "only 0.5 floats", "all stay on the floor"},
          {"LiquidFun", "1.25 and 1.5 never reach the floor", "-"}}});
    report.charts = {{"dropped", chart_of(results, false)}, {"poured", chart_of(results, true)}};
    report.claims = rigid_claims(results);
    return report;
}

}  // namespace

bool BodyResult::obeys_archimedes() const {
    return density < 1 ? std::abs(displaced - density) <= 0.1 : density > 1 ? is_on_floor() : true;
}

std::vector<Claim> rigid_claims(const std::vector<BodyResult>& results) {
    std::vector<Claim> claims;
    for (const BodyResult& r : results) {
        if (!r.is_own)
            continue;
        const std::string text = r.setup + formatted(", %.2g m, ", r.spacing) +
                                 (r.poured ? "water poured on bodies" : "bodies dropped") +
                                 ": light ones float, heavy ones lie on the floor";
        if (claims.empty() || claims.back().text != text)
            claims.push_back({text, Claim::Verdict::holds, ""});
        if (r.obeys_archimedes())
            continue;
        Claim& claim = claims.back();
        claim.verdict = Claim::Verdict::does_not_hold;
        claim.figures += (claim.figures.empty() ? "" : "; ") +
                         formatted("%g: %.3g of it in the water, %.3g m above the floor", r.density,
                                   r.displaced, r.gap);
    }
    return claims;
}

ExperimentReport run_s0_rigid(const ExperimentOptions& options) {
    const double seconds = options.seconds > 0 ? options.seconds : options.quick ? 8 : 20;
    std::vector<std::string> notes = {
        "boxes of 0.6 m, of 50 to 150 kg/m^2, in 2 m of water of 100 kg/m^2, 5 m wide; poured: the "
        "water falls from 1.2 m on boxes that lie on the floor",
        formatted("%g simulated seconds; figures are means over the last %g s", seconds,
                  std::min(seconds, k_measured)),
        "the level of the water is that by Archimedes; a body is on the floor when the gap below "
        "its lowest corner is less than half a spacing; light ones should displace their weight to "
        "a tenth of their area"};
    const std::vector<RigidTrial> trials = all_trials(options.quick);
    std::vector<BodyResult> results;
    for (std::size_t k = 0; k < trials.size(); ++k) {
        const RigidTrial& trial = trials[k];
        options.progress(static_cast<double>(k) / static_cast<double>(trials.size()),
                         trial.setup.name);
        try {
            const auto found = run_trial(trial, seconds, options.device.threads);
            results.insert(results.end(), found.begin(), found.end());
        } catch (const RunError& e) {
            notes.push_back(trial.setup.name + ": failed: " + e.what());
        }
        options.save(report_of(results, notes));
    }
    return report_of(results, notes);
}

}  // namespace millrace
