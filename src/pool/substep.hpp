#pragma once

#include <vector>

#include "millrace/pool.hpp"
#include "pool/columns.hpp"

namespace millrace {

/// A particle near a solid: with the signed distance d of its centre to the surface and the normal
/// n out of the solid, the solid adds `density` = lambda(d) to the relative density and `slope` n
/// to its gradient, slope = dlambda/dd <= 0.
struct WallContact {
    std::uint32_t particle;  ///< sorted place
    std::uint32_t solid;
    Vec2 normal;
    float distance;  ///< [m]
    float density, slope;
    float room = 1;  ///< below 1: a body's in a gap, see room_in_gap
};

/// A solid as the solvers see it during a sub-step. A solid that cannot be pushed has zeros for
/// its inverse mass and inertia.
struct SolidMotion {
    Vec2 center;            ///< of mass [m]
    Vec2 velocity;          ///< of it, at the end of the sub-step [m/s]
    float spin;             ///< [rad/s]
    float inverse_mass;     ///< [1/kg]
    float inverse_inertia;  ///< [1/(kg m^2)]
    Vec2 impulse;           ///< by the fluid so far [N s]
    float angular_impulse;  ///< about the centre of mass [N m s]

    bool is_pushed() const { return inverse_mass > 0 || inverse_inertia > 0; }
    Vec2 velocity_at(const Vec2& x) const {
        return {velocity[0] - spin * (x[1] - center[1]), velocity[1] + spin * (x[0] - center[0])};
    }
    /// An impulse at a place.
    void push(const Vec2& x, const Vec2& j) {
        const float turn = (x[0] - center[0]) * j[1] - (x[1] - center[1]) * j[0];
        velocity = velocity + j * inverse_mass;
        spin += turn * inverse_inertia;
        impulse = impulse + j;
        angular_impulse += turn;
    }
    /// How much the velocity at x along n changes for an impulse of 1 along n.
    float mobility(const Vec2& x, const Vec2& n) const {
        const float arm = (x[0] - center[0]) * n[1] - (x[1] - center[1]) * n[0];
        return inverse_mass * squared_norm(n) + arm * arm * inverse_inertia;
    }
};

/// All that a method sees in one sub-step. Arrays are in the sorted order of `columns`.
struct SubStep {
    Workers workers;
    const Columns& columns;
    float dt;  ///< [s]
    /// The sub-step that the fluid would take by itself, no shorter than dt [s]. Errors are undone
    /// and pressures forgotten in its time: a short step does its part of that, see part().
    float natural;
    float spacing;  ///< of particles at rest [m]
    float volume;   ///< of every particle at rest: spacing^2 [m^2]
    const std::vector<FluidMaterial>& materials;
    const std::vector<std::uint8_t>& fluid;  ///< of every particle: which of the materials
    const std::vector<ParticleId>& id;
    /// The contacts of particle i: from contact_start[i] to contact_start[i + 1].
    const std::vector<std::uint32_t>& contact_start;
    const std::vector<WallContact>& contacts;
    std::vector<float>& felt;  ///< out: with what every contact pushed its body into it [N s]
    std::vector<SolidMotion>& solids;
    const std::vector<float>& inverse_mass;  ///< [1/kg]
    std::vector<Vec2>& velocity;             ///< in: with all forces but pressure; out: with it
    std::vector<float>& pressure;            ///< in and out: mean over about `natural` [N/m]
    std::vector<float>& density;             ///< out: relative, at the start of the sub-step

    /// The part of what a natural sub-step does that is for this one, at most 1.
    float part() const { return dt / natural; }
    /// A mean over about `natural`, after a sub-step in which the value was `now`. What acts at
    /// once, as a blow does, is as large in a short sub-step as that is short: not so its mean.
    float mean_with(float mean, float now) const {
        return dt < natural ? mean + part() * (now - mean) : now;
    }
    /// An impulse on the solid of contact c, if it can be pushed.
    void push_solid(std::uint32_t c, const Vec2& impulse) {
        const WallContact& contact = contacts[c];
        if (!solids[contact.solid].is_pushed())
            return;
        solids[contact.solid].push(columns.position(contact.particle), impulse);
        felt[c] -= dot(contact.normal, impulse);
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(columns.count()); }
};

}  // namespace millrace
