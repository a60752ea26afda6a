#include "world/solver_settings.hpp"

#include <algorithm>
#include <cmath>

#include "math/portable.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

/// The fastest speed to come (for wcsph): the scene's own figure, or the fluid's speed at the start
/// and that of a fall from the top of the fluid to the lowest point of fluid and walls.
double expected_speed(const Scene& scene, const SceneHeights& heights) {
    if (scene.pressure.expected_speed > 0)
        return scene.pressure.expected_speed;
    double start = 0;
    for (const Fluid& fluid : scene.fluids) {
        start = std::max(start,
                         portable::hypot(fluid.velocity[0], fluid.velocity[1], fluid.velocity[2]));
        for (const Emitter& emitter : fluid.emitters)
            start = std::max(start, emitter.speed);
    }
    const double g = norm(to_vec3d(scene.gravity));
    const double speed = std::sqrt(start * start + 2 * g * heights.drop());
    return speed > 0 ? speed : 1;
}

}  // namespace

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

PressureSettings pressure_settings(const Scene& scene, const SceneHeights& heights) {
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
    settings.sound_speed = static_cast<float>(10 * expected_speed(scene, heights));
    return settings;
}

}  // namespace millrace
