#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// No particle comes closer to a surface than `closest`: with the distance d at the start,
///
///     n . (v_i - v_b) >= (closest - d) / dt        where d > closest
///     n . (v_i - v_b) >= (closest - d) / natural   where d < closest
///
/// (S2 Eq. 26-29; step_time.hpp): one that is too close leaves in a natural step, however short
/// this one is. By impulses that push and never pull; in a gap that closes, `closest` goes to 0.
/// Density alone does not see to that: where the others give way, a single particle may be pressed
/// into a wall.
class KeepOut {
  public:
    static constexpr float k_closest = 0.25f;  ///< centres to surfaces, in spacings

    /// `look_ahead`: contacts farther off are left out [m].
    KeepOut(float closest, float look_ahead) : closest_(closest), look_ahead_(look_ahead) {}
    /// As pools have it: contacts farther off than two spacings are left out.
    static KeepOut in_pools(float spacing) { return {k_closest * spacing, 2 * spacing}; }

    float closest() const { return closest_; }

    /// Forgets the impulses of the last step.
    template <class Step>
    void start(const Step& step) {
        impulse_.assign(step.contacts.size(), 0.0f);
    }

    /// The impulse on particle i with the velocity v; the bodies that it touches get theirs [N s].
    /// `ahead` is how far the contacts of a method that looks ahead are from where i is [m].
    template <class Step, int D>
    Vec<D> push(const Step& step, std::uint32_t i, Vec<D> v, const Vec<D>& ahead = Vec<D>::all(0)) {
        Vec<D> total = Vec<D>::all(0);
        for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
            const auto& contact = step.contacts[c];
            const float distance = contact.distance - dot(contact.normal, ahead);
            if (std::min(distance, contact.distance) > look_ahead_)
                continue;
            const float overlap = std::min(contact.room * closest_ - distance, 0.5f * closest_);
            const float least = overlap / (overlap > 0 ? step.natural : step.dt);
            const float rate = dot(contact.normal, v - step.velocity_at(contact));
            const float mobility = step.inverse_mass[i] + step.mobility(contact, contact.normal);
            const float change = std::max((least - rate) / mobility, -impulse_[c]);
            if (change == 0)
                continue;
            impulse_[c] += change;
            const Vec<D> impulse = contact.normal * change;
            v = v + impulse * step.inverse_mass[i];
            total = total + impulse;
            step.push_solid(c, -impulse);
        }
        return total;
    }

  private:
    float closest_, look_ahead_;
    std::vector<float> impulse_;  ///< of every contact [N s]
};

/// Whether particle i touches a solid that it can push: such particles take turns.
template <class Step>
bool touches_body(const Step& step, std::uint32_t i) {
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c)
        if (step.is_pushed(step.contacts[c]))
            return true;
    return false;
}

}  // namespace millrace
