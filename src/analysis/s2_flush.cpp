// Water is flushed into a tank, S2 Fig. 3; and how many particles run at 10 Hz, S2 IX.C.
#include "analysis/s2_flush.hpp"

#include <cmath>

#include "analysis/formatted.hpp"
#include "analysis/s2_water.hpp"

namespace millrace {

namespace {

constexpr double k_base = 1.2, k_height = 2;                // of the tank [m]
constexpr double k_flush_radius = 0.15, k_flush_speed = 3;  // of the nozzle [m], [m/s]
constexpr int k_parts = 10;                                 // of the flush, measured one by one
constexpr double k_settling = 1;                            // after the flush [s]
constexpr double k_interactive_ms = 100;                    // of a step at 10 Hz
constexpr int k_cost_steps = 30;                            // of every pillar and 2D case
constexpr double k_flat_spacing = 0.05;                     // [m]

Scene flush_scene(std::uint64_t particles) {
    Scene scene = s2_tank(k_base, k_height);
    Emitter nozzle;
    nozzle.name = "nozzle";
    nozzle.position = {2 * k_flush_radius, k_height - 2 * k_flush_radius, k_base / 2};
    nozzle.direction = {1, -1, 0};
    nozzle.speed = k_flush_speed;
    nozzle.radius = k_flush_radius;
    nozzle.max_particles = particles;
    scene.fluids[0].emitters = {nozzle};
    // a jet that goes several spacings in a step clumps: at most one
    scene.time_step = {};
    scene.time_step.cfl = 1;
    scene.time_step.max = k_s2_step;
    return scene;
}

struct FlushResult {
    StepCosts costs;
    double particles = 0, settled_density = std::nan(""), inside_error = std::nan("");
    double compression = std::nan("");
};

/// Steps until no more water comes in, and a while longer.
FlushResult run_flush(std::uint64_t most, const ExperimentOptions& options) {
    Simulation simulation(flush_scene(most), options.device);
    FlushResult result;
    double ms = 0, steps = 0, particles = 0;  // sums of a part
    const auto close_part = [&] {
        result.costs.particles.push_back(particles / steps);
        result.costs.ms.push_back(ms / steps);
        ms = steps = particles = 0;
    };
    StepReport report;
    double grown_at = 0;  // when water last came in [s]
    while (simulation.time() <= grown_at + k_settling) {
        const std::size_t before = report.fluid_particles;
        report = simulation.step();
        ms += report.ms.total;
        particles += static_cast<double>(report.fluid_particles);
        ++steps;
        if (report.fluid_particles > before)
            grown_at = simulation.time();
        if (report.fluid_particles * k_parts / most > before * k_parts / most)
            close_part();
        options.progress(
            0.9 * static_cast<double>(report.fluid_particles) / static_cast<double>(most), "flush");
    }
    close_part();
    const WaterState state =
        water_state(simulation.positions(), simulation.velocities(), simulation.densities(), k_base,
                    s2_spacing(), k_s2_support);
    result.particles = static_cast<double>(simulation.fluid_count());
    result.settled_density = result.particles * k_s2_mass / (k_base * k_base * state.level);
    result.inside_error = state.inside_error;
    result.compression = report.compression;
    return result;
}

/// The mean over the first steps.
void add_cost(Simulation& simulation, StepCosts& costs) {
    double ms = 0;
    for (int k = 0; k < k_cost_steps; ++k)
        ms += simulation.step().ms.total;
    costs.particles.push_back(static_cast<double>(simulation.fluid_count()));
    costs.ms.push_back(ms / k_cost_steps);
}

/// Pillars in 3D, the more particles the wider.
StepCosts run_pillar_series(const ExperimentOptions& options) {
    StepCosts costs;
    std::vector<double> bases = {0.36, 0.72};
    if (!options.quick)
        bases.push_back(1.08);
    for (const double base : bases) {
        Simulation simulation(s2_pillar_scene(base, k_s2_depth), options.device);
        options.progress(0.9, formatted("3D, %zu particles", simulation.fluid_count()));
        add_cost(simulation, costs);
    }
    return costs;
}

/// Dam breaks in 2D, the more particles the larger.
StepCosts run_flat_series(const ExperimentOptions& options) {
    StepCosts costs;
    std::vector<int> sides = {100, 170, 250, 320};
    if (!options.quick)
        sides.push_back(400);
    for (const int side : sides) {
        options.progress(0.95, formatted("2D, %d particles", side * side));
        Simulation simulation(dam_break(2, side, k_flat_spacing), options.device);
        add_cost(simulation, costs);
    }
    return costs;
}

Table cost_table(const std::string& name, const std::string& title, const StepCosts& costs) {
    Table table{name, title, {"particles", "ms per step"}, {}};
    for (std::size_t k = 0; k < costs.ms.size(); ++k)
        table.rows.push_back({formatted("%.0f", costs.particles[k]), costs.ms[k]});
    return table;
}

ExperimentReport report_of(const FlushResult& flush, const StepCosts& pillars,
                           const StepCosts& flat, const std::vector<std::string>& notes) {
    ExperimentReport report;
    report.name = "s2-flush";
    report.title = "Water flushed into a tank, and particles at 10 Hz (S2 Fig. 3, IX.C)";
    report.notes = notes;
    report.tables = {cost_table("flush", "Flush in 3D", flush.costs),
                     cost_table("pillars", "Pillars in 3D", pillars),
                     cost_table("flat", "Dam breaks in 2D", flat),
                     {"water",
                      "The water at the end of the flush",
                      {"particles", "density [kg/m^3]", "compression [%]", "error inside [%]"},
                      {{formatted("%.0f", flush.particles), flush.settled_density,
                        100 * flush.compression, 100 * flush.inside_error}}}};
    report.charts = {{"cost",
                      {"Time of a step",
                       {"particles"},
                       {"ms per step"},
                       {{"3D, flush", flush.costs.particles, flush.costs.ms},
                        {"3D, pillars", pillars.particles, pillars.ms},
                        {"2D, dam breaks", flat.particles, flat.ms}}}}};
    report.claims = flush_claims(pillars, flat);
    return report;
}

}  // namespace

std::vector<Claim> flush_claims(const StepCosts& in_3d, const StepCosts& in_2d) {
    const auto claim = [](const char* text, const StepCosts& costs, double least) {
        const double n = particles_at(costs.particles, costs.ms, k_interactive_ms);
        const bool seen = !costs.particles.empty() && costs.particles.back() >= n;
        return judged(text, std::isfinite(n), n >= least,
                      formatted("%.0f%s", n, seen ? "" : ", in proportion to the last figure"));
    };
    return {
        claim("3D: at least 40,000 particles at 10 steps per second (S2: 6,000)", in_3d, 4e4),
        claim("2D: at least 100,000 particles at 10 steps per second (S2: 12,000)", in_2d, 1e5)};
}

ExperimentReport run_s2_flush(const ExperimentOptions& options) {
    const std::uint64_t most = options.quick ? 20'000 : 250'000;
    const std::vector<std::string> notes = {
        formatted(
            "a nozzle of radius %g m flushes up to %llu particles at %g m/s into a tank of "
            "%g m x %g m; S2's parameters, boundary field, warm start, 15 iterations; steps of "
            "1/120 s, or shorter so that no particle goes more than a spacing",
            k_flush_radius, static_cast<unsigned long long>(most), k_flush_speed, k_base, k_base),
        formatted("the flush is measured in %d parts, each at its mean number of particles; the "
                  "last includes %g s of settling, after which the water is looked at",
                  k_parts, k_settling),
        formatted("3D: the first %d steps of 1/120 s of pillars as in s2-pillar, %g m high",
                  k_cost_steps, k_s2_depth),
        formatted("2D: the first %d steps of 1/120 s of dam breaks, spacing %g m, 15 iterations, "
                  "support 2 spacings",
                  k_cost_steps, k_flat_spacing),
        "the time of a step is that of all its stages, on this machine"};
    const FlushResult flush = run_flush(most, options);
    options.save(report_of(flush, {}, {}, notes));
    const StepCosts pillars = run_pillar_series(options);
    return report_of(flush, pillars, run_flat_series(options), notes);
}

}  // namespace millrace
