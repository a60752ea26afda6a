#include "world/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "math/portable.hpp"
#include "millrace/error.hpp"
#include "neighbors/uniform_grid.hpp"
#include "particles/box_fill.hpp"
#include "particles/emitter.hpp"
#include "world/flat_shapes.hpp"
#include "world/fluid_fill.hpp"
#include "world/scene_objects.hpp"

namespace millrace {

namespace {

// Measured upper bounds of what a particle takes on the CPU (docs/benchmarks.md).
constexpr double k_bytes_per_fluid_particle = 500;
constexpr double k_bytes_per_boundary_particle = 300;

template <int D>
double count_fill(const Fill& fill, double spacing) {
    if (fill.box)
        return count_box_fill<D>(*fill.box, spacing);
    if (fill.sphere) {
        const double r = fill.sphere->radius / spacing;
        return D == 2 ? std::numbers::pi * r * r : std::numbers::pi * 4 / 3 * r * r * r;
    }
    if (fill.points)
        return static_cast<double>(points_of(*fill.points).size());
    // seen from its middle, so that holes, which will be mended, cost little
    const TriangleMesh surface = surface_of(*fill.mesh);
    const Bounds around = bounds(surface);
    const TriangleMesh centered =
        transformed(surface, Vec3d::all(1), Quaterniond::identity(), -around.center());
    return std::abs(signed_volume(centered)) / (spacing * spacing * spacing);
}

/// A pool has no samples of walls.
SceneSize estimate_in_pool(const Scene& scene) {
    SceneSize size;
    for (const Fluid& fluid : scene.fluids) {
        for (const Fill& fill : fluid.fill)
            size.fluid_particles += area_of(shape_of(fill)) / (scene.spacing * scene.spacing);
        for (const Emitter& emitter : fluid.emitters)
            size.fluid_particles += count_emitted<2>(emitter, scene.spacing, scene.end);
    }
    size.bytes = k_bytes_per_pool_particle * size.fluid_particles;
    return size;
}

/// Nor has a scene that is solved as constraints: its walls and bodies are distances.
SceneSize estimate_constraints(const Scene& scene) {
    // by neighbours: their gradients, and the viscous rows of half of them
    const double neighbors = portable::power(scene.support, scene.dimension) *
                             (scene.dimension == 2 ? std::numbers::pi : 4.0 / 3 * std::numbers::pi);
    SceneSize size;
    if (scene.dimension == 2) {
        size = estimate_in_pool(scene);
    } else {
        for (const Fluid& fluid : scene.fluids) {
            for (const Fill& fill : fluid.fill)
                size.fluid_particles += count_fill<3>(fill, scene.spacing);
            for (const Emitter& emitter : fluid.emitters)
                size.fluid_particles += count_emitted<3>(emitter, scene.spacing, scene.end);
        }
    }
    size.bytes = (200 + 45 * neighbors) * size.fluid_particles;
    return size;
}

template <int D>
SceneSize estimate(const Scene& scene) {
    SceneSize size;
    for (const Fluid& fluid : scene.fluids) {
        for (const Fill& fill : fluid.fill)
            size.fluid_particles += count_fill<D>(fill, scene.spacing);
        for (const Emitter& emitter : fluid.emitters)
            size.fluid_particles += count_emitted<D>(emitter, scene.spacing, scene.end);
    }
    size.boundary_particles = count_samples<D>(scene);
    size.bytes = k_bytes_per_fluid_particle * size.fluid_particles +
                 k_bytes_per_boundary_particle * size.boundary_particles;
    return size;
}

/// The fastest speed to come (for wcsph): the scene's own figure, or the fluid's speed at the start
/// and that of a fall from the top of the fluid to the lowest point of fluid and walls.
double expected_speed(const Scene& scene) {
    if (scene.pressure.expected_speed > 0)
        return scene.pressure.expected_speed;
    double top = -1e300, bottom = 1e300, start = 0;  // heights times |gravity|
    const auto heights = [&](const Box& box, bool fluid) {
        double low = 0, high = 0;
        for (int k = 0; k < scene.dimension; ++k) {
            const double a = -scene.gravity[k] * box.min[k], b = -scene.gravity[k] * box.max[k];
            low += std::min(a, b);
            high += std::max(a, b);
        }
        bottom = std::min(bottom, low);
        if (fluid)
            top = std::max(top, high);
    };
    for (const Fluid& fluid : scene.fluids) {
        start = std::max(start,
                         portable::hypot(fluid.velocity[0], fluid.velocity[1], fluid.velocity[2]));
        for (const Fill& fill : fluid.fill)
            heights(fill_bounds(fill), true);
        for (const Emitter& emitter : fluid.emitters) {
            start = std::max(start, emitter.speed);
            heights({emitter.position, emitter.position}, true);
        }
    }
    for (const Boundary& boundary : scene.boundaries)
        if (!boundary.plane)
            heights(boundary_bounds(boundary), false);
    if (scene.domain)
        heights(*scene.domain, false);
    const double speed = std::sqrt(start * start + 2 * std::max(0.0, top - bottom));
    return speed > 0 ? speed : 1;
}

std::string format_count(double count) {
    char text[32];
    std::snprintf(text, sizeof text, count < 1e7 ? "%.0f" : "%.3g", count);
    return text;
}

std::string format_gigabytes(double bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GB", bytes / 1e9);
    return text;
}

}  // namespace

SceneSize estimate_size(const Scene& scene) {
    if (runs_in_pool(scene))
        return estimate_in_pool(scene);
    if (runs_as_constraints(scene))
        return estimate_constraints(scene);
    return scene.dimension == 2 ? estimate<2>(scene) : estimate<3>(scene);
}

Materials scene_materials(const Scene& scene) {
    if (scene.fluids.size() > k_max_fluids)
        throw InputError("fluids: at most " + std::to_string(k_max_fluids) + " fluids, got " +
                         std::to_string(scene.fluids.size()));
    Materials materials;
    for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
        materials.rest_density[f] = static_cast<float>(scene.fluids[f].density);
        const Viscosity& viscosity = scene.fluids[f].viscosity;
        const bool physical = viscosity.method == "standard" || viscosity.method == "implicit";
        materials.nu[f] = physical ? static_cast<float>(viscosity.nu) : 0;
    }
    return materials;
}

PressureSettings pressure_settings(const Scene& scene) {
    const Pressure& pressure = scene.pressure;
    // Jacobi converges for relaxations below 2 / (largest eigenvalue of A over its diagonal), and
    // that eigenvalue grows with the number of neighbours: S1's 0.5 belongs to a support of 2.
    const double neighbors = portable::power(scene.support / 2, scene.dimension);
    const double relaxation = pressure.relaxation / std::max(1.0, neighbors);
    PressureSettings settings;
    settings.stop = {pressure.avg_error, pressure.max_error, pressure.min_iterations,
                     pressure.max_iterations};
    settings.warm_start = pressure.warm_start;
    settings.relaxation = static_cast<float>(relaxation);
    settings.linear_solver =
        pressure.linear_solver == "nncg" ? LinearSolver::nncg : LinearSolver::jacobi;
    settings.rest_density = pressure.rest_density;
    settings.divergence_iterations = pressure.divergence_iterations;
    settings.divergence_error = pressure.divergence_error;
    settings.gamma =
        pressure.equation_of_state == "linear" ? 1 : static_cast<float>(pressure.gamma);
    settings.sound_speed = static_cast<float>(10 * expected_speed(scene));
    return settings;
}

void check_size(const Scene& scene, const Device& device) {
    const SceneSize size = estimate_size(scene);
    const double count = size.fluid_particles + size.boundary_particles;
    const double free_bytes = static_cast<double>(device.free_memory());
    if (size.bytes > free_bytes || count > 2e9)
        throw InputError("spacing: " + format_count(count) + " particles would need about " +
                         format_gigabytes(size.bytes) + ", and " + format_gigabytes(free_bytes) +
                         " are free; use a larger spacing");
}

std::size_t wall_cell_budget(const SceneSize& size) {
    return cell_budget(static_cast<std::size_t>(size.fluid_particles + size.boundary_particles));
}

}  // namespace millrace
