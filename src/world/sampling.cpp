#include "world/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include "boundary/box_samples.hpp"
#include "boundary/standoff.hpp"
#include "millrace/error.hpp"
#include "neighbors/uniform_grid.hpp"
#include "particles/box_fill.hpp"

namespace millrace {

namespace {

// Measured upper bounds of what a particle takes on the CPU (docs/benchmarks.md).
constexpr double k_bytes_per_fluid_particle = 500;
constexpr double k_bytes_per_boundary_particle = 300;

template <int D>
SceneSize estimate(const Scene& scene) {
    SceneSize size;
    for (const Fluid& fluid : scene.fluids)
        for (const Fill& fill : fluid.fill)
            size.fluid_particles += count_box_fill<D>(*fill.box, scene.spacing);
    const double depth = sample_depth<D>(scene.support) * scene.spacing;
    for (const Boundary& boundary : scene.boundaries)
        size.boundary_particles += count_box_samples<D>(boundary, scene.spacing, depth);
    size.bytes = k_bytes_per_fluid_particle * size.fluid_particles +
                 k_bytes_per_boundary_particle * size.boundary_particles;
    return size;
}

template <int D>
bool contains(const Box& box, const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
        if (x[k] < box.min[k] || x[k] > box.max[k])
            return false;
    return true;
}

/// Tells whether any of a set of points is nearer than a distance.
template <int D>
class PointCloud {
  public:
    PointCloud(const std::vector<Vec<D>>& points, double distance) : distance_(distance) {
        for (const Vec<D>& x : points)
            cells_[key(cell(x))].push_back(x);
    }
    bool any_near(const Vec<D>& x) const {
        const Vec<D, std::int64_t> home = cell(x);
        Vec<D, std::int64_t> c;
        for (int code = 0; code < (D == 3 ? 27 : 9); ++code) {
            c[0] = home[0] + code % 3 - 1;
            c[1] = home[1] + code / 3 % 3 - 1;
            if constexpr (D == 3)
                c[2] = home[2] + code / 9 - 1;
            const auto found = cells_.find(key(c));
            if (found != cells_.end())
                for (const Vec<D>& point : found->second)
                    if (squared_norm(x - point) < distance_ * distance_)
                        return true;
        }
        return false;
    }

  private:
    Vec<D, std::int64_t> cell(const Vec<D>& x) const {
        Vec<D, std::int64_t> c;
        for (int k = 0; k < D; ++k)
            c[k] = static_cast<std::int64_t>(std::floor(x[k] / distance_));
        return c;
    }
    static std::uint64_t key(const Vec<D, std::int64_t>& c) {
        std::uint64_t hash = 0;
        for (int k = 0; k < D; ++k)
            hash = (hash ^ static_cast<std::uint64_t>(c[k])) * 0x9e3779b97f4a7c15u;
        return hash;
    }

    double distance_;
    std::unordered_map<std::uint64_t, std::vector<Vec<D>>> cells_;
};

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
        start =
            std::max(start, std::hypot(fluid.velocity[0], fluid.velocity[1], fluid.velocity[2]));
        for (const Fill& fill : fluid.fill)
            heights(*fill.box, true);
    }
    for (const Boundary& boundary : scene.boundaries)
        heights(*boundary.box, false);
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
    const double neighbors = std::pow(scene.support / 2, scene.dimension);
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

std::size_t wall_cell_budget(const Scene& scene) {
    const SceneSize size = estimate_size(scene);
    return cell_budget(static_cast<std::size_t>(size.fluid_particles + size.boundary_particles));
}

template <int D>
std::vector<Vec<D>> sample_walls(const Scene& scene) {
    const double depth = sample_depth<D>(scene.support) * scene.spacing;
    std::vector<Vec<D>> samples;
    for (const Boundary& boundary : scene.boundaries) {
        const std::vector<Vec<D>> box = box_samples<D>(boundary, scene.spacing, depth);
        samples.insert(samples.end(), box.begin(), box.end());
    }
    return samples;
}

template <int D>
FluidSamples<D> sample_fluid(const Scene& scene, const std::vector<Vec<D>>& walls) {
    // with a small support the first layer itself rests closer than a spacing
    const double clearance = std::min(1.0, wall_standoff<D>(scene.support) - 0.1);
    const PointCloud<D> wall_cloud(walls, clearance * scene.spacing);
    FluidSamples<D> samples;
    std::vector<Box> earlier;
    std::uint64_t seed = scene.seed;
    for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
        const Fluid& fluid = scene.fluids[f];
        Vec<D> velocity;
        for (int k = 0; k < D; ++k)
            velocity[k] = static_cast<float>(fluid.velocity[k]);
        for (const Fill& fill : fluid.fill) {
            const FillSamples<D> lattice = box_fill<D>(fill, scene.spacing, seed++);
            for (const Vec<D>& x : lattice.positions) {
                const bool taken = std::any_of(earlier.begin(), earlier.end(),
                                               [&](const Box& b) { return contains(b, x); });
                const bool solid = std::any_of(
                    scene.boundaries.begin(), scene.boundaries.end(),
                    [&](const Boundary& b) { return !b.inside && contains(*b.box, x); });
                const bool outside = scene.domain && !contains(*scene.domain, x);
                if (taken || solid || outside || wall_cloud.any_near(x))
                    continue;
                samples.positions.push_back(x);
                samples.velocities.push_back(velocity);
                samples.volumes.push_back(static_cast<float>(lattice.volume));
                samples.fluids.push_back(static_cast<std::uint8_t>(f));
            }
            earlier.push_back(*fill.box);
        }
    }
    if (samples.positions.empty())
        throw InputError(
            "fluids: no particle is left of the fills; make them larger than a spacing and keep "
            "them inside the domain and clear of the walls");
    return samples;
}

template std::vector<Vec<2>> sample_walls<2>(const Scene&);
template std::vector<Vec<3>> sample_walls<3>(const Scene&);
template FluidSamples<2> sample_fluid<2>(const Scene&, const std::vector<Vec<2>>&);
template FluidSamples<3> sample_fluid<3>(const Scene&, const std::vector<Vec<3>>&);

}  // namespace millrace
