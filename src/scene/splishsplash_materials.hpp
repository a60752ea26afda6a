#pragma once

#include <cstdint>

#include "scene/splishsplash_object.hpp"

namespace millrace::scene_file::splishsplash {

/// A fluid without its places.
struct Material {
    Material() { fluid.viscosity.method = "none"; }  // their default, not ours

    Fluid fluid;
    std::uint64_t max_emitter_particles = 10000;
};

/// An entry of `Materials`; `json` is the same as `object`.
Material read_material(Object& object, const Json& json, Log& log);

}  // namespace millrace::scene_file::splishsplash
