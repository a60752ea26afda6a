#pragma once

#include "scene/keys_shapes.hpp"

// The keys of fluids.
namespace millrace::scene_file {

inline const Key k_glass_key{.name = "glass",
                             .help = "one looks through it in pictures; not of boxes and planes",
                             .only_in = 3};
inline const Key k_color_key{.name = "color",
                             .help = "red, green and blue in pictures",
                             .at_least = 0,
                             .at_most = 1,
                             .shape = Shape::space};

template <class Visitor>
void describe(Visitor& visit, const Fill*) {
    visit({.name = "box", .help = "the filled volume", .one_of = k_shape}, as<Box>(&Fill::shape));
    visit({.name = "sphere",
           .help = "the filled volume",
           .only_in = 3,
           .one_of = k_shape,
           .has_twin = true},
          as<Sphere>(&Fill::shape));
    visit({.name = "mesh",
           .help = "the filled volume: the inside of a closed surface",
           .only_in = 3,
           .one_of = k_shape},
          as<MeshFile>(&Fill::shape));
    visit({.name = "points",
           .help = "a particle at each point of a file; of points nearer to each other than three "
                   "quarters of a spacing only one stays",
           .only_in = 3,
           .one_of = k_shape},
          as<PointFile>(&Fill::shape));
    visit({.name = "circle",
           .help = "the filled area",
           .only_in = 2,
           .one_of = k_shape,
           .has_twin = true},
          as<Sphere>(&Fill::shape));
    visit({.name = "polygon", .help = "the filled area", .only_in = 2, .one_of = k_shape},
          as<Polygon>(&Fill::shape));
    visit({.name = "jitter",
           .help = "standard deviation of the random displacement of the particles",
           .unit = "spacings",
           .at_least = 0,
           .at_most = 0.1},
          &Fill::jitter);
}

/// Of emitters and motions.
inline const Key k_from_key{.name = "from", .help = "when it starts", .unit = "s"};
inline const Key k_until_key{.name = "until", .help = "when it ends, after `from`", .unit = "s"};

template <class Visitor>
void describe(Visitor& visit, const Emitter*) {
    visit({.name = "name",
           .help = "no two emitters of a fluid share one; without it the emitter is called "
                   "`emitter_` and its place in the list"},
          &Emitter::name);
    visit({.name = "position",
           .help = "centre of the opening; in the frame of `body` where there is one, as are "
                   "`direction` and `up`",
           .unit = "m",
           .required = true},
          &Emitter::position);
    visit({.name = "direction", .help = "of the flow, of any length but 0", .not_zero = true},
          &Emitter::direction);
    visit({.name = "speed", .help = "of the fluid against the nozzle", .unit = "m/s", .above = 0},
          &Emitter::speed);
    visit({.name = "radius",
           .help = "of a round opening; in 2D half the width",
           .unit = "m",
           .above = 0,
           .one_of = k_opening},
          &Emitter::radius);
    visit({.name = "size",
           .help = "width and height of a rectangular opening, the height along `up`",
           .unit = "m",
           .above = 0,
           .shape = Shape::rectangle,
           .only_in = 3,
           .one_of = k_opening},
          &Emitter::size);
    visit({.name = "up",
           .help = "of any length but 0, not along `direction`",
           .not_zero = true,
           .only_in = 3,
           .only_with = {"size", {}}},
          &Emitter::up);
    visit(k_from_key, &Emitter::from);
    visit(k_until_key, &Emitter::until);
    visit(
        {.name = "max_particles", .help = "particles emitted, at most; 0: no limit", .at_least = 0},
        &Emitter::max_particles);
    visit({.name = "body", .help = "name of the body that it rides on"}, &Emitter::body);
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
void describe(Visitor& visit, const Vorticity*) {
    visit({.name = "method",
           .help = "`micropolar`: particles spin and feed the whirls around them; `confinement`: a "
                   "force that drives whirls",
           .choices = {"none", "micropolar", "confinement"}},
          &Vorticity::method);
    visit({.name = "nu_t",
           .help =
               "what couples the flow and the spin of its particles; above twice `nu` whirls grow",
           .unit = "m^2/s",
           .above = 0,
           .only_with = {"method", {"micropolar"}}},
          &Vorticity::nu_t);
    visit({.name = "inertia",
           .help = "of a kilogram of particles that spin; the spin follows the flow within "
                   "`inertia` / (2 `nu_t`)",
           .unit = "m^2",
           .above = 0,
           .only_with = {"method", {"micropolar"}}},
          &Vorticity::inertia);
    visit({.name = "smoothing",
           .help = "part of the difference to the neighbours' mean spin that a step removes",
           .at_least = 0,
           .at_most = 1,
           .only_with = {"method", {"micropolar"}}},
          &Vorticity::smoothing);
    visit({.name = "strength",
           .help = "of the force, over the vorticity",
           .unit = "m/s",
           .at_least = 0,
           .only_with = {"method", {"confinement"}}},
          &Vorticity::strength);
}

template <class Visitor>
void describe(Visitor& visit, const Goo*) {
    visit({.name = "linear_viscosity",
           .help = "sigma: against slow approach of particles",
           .unit = "m/s",
           .at_least = 0},
          &Goo::linear_viscosity);
    visit({.name = "quadratic_viscosity",
           .help = "beta: against fast approach of particles",
           .at_least = 0},
          &Goo::quadratic_viscosity);
    visit({.name = "spring_stiffness",
           .help = "k_spring: of the springs between near particles; 0: there are none",
           .unit = "N/m per kg",
           .at_least = 0},
          &Goo::spring_stiffness);
    visit({.name = "yield_ratio",
           .help = "gamma: strain that a spring bears before it flows",
           .at_least = 0,
           .at_most = 1},
          &Goo::yield_ratio);
    visit({.name = "plasticity",
           .help = "alpha: how fast a spring flows then",
           .unit = "1/s",
           .at_least = 0},
          &Goo::plasticity);
    visit({.name = "stickiness",
           .help = "k_stick: pull towards near walls; 0: none",
           .unit = "m/s^2",
           .at_least = 0},
          &Goo::stickiness);
}

template <class Visitor>
void describe(Visitor& visit, const Fluid*) {
    visit({.name = "name", .help = "the name in files and messages; no two fluids share one"},
          &Fluid::name);
    visit({.name = "density", .help = "rest density", .unit = "kg/m^3", .above = 0},
          &Fluid::density);
    visit({.name = "velocity", .help = "velocity at the start", .unit = "m/s"}, &Fluid::velocity);
    visit({.name = "fill", .help = "the volumes filled at the start"}, &Fluid::fill);
    visit({.name = "emitters",
           .help = "nozzles from which it flows; a fluid has a fill or an emitter, or both"},
          &Fluid::emitters);
    visit({.name = "viscosity", .help = "the inner friction of the fluid"}, &Fluid::viscosity);
    visit({.name = "surface_tension", .help = "what draws the fluid's surface together"},
          &Fluid::surface_tension);
    visit({.name = "vorticity", .help = "what keeps whirls alive"}, &Fluid::vorticity);
    visit({.name = "goo",
           .help = "what makes goo or gel of the fluid; of the pressure method `clavet`",
           .only_in = 2},
          &Fluid::goo);
    visit(k_color_key, &Fluid::color);
}

}  // namespace millrace::scene_file
