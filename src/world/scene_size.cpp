#include "world/scene_size.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

#include "geometry/shape_measures.hpp"
#include "math/portable.hpp"
#include "millrace/error.hpp"
#include "neighbors/uniform_grid.hpp"
#include "particles/box_fill.hpp"
#include "particles/emitter.hpp"
#include "world/sampled_solids.hpp"

namespace millrace {

namespace {

// Measured upper bounds of what a particle takes on the CPU (docs/benchmarks.md).
constexpr double k_bytes_per_fluid_particle = 500;
constexpr double k_bytes_per_boundary_particle = 300;

template <int D>
double count_fill(const FilledVolume<D>& fill, double spacing) {
    if (!fill.shape)
        return static_cast<double>(fill.points.size());
    if (const auto* box = std::get_if<PlacedBox<D>>(&*fill.shape)) {
        Box lattice;
        for (int k = 0; k < D; ++k) {
            lattice.min[k] = box->low[k];
            lattice.max[k] = box->high[k];
        }
        return count_box_fill<D>(lattice, spacing);
    }
    return volume_of<D>(*fill.shape) / portable::power(spacing, D);
}

template <int D>
double count_fluid(const Scene& scene, const SceneSolids<D>& solids) {
    double count = 0;
    for (const auto& fills : solids.fills)
        for (const FilledVolume<D>& fill : fills)
            count += count_fill<D>(fill, scene.spacing);
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters)
            count += count_emitted<D>(emitter, scene.spacing, scene.end);
    return count;
}

/// By neighbours: their gradients, and the viscous rows of half of them.
double bytes_of_constraints(const Scene& scene) {
    const double neighbors = portable::power(scene.support, scene.dimension) *
                             (scene.dimension == 2 ? std::numbers::pi : 4.0 / 3 * std::numbers::pi);
    return 200 + 45 * neighbors;
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

template <int D>
SceneSize estimate_size(const Scene& scene, const SceneSolids<D>& solids) {
    SceneSize size;
    size.fluid_particles = count_fluid<D>(scene, solids);
    if (scene.engine == "game") {  // its walls and bodies are distances
        size.bytes = k_bytes_per_pool_particle * size.fluid_particles;
    } else if (scene.engine == "constraints") {
        size.bytes = bytes_of_constraints(scene) * size.fluid_particles;
    } else {
        size.boundary_particles = count_samples<D>(scene, solids);
        size.bytes = k_bytes_per_fluid_particle * size.fluid_particles +
                     k_bytes_per_boundary_particle * size.boundary_particles;
    }
    return size;
}

SceneSize estimate_size(const Scene& scene) {
    return scene.dimension == 2 ? estimate_size<2>(scene, make_solids<2>(scene))
                                : estimate_size<3>(scene, make_solids<3>(scene));
}

void check_size(const SceneSize& size, const Device& device) {
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

template SceneSize estimate_size<2>(const Scene&, const SceneSolids<2>&);
template SceneSize estimate_size<3>(const Scene&, const SceneSolids<3>&);

}  // namespace millrace
