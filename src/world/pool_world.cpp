#include "world/pool_world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "math/portable.hpp"
#include "timestep/cfl.hpp"
#include "world/flat_motion.hpp"
#include "world/pool_shapes.hpp"

namespace millrace {

namespace {

constexpr double k_same_time = 1e-9;  ///< [s]

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

}  // namespace

StepReport PoolWorld::step(double latest) {
    const auto start = std::chrono::steady_clock::now();
    StepReport report;
    const double dt = step_length(latest);
    set_emitters();
    remove_sunk();
    place_solids(dt);
    const Result<PoolReport> done = pool_.step(static_cast<float>(dt));
    if (!done)
        throw RunError("at t = " + std::to_string(time_) + " s: " + done.message());
    lost_ += done->left;
    const auto moved = std::chrono::steady_clock::now();
    move_bodies(static_cast<float>(dt));
    report.ms.rigid = milliseconds_since(moved);

    time_ = latest - time_ - dt < k_same_time ? latest : time_ + dt;
    last_dt_ = dt;
    report.step = ++step_;
    report.time = time_;
    report.dt = dt;
    report.iterations = done->iterations;
    report.avg_density_error = report.compression = done->mean_compression;
    report.max_density_error = done->max_compression;
    report.max_speed = done->max_speed;
    measure(report);
    report.ms.neighbors = done->ms.neighbors;
    report.ms.density = done->ms.density;
    report.ms.forces = done->ms.forces;
    report.ms.pressure = done->ms.pressure;
    report.ms.total = milliseconds_since(start);
    return report;
}

/// A step ends where an emitter begins or ends.
double PoolWorld::step_length(double latest) const {
    const TimeStep& settings = scene_.time_step;
    const double longest = settings.mode == "fixed" ? settings.dt : settings.max;
    double end = latest;
    for (const SceneEmitter& e : emitters_)
        for (const double event : {e.emitter.from, e.emitter.until})
            if (event > time_ + k_same_time)
                end = std::min(end, event);
    const double remaining = end - time_;
    constexpr double k_rounding = 1e-6;
    return remaining < (1 + k_rounding) * longest ? remaining : fit_time_step(longest, remaining);
}

/// An emitter whose time has not come, or is over, has no speed.
void PoolWorld::set_emitters() {
    for (SceneEmitter& e : emitters_) {
        const bool flows =
            time_ > e.emitter.from - k_same_time && time_ < e.emitter.until - k_same_time;
        const float speed = flows ? static_cast<float>(e.emitter.speed) : 0;
        if (e.options.speed != speed) {
            e.options.speed = speed;
            (void)pool_.set_emitter(e.id, e.options);
        }
    }
}

void PoolWorld::remove_sunk() {
    for (std::size_t s = 0; s < scene_.sinks.size(); ++s)
        sunk_[s] += *pool_.remove(pool_shape(scene_.sinks[s].box));
}

void PoolWorld::place_solids(double dt) {
    const auto place = [&](SolidId id, const SolidState& state, const std::string& name) {
        if (const Status placed = pool_.set_solid(id, state); !placed)
            throw RunError("the simulation lost its footing at t = " + std::to_string(time_) +
                           " s: '" + name + "': " + placed.message());
    };
    for (std::size_t w = 0; w < wall_solids_.size(); ++w)
        if (flat_.walls[w].moves) {
            wall_states_[w] = state_between(*scene_.boundaries[w].motion, time_, dt);
            place(wall_solids_[w], wall_states_[w], scene_.boundaries[w].name);
        }
    for (std::size_t b = 0; b < body_solids_.size(); ++b)
        place(body_solids_[b], bodies_->predict(b), scene_.bodies[b].name);
}

void PoolWorld::move_bodies(float dt) {
    if (!bodies_)
        return;
    for (std::size_t b = 0; b < body_solids_.size(); ++b)
        pushes_[b] = *pool_.push_on(body_solids_[b]);
    bodies_->step(dt, pushes_, wall_states_);
}

float PoolWorld::rest_density(std::size_t particle) const {
    return static_cast<float>(scene_.fluids[pool_.fluids()[particle]].density);
}

void PoolWorld::measure(StepReport& report) const {
    const double g = portable::hypot(scene_.gravity[0], scene_.gravity[1]);
    const double up[2] = {g > 0 ? -scene_.gravity[0] / g : 0, g > 0 ? -scene_.gravity[1] / g : 1};
    const std::size_t n = pool_.size();
    const double volume = scene_.spacing * scene_.spacing;
    double top = -1e300, density = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Point2 x = pool_.positions()[i], v = pool_.velocities()[i];
        const double mass = rest_density(i) * volume, height = up[0] * x.x + up[1] * x.y;
        report.kinetic_energy += 0.5 * mass * (double(v.x) * v.x + double(v.y) * v.y);
        report.potential_energy += mass * g * height;
        density += double(rest_density(i)) * pool_.densities()[i];
        top = std::max(top, height);
    }
    if (!std::isfinite(report.kinetic_energy) || !std::isfinite(report.potential_energy))
        throw RunError("the simulation lost its footing at t = " + std::to_string(time_) +
                       " s (step " + std::to_string(step_) +
                       "): a particle has no finite speed; try a smaller time_step.max or cfl");
    report.fluid_particles = n;
    report.avg_density = n > 0 ? density / static_cast<double>(n) : 0;
    report.max_height = n > 0 ? top + 0.5 * scene_.spacing : 0;
}

}  // namespace millrace
