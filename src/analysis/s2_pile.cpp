// Dense bodies sink and pile up at the bottom, light ones float: S2 Fig. 5.
#include "analysis/s2_pile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/formatted.hpp"
#include "analysis/s2_water.hpp"

namespace millrace {

namespace {

constexpr double k_base = 0.6, k_depth = 0.35, k_spacing = 0.025;  // [m]
constexpr double k_size = 0.1;                                     // of the bodies [m]
constexpr double k_light = 500, k_dense = 2000;                    // [kg/m^3]
constexpr int k_columns = 4, k_rows = 3, k_layers = 2;

bool is_sphere(int k) {
    return k / 2 % 2 == 1;
}
bool is_dense(int k) {
    return k % 2 == 1;
}

/// Bodies hang over the water in two layers; dense and light ones, boxes and spheres in turns.
Scene pile_scene() {
    Scene scene = s2_tank(k_base, 3 * k_depth);
    scene.spacing = k_spacing;
    scene.support = Scene{}.support;
    Fill fill;
    fill.shape = Box{{0, 0, 0}, {k_base, k_depth, k_base}};
    scene.fluids[0].fill = {fill};
    for (int k = 0; k < k_columns * k_rows * k_layers; ++k) {
        const int x = k % k_columns, z = k / k_columns % k_rows, y = k / (k_columns * k_rows);
        Body body;
        body.name = formatted("body_%d", k);
        if (is_sphere(k))
            body.shape = BodySphere{k_size / 2};
        else
            body.shape = BodyBox{{k_size, k_size, k_size}};
        body.density = is_dense(k) ? k_dense : k_light;
        body.position = {k_base * (x + 0.5) / k_columns, k_depth + k_size * (1 + 1.5 * y),
                         k_base * (z + 0.5) / k_rows};
        body.rotation = {{1, 0, 1}, 7.0 * k};
        scene.bodies.push_back(body);
    }
    return scene;
}

std::vector<PileBody> pile_of(const std::vector<BodyView>& views) {
    std::vector<PileBody> bodies;
    for (const BodyView& view : views) {
        const int k = static_cast<int>(bodies.size());
        bodies.push_back({is_dense(k), view.position,
                          lowest_point(view, k_size, is_sphere(k) ? k_size / 2 : 0)});
    }
    return bodies;
}

/// Of the water with all that floats and lies in it [m].
double level_of(const Scene& scene, std::size_t particles) {
    double volume = static_cast<double>(particles) * std::pow(k_spacing, 3);
    for (const Body& body : scene.bodies) {
        const double own = std::holds_alternative<BodyBox>(body.shape)
                               ? std::pow(k_size, 3)
                               : std::numbers::pi / 6 * std::pow(k_size, 3);
        volume += own * std::min(1.0, body.density / k_s2_density);
    }
    return volume / (k_base * k_base);
}

int count_floating(const std::vector<PileBody>& bodies, double level, double size) {
    return static_cast<int>(std::count_if(bodies.begin(), bodies.end(), [&](const PileBody& b) {
        return !b.dense && b.center[1] > level - size / 2;
    }));
}

Table table_of(const std::vector<PileBody>& bodies, double level) {
    Table table{"bodies",
                formatted("Bodies at the end, the water level being %.3g m", level),
                {"density [kg/m^3]", "shape", "height of the centre [m]", "lowest point [m]"},
                {}};
    for (std::size_t k = 0; k < bodies.size(); ++k)
        table.rows.push_back({bodies[k].dense ? k_dense : k_light,
                              is_sphere(static_cast<int>(k)) ? "sphere" : "box",
                              bodies[k].center[1], bodies[k].lowest});
    std::stable_sort(table.rows.begin(), table.rows.end(),
                     [](const auto& a, const auto& b) { return a[0] < b[0]; });
    return table;
}

}  // namespace

double lowest_point(const BodyView& body, double box_size, double sphere_radius) {
    if (sphere_radius > 0)
        return body.position[1] - sphere_radius;
    // the y row of the rotation matrix of a quaternion
    const auto [w, x, y, z] = body.rotation;
    const double reach = std::abs(2 * (x * y + w * z)) + std::abs(1 - 2 * (x * x + z * z)) +
                         std::abs(2 * (y * z - w * x));
    return body.position[1] - reach * box_size / 2;
}

std::vector<bool> lie_at_bottom(const std::vector<PileBody>& bodies, double gap, double reach) {
    std::vector<std::size_t> order(bodies.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = k;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return bodies[a].center[1] < bodies[b].center[1];
    });
    std::vector<bool> lies(bodies.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
        const PileBody& body = bodies[order[n]];
        bool rests = body.lowest < gap;
        for (std::size_t m = 0; m < n && !rests; ++m) {
            const Vector& below = bodies[order[m]].center;
            const double distance = std::hypot(body.center[0] - below[0], body.center[1] - below[1],
                                               body.center[2] - below[2]);
            rests = lies[order[m]] && distance < reach;
        }
        lies[order[n]] = rests;
    }
    return lies;
}

std::vector<Claim> pile_claims(const std::vector<PileBody>& bodies, double level, double size,
                               double spacing) {
    const double touching = std::sqrt(3.0) * size + 2 * spacing;  // of cubes, corner on corner
    const std::vector<bool> lies = lie_at_bottom(bodies, 2 * spacing, touching);
    int dense = 0, sunk = 0;
    for (std::size_t k = 0; k < bodies.size(); ++k)
        if (bodies[k].dense) {
            ++dense;
            sunk += lies[k];
        }
    const int light = static_cast<int>(bodies.size()) - dense;
    const int floating = count_floating(bodies, level, size);
    return {judged("all dense bodies sink and lie at the bottom (S2 Fig. 5)", dense > 0,
                   sunk == dense, formatted("%d of %d", sunk, dense)),
            judged("all light bodies float (S2 Fig. 5)", light > 0, floating == light,
                   formatted("%d of %d", floating, light))};
}

ExperimentReport run_s2_pile(const ExperimentOptions& options) {
    const double seconds = options.seconds > 0 ? options.seconds : options.quick ? 3 : 6;
    const Scene scene = pile_scene();
    ExperimentReport report;
    report.name = "s2-pile";
    report.title = "Dense bodies sink and light ones float (S2 Fig. 5)";
    report.notes = {
        formatted("24 boxes and spheres of %g m fall into %g m of water on %g m x %g m; spacing "
                  "%g m, steps of 1/120 s, %g s",
                  k_size, k_depth, k_base, k_base, k_spacing, seconds),
        "at the bottom: the lowest point is within two spacings of the floor, or the body touches "
        "a lower one that lies there",
        "floating: the centre is less than half the size of the body below the level of the water "
        "with all that it carries"};
    Simulation simulation(scene, options.device);
    double wall_ms = 0;
    while (simulation.time() < seconds) {
        options.progress(simulation.time() / seconds, "the pile");
        wall_ms += simulation.step(seconds).ms.total;
    }
    const double level = level_of(scene, simulation.fluid_count());
    const std::vector<PileBody> bodies = pile_of(simulation.bodies());
    report.notes.push_back(formatted("%zu particles, %.3g ms a step", simulation.fluid_count(),
                                     wall_ms / static_cast<double>(simulation.step_count())));
    report.tables = {table_of(bodies, level)};
    report.claims = pile_claims(bodies, level, k_size, k_spacing);
    return report;
}

}  // namespace millrace
