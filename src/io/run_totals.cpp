#include "io/run_totals.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "platform/memory.hpp"

namespace millrace {

namespace {

using Json = nlohmann::ordered_json;

/// To the microsecond.
double rounded(double ms) {
    return std::round(ms * 1000) / 1000;
}

double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

/// The mean over the particles of max(0, rho / rho0 - 1), as they are: not the solver's own guess.
double true_density_error(const Scene& scene, const Simulation& simulation) {
    const auto densities = simulation.densities();
    const auto fluids = simulation.fluids();
    double sum = 0;
    for (std::size_t i = 0; i < densities.size(); ++i)
        sum += std::max(0.0, densities[i] / scene.fluids[fluids[i]].density - 1);
    return ratio(sum, static_cast<double>(densities.size()));
}

Json sunk_json(const Scene& scene, const Simulation& simulation) {
    const std::vector<std::uint64_t> counts = simulation.sunk_counts();
    Json sunk = Json::object();
    for (std::size_t s = 0; s < counts.size(); ++s)
        sunk[scene.sinks[s].name] = counts[s];
    return sunk;
}

}  // namespace

bool has_emitters(const Scene& scene) {
    return std::any_of(scene.fluids.begin(), scene.fluids.end(),
                       [](const Fluid& fluid) { return !fluid.emitters.empty(); });
}

void RunTotals::add(const StepReport& report) {
    ++steps;
    iterations += report.iterations;
    particle_updates += static_cast<double>(report.fluid_particles);
    retaken_steps += report.retakes > 0;
    if (!report.converged && unconverged_steps++ == 0)
        first_unconverged = report.time;
}

Json totals_to_json(const RunTotals& totals) {
    return {{"steps", totals.steps},
            {"wall_seconds", totals.wall_seconds},
            {"iterations", totals.iterations},
            {"particle_updates", totals.particle_updates},
            {"unconverged_steps", totals.unconverged_steps},
            {"first_unconverged", totals.first_unconverged},
            {"retaken_steps", totals.retaken_steps}};
}

RunTotals totals_from_json(const Json& json) {
    return {json.at("steps"),
            json.at("wall_seconds"),
            json.at("iterations"),
            json.at("particle_updates"),
            json.at("unconverged_steps"),
            json.at("first_unconverged"),
            json.value("retaken_steps", std::int64_t{0})};
}

Json run_summary(const RunTotals& totals, const Scene& scene, const Simulation& simulation,
                 const std::string& error) {
    const double seconds = simulation.time();
    const double steps = static_cast<double>(totals.steps);
    Json summary{
        {"status", error.empty() ? "finished" : "failed"},
        {"steps", totals.steps},
        {"sim_seconds", seconds},
        {"wall_seconds", totals.wall_seconds},
        {"speed", ratio(seconds, totals.wall_seconds)},
        {"mean_dt", ratio(seconds, steps)},
        {"mean_iterations", ratio(static_cast<double>(totals.iterations), steps)},
        {"unconverged_steps", totals.unconverged_steps},
        {"retaken_steps", totals.retaken_steps},
        {"particle_updates_per_second", ratio(totals.particle_updates, totals.wall_seconds)},
        {"fluid_particles", simulation.fluid_count()},
        {"boundary_particles", simulation.boundary_count()},
        {"particles_lost", simulation.lost_count()},
        {"particles_outside", simulation.outside_count()},
        {"true_density_error", true_density_error(scene, simulation)},
        {"peak_memory_bytes", platform::peak_memory()},
        {"device", simulation.device_name()},
        {"threads", simulation.threads()},
        {"version", version()},
        {"engine", scene.engine},
        {"solver", scene.pressure.method},
        {"warnings", simulation.warnings()}};
    if (has_emitters(scene)) {
        const std::vector<std::uint64_t> emitted = simulation.emitted_counts();
        summary["particles_emitted"] =
            std::accumulate(emitted.begin(), emitted.end(), std::uint64_t{0});
    }
    if (!scene.sinks.empty())
        summary["particles_sunk"] = sunk_json(scene, simulation);
    if (!error.empty())
        summary["error"] = error;
    return summary;
}

Json step_stats(const StepReport& report, double output_ms) {
    const auto& ms = report.ms;
    return {{"step", report.step},
            {"time", report.time},
            {"dt", report.dt},
            {"fluid_particles", report.fluid_particles},
            {"boundary_particles", report.boundary_particles},
            {"iterations", report.iterations},
            {"divergence_iterations", report.divergence_iterations},
            {"converged", report.converged},
            {"avg_density_error", report.avg_density_error},
            {"max_density_error", report.max_density_error},
            {"avg_density", report.avg_density},
            {"compression", report.compression},
            {"max_speed", report.max_speed},
            {"kinetic_energy", report.kinetic_energy},
            {"potential_energy", report.potential_energy},
            {"max_height", report.max_height},
            {"retakes", report.retakes},
            {"ms",
             {{"neighbors", rounded(ms.neighbors)},
              {"density", rounded(ms.density)},
              {"forces", rounded(ms.forces)},
              {"pressure", rounded(ms.pressure)},
              {"rigid", rounded(ms.rigid)},
              {"output", rounded(output_ms)},
              {"total", rounded(ms.total + output_ms)}}}};
}

}  // namespace millrace
