#include "pool/viscosity.hpp"

#include <algorithm>
#include <cmath>

#include "pool/wall_friction.hpp"
#include "spook/wall_field.hpp"

namespace millrace {

namespace {

constexpr float k_calm = 0.4f;         ///< part of a small difference that goes in the usual step
constexpr float k_calm_speed = 0.05f;  ///< in sqrt(g spacing)
constexpr float k_brake = 0.02f;       ///< of slow motion, in g
constexpr float k_most = 0.5f;         ///< of f in one pass: beyond 1 it would not be stable
constexpr int k_passes = 32;           ///< thicker than these make it, no fluid gets

}  // namespace

PoolViscosity::PoolViscosity(float spacing, float support, float gravity, float usual_step)
    : support_(support), usual_step_(usual_step) {
    double sum = 0;
    for_each_hexagonal(double(spacing) * spacing, support, [&](const Vec2d& x) {
        sum += 1 - squared_norm(x) / (double(support) * support);
    });
    inverse_sum_ = static_cast<float>(1 / sum);
    brake_ = k_brake * gravity;
    calm_speed2_ = k_calm_speed * k_calm_speed * gravity * spacing;
}

void PoolViscosity::apply(SubStep& step, float dt) {
    const std::uint32_t n = step.count();
    if (n == 0)
        return;
    float thickest = 0;
    for (const FluidMaterial& material : step.materials)
        thickest = std::max(thickest, material.viscosity);
    const float f = 12 * thickest * dt / (support_ * support_);
    const float usual_steps = std::min(dt / usual_step_, float{k_passes});
    const int calm_passes = std::max(1, static_cast<int>(std::ceil(usual_steps - 1e-3f)));
    const int passes = std::clamp(static_cast<int>(std::ceil(f / k_most)), calm_passes, k_passes);
    nu_.resize(n + k_lanes);
    smoothed_.resize(n);
    vx_.resize(n + k_lanes);
    vy_.resize(n + k_lanes);
    const float to_part =
        std::min(12 * dt / (support_ * support_),
                 static_cast<float>(passes) * k_most / std::max(thickest, 1e-30f));
    for (std::uint32_t i = 0; i < n; ++i)
        nu_[i] = step.materials[step.fluid[i]].viscosity;
    const float calm = k_calm * std::min(1.0f, usual_steps / static_cast<float>(calm_passes));
    for (int k = 0; k < passes; ++k)
        pass(step, to_part / static_cast<float>(passes), k < calm_passes ? calm : 0);
}

void PoolViscosity::pass(SubStep& step, float part, float calm_part) {
    const Columns<2>& columns = step.columns;
    const std::vector<Columns<2>::Strip>& strips = columns.strips();
    columns.for_each_strip(step.workers, [&](std::size_t s) {
        for (std::uint32_t i = strips[s].begin; i < strips[s].end; ++i) {
            vx_[i] = step.velocity[i][0];
            vy_[i] = step.velocity[i][1];
        }
    });
    const Pack inverse_h2(1 / (support_ * support_)), one(1.0f), zero(0.0f);
    const Pack calm(calm_part);
    const Pack inverse_calm2(calm_speed2_ > 0 ? 1 / calm_speed2_ : 1e30f);
    columns.for_each_strip(step.workers, [&](std::size_t s) {
        columns.for_each_in(strips[s], [&](std::uint32_t i, const Columns<2>::Run* runs) {
            const Pack x(columns.x()[i]), y(columns.y()[i]), vx(vx_[i]), vy(vy_[i]);
            const Pack f_i(0.5f * part * nu_[i]), half_part(0.5f * part);
            const Pack m_i(1 / step.inverse_mass[i]);
            Pack sum_x(0.0f), sum_y(0.0f);
            for (int k = 0; k < 3; ++k)
                for (std::uint32_t j = runs[k].begin; j < runs[k].end; j += k_lanes) {
                    const Pack dx = x - load_pack(columns.x() + j);
                    const Pack dy = y - load_pack(columns.y() + j);
                    Pack w = max(one - (dx * dx + dy * dy) * inverse_h2, zero);
                    w = select(first_lanes(static_cast<int>(runs[k].end - j)), w, zero);
                    const Pack ux = load_pack(vx_.data() + j) - vx;
                    const Pack uy = load_pack(vy_.data() + j) - vy;
                    const Pack f = f_i + half_part * load_pack(nu_.data() + j) +
                                   calm / (one + (ux * ux + uy * uy) * inverse_calm2);
                    // the lighter of two gives way more: 2 m_j / (m_i + m_j)
                    const Pack share =
                        Pack(2.0f) / (one + m_i * load_pack(step.inverse_mass.data() + j));
                    w = w * f * share;
                    sum_x += w * ux;
                    sum_y += w * uy;
                }
            smoothed_[i] =
                step.velocity[i] + Vec2{sum_lanes(sum_x), sum_lanes(sum_y)} * inverse_sum_;
        });
    });
    columns.for_each_strip(step.workers, [&](std::size_t s) {
        for (std::uint32_t i = strips[s].begin; i < strips[s].end; ++i)
            step.velocity[i] = smoothed_[i];
    });
    // walls: fluid that sticks to them is held back by them as by fluid, on one of two sides
    for (const SolidContact<2>& contact : step.contacts) {
        const std::uint32_t i = contact.particle;
        const float friction = step.materials[step.fluid[i]].wall_friction;
        if (friction <= 0)
            continue;
        const float near = std::max(0.0f, 1 - contact.distance / support_);
        rub(step, contact, std::min(1.0f, friction * part * nu_[i]) * near);
    }
}

}  // namespace millrace
