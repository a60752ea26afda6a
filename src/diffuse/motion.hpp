#pragma once

#include "diffuse/sorted_fluid.hpp"

namespace millrace {

/// The fluid around a place.
struct NearFluid {
    int count = 0;    ///< of the particles within 2 h
    Vec3 velocity{};  ///< v~ [m/s]; 0 without particles
};

/// v~ = sum_j v_j W_j / sum_j W_j                                        (S1 Eq. 5.27)
NearFluid near_fluid(const SortedFluid& fluid, const Vec3& position);

/// S1 'Classification': fewer than 6 neighbours are spray, more than 20 a bubble.
inline DiffuseKind kind_by(int neighbors) {
    return neighbors < 6    ? DiffuseKind::spray
           : neighbors > 20 ? DiffuseKind::bubble
                            : DiffuseKind::foam;
}

/// What does not depend on the particle.
struct MotionStep {
    float dt;         ///< [s]
    Vec3 gravity;     ///< [m/s^2]
    float drag_kept;  ///< (1 - k_d)^(60 dt): of a bubble's velocity relative to the fluid
    Vec3 lift;        ///< - k_b g (1 - drag_kept) / (60 k_d): by buoyancy [m/s]

    MotionStep(double dt, const DiffuseOptions& options);
};

struct MovingParticle {
    Vec3 position;  ///< [m]
    Vec3 velocity;  ///< [m/s]
    DiffuseKind kind;
};

/// Where it is a step later, in the fluid of that time (S1 Eq. 5.25-5.31, docs/methods/diffuse.md).
MovingParticle moved(const MovingParticle& particle, const SortedFluid& fluid,
                     const MotionStep& step);

/// Spray and bubbles age at this part of the time: they last until they are foam, but not for ever.
constexpr float k_slow_aging = 0.1f;

/// Moves and classifies all, and removes those that are too old, outside of the domain or stopped
/// by an obstacle. `fluid` is that at the end of the step. dt: [s]
void move_all(DiffuseParticles& particles, const SortedFluid& fluid, double dt,
              const DiffuseOptions& options, const Obstacles& obstacles, const Device& device);

}  // namespace millrace
