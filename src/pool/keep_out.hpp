#pragma once

#include <algorithm>

#include "pool/substep.hpp"

namespace millrace {

/// No particle comes closer to a surface than k_closest: with the distance d at the start,
///
///     n . (v_i - v_b) >= (k_closest - d) / dt        where d > k_closest
///     n . (v_i - v_b) >= (k_closest - d) / natural   where d < k_closest
///
/// (substep.hpp): one that is too close leaves in a natural sub-step, however short this one is. By
/// impulses that push and never pull; in a gap that closes, k_closest goes to 0. Density alone
/// does not see to that: where the others give way, a single particle may be pressed into a wall.
class KeepOut {
  public:
    explicit KeepOut(float spacing) : closest_(k_closest * spacing) {}

    /// Forgets the impulses of the last sub-step.
    void start(const SubStep& step) { impulse_.assign(step.contacts.size(), 0.0f); }

    /// The impulse on particle i with the velocity v; the bodies that it touches get theirs [N s].
    /// `ahead` is how far the contacts of a method that looks ahead are from where i is [m].
    Vec2 push(SubStep& step, std::uint32_t i, Vec2 v, const Vec2& ahead = {0, 0}) {
        Vec2 total{0, 0};
        for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
            const WallContact& contact = step.contacts[c];
            const float distance = contact.distance - dot(contact.normal, ahead);
            if (std::min(distance, contact.distance) > k_look_ahead * closest_)
                continue;
            const SolidMotion& solid = step.solids[contact.solid];
            const Vec2 x = step.columns.position(i);
            const float overlap = std::min(contact.room * closest_ - distance, 0.5f * closest_);
            const float least = overlap / (overlap > 0 ? step.natural : step.dt);
            const float rate = dot(contact.normal, v - solid.velocity_at(x));
            const float mobility = step.inverse_mass[i] + solid.mobility(x, contact.normal);
            const float change = std::max((least - rate) / mobility, -impulse_[c]);
            if (change == 0)
                continue;
            impulse_[c] += change;
            const Vec2 impulse = contact.normal * change;
            v = v + impulse * step.inverse_mass[i];
            total = total + impulse;
            step.push_solid(c, -impulse);
        }
        return total;
    }

  private:
    static constexpr float k_closest = 0.25f;  ///< centres to surfaces, in spacings
    static constexpr float k_look_ahead = 8;   ///< for contacts, in k_closest

    float closest_;
    std::vector<float> impulse_;  ///< of every contact [N s]
};

/// Whether particle i touches a solid that it can push: such particles take turns.
inline bool touches_body(const SubStep& step, std::uint32_t i) {
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c)
        if (step.solids[step.contacts[c].solid].is_pushed())
            return true;
    return false;
}

}  // namespace millrace
