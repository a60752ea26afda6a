#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "diffuse/diffuse_particles.hpp"
#include "diffuse/obstacles.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// tau_max of the three potentials; tau_min is a tenth of each (S1 'free parameters').
struct DiffuseThresholds {
    double crest = 0;    ///< of delta, Eq. 5.10
    double trapped = 0;  ///< of v^diff, Eq. 5.13
    double kinetic = 0;  ///< of E_kin, Eq. 5.15 [m^2/s^2]

    bool operator==(const DiffuseThresholds&) const = default;
};

/// docs/methods/diffuse.md tells what each does.
struct DiffuseOptions {
    double rate = 4000;          ///< k: of a fluid particle with full potentials [1/s] (Eq. 5.17)
    double shortest_life = 0.5;  ///< [s]
    double longest_life = 4;     ///< [s]
    double buoyancy = 0.8;       ///< k_b of bubbles (Eq. 5.30)
    double drag = 0.2;           ///< k_d of bubbles, in a 60th of a second
    std::size_t most = 20'000'000;  ///< particles at once; beyond it none is added
    std::uint64_t seed = 1;
    int threads = 0;     ///< 0: all cores; the results do not depend on it
    double spacing = 0;  ///< of the fluid [m]
    Vector gravity{};    ///< [m/s^2]
    std::optional<Box> domain;
};

/// The fluid at one time.
struct FluidFrame {
    double time = 0;                     ///< [s]
    std::span<const float> positions;    ///< x, y, z of each particle [m]
    std::span<const float> velocities;   ///< likewise [m/s]
    std::span<const std::uint32_t> ids;  ///< the same particle has the same one in every frame
};

/// The largest values of a frame (Eq. 5.32), but those of one particle in a thousand: their means
/// over time are the thresholds.
DiffuseThresholds largest_potentials(const FluidFrame& frame, const DiffuseOptions& options);

/// Mean of frames (Eq. 5.33); a floor keeps water at rest from foaming.
DiffuseThresholds mean_thresholds(std::span<const DiffuseThresholds> frames,
                                  const DiffuseOptions& options);

/// One step from one frame to the next: spawns, classifies, moves, removes. The same bits for the
/// same input and seed, whatever the number of threads; it depends on nothing else, so that a
/// stopped pass can go on from the particles of its last frame. `obstacles` are placed at `to`.
/// The order of the particles changes; ids tell which is which.
void advance(DiffuseParticles& particles, const FluidFrame& from, const FluidFrame& to,
             const DiffuseThresholds& thresholds, const DiffuseOptions& options,
             const Obstacles& obstacles);

/// The most memory that a step needs [bytes], about.
double diffuse_memory(double fluid_particles, double diffuse_particles);

}  // namespace millrace
