#include "scene/check_engine.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "scene/text.hpp"

namespace millrace {

namespace scene_file {
namespace {

using Words = std::vector<std::string_view>;

/// What an engine is, in one place: what it can do and what it takes where a scene says nothing.
struct Engine {
    std::string_view name;
    Words methods;                             ///< of `pressure.method`; the first is its own
    Words rigid_engines_2d, rigid_engines_3d;  ///< of `rigid.engine`; empty: not in that dimension
    double cfl;                                ///< of `time_step`
    double longest_step;                       ///< time_step.max [s]
};

const Engine& engine_of(const std::string& name) {
    static const Engine engines[] = {
        {"sph",
         {"dfsph", "iisph", "pcisph", "wcsph"},
         {"auto", "own", "box2d", "spook"},
         {"auto", "own", "bullet", "spook"},
         TimeStep{}.cfl,
         TimeStep{}.max},
        // a game steps 60 times a second; its pool cuts steps into parts
        {"game",
         {"spook", "clavet", "mueller", "iisph", "dfsph"},
         {"auto", "box2d"},
         {},
         1,
         1.0 / 60},
        // constraints are stable in long steps
        {"constraints", {"spook"}, {"auto", "spook"}, {"auto", "spook"}, 1, 1.0 / 120},
    };
    const auto found = std::ranges::find(engines, name, &Engine::name);
    return found == std::end(engines) ? engines[0] : *found;
}

bool is_one_of(std::string_view word, const Words& words) {
    return std::ranges::find(words, word) != words.end();
}

/// The engines that have a pressure method, as one would write them.
std::string engines_with(std::string_view method, int dimension) {
    std::string text;
    for (const char* name : {"sph", "game", "constraints"}) {
        const Engine& engine = engine_of(name);
        const Words& rigid = dimension == 2 ? engine.rigid_engines_2d : engine.rigid_engines_3d;
        if (is_one_of(method, engine.methods) && !rigid.empty()) {
            text += (text.empty() ? "" : " or ") + std::string("\"engine\": \"") + name + "\"";
        }
    }
    return text;
}

/// The line of something that an engine does not have.
class Refusal {
  public:
    Refusal(const Scene& scene, const std::string& file) : scene_(scene), file_(file) {}

    [[noreturn]] void operator()(const std::string& place, const std::string& word,
                                 const std::string& available) const {
        fail(file_, place,
             in_quotes(word) + " is not available with engine " + in_quotes(scene_.engine) +
                 "; available: " + available);
    }

  private:
    const Scene& scene_;
    const std::string& file_;
};

void check_method(const Scene& scene, const Engine& engine, const std::string& file) {
    const std::string& method = scene.pressure.method;
    if (!is_one_of(method, engine.methods)) {
        const std::string other = engines_with(method, scene.dimension);
        fail(file, "pressure.method",
             in_quotes(method) + " is not of engine " + in_quotes(scene.engine) + ", which has " +
                 list_text(engine.methods) +
                 (other.empty()
                      ? "; there is none in " + std::to_string(scene.dimension) + "D that has it"
                      : "; for this method write " + other));
    }
}

void check_rigid_engine(const Scene& scene, const Engine& engine, const std::string& file) {
    const bool flat = scene.dimension == 2;
    const Words& available = flat ? engine.rigid_engines_2d : engine.rigid_engines_3d;
    if (!is_one_of(scene.rigid.engine, available)) {
        fail(file, "rigid.engine",
             in_quotes(scene.rigid.engine) + " is not available in " + (flat ? "2D" : "3D") +
                 " with engine " + in_quotes(scene.engine) +
                 "; available: " + list_text(available));
    }
}

/// The kernels of one method are not those of another.
void check_kernels(const Scene& scene, const std::string& file) {
    const Pressure& pressure = scene.pressure;
    const bool clavet = pressure.method == "clavet";
    const Words available = clavet                   ? Words{"original", "hybrid", "squared"}
                            : scene.engine == "game" ? Words{"spiky", "poly6", "poly6h"}
                                                     : Words{"spiky", "poly6"};
    if (!pressure.kernels.empty() && !is_one_of(pressure.kernels, available)) {
        fail(file, "pressure.kernels",
             in_quotes(pressure.kernels) + " is not of method " + in_quotes(pressure.method) +
                 " with engine " + in_quotes(scene.engine) +
                 "; available: " + list_text(available));
    }
}

void check_game(const Scene& scene, const std::string& file) {
    const Refusal refuse(scene, file);
    if (scene.support != Scene{}.support) {
        fail(file, "support",
             "is not used with engine 'game'; pressure.self_contribution sets the radius of the "
             "kernels");
    }
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        const std::string place = entry("fluids", i);
        const std::string& viscosity = scene.fluids[i].viscosity.method;
        if (viscosity != "none" && viscosity != "standard") {
            refuse(place + ".viscosity.method", viscosity, "none, standard");
        }
        const std::string& tension = scene.fluids[i].surface_tension.method;
        if (tension == "cohesion" || (tension != "none" && scene.pressure.method != "mueller")) {
            refuse(place + ".surface_tension.method", tension,
                   "none, and color_field with pressure.method 'mueller'");
        }
    }
}

void check_constraints(const Scene& scene, const std::string& file) {
    const Refusal refuse(scene, file);
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        const Fluid& fluid = scene.fluids[i];
        const std::string place = entry("fluids", i);
        if (fluid.viscosity.method == "xsph") {
            refuse(place + ".viscosity.method", "xsph",
                   "none, and standard and implicit, which are the same here: always implicit");
        }
        if (fluid.viscosity.walls != "slip") {
            refuse(place + ".viscosity.walls", fluid.viscosity.walls, "slip");
        }
        if (fluid.surface_tension.method != "none") {
            refuse(place + ".surface_tension.method", fluid.surface_tension.method, "none");
        }
    }
}

/// Keys that belong to one engine, where they were set for another.
void check_own_keys(const Scene& scene, const std::string& file) {
    const auto refuse = [&](const char* key, const char* engines, const char* remedy) {
        fail(file, std::string("pressure.") + key,
             std::string("used only with engine ") + engines + "; here it is " +
                 in_quotes(scene.engine) + remedy);
    };
    const Pressure& pressure = scene.pressure;
    if (scene.engine == "sph" && pressure.iterations != 0) {
        refuse("iterations", "game or constraints", ", where max_iterations limits the solver");
    }
    if (scene.engine != "game" && pressure.self_contribution != 0) {
        refuse("self_contribution", "game", ", where support sets the radius of the kernel");
    }
    if (scene.engine != "constraints" && pressure.boundary != Pressure{}.boundary) {
        refuse("boundary", "constraints", "");
    }
    if (scene.engine != "constraints" && pressure.pair_damping != Pressure{}.pair_damping) {
        refuse("pair_damping", "constraints", "");
    }
}

}  // namespace

void check_engine(const Scene& scene, const std::string& file) {
    const Engine& engine = engine_of(scene.engine);
    if (scene.dimension == 3 && engine.rigid_engines_3d.empty()) {
        fail(file, "engine",
             in_quotes(scene.engine) + " is available in 2D only; in 3D: sph, constraints");
    }
    check_method(scene, engine, file);
    check_rigid_engine(scene, engine, file);
    check_own_keys(scene, file);
    const Refusal refuse(scene, file);
    if (scene.engine != "sph") {
        check_kernels(scene, file);
        if (scene.time_step.mode == "metropolis") {
            refuse("time_step.mode", "metropolis", "cfl, fixed");
        }
        for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
            if (scene.fluids[i].vorticity.method != "none") {
                refuse(entry("fluids", i) + ".vorticity.method", scene.fluids[i].vorticity.method,
                       "none");
            }
        }
    }
    if (scene.engine == "game") {
        check_game(scene, file);
    } else if (scene.engine == "constraints") {
        check_constraints(scene, file);
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

Scene default_scene(const std::string& engine) {
    const scene_file::Engine& found = scene_file::engine_of(engine);
    Scene scene;
    scene.engine = engine;
    scene.pressure.method = found.methods.front();
    scene.time_step.cfl = found.cfl;
    scene.time_step.max = found.longest_step;
    return scene;
}

}  // namespace millrace
