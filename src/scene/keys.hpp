#pragma once

#include "scene/keys_fluid.hpp"
#include "scene/keys_pressure.hpp"
#include "scene/keys_run.hpp"
#include "scene/keys_solids.hpp"

// The scene file, described once: its keys with their units, limits and help, here and in the
// keys_*.hpp. The parser, the resolved scene, the JSON Schema and the tables of
// docs/scene-reference.md are made from them; a default is what the struct in millrace/scene.hpp
// holds.
//
// describe() calls the visitor with each key of a struct and its member, in the order of the
// file: visitor(key, &Struct::member). The second argument only selects the struct. `dimension`
// comes before every vector, and a key before those whose meaning depends on it.
namespace millrace::scene_file {

inline constexpr int k_format_version = 1;

/// Two keys of the file that no struct holds.
inline const Key k_version_key{
    .name = "millrace", .help = "version of this format: 1", .required = true};
inline const Key k_schema_key{.name = "$schema",
                              .help = "path of scene.schema.json, for editors; not used in a run"};

template <class Visitor>
void describe(Visitor& visit, const Scene*) {
    visit({.name = "name", .help = "the name of the scene"}, &Scene::name);
    visit({.name = "dimension", .help = "2 or 3", .at_least = 2, .at_most = 3}, &Scene::dimension);
    visit({.name = "engine",
           .help = "who steps the particles: `sph`, on CPU and GPU; `game`, in 2D, in real time; "
                   "`constraints`, in one solve with bodies and joints",
           .choices = {"sph", "game", "constraints"}},
          &Scene::engine);
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
    visit({.name = "fluids", .help = "the fluids", .required = true, .least = 1}, &Scene::fluids);
    visit({.name = "boundaries", .help = "the walls"}, &Scene::boundaries);
    visit({.name = "bodies", .help = "the rigid bodies"}, &Scene::bodies);
    visit({.name = "joints", .help = "what holds bodies together, or to the world"},
          &Scene::joints);
    visit({.name = "rigid", .help = "how the bodies move"}, &Scene::rigid);
    visit({.name = "sinks", .help = "where fluid vanishes"}, &Scene::sinks);
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

}  // namespace millrace::scene_file
