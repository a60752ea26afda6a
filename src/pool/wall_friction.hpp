#pragma once

#include "pool/substep.hpp"

namespace millrace {

/// Takes a part of the speed at which a particle slides along a solid, by an impulse that the solid
/// gets too.
inline void rub(SubStep& step, const SolidContact<2>& contact, float part) {
    const std::uint32_t i = contact.particle;
    const Vec2 relative = step.velocity[i] - step.velocity_at(contact);
    const Vec2 along = relative - contact.normal * dot(relative, contact.normal);
    const float speed = norm(along);
    if (speed <= 0)
        return;
    const Vec2 direction = along * (1 / speed);
    const float mobility = step.inverse_mass[i] + step.mobility(contact, direction);
    const Vec2 impulse = direction * (-part * speed / mobility);
    step.velocity[i] = step.velocity[i] + impulse * step.inverse_mass[i];
    if (step.is_pushed(contact))
        step.solids[contact.solid].push(step.columns.position(i), -impulse);
}

}  // namespace millrace
