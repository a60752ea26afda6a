#include <algorithm>
#include <chrono>
#include <cmath>

#include "pool/pool_impl.hpp"

namespace millrace {

namespace {

using Clock = std::chrono::steady_clock;

/// Adds the wall time of a block to a field of the report.
class StageTimer {
  public:
    explicit StageTimer(double& ms) : ms_(ms) {}
    ~StageTimer() {
        ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }

  private:
    double& ms_;
    Clock::time_point start_ = Clock::now();
};

/// Under the pressure p a lattice of particles swings with sqrt(p / rho) / spacing; this part of
/// its period is still followed.
constexpr float k_swing = 0.65f;
constexpr float k_fast = 0.02f;          ///< part of the particles that may go farther
constexpr float k_spray_density = 0.6f;  ///< below: drops, which need no short steps

}  // namespace

Result<PoolReport> Pool::step(float dt) {
    Impl& impl = *impl_;
    if (!(dt > 0) || !(dt <= 1e3f))
        return Status::failed("dt: must be greater than 0 and at most 1000 s, got " +
                              std::to_string(dt));
    PoolReport report;
    {
        const StageTimer timer(report.ms.total);
        for (Solid& solid : impl.solids.all())
            solid.push = {{}, 0, solid.push.contacts};
        impl.remove_gone(dt, report);
        report.substeps = impl.substeps_for(dt, impl.longest_substep(impl.options.longest_substep));
        const float part = dt / static_cast<float>(report.substeps);
        const float usual = usual_substep(impl.options);
        const int in_usual = impl.substeps_for(usual, impl.longest_substep(usual));
        const float natural = std::max(part, usual / static_cast<float>(in_usual));
        for (int k = 0; k < report.substeps; ++k)
            impl.substep(part, natural, k == 0 ? dt : 0, report);
        impl.time += dt;
        impl.measure(report);
    }
    return report;
}

/// No particle goes farther than cfl spacings in a sub-step, no body in contact either, and no
/// lattice of particles swings faster than a sub-step follows.
float Pool::Impl::longest_substep(float wanted) const {
    const float spacing = options.spacing;
    float speed = common_speed();
    for (const Solid& solid : solids.all())
        if (solid.push.contacts > 0)
            speed = std::max(speed, solid.speed_limit());
    for (const auto& [name, emitter] : emitters)
        speed = std::max(speed, emitter.options.speed);
    return std::min({wanted, options.cfl * spacing / std::max(speed, 1e-9f),
                     k_swing * spacing / std::max(swing_speed(), 1e-9f),
                     solver->longest_substep(materials)});
}

int Pool::Impl::substeps_for(float dt, float longest) const {
    return std::clamp(static_cast<int>(std::ceil(dt / longest - 1e-3f)), 1, options.max_substeps);
}

/// All but k_fast of the particles are slower than this [m/s]. The fast ones are spray and the tips
/// of jets, which would set the step of the whole fluid otherwise.
float Pool::Impl::common_speed() const {
    constexpr int k_bins = 256;
    const float bin = 0.25f * options.spacing / options.longest_substep;  // a quarter way in a step
    std::uint32_t counts[k_bins] = {}, all = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles.density[i] < k_spray_density)
            continue;
        const Point2 v = particles.velocity[i];
        const float at = std::sqrt(v.x * v.x + v.y * v.y) / bin;
        ++counts[at < k_bins - 1 ? static_cast<int>(at) : k_bins - 1];
        ++all;
    }
    std::uint32_t faster = 0;
    int k = k_bins;
    while (k > 0 && static_cast<float>(faster) <= k_fast * static_cast<float>(all))
        faster += counts[--k];
    return static_cast<float>(k) * bin;
}

/// sqrt(p / rho) at the bottom of the fluid that stands the deepest, if all of a strip's fluid
/// stood in it [m/s].
float Pool::Impl::swing_speed() const {
    const float width = 2 * solver->support();
    float left = 3e38f, right = -3e38f;
    for (const Point2& x : particles.position) {
        left = std::min(left, x.x);
        right = std::max(right, x.x);
    }
    if (particles.size() == 0)
        return 0;
    std::vector<std::uint32_t> counts(static_cast<std::size_t>((right - left) / width) + 1, 0);
    for (const Point2& x : particles.position)
        ++counts[static_cast<std::size_t>((x.x - left) / width)];
    const std::uint32_t most = *std::max_element(counts.begin(), counts.end());
    return std::sqrt(norm(to_vec(options.gravity)) * static_cast<float>(most) * volume / width);
}

/// `natural` is that of SubStep, `viscous` the time for which viscosity acts in it: once in a step
/// is enough.
void Pool::Impl::substep(float dt, float natural, float viscous, PoolReport& report) {
    {
        const StageTimer timer(report.ms.neighbors);
        emit(dt, report);
        sort(dt);
        solids.start(dt);
        solids.find_contacts(workers, columns, solver->walls());
        film.apply(solids, to_vec(options.gravity), options.spacing, dt);
    }
    SubStep step{{dt, natural},
                 workers,
                 columns,
                 options.spacing,
                 volume,
                 materials,
                 fluid,
                 id,
                 solids.contact_start(),
                 solids.contacts(),
                 solids.felt(),
                 solids.motions(),
                 inverse_mass,
                 velocity,
                 pressure,
                 density};
    if (viscous > 0 && !solver->has_viscosity()) {
        const StageTimer timer(report.ms.forces);
        viscosity->apply(step, viscous);
    }
    {
        const StageTimer timer(report.ms.pressure);
        report.iterations += solver->solve(step);
        film.learn(step, solids);
    }
    const StageTimer timer(report.ms.move);
    move(dt);
}

/// A place that columns can be made for: what has left the bounds, or has no finite place, is just
/// outside of them until it is removed.
Vec2 Pool::Impl::near_bounds(const Vec2& x) const {
    const Vec2 min = to_vec(options.min), max = to_vec(options.max);
    Vec2 near;
    for (int k = 0; k < 2; ++k)
        near[k] = x[k] >= min[k] - 1 ? std::min(x[k], max[k] + 1) : min[k] - 1;
    return near;
}

/// Particles in columns, with the velocities that gravity gives them.
void Pool::Impl::sort(float dt) {
    const std::size_t n = particles.size();
    const Vec2 kick = to_vec(options.gravity) * dt;
    const float ahead = solver->looks_ahead() ? dt : 0;
    places.resize(n);
    workers.for_each(n, [&](std::size_t i) {
        places[i] = near_bounds(to_vec(particles.position[i]) +
                                (to_vec(particles.velocity[i]) + kick) * ahead);
    });
    columns.sort(workers, places, solver->support());
    velocity.resize(n);
    pressure.resize(n);
    density.resize(n);
    inverse_mass.resize(n + k_lanes);
    fluid.resize(n);
    id.resize(n);
    float lightness[256];
    for (std::size_t m = 0; m < materials.size(); ++m)
        lightness[m] = 1 / (materials[m].density * volume);
    const std::vector<std::uint32_t>& order = columns.order();
    columns.for_each_strip(workers, [&](std::size_t s) {
        const Columns<2>::Strip& strip = columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            const std::uint32_t k = order[i];
            velocity[i] = to_vec(particles.velocity[k]) + kick;
            pressure[i] = particles.pressure[k];
            fluid[i] = particles.fluid[k];
            id[i] = particles.id[k];
            inverse_mass[i] = lightness[fluid[i]];
        }
    });
}

/// Particles and solids go where their velocities lead, but not through each other.
void Pool::Impl::move(float dt) {
    solids.move(dt);
    const std::vector<std::uint32_t>& order = columns.order();
    const std::vector<std::uint32_t>& contact_start = solids.contact_start();
    const float fast = solids.all().empty() ? 0 : solids.fastest();
    swept.resize(columns.strips().size());
    columns.for_each_strip(workers, [&](std::size_t s) {
        const Columns<2>::Strip& strip = columns.strips()[s];
        swept[s].clear();
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            const std::uint32_t k = order[i];
            velocity[i] = velocity[i] * viscosity->left_of(velocity[i], dt);
            particles.velocity[k] = to_point(velocity[i]);
            particles.pressure[k] = pressure[i];
            particles.density[k] = density[i];
            const float way = (norm(velocity[i]) + fast) * dt;
            bool checked = solids.is_far(way);
            for (std::uint32_t c = contact_start[i]; c < contact_start[i + 1] && !checked; ++c)
                checked = solids.contacts()[c].distance < way + solids.closest();
            if (checked)
                swept[s].push_back(i);
            else
                particles.position[k] = to_point(to_vec(particles.position[k]) + velocity[i] * dt);
        }
    });
    for (const std::vector<std::uint32_t>& strip : swept)
        for (const std::uint32_t i : strip) {
            const std::uint32_t k = order[i];
            const Vec2 from = to_vec(particles.position[k]);
            Vec2 to = from + velocity[i] * dt;
            if (solids.hold_back(i, from, to, velocity[i], inverse_mass[i]))
                particles.velocity[k] = to_point(velocity[i]);
            particles.position[k] = to_point(to);
        }
    for (Solid& solid : solids.all())
        solid.push.contacts = 0;
    for (const SolidContact<2>& contact : solids.contacts())
        ++solids.all()[contact.solid].push.contacts;
}

void Pool::Impl::measure(PoolReport& report) const {
    double compression = 0;
    float speed2 = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Point2 v = particles.velocity[i];
        const float more = std::max(0.0f, particles.density[i] - 1);
        compression += more;
        report.max_compression = std::max(report.max_compression, more);
        speed2 = std::max(speed2, v.x * v.x + v.y * v.y);
    }
    report.max_speed = std::sqrt(speed2);
    if (particles.size() > 0)
        report.mean_compression = static_cast<float>(compression / double(particles.size()));
}

/// Particles that are too old, out of bounds, without a finite place, or in a sink.
void Pool::Impl::remove_gone(float dt, PoolReport& report) {
    const std::size_t n = particles.size();
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
        particles.age[i] += dt;
        any = any || !is_within_bounds(particles.position[i]) ||
              (particles.lifetime[i] > 0 && particles.age[i] > particles.lifetime[i]);
    }
    if (any) {
        report.left += particles.remove_if(
            [&](std::size_t i) { return !is_within_bounds(particles.position[i]); });
        report.expired += particles.remove_if([&](std::size_t i) {
            return particles.lifetime[i] > 0 && particles.age[i] > particles.lifetime[i];
        });
    }
    for (const auto& [name, shape] : sinks)
        report.sunk += remove_inside(shape);
    if (particles.size() != n)
        index_is_valid = false;
}

}  // namespace millrace
