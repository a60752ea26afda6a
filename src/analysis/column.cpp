#include "analysis/column.hpp"

#include <algorithm>
#include <cmath>

#include "scene_texts.hpp"

namespace millrace {

namespace {

constexpr double k_history_parts = 200;

}  // namespace

Scene column_scene(double height, double spacing, const std::vector<std::string>& settings) {
    std::vector<std::string> all = {"spacing=" + std::to_string(spacing),
                                    "fluids[0].fill[0].box.max[1]=" + std::to_string(height)};
    all.insert(all.end(), settings.begin(), settings.end());
    return parse_scene(k_column_scene_text, "column.json", all);
}

double ColumnRun::speed() const {
    return sums.seconds / (constant_seconds + pressure_seconds);
}
double ColumnRun::mean_dt() const {
    return sums.seconds / sums.steps;
}
double ColumnRun::mean_iterations() const {
    return sums.iterations / sums.steps;
}

ColumnRun run_column(const Scene& scene, double seconds, const Simulation::Options& device,
                     const std::function<void(double)>& tell) {
    const double height = std::get<Box>(scene.fluids[0].fill[0].shape).max[1];
    Simulation simulation(scene, device);
    ColumnRun run;
    run.particles = simulation.fluid_count();
    ColumnSample part;
    while (simulation.time() < seconds) {
        const StepReport report = simulation.step(seconds);
        part.sums.add(report);
        part.wall_seconds += report.ms.total / 1000;
        part.time = report.time;
        if (report.time >=
            seconds * static_cast<double>(run.history.size() + 1) / k_history_parts) {
            run.history.push_back(part);
            part = {};
        }
        if (2 * report.time > seconds) {
            const double top = report.max_height;
            run.sums.add(report);
            run.constant_seconds += (report.ms.total - report.ms.pressure) / 1000;
            run.pressure_seconds += report.ms.pressure / 1000;
            run.unconverged_steps += !report.converged;
            run.surface_error += report.dt * std::abs(top - height);
            run.height_error += report.dt * std::abs(top - scene.spacing / 2 - height);
        }
        tell(report.time);
    }
    run.surface_error /= run.sums.seconds;
    run.height_error /= run.sums.seconds;
    return run;
}

}  // namespace millrace
