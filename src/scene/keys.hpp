#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "millrace/scene.hpp"

// The scene file, described once: its keys with their units, limits and help. The parser, the
// resolved scene, the JSON Schema and the tables of docs/scene-reference.md are made from here;
// a default is what the struct in millrace/scene.hpp holds.
namespace millrace::scene_file {

inline constexpr int k_format_version = 1;

/// Designed, but not in this version: keys and values that get an error of their own. Delete an
/// entry when it arrives.
inline constexpr std::string_view k_not_available[] = {
    "bodies",
    "joints",
    "rigid",
    "fluids[].emitters",
    "fluids[].fill[].sphere",
    "fluids[].fill[].mesh",
    "boundaries[].sphere",
    "boundaries[].cylinder",
    "boundaries[].plane",
    "boundaries[].mesh",
    "boundaries[].position",
    "boundaries[].rotation",
    "boundaries[].scale",
    "boundaries[].motion",
    "output.surface",
    "output.diffuse",
    "pressure.method=mueller",
    "pressure.method=clavet",
    "pressure.method=spook",
    "probes[].type=body",
};

/// Which numbers of a Vector the file holds.
enum class Shape {
    point,        ///< x, y and, in 3D, z
    space,        ///< always three
    probe_place,  ///< a point; for a probe of type "height" [x, z] in 3D and [x] in 2D
};

/// A key that means something only with certain values of another key beside it.
struct OnlyWith {
    std::string_view key;
    std::vector<std::string_view> values;
};

struct Key {
    std::string_view name;
    std::string_view help;
    std::string_view unit = {};
    bool required = false;  ///< together with only_with: required there
    double above = -std::numeric_limits<double>::infinity();
    double at_least = -std::numeric_limits<double>::infinity();
    double below = std::numeric_limits<double>::infinity();
    double at_most = std::numeric_limits<double>::infinity();
    std::vector<std::string_view> choices = {};  ///< of a text; a text without them is a name
    bool not_empty = false;                      ///< of a list
    Shape shape = Shape::point;
    OnlyWith only_with = {};
};

/// Two keys of the file that no struct holds.
inline const Key k_version_key{
    .name = "millrace", .help = "version of this format: 1", .required = true};
inline const Key k_schema_key{.name = "$schema",
                              .help = "path of scene.schema.json, for editors; not used in a run"};

// describe() calls the visitor with each key of a struct and its member, in the order of the
// file: visitor(key, &Struct::member). The second argument only selects the struct. `dimension`
// comes before every vector, and a key before those that are only_with it.

template <class Visitor>
void describe(Visitor& visit, const Box*) {
    visit({.name = "min", .help = "lower corner", .unit = "m", .required = true}, &Box::min);
    visit({.name = "max", .help = "upper corner", .unit = "m", .required = true}, &Box::max);
}

template <class Visitor>
void describe(Visitor& visit, const Fill*) {
    visit({.name = "box", .help = "the filled volume", .required = true}, &Fill::box);
    visit({.name = "jitter",
           .help = "standard deviation of the random displacement of the particles",
           .unit = "spacings",
           .at_least = 0,
           .at_most = 0.1},
          &Fill::jitter);
}

template <class Visitor>
void describe(Visitor& visit, const Viscosity*) {
    visit({.name = "method",
           .help = "`standard`: explicit, for water; `implicit`: for honey, at any step; `xsph`: "
                   "smooths velocities, without a physical viscosity",
           .choices = {"none", "standard", "implicit", "xsph"}},
          &Viscosity::method);
    visit({.name = "nu",
           .help = "kinematic viscosity, of the methods `standard` and `implicit`",
           .unit = "m^2/s",
           .at_least = 0},
          &Viscosity::nu);
    visit({.name = "walls",
           .help = "whether the fluid slides along walls or sticks to them",
           .choices = {"slip", "no-slip"},
           .only_with = {"method", {"standard", "implicit"}}},
          &Viscosity::walls);
    visit({.name = "strength",
           .help = "part of the difference to the neighbours' mean velocity that a step removes",
           .at_least = 0,
           .at_most = 1,
           .only_with = {"method", {"xsph"}}},
          &Viscosity::strength);
}

template <class Visitor>
void describe(Visitor& visit, const SurfaceTension*) {
    visit({.name = "method",
           .help = "`color_field`: force from the curvature of the surface; `cohesion`: attraction "
                   "between particles, which conserves momentum",
           .choices = {"none", "color_field", "cohesion"}},
          &SurfaceTension::method);
    visit({.name = "sigma",
           .help = "surface tension; water against air has 0.072",
           .unit = "N/m",
           .at_least = 0,
           .only_with = {"method", {"color_field", "cohesion"}}},
          &SurfaceTension::sigma);
}

template <class Visitor>
void describe(Visitor& visit, const Fluid*) {
    visit({.name = "name", .help = "the name in files and messages; no two fluids share one"},
          &Fluid::name);
    visit({.name = "density", .help = "rest density", .unit = "kg/m^3", .above = 0},
          &Fluid::density);
    visit({.name = "velocity", .help = "velocity at the start", .unit = "m/s"}, &Fluid::velocity);
    visit({.name = "fill",
           .help = "the volumes filled at the start",
           .required = true,
           .not_empty = true},
          &Fluid::fill);
    visit({.name = "viscosity", .help = "the inner friction of the fluid"}, &Fluid::viscosity);
    visit({.name = "surface_tension", .help = "what draws the fluid's surface together"},
          &Fluid::surface_tension);
    visit({.name = "color",
           .help = "red, green and blue in pictures",
           .at_least = 0,
           .at_most = 1,
           .shape = Shape::space},
          &Fluid::color);
}

template <class Visitor>
void describe(Visitor& visit, const Boundary*) {
    visit({.name = "name",
           .help = "the name in files and messages; no two boundaries share one; without it the "
                   "boundary is called `boundary_` and its place in the list"},
          &Boundary::name);
    visit({.name = "box", .help = "the box whose faces are the walls", .required = true},
          &Boundary::box);
    visit(
        {.name = "inside", .help = "true: a tank, the fluid is within the box; false: an obstacle"},
        &Boundary::inside);
    visit(
        {.name = "open", .help = "faces left out", .choices = {"-x", "+x", "-y", "+y", "-z", "+z"}},
        &Boundary::open);
}

template <class Visitor>
void describe(Visitor& visit, const Pressure*) {
    visit({.name = "method",
           .help = "the pressure solver",
           .choices = {"wcsph", "pcisph", "iisph", "dfsph"}},
          &Pressure::method);
    visit({.name = "avg_error",
           .help = "the solver iterates until the average predicted density error, relative to "
                   "the rest density, is below this",
           .above = 0},
          &Pressure::avg_error);
    visit({.name = "max_error",
           .help = "the same for the particle with the largest error",
           .above = 0},
          &Pressure::max_error);
    visit({.name = "min_iterations", .help = "iterations of every solve, at least", .at_least = 0},
          &Pressure::min_iterations);
    visit({.name = "max_iterations", .help = "iterations of every solve, at most", .at_least = 1},
          &Pressure::max_iterations);
    visit({.name = "warm_start", .help = "start a solve from the pressures of the last step"},
          &Pressure::warm_start);
    visit({.name = "relaxation",
           .help = "weight of the new pressures in an iteration; lower is slower and steadier",
           .above = 0,
           .at_most = 1},
          &Pressure::relaxation);
    visit({.name = "linear_solver",
           .help = "how a solve iterates: `jacobi` as in the literature; `nncg` by non-smooth "
                   "conjugate gradients, fewer iterations in deep water",
           .choices = {"jacobi", "nncg"},
           .only_with = {"method", {"iisph", "dfsph"}}},
          &Pressure::linear_solver);
    visit({.name = "rest_density",
           .help = "use the rest density instead of the densities of the particles in the pressure "
                   "forces"},
          &Pressure::rest_density);
    visit({.name = "divergence_iterations",
           .help = "iterations of the divergence solve, at most; 0 leaves it out",
           .at_least = 0,
           .only_with = {"method", {"dfsph"}}},
          &Pressure::divergence_iterations);
    visit({.name = "divergence_error",
           .help = "the divergence solve iterates until the velocities compress the fluid by less "
                   "than this in a step, relative, on average",
           .above = 0,
           .only_with = {"method", {"dfsph"}}},
          &Pressure::divergence_error);
    visit({.name = "equation_of_state",
           .help = "how pressure follows from density: `linear`, or `tait` with its exponent",
           .choices = {"linear", "tait"},
           .only_with = {"method", {"wcsph"}}},
          &Pressure::equation_of_state);
    visit({.name = "gamma",
           .help = "exponent of `tait`",
           .at_least = 1,
           .at_most = 10,
           .only_with = {"method", {"wcsph"}}},
          &Pressure::gamma);
    visit({.name = "expected_speed",
           .help = "fastest speed to come; sound is ten times as fast, so that the fluid is "
                   "compressed by about 1 %; 0: that of a fall from the top of the fluid to the "
                   "lowest wall",
           .unit = "m/s",
           .at_least = 0,
           .only_with = {"method", {"wcsph"}}},
          &Pressure::expected_speed);
}

template <class Visitor>
void describe(Visitor& visit, const TimeStep*) {
    visit({.name = "mode",
           .help = "`cfl`: as long as the motion allows; `metropolis`: as long as makes the run "
                   "fastest, but no longer than that; `fixed`: always `dt`",
           .choices = {"cfl", "fixed", "metropolis"}},
          &TimeStep::mode);
    visit({.name = "cfl",
           .help = "how far a particle may go in a step; not of the mode `fixed`",
           .unit = "spacings",
           .above = 0,
           .at_most = 1},
          &TimeStep::cfl);
    visit({.name = "min", .help = "shortest step; not of `fixed`", .unit = "s", .above = 0},
          &TimeStep::min);
    visit({.name = "max", .help = "longest step; not of `fixed`", .unit = "s", .above = 0},
          &TimeStep::max);
    visit({.name = "dt",
           .help = "the step",
           .unit = "s",
           .required = true,
           .above = 0,
           .only_with = {"mode", {"fixed"}}},
          &TimeStep::dt);
    const OnlyWith metropolis{"mode", {"metropolis"}};
    visit({.name = "initial",
           .help = "first step; 0: the longest that is allowed",
           .unit = "s",
           .at_least = 0,
           .only_with = metropolis},
          &TimeStep::initial);
    visit({.name = "sigma",
           .help = "standard deviation of a proposed step for each step of its episode, relative "
                   "to the current step",
           .above = 0,
           .at_most = 0.2,
           .only_with = metropolis},
          &TimeStep::sigma);
    visit({.name = "episode",
           .help = "steps for which a proposal is tried",
           .at_least = 1,
           .at_most = 1000,
           .only_with = metropolis},
          &TimeStep::episode);
    visit({.name = "acceptance",
           .help = "part of the proposals to accept, chi; 0: only better ones",
           .at_least = 0,
           .below = 1,
           .only_with = metropolis},
          &TimeStep::acceptance);
    visit({.name = "horizon",
           .help = "time after which the fate of a proposal fades",
           .unit = "s",
           .above = 0,
           .only_with = metropolis},
          &TimeStep::horizon);
    visit({.name = "cost_constant",
           .help = "wall time of a step without its iterations; if this or `cost_iteration` is "
                   "given, nothing is measured and the run is the same every time",
           .unit = "s",
           .at_least = 0,
           .only_with = metropolis},
          &TimeStep::cost_constant);
    visit({.name = "cost_iteration",
           .help = "wall time of an iteration of the pressure solver",
           .unit = "s",
           .at_least = 0,
           .only_with = metropolis},
          &TimeStep::cost_iteration);
}

template <class Visitor>
void describe(Visitor& visit, const Output*) {
    visit({.name = "fps", .help = "frames per simulated second", .unit = "1/s", .above = 0},
          &Output::fps);
    visit({.name = "particles",
           .help = "formats of the particle frames; an empty list writes none",
           .choices = {"vtu"}},
          &Output::particles);
    visit({.name = "fields",
           .help = "what a particle frame holds; `velocity`, `density` and `id` are always written",
           .choices = {"velocity", "density", "pressure", "id"}},
          &Output::fields);
}

template <class Visitor>
void describe(Visitor& visit, const Probe*) {
    visit({.name = "name",
           .help = "the column in probes.csv; no two probes share one, and none is called `time`",
           .required = true},
          &Probe::name);
    visit({.name = "type",
           .help = "what is measured",
           .required = true,
           .choices = {"height", "pressure", "velocity", "front", "energy"}},
          &Probe::type);
    visit({.name = "at",
           .help = "the point; of `height` the horizontal one, [x, z] in 3D and [x] in 2D",
           .unit = "m",
           .required = true,
           .shape = Shape::probe_place,
           .only_with = {"type", {"height", "pressure", "velocity"}}},
          &Probe::at);
    visit({.name = "axis",
           .help = "direction in which the front moves: 0 is x, 1 is y, 2 is z",
           .at_least = 0,
           .at_most = 2,
           .only_with = {"type", {"front"}}},
          &Probe::axis);
    visit({.name = "interval",
           .help = "0: a value at every frame; otherwise the time between two values",
           .unit = "s",
           .at_least = 0},
          &Probe::interval);
}

template <class Visitor>
void describe(Visitor& visit, const Camera*) {
    visit(
        {.name = "position",
         .help = "where the camera stands; in 2D too it has three numbers, the scene lies in z = 0",
         .unit = "m",
         .required = true,
         .shape = Shape::space},
        &Camera::position);
    visit({.name = "target",
           .help = "the point it looks at",
           .unit = "m",
           .required = true,
           .shape = Shape::space},
          &Camera::target);
    visit({.name = "fov", .help = "vertical opening", .unit = "degrees", .above = 0, .below = 180},
          &Camera::fov);
}

template <class Visitor>
void describe(Visitor& visit, const Scene*) {
    visit({.name = "name", .help = "the name of the scene"}, &Scene::name);
    visit({.name = "dimension", .help = "2 or 3", .at_least = 2, .at_most = 3}, &Scene::dimension);
    visit({.name = "spacing",
           .help = "distance of neighbouring particles at rest",
           .unit = "m",
           .required = true,
           .above = 0},
          &Scene::spacing);
    visit({.name = "support",
           .help = "radius of the smoothing kernel",
           .unit = "spacings",
           .at_least = 1,
           .at_most = 4},
          &Scene::support);
    visit({.name = "gravity", .help = "acceleration of everything", .unit = "m/s^2"},
          &Scene::gravity);
    visit({.name = "domain",
           .help = "particles that leave it are removed and counted; without it, none are"},
          &Scene::domain);
    visit({.name = "end", .help = "simulated time", .unit = "s", .at_least = 0}, &Scene::end);
    visit({.name = "seed", .help = "seed of all random numbers", .at_least = 0}, &Scene::seed);
    visit({.name = "fluids", .help = "the fluids", .required = true, .not_empty = true},
          &Scene::fluids);
    visit({.name = "boundaries", .help = "the walls"}, &Scene::boundaries);
    visit({.name = "pressure", .help = "how the fluid is kept from being compressed"},
          &Scene::pressure);
    visit({.name = "time_step", .help = "how long a step is"}, &Scene::time_step);
    visit({.name = "output", .help = "what a run writes"}, &Scene::output);
    visit({.name = "probes", .help = "quantities written to probes.csv"}, &Scene::probes);
    visit({.name = "camera", .help = "the view of pictures; without it, one is chosen"},
          &Scene::camera);
}

/// A struct that is an object in the file.
template <class S>
concept Described = requires(void (*visit)(), const S* object) {
    describe(visit, object);
};

/// Whether a key means something where the key that it is only_with has this value.
inline bool applies(const Key& key, std::string_view other_value) {
    return key.only_with.key.empty() ||
           std::ranges::find(key.only_with.values, other_value) != key.only_with.values.end();
}

/// The components of a Vector that the file holds.
inline std::vector<int> components(Shape shape, int dimension, bool height_probe) {
    if (shape == Shape::probe_place && height_probe) {
        return dimension == 2 ? std::vector{0} : std::vector{0, 2};
    }
    return dimension == 2 && shape != Shape::space ? std::vector{0, 1} : std::vector{0, 1, 2};
}

}  // namespace millrace::scene_file
