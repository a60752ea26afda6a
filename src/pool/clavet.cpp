#include "pool/clavet.hpp"

#include <algorithm>
#include <cmath>

#include "exec/lanes.hpp"
#include "math/kernels/clavet.hpp"
#include "pool/near.hpp"

namespace millrace {

namespace {

constexpr float k_support = 2;  ///< in spacings, where no self-contribution asks for another
/// The stiffness is that for which so many spacings of depth compress the fluid so much.
constexpr double k_depth = 20, k_compression = 0.1, k_gravity = 9.81;
constexpr double k_near = 0.2;  ///< what the near pressure has over what 100 % of compression has
constexpr float k_pull = 1.2f;  ///< of P < 0 over what balances the near pressure in fluid at rest
constexpr float k_dense = 2;    ///< relative density beyond which pressures do not grow
constexpr float k_correction = 0.5f;  ///< of its density error that a visit may undo
constexpr float k_stress = 0.2f;      ///< dt^2 p / (density spacing^2) that a sweep bears
constexpr int k_good_sweeps = 4;      ///< more of them are worth another sub-step
constexpr int k_most_sweeps = 16;     ///< even

ClavetMethod::Kernels kernels_of(const PoolMethod& settings) {
    if (settings.kernels == "original")
        return ClavetMethod::Kernels::original;
    if (settings.kernels == "squared")
        return ClavetMethod::Kernels::squared;
    return ClavetMethod::Kernels::hybrid;
}

/// Calls body with the kernels of density and near density.
template <class Body>
void with_kernels(ClavetMethod::Kernels kernels, float support, const Body& body) {
    switch (kernels) {
        case ClavetMethod::Kernels::original:
            body(Clavet<2>(support), ClavetNear<2>(support));
            break;
        case ClavetMethod::Kernels::hybrid:
            body(ClavetHybrid<2>(support), ClavetHybridNear<2>(support));
            break;
        case ClavetMethod::Kernels::squared:
            body(ClavetSquared<2>(support), ClavetSquaredNear<2>(support));
            break;
    }
}

}  // namespace

ClavetMethod::ClavetMethod(const PoolMethod& settings, float spacing)
    : kernels_(kernels_of(settings)),
      support_(k_support * spacing),
      keep_out_(KeepOut::in_pools(spacing)) {
    with_kernels(kernels_, support_, [&](const auto& density, const auto&) {
        using Density = std::decay_t<decltype(density)>;
        if (settings.self_contribution > 0)
            support_ = smoothing_length(settings.self_contribution, Density::k_constant,
                                        spacing * spacing);
    });
    with_kernels(kernels_, support_, [&](const auto& density, const auto& near) {
        prepare(settings, spacing, density, near);
    });
}

/// Parameters from the state of fluid at rest, with the virial sums S = sum_j r |grad W|:
///
///     p = density (P S + P_near S_near) / 4,   k (rho - rho_0) S + k_near rho_near S_near = 0
///
/// the pressure of the particles' pushes, and the rho_0 for which it is 0 at the density 1.
template <class Density, class Near>
void ClavetMethod::prepare(const PoolMethod& settings, float spacing, const Density& density,
                           const Near& near) {
    const double h = support_, volume = double(spacing) * spacing;
    const auto factor = [&](double r2) { return density.gradient_factor(r2); };
    const auto near_factor = [&](double r2) { return near.gradient_factor(r2); };
    walls_ = WallField::of<2>([&](double r) { return density.w(r * r); }, h, volume);
    near_walls_ = WallField::of<2>([&](double r) { return near.w(r * r); }, h, volume);
    push_ = WallPush(factor, h, volume);
    near_push_ = WallPush(near_factor, h, volume);
    const double rho = 1 / (walls_.rest().scale * volume);
    const double all_near = 1 / (near_walls_.rest().scale * volume);
    const double rho_near = all_near - near.w(0.0);
    const double sum = virial_sum(factor, h, volume), near_sum = virial_sum(near_factor, h, volume);

    const double k = settings.stiffness > 0
                         ? settings.stiffness
                         : 4 * k_gravity * k_depth * spacing / (k_compression * rho * sum);
    const double k_of_near = settings.near_stiffness > 0
                                 ? settings.near_stiffness
                                 : k_near * k * rho * sum / (rho_near * near_sum);
    double gradients = 0, near_gradients = 0;
    for_each_hexagonal(volume, h, [&](const Vec2d& x) {
        const double r2 = squared_norm(x);
        gradients += r2 * factor(r2) * factor(r2);
        near_gradients += r2 * near_factor(r2) * near_factor(r2);
    });
    stiffness_ = static_cast<float>(k);
    near_stiffness_ = static_cast<float>(k_of_near);
    rest_ =
        static_cast<float>(settings.rest_ratio * (rho + k_of_near / k * rho_near * near_sum / sum));
    unit_ = static_cast<float>(rho);
    near_unit_ = static_cast<float>(all_near);
    near_self_ = near.w(0.0f);
    virial_ = static_cast<float>(sum / 4);
    near_virial_ = static_cast<float>(near_sum / 4);
    // a visit moves neighbours by half of d_ij, and changes rho_i by 1/2 dt^2 k sum_j |grad W|^2
    rate2_ = static_cast<float>((k * gradients + k_of_near * near_gradients) / 2) / k_correction;
}

float ClavetMethod::longest_substep(std::span<const FluidMaterial>) const {
    return std::sqrt(k_good_sweeps / rate2_);
}

int ClavetMethod::solve(SubStep& step) {
    if (step.count() == 0)
        return 0;
    const Plan plan = plan_sweeps(step);
    start(step);
    apply_viscosity(step);
    apply_walls(step);
    for_each_point(step.workers, step.columns, [&](std::uint32_t i) {
        places_.move(i, (step.velocity[i] - started_[i]) * step.dt);
    });
    const bool has_springs =
        std::any_of(step.materials.begin(), step.materials.end(),
                    [](const FluidMaterial& material) { return material.spring_stiffness > 0; });
    if (has_springs) {
        springs_.adjust(step, places_, runs_, support_);
        springs_.relax(step, places_, support_);
    } else {
        springs_.clear();
    }
    // places within walls are no start for the densities
    for_each_point(step.workers, step.columns, [&](std::uint32_t i) {
        if (step.contact_start[i] < step.contact_start[i + 1] && !touches_body_[i])
            keep_out(step, i);
    });
    for (const std::uint32_t i : at_bodies_)
        keep_out(step, i);
    with_kernels(kernels_, support_, [&](const auto& density, const auto& near) {
        for (int k = 0; k < plan.sweeps; ++k)
            sweep(step, plan.dt2, k % 2 == 0, density, near);
    });
    const float to_pressure = plan.dt2 / (step.dt * step.dt);
    for_each_point(step.workers, step.columns, [&](std::uint32_t i) {
        step.velocity[i] = started_[i] + places_.moved(i) * (1 / step.dt);
        step.pressure[i] *= step.materials[step.fluid[i]].density * to_pressure;
    });
    return plan.sweeps;
}

/// So many sweeps that no visit undoes much more of the density's error than k_correction, nor
/// shoves particles about under the pressure of the last sub-step; there and back, so that errors
/// by the order of the visits cancel. Otherwise the bottom of deep fluid boils (S0 7.1.2). Beyond
/// k_most_sweeps the fluid becomes softer.
ClavetMethod::Plan ClavetMethod::plan_sweeps(const SubStep& step) const {
    float stress = 0;
    for (std::uint32_t i = 0; i < step.count(); ++i)
        stress = std::max(stress, step.pressure[i] / step.materials[step.fluid[i]].density);
    const float rate2 = rate2_ + stress / (k_stress * step.volume);
    const float dt2 = step.dt * step.dt;
    const float sweeps = std::clamp(2 * std::ceil(0.5f * dt2 * rate2), 2.0f, float(k_most_sweeps));
    return {static_cast<int>(sweeps), std::min(dt2 / sweeps, 1 / rate2)};
}

void ClavetMethod::start(SubStep& step) {
    const std::uint32_t n = step.count();
    places_.resize(n);
    runs_.resize(3 * static_cast<std::size_t>(n));
    touches_body_.resize(n);
    started_ = step.velocity;
    keep_out_.start(step);
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        step.columns.for_each_in(step.columns.strips()[s],
                                 [&](std::uint32_t i, const Columns<2>::Run* runs) {
                                     std::copy(runs, runs + 3, &runs_[3 * std::size_t(i)]);
                                     places_.inverse_mass[i] = step.inverse_mass[i];
                                     touches_body_[i] = touches_body(step, i);
                                     step.pressure[i] = 0;
                                 });
    });
    at_bodies_.clear();
    for (const SolidContact<2>& contact : step.contacts)
        if (touches_body_[contact.particle] &&
            (at_bodies_.empty() || at_bodies_.back() != contact.particle))
            at_bodies_.push_back(contact.particle);
}

/// Strips of one colour at once; then, one after another, the particles that push bodies.
template <class Density, class Near>
void ClavetMethod::sweep(SubStep& step, float dt2, bool upwards, const Density& density,
                         const Near& near) {
    for (int color = 0; color < 2; ++color) {
        step.columns.for_each_of_color(step.workers, color, [&](std::uint32_t s) {
            const Columns<2>::Strip& strip = step.columns.strips()[s];
            for (std::uint32_t k = strip.begin; k < strip.end; ++k) {
                const std::uint32_t i = upwards ? k : strip.end - 1 - (k - strip.begin);
                if (!touches_body_[i])
                    visit(step, i, strip.end, dt2, density, near);
            }
        });
    }
    const std::size_t n = at_bodies_.size();
    for (std::size_t k = 0; k < n; ++k)
        visit(step, at_bodies_[upwards ? k : n - 1 - k], step.count(), dt2, density, near);
}

/// Parts particle i and its neighbours by its pressures. From its neighbours on to the end of its
/// strip all particles are the thread's own; beyond, other threads may be at work.
template <class Density, class Near>
inline void ClavetMethod::visit(SubStep& step, std::uint32_t i, std::uint32_t strip_end, float dt2,
                                const Density& density, const Near& near) {
    const Columns<2>& columns = step.columns;
    const Columns<2>::Run* runs = &runs_[3 * std::size_t(i)];
    float* moved_x = places_.x.data();
    float* moved_y = places_.y.data();
    const Pack x(columns.x()[i]), y(columns.y()[i]), own_x(moved_x[i]), own_y(moved_y[i]);
    const Pack far(3e38f);
    const auto for_each_near = [&](const auto& body) {
        for (int k = 0; k < 3; ++k)
            for (std::uint32_t j = runs[k].begin; j < runs[k].end; j += k_lanes) {
                const PackMask within = first_lanes(static_cast<int>(runs[k].end - j));
                const bool is_own = j + k_lanes <= std::max(runs[k].end, strip_end);
                const auto load = [&](const float* moved) {
                    return is_own ? load_pack(moved + j) : load_lanes(moved + j, within);
                };
                const auto store = [&](Pack p, float* moved) {
                    is_own ? store_pack(moved + j, p) : store_lanes(moved + j, p, within);
                };
                const Pack moved_x_j = load(moved_x), moved_y_j = load(moved_y);
                const Pack dx = x - load_pack(columns.x() + j) + (own_x - moved_x_j);
                const Pack dy = y - load_pack(columns.y() + j) + (own_y - moved_y_j);
                const Pack r2 = select(within, dx * dx + dy * dy, far);
                body(j, dx, dy, r2, [&](Pack x_by, Pack y_by) {
                    store(moved_x_j + x_by, moved_x);
                    store(moved_y_j + y_by, moved_y);
                });
            }
    };
    Pack sum(0.0f), near_sum(0.0f);
    for_each_near([&](std::uint32_t, Pack, Pack, Pack r2, const auto&) {
        sum += density.w(r2);
        near_sum += near.w(r2);
    });
    float rho = sum_lanes(sum), rho_near = sum_lanes(near_sum) - near_self_;
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
        const float d = distance_now(step, step.contacts[c]);
        rho += unit_ * walls_.at(d).density;
        rho_near += near_unit_ * near_walls_.at(d).density;
    }
    step.density[i] = rho / unit_;
    const float near_p = near_stiffness_ * std::min(rho_near, k_dense * near_unit_);
    const float p = std::max(stiffness_ * (std::min(rho, k_dense * unit_) - rest_),
                             -k_pull * near_virial_ / virial_ * near_p);
    step.pressure[i] += virial_ * p + near_virial_ * near_p;

    const Pack to_move(dt2 * p), near_to_move(dt2 * near_p), weight(places_.inverse_mass[i]);
    Pack x_sum(0.0f), y_sum(0.0f);
    for_each_near([&](std::uint32_t j, Pack dx, Pack dy, Pack r2, const auto& move) {
        const Pack other = load_pack(&places_.inverse_mass[j]);
        const Pack d =
            (to_move * density.gradient_factor(r2) + near_to_move * near.gradient_factor(r2)) /
            (weight + other);
        const Pack x_part = d * dx, y_part = d * dy;
        x_sum += x_part;
        y_sum += y_part;
        move(x_part * other, y_part * other);
    });
    places_.move(i, Vec2{sum_lanes(x_sum), sum_lanes(y_sum)} * -places_.inverse_mass[i]);
    if (step.contact_start[i] < step.contact_start[i + 1])
        push_from_walls(step, i, dt2, p, near_p);
}

/// The distance of a contact with what particle and solid have moved since.
float ClavetMethod::distance_now(const SubStep& step, const SolidContact<2>& contact) const {
    const Vec2 x = step.columns.position(contact.particle);
    const Vec2 solid = step.solids[contact.solid].velocity_at(x) * step.dt;
    return contact.distance + dot(contact.normal, places_.moved(contact.particle) - solid);
}

/// Walls carry the pressure of the fluid: V p_i push(d), never less than nothing.
void ClavetMethod::push_from_walls(SubStep& step, std::uint32_t i, float dt2, float p,
                                   float near_p) {
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
        const SolidContact<2>& contact = step.contacts[c];
        const float d = distance_now(step, contact);
        const float way =
            dt2 * (virial_ * p * push_.at(d) + near_virial_ * near_p * near_push_.at(d));
        if (way <= 0)
            continue;
        places_.move(i, contact.normal * way);
        step.push_solid(c, contact.normal * (-way / (step.dt * step.inverse_mass[i])));
    }
    keep_out(step, i);
}

void ClavetMethod::keep_out(SubStep& step, std::uint32_t i) {
    const Vec2 v = started_[i] + places_.moved(i) * (1 / step.dt);
    const Vec2 impulse = keep_out_.push(step, i, v, started_[i] * step.dt);
    places_.move(i, impulse * (step.inverse_mass[i] * step.dt));
}

}  // namespace millrace
