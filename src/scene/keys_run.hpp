#pragma once

#include "millrace/scene.hpp"
#include "scene/key.hpp"

// The keys of how a scene is computed, measured and shown.
namespace millrace::scene_file {

template <class Visitor>
void describe(Visitor& visit, const TimeStep*) {
    visit({.name = "mode",
           .help = "`cfl`: as long as the motion allows; `metropolis`: as long as makes the run "
                   "fastest, but no longer than that; `fixed`: always `dt`",
           .choices = {"cfl", "fixed", "metropolis"}},
          &TimeStep::mode);
    visit({.name = "cfl",
           .help =
               "how far a particle may go in a step, with engine `game` in a part of a step; with "
               "`game` and `constraints` the default is 1; not of the mode `fixed`",
           .unit = "spacings",
           .above = 0,
           .at_most = 1},
          &TimeStep::cfl);
    visit({.name = "min", .help = "shortest step; not of `fixed`", .unit = "s", .above = 0},
          &TimeStep::min);
    visit({.name = "max",
           .help = "longest step; the default of engine `game` is 1/60, of `constraints` 1/120; "
                   "not of `fixed`",
           .unit = "s",
           .above = 0},
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
void describe(Visitor& visit, const SurfaceOutput*) {
    visit({.name = "formats",
           .help = "files besides `vtp`, which is always written",
           .choices = {"vtp", "ply", "obj", "vdb"}},
          &SurfaceOutput::formats);
    visit({.name = "cell",
           .help = "edge of a cell of marching cubes; smaller: finer and slower",
           .unit = "spacings",
           .at_least = 0.25,
           .at_most = 2},
          &SurfaceOutput::cell);
    visit({.name = "smoothing",
           .help = "iterations of smoothing; 0: none",
           .at_least = 0,
           .at_most = 1000},
          &SurfaceOutput::smoothing);
    visit(
        {.name = "anisotropic", .help = "kernels stretched along the surface: smoother and slower"},
        &SurfaceOutput::anisotropic);
    visit({.name = "keep",
           .help = "part of the triangles that decimation leaves; 1: all",
           .above = 0,
           .at_most = 1},
          &SurfaceOutput::keep);
}

template <class Visitor>
void describe(Visitor& visit, const DiffuseOutput*) {
    visit({.name = "formats",
           .help = "files besides `vtu`, which is always written",
           .choices = {"vtu", "ply", "bgeo", "h5"}},
          &DiffuseOutput::formats);
    visit({.name = "rate",
           .help = "how many a fluid particle makes at most",
           .unit = "1/s",
           .at_least = 0},
          &DiffuseOutput::rate);
    visit({.name = "shortest_life", .help = "of the least violent", .unit = "s", .above = 0},
          &DiffuseOutput::shortest_life);
    visit({.name = "longest_life", .help = "of the most violent", .unit = "s", .above = 0},
          &DiffuseOutput::longest_life);
}

template <class Visitor>
void describe(Visitor& visit, const Output*) {
    visit({.name = "fps", .help = "frames per simulated second", .unit = "1/s", .above = 0},
          &Output::fps);
    visit({.name = "particles",
           .help = "formats of the particle frames; an empty list writes none",
           .choices = {"vtu", "ply", "bgeo", "h5"}},
          &Output::particles);
    visit({.name = "fields",
           .help = "what a particle frame holds; `velocity`, `density` and `id` are always written",
           .choices = {"velocity", "density", "pressure", "id"}},
          &Output::fields);
    visit({.name = "surface",
           .help = "makes the surface of every frame in the run, as `millrace mesh` does after it; "
                   "`{}` takes the defaults",
           .only_in = 3},
          &Output::surface);
    visit({.name = "diffuse",
           .help = "makes spray, foam and bubbles in the run, as `millrace foam` does after it; "
                   "`{}` takes the defaults",
           .only_in = 3},
          &Output::diffuse);
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
