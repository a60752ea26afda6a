#include "pool/mueller.hpp"

#include <algorithm>
#include <cmath>

#include "pool/near.hpp"
#include "pool/wall_friction.hpp"

namespace millrace {

namespace {

constexpr float k_self_contribution = 0.65f;  ///< S0 Table 6.1
/// The stiffness is that for which so many spacings of depth compress the fluid so much.
constexpr float k_depth = 30, k_compression = 0.08f, k_gravity = 9.81f;
constexpr float k_courant = 0.3f;       ///< c_s dt / h
constexpr float k_most_viscous = 0.5f;  ///< nu dt sum_j V lap W
constexpr float k_shock = 0.2f;         ///< alpha of the artificial viscosity

float self_contribution_of(const PoolMethod& settings) {
    return settings.self_contribution > 0 ? settings.self_contribution : k_self_contribution;
}

}  // namespace

Mueller::Mueller(const PoolMethod& settings, float spacing)
    : density_(smoothing_length(self_contribution_of(settings), Poly6<2>::k_constant,
                                spacing * spacing)),
      pressure_(density_.support()),
      viscosity_(density_.support()),
      stiffness_(settings.stiffness > 0 ? settings.stiffness
                                        : k_gravity * k_depth * spacing / k_compression),
      keep_out_(KeepOut::in_pools(spacing)) {
    const double h = density_.support(), volume = double(spacing) * spacing;
    walls_ = WallField::of<2>([&](double r) { return density_.w(r * r); }, h, volume);
    const auto factor = [&](double r2) { return pressure_.gradient_factor(r2); };
    wall_push_ = WallPush(factor, h, volume);
    density_scale_ = static_cast<float>(walls_.rest().scale * volume);
    pressure_scale_ = static_cast<float>(2 / (volume * virial_sum(factor, h, volume)));
    double laplacian = 0, spread = 0;
    for_each_hexagonal(volume, h, [&](const Vec2d& x) {
        const double r2 = squared_norm(x), lap = viscosity_.laplacian(r2);
        laplacian += volume * lap;
        spread += volume * lap * r2;
    });
    viscosity_scale_ = static_cast<float>(4 / spread);
    laplacian_ = static_cast<float>(4 / spread * laplacian);
}

/// c_s dt <= 0.3 h, and no particle gets more of its neighbours' velocity than half.
float Mueller::longest_substep(std::span<const FluidMaterial> materials) const {
    float longest = k_courant * support() / std::sqrt(stiffness_);
    for (const FluidMaterial& material : materials)
        if (material.viscosity > 0)
            longest = std::min(longest, k_most_viscous / (material.viscosity * laplacian_));
    return longest;
}

int Mueller::solve(SubStep& step) {
    const std::uint32_t n = step.count();
    if (n == 0)
        return 0;
    for (std::vector<float>* values : {&vx_, &vy_, &p_, &shock_, &inverse_delta_, &mu_})
        values->resize(n + k_lanes);
    dv_.resize(n);
    keep_out_.start(step);
    find_pressure(step);
    find_forces(step);
    const bool has_tension =
        std::any_of(step.materials.begin(), step.materials.end(),
                    [](const FluidMaterial& material) { return material.tension > 0; });
    if (has_tension)
        find_tension(step);
    for_each_point(step.workers, step.columns, [&](std::uint32_t i) {
        step.velocity[i] = step.velocity[i] + dv_[i];
        if (!touches_body(step, i))
            keep_out(step, i);
    });
    push_bodies(step);
    rub_walls(step);
    return 1;
}

/// The pressures of the particles. A sub-step that is too long for the stiffness gets what it can
/// bear.
void Mueller::find_pressure(SubStep& step) {
    const float speed = k_courant * support() / step.dt;
    const float k = std::min(stiffness_, speed * speed);
    const float most_viscous = k_most_viscous / (step.dt * laplacian_);
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        step.columns.for_each_in(
            step.columns.strips()[s], [&](std::uint32_t i, const Columns<2>::Run* runs) {
                Pack sum(0.0f);
                for_each_group(step.columns, i, runs,
                               [&](std::uint32_t, Pack, Pack, Pack r2) { sum += density_.w(r2); });
                float delta = density_scale_ * sum_lanes(sum);
                for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c)
                    delta += step.contacts[c].density;
                const FluidMaterial& material = step.materials[step.fluid[i]];
                step.density[i] = delta;
                step.pressure[i] = p_[i] = std::max(0.0f, k * material.density * (delta - 1));
                inverse_delta_[i] = 1 / delta;
                shock_[i] = k_shock * material.density * std::sqrt(k) * support();
                mu_[i] = material.density * std::min(material.viscosity, most_viscous);
                vx_[i] = step.velocity[i][0];
                vy_[i] = step.velocity[i][1];
            });
    });
}

void Mueller::find_forces(const SubStep& step) {
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        step.columns.for_each_in(step.columns.strips()[s],
                                 [&](std::uint32_t i, const Columns<2>::Run* runs) {
                                     dv_[i] = change_of_velocity(step, i, runs);
                                 });
    });
}

/// What pressure and viscosity add to the velocity of a particle. Without friction the fluid heats
/// up, since the pressure is no derivative of the density with two different kernels: particles
/// that approach each other push with alpha rho_0 c h v_ij . x_ij / (r^2 + 0.01 h^2) besides
/// (Monaghan 1992).
inline Vec2 Mueller::change_of_velocity(const SubStep& step, std::uint32_t i,
                                        const Columns<2>::Run* runs) const {
    const Pack p_i(p_[i]), shock_i(shock_[i]), mu_i(mu_[i]), vx_i(vx_[i]), vy_i(vy_[i]);
    const Pack to_pressure(-pressure_scale_), to_viscosity(0.5f * viscosity_scale_);
    const Pack soft(0.01f * support() * support()), zero(0.0f);
    Pack x_sum(0.0f), y_sum(0.0f);
    for_each_group(step.columns, i, runs, [&](std::uint32_t j, Pack dx, Pack dy, Pack r2) {
        const Pack ux = load_pack(&vx_[j]) - vx_i, uy = load_pack(&vy_[j]) - vy_i;
        const Pack approach = max(ux * dx + uy * dy, zero) / (r2 + soft);
        const Pack p = p_i + load_pack(&p_[j]) + (shock_i + load_pack(&shock_[j])) * approach;
        const Pack inverse_delta = load_pack(&inverse_delta_[j]);
        const Pack push = to_pressure * inverse_delta * p * pressure_.gradient_factor(r2);
        const Pack drag =
            to_viscosity * inverse_delta * (mu_i + load_pack(&mu_[j])) * viscosity_.laplacian(r2);
        x_sum += push * dx + drag * ux;
        y_sum += push * dy + drag * uy;
    });
    const float to_velocity = step.dt * step.inverse_mass[i] * step.volume;
    Vec2 change =
        Vec2{sum_lanes(x_sum), sum_lanes(y_sum)} * (to_velocity * step.volume * inverse_delta_[i]);
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
        const SolidContact<2>& contact = step.contacts[c];
        change = change + contact.normal * (to_velocity * p_[i] * wall_push_.at(contact.distance));
    }
    return change;
}

/// Bodies feel the pressure against them, and then keep particles out.
void Mueller::push_bodies(SubStep& step) {
    for (std::uint32_t c = 0; c < step.contacts.size(); ++c) {
        const SolidContact<2>& contact = step.contacts[c];
        const float impulse =
            step.dt * step.volume * p_[contact.particle] * wall_push_.at(contact.distance);
        step.push_solid(c, contact.normal * -impulse);
    }
    std::uint32_t last = step.count();
    for (const SolidContact<2>& contact : step.contacts) {
        const std::uint32_t i = contact.particle;
        if (i == last || !touches_body(step, i))
            continue;
        keep_out(step, last = i);
    }
}

void Mueller::keep_out(SubStep& step, std::uint32_t i) {
    const Vec2 impulse = keep_out_.push(step, i, step.velocity[i]);
    step.velocity[i] = step.velocity[i] + impulse * step.inverse_mass[i];
}

/// Walls hold back fluid that sticks to them as fluid at rest in their place would.
void Mueller::rub_walls(SubStep& step) {
    for (const SolidContact<2>& contact : step.contacts) {
        const FluidMaterial& material = step.materials[step.fluid[contact.particle]];
        if (material.wall_friction <= 0 || material.viscosity <= 0)
            continue;
        const float rate = material.viscosity * laplacian_ * contact.density;
        rub(step, contact, material.wall_friction * std::min(1.0f, rate * step.dt));
    }
}

}  // namespace millrace
