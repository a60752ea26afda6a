// The step; how a ConstraintWorld begins, is saved and is restored is in
// constraint_world_setup.cpp.
#include "world/constraint_world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "boundary/scripted_motion.hpp"
#include "math/scene_vectors.hpp"
#include "timestep/cfl.hpp"
#include "world/constraint_world_impl.hpp"

namespace millrace {

namespace {

constexpr int k_iterations = 15;       ///< S2 IX
constexpr double k_same_time = 1e-9;   ///< [s]
constexpr float k_nozzle_mass = 1e4f;  ///< of fluid in a nozzle, over its own: it goes its way

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

template <class T>
void permute(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
    std::vector<T> sorted(values.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        sorted[i] = values[order[i]];
    values.swap(sorted);
}

template <int D>
bool in_box(const Box& box, const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
        if (!(x[k] >= box.min[k] && x[k] <= box.max[k]))
            return false;
    return true;
}

}  // namespace

template <int D>
StepReport ConstraintWorld<D>::Impl::step(double latest) {
    const auto start = Clock::now();
    StepReport report;
    const auto [dt, natural] = choose_length(latest);
    emit();
    remove_sunk();
    remove_outside();

    auto stage = Clock::now();
    sort();
    report.ms.neighbors = milliseconds_since(stage);
    stage = Clock::now();
    place_solids(dt);
    bodies.start(dt, {}, wall_states(), natural);
    find_contacts(dt);
    report.ms.rigid = milliseconds_since(stage);
    stage = Clock::now();
    predict(dt);
    const FluidStep<D> fluid = fluid_step(dt, natural);
    density.start(fluid, velocity, pressure);
    report.ms.density = milliseconds_since(stage);
    stage = Clock::now();
    viscous.start(fluid, density, mu, pressure);
    report.ms.forces = milliseconds_since(stage);
    stage = Clock::now();
    report.iterations = solve(fluid, dt);
    report.ms.pressure = milliseconds_since(stage);
    stage = Clock::now();
    move(dt);
    report.ms.rigid += milliseconds_since(stage);

    time = latest - time - dt < k_same_time ? latest : time + dt;
    last_dt = dt;
    report.step = ++step_count;
    report.time = time;
    report.dt = dt;
    measure(report);
    report.ms.total = milliseconds_since(start);
    return report;
}

/// A step that is cut evenly to end at a frame is at least half as long as it may be, and natural.
template <int D>
typename ConstraintWorld<D>::Impl::Lengths ConstraintWorld<D>::Impl::choose_length(
    double latest) const {
    Motion motion;
    motion.max_speed = std::max(max_speed, emitters.speed(time));
    const double remaining = latest - time,
                 dt = allowed_time_step(scene.time_step, scene.spacing, motion);
    constexpr double k_rounding = 1e-6;
    const double fitted =
        remaining < (1 + k_rounding) * dt ? remaining : fit_time_step(dt, remaining);
    return {fitted, fitted < 0.5 * dt ? dt : fitted};
}

/// Walls move evenly from where they are to where they will be at the end of the step.
template <int D>
void ConstraintWorld<D>::Impl::place_solids(double dt) {
    for (std::size_t w = 0; w < walls_.size(); ++w) {
        if (!scene.boundaries[w].motion)
            continue;
        const WallMotion& motion = *scene.boundaries[w].motion;
        walls_[w] = motion_at(motion, time);
        const BodyState after = motion_at(motion, time + dt);
        const Vec3d center = to_vec3d(motion.center);
        walls_[w].angular_velocity = motion_at(motion, time + dt / 2).angular_velocity;
        // of the centre, about which it turns, seen from the frame's origin
        const Vec3d from = walls_[w].position + rotate(walls_[w].rotation, center);
        const Vec3d to = after.position + rotate(after.rotation, center);
        walls_[w].velocity =
            (to - from) / dt + cross(walls_[w].angular_velocity, walls_[w].position - from);
    }
    solids.place(bodies.states(), walls_);
}

/// Fast particles look as far as they go in the step, or walls would stop them too late.
template <int D>
void ConstraintWorld<D>::Impl::find_contacts(double dt) {
    way.resize(position.size());
    for (std::size_t i = 0; i < position.size(); ++i)
        way[i] = norm(velocity[i]) * static_cast<float>(dt);
    solids.find(workers, columns, way, density.walls());
}

template <int D>
FluidStep<D> ConstraintWorld<D>::Impl::fluid_step(double dt, double natural) {
    fluid_pushes.assign(bodies.system().bodies().size(), {});
    return {{static_cast<float>(dt), static_cast<float>(natural)},
            workers,
            columns,
            inverse_mass,
            solids.contacts(),
            solids.start(),
            bodies.system(),
            fluid_pushes};
}

template <int D>
void ConstraintWorld<D>::Impl::emit() {
    zones.clear();
    if (emitters.empty())
        return;
    const std::vector<NozzleFrame<D>> frames = emitters.frames(bodies.states());
    for (std::size_t e = 0; e < emitters.size(); ++e) {
        const HoldZone<D> zone = emitters[e].hold_zone(frames[e]);
        for (const Vec<D>& x : emitters[e].emit(time, frames[e])) {
            position.push_back(x);
            velocity.push_back(zone.velocity);
            pressure.push_back(0);
            id.push_back(next_id++);
            fluid.push_back(emitters.fluid(e));
        }
    }
    zones = emitters.zones(time, frames);
}

template <int D>
void ConstraintWorld<D>::Impl::remove_sunk() {
    if (scene.sinks.empty())
        return;
    std::vector<std::uint8_t> stays(position.size(), 1);
    for (std::size_t s = 0; s < scene.sinks.size(); ++s)
        for (std::size_t i = 0; i < position.size(); ++i)
            if (stays[i] && in_box(scene.sinks[s].box, position[i])) {
                stays[i] = 0;
                ++sunk[s];
            }
    keep(stays);
}

template <int D>
void ConstraintWorld<D>::Impl::remove_outside() {
    if (!scene.domain)
        return;
    std::vector<std::uint8_t> stays(position.size(), 1);
    for (std::size_t i = 0; i < position.size(); ++i)
        if (!in_box(*scene.domain, position[i])) {
            stays[i] = 0;
            ++lost;
        }
    keep(stays);
}

template <int D>
void ConstraintWorld<D>::Impl::keep(const std::vector<std::uint8_t>& stays) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (!stays[i])
            continue;
        position[n] = position[i];
        velocity[n] = velocity[i];
        pressure[n] = pressure[i];
        id[n] = id[i];
        fluid[n++] = fluid[i];
    }
    position.resize(n);
    velocity.resize(n);
    pressure.resize(n);
    id.resize(n);
    fluid.resize(n);
}

template <int D>
void ConstraintWorld<D>::Impl::sort() {
    columns.sort(workers, position, density.support());
    const std::vector<std::uint32_t> order = columns.release_order();
    permute(position, order);
    permute(velocity, order);
    permute(pressure, order);
    permute(id, order);
    permute(fluid, order);
    const std::size_t n = position.size();
    inverse_mass.resize(n);
    mu.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Viscosity& viscosity = scene.fluids[fluid[i]].viscosity;
        inverse_mass[i] = 1 / (rest_density(i) * density.volume());
        mu[i] = viscosity.method == "none" ? 0 : static_cast<float>(viscosity.nu) * rest_density(i);
    }
    for (const HoldZone<D>& zone : zones)
        for (std::size_t i = 0; i < n; ++i)
            if (zone.contains(position[i]))
                inverse_mass[i] /= k_nozzle_mass;
}

template <int D>
float ConstraintWorld<D>::Impl::rest_density(std::size_t i) const {
    return static_cast<float>(scene.fluids[fluid[i]].density);
}

/// Velocities without pressure, S2 Eq. 31.
template <int D>
void ConstraintWorld<D>::Impl::predict(double dt) {
    const Vec<D> more = to_vec<D>(scene.gravity) * static_cast<float>(dt);
    for (std::size_t i = 0; i < velocity.size(); ++i)
        velocity[i] += more;
    for (const HoldZone<D>& zone : zones)
        for (std::size_t i = 0; i < velocity.size(); ++i)
            if (zone.contains(position[i]))
                velocity[i] = zone.velocity;
}

/// All rows together, S2 Algorithm VII.1.
template <int D>
int ConstraintWorld<D>::Impl::solve(const FluidStep<D>& step, double dt) {
    const int iterations = scene.pressure.iterations > 0 ? scene.pressure.iterations : k_iterations;
    residuals.clear();
    if (watches)
        residuals.push_back(density.residual(step));
    for (int k = 0; k < iterations; ++k) {
        const bool upwards = k % 2 != 0;
        viscous.sweep(step, density, upwards);
        density.sweep(step, upwards);
        bodies.sweep(workers, upwards);
        if (watches)
            residuals.push_back(density.residual(step));
    }
    density.finish(step, velocity, pressure);
    for (std::size_t b = 0; b < pushes.size(); ++b) {
        pushes[b].force = fluid_pushes[b].impulse / dt;
        pushes[b].torque = fluid_pushes[b].turn / dt;
    }
    return iterations;
}

template <int D>
void ConstraintWorld<D>::Impl::move(double dt) {
    for (const HoldZone<D>& zone : zones)
        for (std::size_t i = 0; i < velocity.size(); ++i)
            if (zone.contains(position[i]))
                velocity[i] = zone.velocity;
    const auto step_length = static_cast<float>(dt);
    workers.for_each(position.size(),
                     [&](std::size_t i) { position[i] += velocity[i] * step_length; });
    bodies.finish(dt);
    relative_density.assign(density.densities().begin(), density.densities().end());
}

template <int D>
void ConstraintWorld<D>::Impl::measure(StepReport& report) {
    const Vec<D> gravity = to_vec<D>(scene.gravity);
    const float g = norm(gravity);
    Vec<D> up = Vec<D>::all(0);
    up[1] = 1;
    if (g > 0)
        up = gravity * (-1 / g);
    const std::size_t n = position.size();
    double top = -1e300, density_sum = 0, compression = 0, fastest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double mass = double(rest_density(i)) * density.volume();
        const double v2 = squared_norm(velocity[i]);
        report.kinetic_energy += 0.5 * mass * v2;
        report.potential_energy -= mass * dot(gravity, position[i]);
        density_sum += double(rest_density(i)) * relative_density[i];
        const double over = std::max(0.0f, relative_density[i] - 1);
        compression += over;
        report.max_density_error = std::max(report.max_density_error, over);
        fastest = std::max(fastest, v2);
        top = std::max(top, double(dot(up, position[i])));
    }
    if (!std::isfinite(report.kinetic_energy) || !std::isfinite(report.potential_energy))
        throw RunError("the simulation lost its footing at t = " + std::to_string(time) +
                       " s (step " + std::to_string(step_count) +
                       "): a particle has no finite speed; try a smaller time_step.max or cfl");
    report.fluid_particles = n;
    report.max_speed = std::sqrt(fastest);
    report.avg_density = n > 0 ? density_sum / static_cast<double>(n) : 0;
    report.compression = n > 0 ? compression / static_cast<double>(n) : 0;
    report.avg_density_error = report.compression;
    report.max_height = n > 0 ? top + 0.5 * scene.spacing : 0;
    max_speed = report.max_speed;
    for (const BodyState& state : bodies.states()) {
        if (!std::isfinite(squared_norm(state.position)) ||
            !std::isfinite(squared_norm(state.velocity)))
            throw RunError("the simulation lost its footing at t = " + std::to_string(time) +
                           " s: a body has no finite place; try a smaller time_step.max");
        max_speed = std::max(max_speed, norm(state.velocity));
    }
}

template <int D>
StepReport ConstraintWorld<D>::step(double latest) {
    return impl_->step(latest);
}

template struct ConstraintWorld<2>::Impl;
template struct ConstraintWorld<3>::Impl;
template StepReport ConstraintWorld<2>::step(double);
template StepReport ConstraintWorld<3>::step(double);

}  // namespace millrace
