// Dam breaks over compliance and step: S2 says that its fluid is stable for large steps (IX, X).
#include "analysis/s2_stability.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/formatted.hpp"
#include "analysis/s2_water.hpp"

namespace millrace {

namespace {

constexpr double k_compliances[] = {1e-8, 1e-6, 1e-4, 1e-3};
constexpr int k_rates[] = {30, 60, 120, 240};  // steps per second
constexpr double k_rounding = 1e-3;            // of the energy at the start
constexpr double k_size = 1;                   // of the water [m]

/// About 2,000 particles in 2D and 4,000 in 3D.
int particles_along(int dimension) {
    return dimension == 2 ? 45 : 20;
}

double seconds_of(int dimension, const ExperimentOptions& options) {
    if (options.seconds > 0)
        return options.seconds;
    return (dimension == 2 ? 3 : 1.5) * (options.quick ? 0.5 : 1);
}

int count_outside(const Simulation& simulation, const Box& tank, double margin) {
    const auto dimension = static_cast<std::size_t>(simulation.dimension());
    const auto positions = simulation.positions();
    int outside = 0;
    for (std::size_t i = 0; i < positions.size(); i += dimension) {
        bool inside = true;
        for (std::size_t k = 0; k < dimension; ++k)
            inside &=
                positions[i + k] > tank.min[k] - margin && positions[i + k] < tank.max[k] + margin;
        outside += !inside;
    }
    return outside;
}

/// Before anything moves: the weights of the particles times their heights [J].
double energy_at_rest(const Simulation& simulation, const Scene& scene) {
    const auto dimension = static_cast<std::size_t>(scene.dimension);
    const double mass = scene.fluids[0].density * std::pow(scene.spacing, scene.dimension);
    double energy = 0;
    const auto positions = simulation.positions();
    for (std::size_t i = 1; i < positions.size(); i += dimension)
        energy -= mass * scene.gravity[1] * positions[i];
    return energy;
}

void run_case(StabilityCase& c, double seconds, const Simulation::Options& device) {
    const int count = particles_along(c.dimension);
    Scene scene = dam_break(c.dimension, count, k_size / count);
    scene.pressure.compliance = c.compliance;
    scene.pressure.relaxation_time = 4;
    scene.time_step.dt = c.dt;
    Simulation simulation(scene, device);
    const double start = energy_at_rest(simulation, scene);
    c.energy_gain = -1;
    StepReport report;
    while (simulation.time() < seconds) {
        report = simulation.step(seconds);
        const double energy = report.kinetic_energy + report.potential_energy;
        c.energy_gain = std::max(c.energy_gain, energy / start - 1);
        c.max_compression = std::max(c.max_compression, report.compression);
    }
    c.kinetic_part = report.kinetic_energy / start;
    c.outside =
        count_outside(simulation, std::get<Box>(scene.boundaries[0].shape), 0.1 * scene.spacing);
}

Chart chart_of(const std::vector<StabilityCase>& cases, int dimension) {
    Chart chart{formatted("Largest compression in %dD", dimension),
                {"step [ms]", true},
                {"largest mean compression [%]", true},
                {}};
    for (const double compliance : k_compliances) {
        Series series{formatted("epsilon = %g", compliance), {}, {}};
        for (const StabilityCase& c : cases)
            if (c.dimension == dimension && c.compliance == compliance) {
                series.x.push_back(1000 * c.dt);
                series.y.push_back(100 * c.max_compression);
            }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

ExperimentReport report_of(const std::vector<StabilityCase>& cases,
                           const std::vector<std::string>& notes) {
    ExperimentReport report;
    report.name = "s2-stability";
    report.title = "Dam breaks over compliance and step (S2 IX)";
    report.notes = notes;
    for (const int dimension : {2, 3}) {
        Table table{formatted("stability_%dd", dimension),
                    formatted("In %dD", dimension),
                    {"epsilon", "step [ms]", "stable", "largest energy gain [%]",
                     "kinetic at the end [%]", "largest compression [%]", "outside"},
                    {}};
        for (const StabilityCase& c : cases)
            if (c.dimension == dimension)
                table.rows.push_back({c.compliance, 1000 * c.dt, c.stable() ? "yes" : "no",
                                      100 * c.energy_gain, 100 * c.kinetic_part,
                                      100 * c.max_compression, c.outside});
        report.tables.push_back(std::move(table));
        report.charts.push_back(
            {formatted("compression_%dd", dimension), chart_of(cases, dimension)});
    }
    report.claims = stability_claims(cases);
    return report;
}

}  // namespace

bool StabilityCase::stable() const {
    return !blew_up && energy_gain <= k_rounding && outside == 0;
}

std::vector<Claim> stability_claims(const std::vector<StabilityCase>& cases) {
    std::vector<Claim> claims;
    for (const int dimension : {2, 3}) {
        int all = 0, stable = 0;
        for (const StabilityCase& c : cases)
            if (c.dimension == dimension) {
                ++all;
                stable += c.stable();
            }
        claims.push_back(judged(
            formatted("in %dD no case explodes: the energy never grows, nothing leaves the tank",
                      dimension),
            all > 0, stable == all, formatted("%d of %d are stable", stable, all)));
    }
    return claims;
}

ExperimentReport run_s2_stability(const ExperimentOptions& options) {
    std::vector<std::string> notes = {
        "a dam break in a closed tank, 3 m x 2 m: a square of 1 m of water in 2D, and 0.5 m across "
        "in 3D; 2025 and 4000 particles",
        formatted("%g s in 2D, %g s in 3D; tau = 4 steps, 15 iterations, warm start, support 2 "
                  "spacings",
                  seconds_of(2, options), seconds_of(3, options)),
        formatted("stable: no failure, energy at most %g %% above that of the start, no particle "
                  "a tenth of a spacing through a wall at the end",
                  100 * k_rounding)};
    std::vector<StabilityCase> cases;
    constexpr double k_all = 2 * std::size(k_compliances) * std::size(k_rates);
    for (const int dimension : {2, 3})
        for (const double compliance : k_compliances)
            for (const int rate : k_rates) {
                StabilityCase c;
                c.dimension = dimension;
                c.compliance = compliance;
                c.dt = 1.0 / rate;
                const std::string name =
                    formatted("%dD, epsilon = %g, 1/%d s", dimension, compliance, rate);
                options.progress(static_cast<double>(cases.size()) / k_all, name);
                try {
                    run_case(c, seconds_of(dimension, options), options.device);
                } catch (const RunError& e) {
                    c.blew_up = true;
                    notes.push_back(name + " failed: " + e.what());
                }
                cases.push_back(c);
                options.save(report_of(cases, notes));
            }
    return report_of(cases, notes);
}

}  // namespace millrace
