#pragma once

#include <span>
#include <vector>

#include "spook/columns.hpp"
#include "spook/constraint_system.hpp"
#include "spook/solid_contact.hpp"
#include "spook/step_time.hpp"

namespace millrace {

/// What the fluid did to a body in a step.
struct BodyPush {
    Vec3d impulse = Vec3d::all(0);  ///< [N s]
    Vec3d turn = Vec3d::all(0);     ///< about the centre of mass [N m s]
};

/// What a step of density rows works on where bodies are those of a constraint system; particles
/// and contacts in the order of the columns.
template <int D>
struct FluidStep : StepTime {
    static constexpr int k_dimension = D;

    const Workers& workers;
    const Columns<D>& columns;
    std::span<const float> inverse_mass;        ///< [1/kg]
    std::span<const SolidContact<D>> contacts;  ///< by particle; solids are bodies of the system
    std::span<const std::uint32_t> contact_start;
    ConstraintSystem& bodies;
    std::vector<BodyPush>& pushes;  ///< out: of every body

    const SpookBody& body(const SolidContact<D>& contact) const {
        return bodies.bodies()[contact.solid];
    }
    bool is_pushed(const SolidContact<D>& contact) const { return body(contact).inverse_mass > 0; }
    /// The velocity of the solid at the place of the particle [m/s].
    Vec<D> velocity_at(const SolidContact<D>& contact) const {
        const Vec3d v = body(contact).velocity_at(place_of(contact));
        Vec<D> velocity;
        for (int k = 0; k < D; ++k)
            velocity[k] = static_cast<float>(v[k]);
        return velocity;
    }
    /// How much the solid's velocity at the particle along n changes for an impulse of 1 along n.
    float mobility(const SolidContact<D>& contact, const Vec<D>& n) const {
        return is_pushed(contact)
                   ? static_cast<float>(body(contact).mobility(place_of(contact), in_space(n)))
                   : 0;
    }
    /// An impulse on the solid of contact c, if it can be pushed [N s].
    void push_solid(std::uint32_t c, const Vec<D>& impulse) const {
        const SolidContact<D>& contact = contacts[c];
        if (!is_pushed(contact))
            return;
        const Vec3d place = place_of(contact), push = in_space(impulse);
        SpookBody& pushed = bodies.bodies()[contact.solid];
        pushed.push(place, push);
        pushes[contact.solid].impulse += push;
        pushes[contact.solid].turn += cross(place - pushed.center, push);
    }

  private:
    static Vec3d in_space(const Vec<D>& v) {
        Vec3d x = Vec3d::all(0);
        for (int k = 0; k < D; ++k)
            x[k] = v[k];
        return x;
    }
    Vec3d place_of(const SolidContact<D>& contact) const {
        return in_space(columns.position(contact.particle));
    }
};

}  // namespace millrace
