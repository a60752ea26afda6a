#pragma once

#include <cstdint>

#include "scene/splishsplash_object.hpp"
#include "scene/splishsplash_units.hpp"

namespace millrace::scene_file::splishsplash {

/// A fluid without its places.
struct Material {
    Material() {  // their default, not ours
        fluid.viscosity.method = "standard";
        fluid.viscosity.nu = 0.01;
    }

    Fluid fluid;
    std::uint64_t max_emitter_particles = 10000;
    /// Part of the rate of strain that a step takes away; the viscosity that does so depends on the
    /// fluid's places. 0: it has been read.
    double strain_damping = 0;
    bool damps_globally = false;  ///< by a solve for the whole fluid, not by local iterations
    std::string place;            ///< in the file
    std::string method;           ///< of the viscosity
};

/// An entry of `Materials`; `json` is the same as `object`.
Material read_material(Object& object, const Json& json, const TheirParticles& particles, Log& log);

}  // namespace millrace::scene_file::splishsplash
