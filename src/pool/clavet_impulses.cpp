#include <algorithm>
#include <cmath>

#include "math/portable.hpp"
#include "pool/clavet.hpp"

namespace millrace {

namespace {

constexpr float k_friction_time = 1.0f / 60;  ///< in which walls take their part of the speed [s]
/// What a sub-step that is much shorter than the natural one has of linear viscosity, in support /
/// natural. A dam break in steps of 1 ms then loses as much energy as in natural ones to 7 %; with
/// a third of it 16 % less, with three times as much 18 % more.
constexpr float k_lacking = 0.3f;

}  // namespace

/// Impulses between particles that approach each other (Clavet et al. 2005, Algorithm 5): with
/// u = (v_i - v_j) . r-hat > 0 and r-hat from i to j,
///
///     I = u f / (1 + f) r-hat,   f = dt (1 - q) (sigma + beta u) / h
///
/// is what their relative velocity loses. The paper has f in place of f / (1 + f), which beyond 1
/// would throw them back. Relaxation looks ahead by dt and damps waves for that; where a sub-step
/// is short it lacks that, and still water would tremble for ever: sigma makes up for it.
void ClavetMethod::apply_viscosity(SubStep& step) const {
    const bool is_viscous = std::any_of(
        step.materials.begin(), step.materials.end(), [](const FluidMaterial& material) {
            return material.linear_viscosity > 0 || material.quadratic_viscosity > 0;
        });
    const float lacking = (1 - step.part()) * k_lacking * support_ / step.natural;
    if (!is_viscous && !(lacking > 0))
        return;
    const Columns<2>& columns = step.columns;
    const float h2 = support_ * support_, dt_over_h = step.dt / support_;
    for (int color = 0; color < 2; ++color) {
        columns.for_each_of_color(step.workers, color, [&](std::uint32_t s) {
            const Columns<2>::Strip& strip = columns.strips()[s];
            for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
                const FluidMaterial& a = step.materials[step.fluid[i]];
                const Vec2 x_i = columns.position(i);
                for (int k = 0; k < 3; ++k) {
                    const Columns<2>::Run& run = runs_[3 * i + k];
                    for (std::uint32_t j = std::max(run.begin, i + 1); j < run.end; ++j) {
                        const Vec2 to_j = columns.position(j) - x_i;
                        const float r2 = squared_norm(to_j);
                        if (r2 >= h2 || r2 == 0)
                            continue;
                        const float approach = dot(step.velocity[i] - step.velocity[j], to_j);
                        if (approach <= 0)
                            continue;
                        const FluidMaterial& b = step.materials[step.fluid[j]];
                        const float r = std::sqrt(r2), u = approach / r;
                        const float sigma =
                            0.5f * (a.linear_viscosity + b.linear_viscosity) + lacking;
                        const float beta = 0.5f * (a.quadratic_viscosity + b.quadratic_viscosity);
                        const float f = dt_over_h * (1 - r / support_) * (sigma + beta * u);
                        const float w_i = step.inverse_mass[i], w_j = step.inverse_mass[j];
                        const Vec2 impulse = to_j * (u * f / ((1 + f) * (w_i + w_j) * r));
                        step.velocity[i] = step.velocity[i] - impulse * w_i;
                        step.velocity[j] = step.velocity[j] + impulse * w_j;
                    }
                }
            }
        });
    }
}

/// Walls pull fluid that is sticky (Clavet et al. 2005, section 6) and rub it:
///
///     I_stick = -dt k_stick 4 q (1 - q) n,   q = d / reach
///
/// with the factor 4 / reach added so that k_stick is the largest acceleration. Friction takes the
/// part `wall_friction` of the velocity along the wall in a sixtieth of a second, where fluid
/// touches it.
void ClavetMethod::apply_walls(SubStep& step) const {
    for (const SolidContact<2>& contact : step.contacts) {
        const std::uint32_t i = contact.particle;
        const FluidMaterial& material = step.materials[step.fluid[i]];
        if (material.stickiness <= 0 && material.wall_friction <= 0)
            continue;
        SolidMotion& solid = step.solids[contact.solid];
        const Vec2 x = step.columns.position(i), n = contact.normal;
        const Vec2 relative = step.velocity[i] - solid.velocity_at(x);
        const float distance = contact.distance - step.dt * dot(n, solid.velocity_at(x));

        const float q = std::clamp(distance / walls_.reach(), 0.0f, 1.0f);
        const float pull = 4 * q * (1 - q) * material.stickiness * step.dt;
        Vec2 change = n * -std::min(pull, 0.5f * std::max(distance, 0.0f) / step.dt);

        const float touch = std::clamp(2 * (1 - distance / step.spacing), 0.0f, 1.0f);
        const float part = 1 - portable::pow(1 - std::min(material.wall_friction, 1.0f) * touch,
                                             step.dt / k_friction_time);
        const Vec2 along = relative - n * dot(relative, n);
        change = change - along * part;
        if (change == Vec2{0, 0})
            continue;

        // of the relative velocity: a body gives way as well
        const float speed = norm(change);
        const float mobility = step.inverse_mass[i] + solid.mobility(x, change / speed);
        const Vec2 impulse = change / mobility;
        step.velocity[i] = step.velocity[i] + impulse * step.inverse_mass[i];
        if (solid.is_pushed())
            solid.push(x, -impulse);
    }
}

}  // namespace millrace
