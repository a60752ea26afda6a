#pragma once

#include "millrace/scene.hpp"
#include "scene/key.hpp"

// The keys of how a scene is computed, measured and shown.
namespace millrace::scene_file {

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
    const Beside metropolis{"mode", {"metropolis"}};
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
           .choices = {"height", "pressure", "velocity", "front", "body", "energy"}},
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
    visit({.name = "body",
           .help = "name of the body",
           .required = true,
           .only_with = {"type", {"body"}}},
          &Probe::body);
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

}  // namespace millrace::scene_file
