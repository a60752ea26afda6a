#include "analysis/s2_machine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/formatted.hpp"
#include "exec/device.hpp"

namespace millrace {

namespace {

constexpr double k_sample = 0.05;     // between points of the chart [s]
constexpr double k_tolerance = 0.01;  // of a joint, over the shortest body

/// Corners of the shape in the body's frame; of a circle and a capsule those of the box around it.
std::vector<Vector> corners(const Body& body) {
    if (const Polygon* polygon = std::get_if<Polygon>(&body.shape))
        return polygon->points;
    Vector half{};
    if (const BodyBox* box = std::get_if<BodyBox>(&body.shape))
        half = {box->size[0] / 2, box->size[1] / 2};
    else if (const BodySphere* disc = std::get_if<BodySphere>(&body.shape))
        half = {disc->radius, disc->radius};
    else if (const BodyCapsule* capsule = std::get_if<BodyCapsule>(&body.shape))
        half = {capsule->radius, capsule->height / 2};
    return {{-half[0], -half[1]}, {half[0], -half[1]}, {half[0], half[1]}, {-half[0], half[1]}};
}

double extent(const std::vector<Vector>& points, double x, double y) {
    double least = 1e300, most = -1e300;
    for (const Vector& p : points) {
        const double along = x * p[0] + y * p[1];
        least = std::min(least, along);
        most = std::max(most, along);
    }
    return most - least;
}

}  // namespace

double body_length(const Body& body) {
    const std::vector<Vector> points = corners(body);
    return std::max(extent(points, 1, 0), extent(points, 0, 1));
}

double body_width(const Body& body, const Vector& axis) {
    const double length = std::hypot(axis[0], axis[1]);
    const double turn = body.rotation.angle * std::numbers::pi / 180;
    const double x = -axis[1] / length, y = axis[0] / length;  // across, in the world
    return extent(corners(body), x * std::cos(turn) + y * std::sin(turn),
                  y * std::cos(turn) - x * std::sin(turn));
}

MachineRun run_machine(const Scene& scene, double seconds, const ExperimentOptions& options,
                       const std::function<void(const ConstraintWorld<2>&)>& look) {
    ConstraintWorld<2> world(scene, Device::cpu(options.device.threads).threads());
    MachineRun run;
    run.seconds = seconds;
    run.particles = static_cast<double>(world.fluid_count());
    run.shortest = 1e300;
    for (const Body& body : scene.bodies)
        run.shortest = std::min(run.shortest, body_length(body));
    double wall_ms = 0, part = 0;
    look(world);
    while (world.time() < seconds) {
        wall_ms += world.step(seconds).ms.total;
        look(world);
        const double error = world.joint_error(run.shortest);
        run.joint_error = std::max(run.joint_error, error);
        part = std::max(part, error);
        if (world.time() < k_sample * static_cast<double>(run.times.size() + 1) - 1e-6)
            continue;
        run.times.push_back(world.time());
        run.errors.push_back(part / run.shortest);
        part = 0;
        options.progress(world.time() / seconds, scene.name);
    }
    run.lost = static_cast<double>(world.lost_count());
    run.real_time_factor = 1000 * seconds / wall_ms;
    return run;
}

void report_machine(ExperimentReport& report, const MachineRun& run) {
    report.notes.push_back(formatted(
        "%g s; the error of a joint is a length, or an angle times the length of the shortest "
        "body, %g m, after every step",
        run.seconds, run.shortest));
    report.tables.push_back({"machine",
                             "Run",
                             {"particles", "lost", "largest joint error [%]", "real-time factor"},
                             {{formatted("%.0f", run.particles), run.lost,
                               100 * run.joint_error / run.shortest, run.real_time_factor}}});
    Chart chart{"Largest joint error", {"time [s]"}, {"over the shortest body", true}, {}, false};
    chart.series.push_back({"joint error", run.times, run.errors});
    report.charts.push_back({"joint_error", std::move(chart)});
    for (Claim& claim : machine_claims(run))
        report.claims.push_back(std::move(claim));
}

std::vector<Claim> machine_claims(const MachineRun& run) {
    const double error = run.joint_error / run.shortest;
    return {judged("the joints hold to 1 % of the length of the shortest body",
                   std::isfinite(error), error <= k_tolerance, formatted("%.2g %%", 100 * error)),
            judged("no particle is lost", run.particles > 0, run.lost == 0,
                   formatted("%.0f of %.0f", run.lost, run.particles))};
}

}  // namespace millrace
