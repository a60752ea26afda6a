#include "analysis/s2_water.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace millrace {

double s2_spacing() {
    return std::cbrt(k_s2_mass / k_s2_density);
}

Scene s2_tank(double base, double height) {
    Scene scene = default_scene("constraints");
    scene.name = "s2";
    scene.spacing = s2_spacing();
    scene.support = k_s2_support / s2_spacing();
    scene.fluids.resize(1);
    scene.fluids[0].density = k_s2_density;
    Boundary tank;
    tank.name = "tank";
    tank.shape = Box{{0, 0, 0}, {base, height, base}};
    tank.inside = true;
    tank.open = {"+y"};
    scene.boundaries = {tank};
    scene.pressure.relaxation_time = 4;
    scene.pressure.compliance = 1e-3;
    scene.time_step.mode = "fixed";
    scene.time_step.dt = k_s2_step;
    return scene;
}

Scene s2_pillar_scene(double base, double depth) {
    Scene scene = s2_tank(base, 2 * depth);
    Fill fill;
    fill.shape = Box{{0, 0, 0}, {base, depth, base}};
    scene.fluids[0].fill = {fill};
    return scene;
}

Scene dam_break(int dimension, int count, double spacing) {
    const double size = count * spacing, across = dimension == 3 ? spacing * (count / 2) : 0;
    Scene scene = default_scene("constraints");
    scene.name = "dam_break";
    scene.dimension = dimension;
    scene.spacing = spacing;
    scene.fluids.resize(1);
    Fill fill;
    fill.shape = Box{{0, 0, 0}, {size, size, across}};
    scene.fluids[0].fill = {fill};
    Boundary tank;
    tank.name = "tank";
    tank.shape = Box{{0, 0, 0}, {3 * size, 2 * size, across}};
    tank.inside = true;
    scene.boundaries = {tank};
    scene.time_step.mode = "fixed";
    scene.time_step.dt = k_s2_step;
    return scene;
}

namespace {

/// The mean over cells of the base, two spacings wide, of the highest particle's top.
double mean_surface(std::span<const float> positions, double spacing) {
    const double cell = 2 * spacing;
    std::map<std::pair<long, long>, double> tops;
    for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
        double& top =
            tops[{std::lround(positions[i] / cell), std::lround(positions[i + 2] / cell)}];
        top = std::max(top, positions[i + 1] + spacing / 2);
    }
    double sum = 0;
    for (const auto& [place, top] : tops)
        sum += top;
    return sum / static_cast<double>(tops.size());
}

}  // namespace

WaterState water_state(std::span<const float> positions, std::span<const float> velocities,
                       std::span<const float> densities, double base, double spacing,
                       double margin) {
    WaterState state;
    const auto count = static_cast<double>(densities.size());
    double squares = 0, errors = 0, inside = 0;
    for (std::size_t i = 0; i < densities.size(); ++i)
        state.level += 2 * positions[3 * i + 1] / count;
    const auto between = [&](double x, double most) { return x > margin && x < most - margin; };
    for (std::size_t i = 0; i < densities.size(); ++i) {
        for (std::size_t k = 3 * i; k < 3 * i + 3; ++k)
            squares += double(velocities[k]) * velocities[k];
        if (between(positions[3 * i], base) && between(positions[3 * i + 1], state.level) &&
            between(positions[3 * i + 2], base)) {
            errors += std::abs(densities[i] / k_s2_density - 1);
            ++inside;
        }
    }
    state.surface = mean_surface(positions, spacing);
    state.inside_error = inside > 0 ? errors / inside : std::nan("");
    state.rms_speed = std::sqrt(squares / count);
    return state;
}

void DepthProfile::add(std::span<const float> positions, std::span<const float> densities,
                       double surface) {
    for (std::size_t i = 0; i < densities.size(); ++i) {
        const double depth = std::max(0.0, surface - positions[3 * i + 1]);
        const auto layer = static_cast<std::size_t>(depth / layer_);
        if (layer >= sums_.size()) {
            sums_.resize(layer + 1);
            counts_.resize(layer + 1);
        }
        sums_[layer] += densities[i];
        ++counts_[layer];
    }
}

std::vector<double> DepthProfile::depths() const {
    std::vector<double> list;
    for (std::size_t k = 0; k < sums_.size(); ++k)
        list.push_back((static_cast<double>(k) + 0.5) * layer_);
    return list;
}

std::vector<double> DepthProfile::means() const {
    std::vector<double> list;
    for (std::size_t k = 0; k < sums_.size(); ++k)
        list.push_back(counts_[k] > 0 ? sums_[k] / counts_[k] : std::nan(""));
    return list;
}

double particles_at(const std::vector<double>& particles, const std::vector<double>& step_ms,
                    double ms) {
    double n = 0, t = 0;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        if (step_ms[k] >= ms)
            return n + (particles[k] - n) * (ms - t) / (step_ms[k] - t);
        n = particles[k];
        t = step_ms[k];
    }
    return particles.empty() ? std::nan("") : n * ms / t;
}

}  // namespace millrace
