// How fast the sweeps of the solver converge in a pillar of water, S2 Fig. 4.
#include "analysis/s2_convergence.hpp"

#include <cmath>

#include "analysis/formatted.hpp"
#include "analysis/s2_water.hpp"
#include "exec/device.hpp"
#include "world/constraint_world.hpp"

namespace millrace {

namespace {

constexpr int k_sweeps = 200;

struct Setup {
    const char* name;
    const char* kernels;
    double over_relaxation;  // 0: the method's own
};

constexpr Setup k_setups[] = {{"spiky, omega 1", "spiky", 1},
                              {k_convergence_own, "spiky", 0},
                              {k_convergence_s2, "poly6", 1},
                              {"poly6, omega 1.5", "poly6", 0}};

Scene scene_of(const Setup& setup, double particles) {
    const double base = std::sqrt(particles * k_s2_mass / k_s2_density / k_s2_depth);
    Scene scene = s2_pillar_scene(base, k_s2_depth);
    scene.pressure.kernels = setup.kernels;
    return scene;
}

/// The pillar some time after the start, when the pressure of its depth has built up.
Snapshot settled(const Setup& setup, double particles, double seconds, int threads) {
    ConstraintWorld<3> world(scene_of(setup, particles), threads);
    while (world.time() < seconds)
        world.step(seconds);
    return world.snapshot();
}

ConvergenceCurve curve_of(const Setup& setup, double particles, const Snapshot& start,
                          int threads) {
    Scene scene = scene_of(setup, particles);
    scene.pressure.warm_start = false;
    scene.pressure.iterations = k_sweeps;
    scene.pressure.over_relaxation = setup.over_relaxation;
    ConstraintWorld<3> world(scene, threads);
    world.restore(start);
    world.watch_residuals(true);
    world.step(start.time + k_s2_step);
    return {setup.name, world.residuals()};
}

double part_after(const std::vector<double>& residuals, std::size_t sweeps) {
    return sweeps < residuals.size() ? residuals[sweeps] / residuals[0] : std::nan("");
}

ExperimentReport report_of(const std::vector<ConvergenceCurve>& curves,
                           const std::vector<std::string>& notes) {
    ExperimentReport report;
    report.name = "s2-convergence";
    report.title = "What is left after every sweep of the solver (S2 Fig. 4)";
    report.notes = notes;
    Table table{"residuals",
                "Residual relative to the first [%]",
                {"case", "5 sweeps", "15", "50", "100", "200", "sweeps to 1 %"},
                {}};
    Chart chart{"Residual", {"sweeps"}, {"residual relative to the first", true}, {}, false};
    for (const ConvergenceCurve& c : curves) {
        std::vector<Table::Cell> row = {c.name};
        for (const std::size_t n : {5, 15, 50, 100, 200})
            row.push_back(100 * part_after(c.residuals, n));
        const int needed = sweeps_to(c.residuals, 0.01);
        row.push_back(needed < 0 ? std::nan("") : needed);
        table.rows.push_back(std::move(row));
        Series series{c.name, {}, {}};
        for (std::size_t k = 0; k < c.residuals.size(); ++k) {
            series.x.push_back(static_cast<double>(k));
            series.y.push_back(part_after(c.residuals, k));
        }
        chart.series.push_back(std::move(series));
    }
    report.tables = {std::move(table)};
    report.charts = {{"residual", std::move(chart)}};
    report.claims = convergence_claims(curves);
    return report;
}

}  // namespace

int sweeps_to(const std::vector<double>& residuals, double part) {
    for (std::size_t k = 0; k < residuals.size(); ++k)
        if (residuals[k] <= part * residuals[0])
            return static_cast<int>(k);
    return -1;
}

std::vector<Claim> convergence_claims(const std::vector<ConvergenceCurve>& curves) {
    std::vector<Claim> claims;
    for (const char* name : {k_convergence_s2, k_convergence_own}) {
        double part = std::nan("");
        for (const ConvergenceCurve& c : curves)
            if (c.name == name)
                part = part_after(c.residuals, 100);
        claims.push_back(judged(
            formatted("%s: after 100 sweeps at most 1 %% of the residual is left (Fig. 4)", name),
            std::isfinite(part), part <= 0.01, formatted("%.2g %%", 100 * part)));
    }
    return claims;
}

ExperimentReport run_s2_convergence(const ExperimentOptions& options) {
    const double particles = options.quick ? 1e4 : 1e5;
    const double seconds = options.seconds > 0 ? options.seconds : 0.25;
    const int threads = Device::cpu(options.device.threads).threads();
    const std::vector<std::string> notes = {
        formatted("a pillar of %g particles (S2: 100,000), %g m high, S2's parameters and the "
                  "boundary field",
                  particles, k_s2_depth),
        formatted("it settles for %g s with 15 sweeps and a warm start; then one step of %d sweeps "
                  "starts from nothing",
                  seconds, k_sweeps),
        "the residual is the root mean square over the density rows, less what rows at their bound "
        "cannot change; odd sweeps go down, even ones up"};
    std::vector<ConvergenceCurve> curves;
    Snapshot start;
    std::string kernels;
    for (const Setup& setup : k_setups) {
        options.progress(static_cast<double>(curves.size()) / std::size(k_setups), setup.name);
        if (kernels != setup.kernels)
            start = settled(setup, particles, seconds, threads);
        kernels = setup.kernels;
        curves.push_back(curve_of(setup, particles, start, threads));
        options.save(report_of(curves, notes));
    }
    return report_of(curves, notes);
}

}  // namespace millrace
