#include "scene/check_pool.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "scene/text.hpp"

namespace millrace {

namespace scene_file {
namespace {

constexpr std::string_view k_pool_methods[] = {"iisph", "dfsph", "mueller", "clavet", "spook"};
constexpr std::string_view k_game_methods[] = {"mueller", "clavet", "spook"};

template <class Words>
bool is_one_of(const std::string& word, const Words& words) {
    return std::ranges::find(words, word) != std::end(words);
}

std::string reason_of(const Boundary& wall) {
    return wall.circle                ? ".circle"
           : wall.polygon             ? ".polygon"
           : wall.chain               ? ".chain"
           : wall.plane               ? ".plane"
           : wall.rotation.angle != 0 ? ".rotation"
           : wall.motion && (wall.motion->type == "rotate" || wall.motion->type == "keyframes")
               ? ".motion of type " + in_quotes(wall.motion->type)
               : "";
}

/// What makes a 2D scene one for the pool, for messages; empty: nothing does.
std::string pool_reason(const Scene& scene) {
    if (scene.dimension != 2 || runs_as_constraints(scene)) {
        return "";
    }
    if (is_one_of(scene.pressure.method, k_game_methods)) {
        return "pressure.method " + in_quotes(scene.pressure.method);
    }
    if (!scene.bodies.empty()) {
        return "bodies";
    }
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        const std::string reason = reason_of(scene.boundaries[i]);
        if (!reason.empty()) {
            return entry("boundaries", i) + reason;
        }
    }
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        const std::vector<Fill>& fill = scene.fluids[i].fill;
        for (std::size_t j = 0; j < fill.size(); ++j) {
            if (fill[j].circle || fill[j].polygon) {
                return entry("fluids", i) + "." + entry("fill", j) +
                       (fill[j].circle ? ".circle" : ".polygon");
            }
        }
    }
    return "";
}

void check_fluid(const Fluid& fluid, const Scene& scene, const std::string& reason,
                 const std::string& file, const std::string& place) {
    const std::string& viscosity = fluid.viscosity.method;
    if (viscosity != "none" && viscosity != "standard") {
        fail(file, place + ".viscosity.method",
             in_quotes(viscosity) + " is not available in 2D with " + reason +
                 "; available: none, standard");
    }
    const std::string& tension = fluid.surface_tension.method;
    if (tension == "cohesion" || (tension != "none" && scene.pressure.method != "mueller")) {
        fail(file, place + ".surface_tension.method",
             in_quotes(tension) + " is not available in 2D with " + reason +
                 "; available: none, and color_field with pressure.method 'mueller'");
    }
}

/// Neither the pool nor constraints know whirls.
void refuse_vorticity(const Fluid& fluid, const std::string& reason, const std::string& file,
                      const std::string& place) {
    if (fluid.vorticity.method != "none") {
        fail(file, place + ".vorticity.method",
             in_quotes(fluid.vorticity.method) + " is not available " + reason +
                 "; available: none");
    }
}

/// The kernels of one method are not those of another.
void check_kernels(const Pressure& pressure, const std::string& file) {
    constexpr std::string_view k_of_clavet[] = {"original", "hybrid", "squared"};
    constexpr std::string_view k_of_spook[] = {"spiky", "poly6", "poly6h"};
    const bool clavet = pressure.method == "clavet";
    if (!pressure.kernels.empty() &&
        !is_one_of(pressure.kernels, clavet ? k_of_clavet : k_of_spook)) {
        fail(file, "pressure.kernels",
             in_quotes(pressure.kernels) + " is not of method " + in_quotes(pressure.method) +
                 "; available: " + (clavet ? list_text(k_of_clavet) : list_text(k_of_spook)));
    }
}

/// A scene for the pool.
void check_in_pool(const Scene& scene, const std::string& reason, const std::string& file) {
    if (!is_one_of(scene.pressure.method, k_pool_methods)) {
        fail(file, "pressure.method",
             in_quotes(scene.pressure.method) + " is not available in 2D with " + reason +
                 "; available: " + list_text(k_pool_methods));
    }
    if (scene.time_step.mode == "metropolis") {
        fail(file, "time_step.mode",
             "'metropolis' is not available in 2D with " + reason + "; available: cfl, fixed");
    }
    if (scene.support != Scene{}.support) {
        fail(file, "support",
             "is not used in 2D with " + reason +
                 "; pressure.self_contribution sets the radius of the kernels");
    }
    check_kernels(scene.pressure, file);
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        check_fluid(scene.fluids[i], scene, reason, file, entry("fluids", i));
        refuse_vorticity(scene.fluids[i], "in 2D with " + reason, file, entry("fluids", i));
    }
}

/// A scene whose fluid and bodies are solved together.
void check_constraints(const Scene& scene, const std::string& file) {
    if (scene.time_step.mode == "metropolis") {
        fail(file, "time_step.mode",
             "'metropolis' is not available with pressure.method 'spook'; available: cfl, fixed");
    }
    if (scene.pressure.kernels == "poly6h") {
        fail(file, "pressure.kernels",
             "'poly6h' is available in 2D without rigid.engine 'spook' only; available here: "
             "spiky, poly6");
    }
    if (scene.pressure.self_contribution != 0) {
        fail(file, "pressure.self_contribution",
             "used only in 2D without rigid.engine 'spook'; here support sets the radius of the "
             "kernel");
    }
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        const Fluid& fluid = scene.fluids[i];
        refuse_vorticity(fluid, "with pressure.method 'spook'", file, entry("fluids", i));
        if (fluid.viscosity.method == "xsph") {
            fail(file, entry("fluids", i) + ".viscosity.method",
                 "'xsph' is not available with pressure.method 'spook'; available: none, standard, "
                 "implicit, which are the same here: always implicit");
        }
        if (fluid.viscosity.walls != "slip") {
            fail(file, entry("fluids", i) + ".viscosity.walls",
                 in_quotes(fluid.viscosity.walls) +
                     " is not available with pressure.method 'spook'; available: slip");
        }
        if (fluid.surface_tension.method != "none") {
            fail(file, entry("fluids", i) + ".surface_tension.method",
                 in_quotes(fluid.surface_tension.method) +
                     " is not available with pressure.method 'spook'; available: none");
        }
    }
}

/// A scene that is neither.
void check_outside_pool(const Scene& scene, const std::string& file) {
    const std::string& method = scene.pressure.method;
    if (is_one_of(method, k_game_methods)) {
        fail(file, "pressure.method",
             in_quotes(method) +
                 " is available in 2D only; available in 3D: wcsph, pcisph, iisph, dfsph, spook");
    }
    const auto refuse = [&](const char* key, const char* remedy) {
        fail(file, std::string("pressure.") + key,
             "with method " + in_quotes(method) +
                 " used only in 2D scenes with bodies or with walls that are not boxes; " + remedy);
    };
    if (scene.pressure.iterations != 0) {
        refuse("iterations", "here max_iterations limits the solver");
    }
    if (scene.pressure.self_contribution != 0) {
        refuse("self_contribution", "here support sets the radius of the kernel");
    }
}

}  // namespace

void check_pool_scene(const Scene& scene, const std::string& file) {
    const std::string reason = pool_reason(scene);
    if (scene.pressure.method == "spook" && !runs_as_constraints(scene)) {
        if (scene.pressure.boundary != Pressure{}.boundary ||
            scene.pressure.pair_damping != Pressure{}.pair_damping) {
            fail(file,
                 scene.pressure.boundary != Pressure{}.boundary ? "pressure.boundary"
                                                                : "pressure.pair_damping",
                 "used only in 3D, or in 2D with rigid.engine 'spook'");
        }
    }
    if (runs_as_constraints(scene)) {
        check_constraints(scene, file);
    } else if (reason.empty()) {
        check_outside_pool(scene, file);
    } else {
        check_in_pool(scene, reason, file);
    }
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        if (scene.pressure.method != "clavet" && scene.fluids[i].goo != Goo{}) {
            fail(file, entry("fluids", i) + ".goo",
                 "used only with pressure.method 'clavet'; here it is " +
                     in_quotes(scene.pressure.method));
        }
    }
}

}  // namespace scene_file

bool runs_as_constraints(const Scene& scene) {
    return scene.pressure.method == "spook" &&
           (scene.dimension == 3 || scene.rigid.engine == "spook");
}

bool runs_in_pool(const Scene& scene) {
    return !scene_file::pool_reason(scene).empty();
}

}  // namespace millrace
