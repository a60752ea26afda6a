#pragma once

#include <vector>

#include "millrace/pool.hpp"
#include "spook/columns.hpp"
#include "spook/solid_contact.hpp"
#include "spook/step_time.hpp"

namespace millrace {

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

/// All that a method sees in one sub-step, of which `natural` is the one that the fluid would take
/// by itself. Arrays are in the sorted order of `columns`.
struct SubStep : StepTime {
    static constexpr int k_dimension = 2;

    Workers workers;
    const Columns<2>& columns;
    float spacing;  ///< of particles at rest [m]
    float volume;   ///< of every particle at rest: spacing^2 [m^2]
    const std::vector<FluidMaterial>& materials;
    const std::vector<std::uint8_t>& fluid;  ///< of every particle: which of the materials
    const std::vector<ParticleId>& id;
    /// The contacts of particle i: from contact_start[i] to contact_start[i + 1].
    const std::vector<std::uint32_t>& contact_start;
    const std::vector<SolidContact<2>>& contacts;
    std::vector<float>& felt;  ///< out: with what every contact pushed its body into it [N s]
    std::vector<SolidMotion>& solids;
    const std::vector<float>& inverse_mass;  ///< [1/kg]
    std::vector<Vec2>& velocity;             ///< in: with all forces but pressure; out: with it
    std::vector<float>& pressure;            ///< in and out: mean over about `natural` [N/m]
    std::vector<float>& density;             ///< out: relative, at the start of the sub-step

    bool is_pushed(const SolidContact<2>& contact) const {
        return solids[contact.solid].is_pushed();
    }
    /// The velocity of the solid at the place of the particle [m/s].
    Vec2 velocity_at(const SolidContact<2>& contact) const {
        return solids[contact.solid].velocity_at(columns.position(contact.particle));
    }
    /// How much the solid's velocity at the particle along n changes for an impulse of 1 along n.
    float mobility(const SolidContact<2>& contact, const Vec2& n) const {
        return solids[contact.solid].mobility(columns.position(contact.particle), n);
    }
    /// An impulse on the solid of contact c, if it can be pushed.
    void push_solid(std::uint32_t c, const Vec2& impulse) const {
        const SolidContact<2>& contact = contacts[c];
        if (!solids[contact.solid].is_pushed())
            return;
        solids[contact.solid].push(columns.position(contact.particle), impulse);
        felt[c] -= dot(contact.normal, impulse);
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(columns.count()); }
};

}  // namespace millrace
