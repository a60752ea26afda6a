#pragma once

#include "millrace/scene.hpp"
#include "scene/key.hpp"

// The keys of the pressure methods.
namespace millrace::scene_file {

/// The methods of the engines game and constraints.
template <class Visitor>
void describe_game_methods(Visitor& visit) {
    const Beside of_spook{"method", {"spook"}};
    const Beside of_clavet{"method", {"clavet"}};
    visit({.name = "self_contribution",
           .help = "part of its density that a particle at rest contributes itself, which sets the "
                   "radius of the kernels; 0: the method's own",
           .at_least = 0,
           .below = 1,
           .only_in = 2,
           .only_with = {"method", {"mueller", "clavet", "spook", "iisph", "dfsph"}}},
          &Pressure::self_contribution);
    visit({.name = "iterations",
           .help = "iterations of every solve with engine `game` or `constraints`; 0: the method's "
                   "own",
           .at_least = 0,
           .at_most = 10000,
           .only_with = {"method", {"spook", "iisph", "dfsph"}}},
          &Pressure::iterations);
    visit({.name = "relaxation_time",
           .help = "tau: how slowly errors of the density are undone",
           .unit = "steps",
           .at_least = 0,
           .only_with = of_spook},
          &Pressure::relaxation_time);
    visit({.name = "compliance",
           .help = "epsilon: how much the fluid gives way; 0: it is incompressible",
           .at_least = 0,
           .only_with = of_spook},
          &Pressure::compliance);
    visit({.name = "over_relaxation",
           .help = "omega of the sweeps of the solver; 0: the method's own",
           .at_least = 0,
           .below = 2,
           .only_with = of_spook},
          &Pressure::over_relaxation);
    visit({.name = "stiffness",
           .help = "k: pressure for a density above that at rest; 0: the method's own",
           .at_least = 0,
           .only_with = {"method", {"mueller", "clavet"}}},
          &Pressure::stiffness);
    visit({.name = "near_stiffness",
           .help = "k_near: of the pressure that keeps near particles apart; 0: the method's own",
           .at_least = 0,
           .only_with = of_clavet},
          &Pressure::near_stiffness);
    visit({.name = "rest_ratio",
           .help = "rho_0 of the method over that with which fluid without load has its density",
           .above = 0,
           .only_with = of_clavet},
          &Pressure::rest_ratio);
    visit({.name = "kernels",
           .help = "the smoothing kernels: of clavet `original`, `hybrid` or `squared`, of spook "
                   "`spiky`, `poly6` or `poly6h`; without it the method's own",
           .choices = {"original", "hybrid", "squared", "spiky", "poly6", "poly6h"},
           .only_with = {"method", {"clavet", "spook"}}},
          &Pressure::kernels);
    visit({.name = "boundary",
           .help = "of engine `constraints`: how walls act on fluid; `field` "
                   "adds to the density of particles near them, `contact` only keeps them half "
                   "a kernel away",
           .choices = {"field", "contact"},
           .only_with = of_spook},
          &Pressure::boundary);
    visit({.name = "pair_damping",
           .help = "of engine `constraints`: part of what pressure does to "
                   "neighbours that move which is implicit; with 0 deep water boils in long steps",
           .at_least = 0,
           .at_most = 1,
           .only_with = of_spook},
          &Pressure::pair_damping);
}

template <class Visitor>
void describe(Visitor& visit, const Pressure*) {
    visit({.name = "method",
           .help = "the pressure solver: of engine `sph` one of the first four; of `game` "
                   "`mueller`, `clavet`, `spook` (its default), `iisph` or `dfsph`; of "
                   "`constraints` `spook`",
           .choices = {"wcsph", "pcisph", "iisph", "dfsph", "mueller", "clavet", "spook"}},
          &Pressure::method);
    const Beside solvers{"method", {"wcsph", "pcisph", "iisph", "dfsph"}};
    visit({.name = "avg_error",
           .help = "the solver iterates until the average predicted density error, relative to "
                   "the rest density, is below this",
           .above = 0,
           .only_with = solvers},
          &Pressure::avg_error);
    visit({.name = "max_error",
           .help = "the same for the particle with the largest error",
           .above = 0,
           .only_with = solvers},
          &Pressure::max_error);
    visit({.name = "min_iterations",
           .help = "iterations of every solve, at least",
           .at_least = 0,
           .only_with = solvers},
          &Pressure::min_iterations);
    visit({.name = "max_iterations",
           .help = "iterations of every solve, at most",
           .at_least = 1,
           .only_with = solvers},
          &Pressure::max_iterations);
    visit({.name = "warm_start",
           .help = "start a solve from the pressures of the last step",
           .only_with = {"method", {"wcsph", "pcisph", "iisph", "dfsph", "spook"}}},
          &Pressure::warm_start);
    visit({.name = "relaxation",
           .help = "weight of the new pressures in an iteration; lower is slower and steadier",
           .above = 0,
           .at_most = 1,
           .only_with = solvers},
          &Pressure::relaxation);
    visit({.name = "linear_solver",
           .help = "how a solve iterates: `jacobi` as in the literature; `nncg` by non-smooth "
                   "conjugate gradients, fewer iterations in deep water",
           .choices = {"jacobi", "nncg"},
           .only_with = {"method", {"iisph", "dfsph"}}},
          &Pressure::linear_solver);
    visit({.name = "rest_density",
           .help = "use the rest density instead of the densities of the particles in the pressure "
                   "forces",
           .only_with = solvers},
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
    describe_game_methods(visit);
}

}  // namespace millrace::scene_file
