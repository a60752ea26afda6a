#include "world/advice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "fluid/standard_viscosity.hpp"
#include "fluid/surface_normals.hpp"

namespace millrace {
namespace {

// Hydrogen has 0.08 kg/m^3 and osmium 22600; beyond these a unit was mistaken. Products of such
// masses leave the range of float32 at the ends of it.
constexpr double k_lightest = 1e-3, k_heaviest = 1e6;  // [kg/m^3]
constexpr double k_most_ratio = 100;
constexpr double k_least_support = 1.5;
/// A run that needs so many times more steps than time_step.max asks for is worth a word.
constexpr double k_many_steps = 10;

template <class... Numbers>
std::string text_of(const char* format, Numbers... numbers) {
    char text[256];
    std::snprintf(text, sizeof text, format, numbers...);
    return text;
}

/// The longest step that the surface tension of a fluid bears.
double capillary_step(const Fluid& fluid, double spacing) {
    const SurfaceTension& tension = fluid.surface_tension;
    return tension.method == "none" || !(tension.sigma > 0)
               ? std::numeric_limits<double>::infinity()
               : longest_capillary_step(tension.sigma, fluid.density, spacing);
}

template <int D>
std::string viscosity_advice(const Scene& scene, const Fluid& fluid) {
    const TimeStep& step = scene.time_step;
    const Viscosity& viscosity = fluid.viscosity;
    if (viscosity.method != "standard" || !(viscosity.nu > 0))
        return {};
    const double longest = longest_viscous_step<D>(viscosity.nu, scene.spacing, scene.support);
    const double wanted =
        step.mode == "fixed" ? step.dt : std::min(step.max, capillary_step(fluid, scene.spacing));
    const double shortest = step.mode == "fixed" ? step.dt : step.min;
    if (longest < shortest)
        return text_of(
            "`standard` is stable at nu = %g m^2/s in steps of %.2g ms only, and they are %.2g ms; "
            "use the method `implicit`",
            viscosity.nu, 1000 * longest, 1000 * shortest);
    if (k_many_steps * longest < wanted)
        return text_of(
            "`standard` needs steps of %.2g ms at nu = %g m^2/s, %.0f times as many as "
            "`implicit`; use that method",
            1000 * longest, viscosity.nu, wanted / longest);
    return {};
}

std::string tension_advice(const Scene& scene, const Fluid& fluid) {
    const TimeStep& step = scene.time_step;
    const bool fixed = step.mode == "fixed";
    const double longest = capillary_step(fluid, scene.spacing);
    const double shortest = fixed ? step.dt : step.min;
    if (longest >= shortest)
        return {};
    return text_of(
        "sigma = %g N/m at this spacing needs steps of %.2g s, and %s is %.2g s; lower it",
        fluid.surface_tension.sigma, longest, fixed ? "time_step.dt" : "time_step.min", shortest);
}

std::string density_advice(double density) {
    if (density >= k_lightest && density <= k_heaviest)
        return {};
    return text_of(
        "%g kg/m^3 is far from every fluid there is, and numbers of this size are lost in "
        "rounding; "
        "is the unit kg/m^3?",
        density);
}

/// Fluids so different that the pressures between them are hard to find.
std::string ratio_advice(const Scene& scene) {
    const auto less = [](const Fluid& a, const Fluid& b) { return a.density < b.density; };
    const auto [light, heavy] = std::minmax_element(scene.fluids.begin(), scene.fluids.end(), less);
    if (scene.fluids.empty() || heavy->density <= k_most_ratio * light->density)
        return {};
    return text_of(
        "one fluid is %.3g times as heavy as another; where they touch, beyond %g the lighter one "
        "is squeezed and thrown",
        heavy->density / light->density, k_most_ratio);
}

/// The thinnest side of a solid wall or body; infinite where it has none.
double thickness(const Box& box, const Vector& scale, int dimension) {
    double thinnest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < dimension; ++k)
        thinnest = std::min(thinnest, std::abs(scale[k]) * (box.max[k] - box.min[k]));
    return thinnest;
}

std::string thin_advice(const char* what, double thin, double spacing) {
    return text_of(
        "%s of %.2g m is thinner than a spacing (%.2g m): fluid goes through it and feels what is "
        "behind; make it thicker or the spacing smaller",
        what, thin, spacing);
}

/// How far something falls in the scene's first second, or to the floor, in one fixed step.
std::string fixed_step_advice(const Scene& scene) {
    const TimeStep& step = scene.time_step;
    if (step.mode != "fixed")
        return {};
    double g2 = 0, v2 = 0, fastest = 0;
    for (int k = 0; k < scene.dimension; ++k)
        g2 += scene.gravity[k] * scene.gravity[k];
    for (const Fluid& fluid : scene.fluids) {
        v2 = 0;
        for (int k = 0; k < scene.dimension; ++k)
            v2 += fluid.velocity[k] * fluid.velocity[k];
        fastest = std::max(fastest, std::sqrt(v2));
        for (const Emitter& emitter : fluid.emitters)
            fastest = std::max(fastest, emitter.speed);
    }
    const double way = (fastest + std::sqrt(g2) * step.dt) * step.dt / scene.spacing;
    if (way <= 1)
        return {};
    return text_of(
        "in a step of %.3g s fluid moves by %.2g spacings from the first; such steps are taken in "
        "parts: use %.2g s, or the mode cfl",
        step.dt, way, step.dt / (2.5 * way));
}

}  // namespace

template <int D>
std::vector<std::string> advice_for(const Scene& scene) {
    std::vector<std::string> lines;
    if (scene.support < k_least_support)
        lines.push_back("support: " + text_of("within %g spacings a particle hardly has "
                                              "neighbours, and the fluid flies apart; use 2",
                                              scene.support));
    if (const std::string text = fixed_step_advice(scene); !text.empty())
        lines.push_back("time_step.dt: " + text);
    if (const std::string text = ratio_advice(scene); !text.empty())
        lines.push_back("fluids: " + text);
    for (std::size_t w = 0; w < scene.boundaries.size(); ++w) {
        const Boundary& wall = scene.boundaries[w];
        const Box* box = std::get_if<Box>(&wall.shape);
        const double thin = box && !wall.inside ? thickness(*box, wall.scale, D)
                                                : std::numeric_limits<double>::infinity();
        if (thin < 0.999 * scene.spacing)
            lines.push_back("boundaries[" + std::to_string(w) +
                            "].box: " + thin_advice("a wall", thin, scene.spacing));
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        if (const BodyBox* box = std::get_if<BodyBox>(&scene.bodies[b].shape)) {
            const double thin = thickness({{0, 0, 0}, box->size}, {1, 1, 1}, D);
            if (thin < 0.999 * scene.spacing)
                lines.push_back("bodies[" + std::to_string(b) +
                                "].box: " + thin_advice("a body", thin, scene.spacing));
        }
    for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
        const std::string place = "fluids[" + std::to_string(f) + "].";
        const Fluid& fluid = scene.fluids[f];
        if (const std::string text = density_advice(fluid.density); !text.empty())
            lines.push_back(place + "density: " + text);
        if (const std::string text = viscosity_advice<D>(scene, fluid); !text.empty())
            lines.push_back(place + "viscosity: " + text);
        if (const std::string text = tension_advice(scene, fluid); !text.empty())
            lines.push_back(place + "surface_tension: " + text);
    }
    return lines;
}

template std::vector<std::string> advice_for<2>(const Scene&);
template std::vector<std::string> advice_for<3>(const Scene&);

}  // namespace millrace
