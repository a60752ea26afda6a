// How a ConstraintWorld begins, is seen, saved and restored; the step is in constraint_world.cpp.
#include <algorithm>
#include <cmath>

#include "world/constraint_world_impl.hpp"
#include "world/fluid_fill.hpp"
#include "world/plain_state.hpp"
#include "world/sampled_solids.hpp"

namespace millrace {

namespace {

/// Of a step's impulses to start from. With all of them what is left of their errors builds up.
constexpr float k_warm_start = 0.9f;
constexpr float k_over_relaxation = 1.5f;
constexpr double k_body_reach = 0.5;  ///< largest gap of contacts between bodies, in spacings
constexpr float k_clearance = 0.4f;   ///< of fills to solids, in spacings

DensitySettings density_settings(const Scene& scene) {
    DensitySettings settings;
    settings.spacing = static_cast<float>(scene.spacing);
    settings.support = static_cast<float>(scene.spacing * scene.support);
    settings.kernel = scene.pressure.kernels == "poly6" ? SpookKernel::poly6 : SpookKernel::spiky;
    settings.relaxation = {scene.pressure.compliance, scene.pressure.relaxation_time};
    settings.over_relaxation = scene.pressure.over_relaxation > 0
                                   ? static_cast<float>(scene.pressure.over_relaxation)
                                   : k_over_relaxation;
    settings.warm_start = scene.pressure.warm_start ? k_warm_start : 0;
    settings.boundary_field = scene.pressure.boundary == "field";
    return settings;
}

Vector to_vector(const Vec3d& v) {
    return {v[0], v[1], v[2]};
}

}  // namespace

template <int D>
ConstraintWorld<D>::Impl::Impl(const Scene& given, SceneSolids<D> given_solids, int threads)
    : scene(given),
      workers{threads},
      warnings(given_solids.warnings),
      scene_solids(std::move(given_solids)),
      description(describe_rigid<D>(scene_solids, given, wall_frames(given))),
      density(density_settings(given)),
      viscous({static_cast<float>(given.pressure.pair_damping)}),
      bodies(description, D, k_body_reach * given.spacing),
      solids(description, density.reach(), given.spacing),
      pushes(description.bodies.size()),
      emitters(given, scene_solids),
      sunk(given.sinks.size(), 0) {
    for (const WallDescription& wall : description.walls)
        walls_.push_back(wall.state);
    solids.place(bodies.states(), walls_);
    fill();
    relax_fill();
    relative_density.assign(position.size(), 1);
}

template <int D>
void ConstraintWorld<D>::Impl::fill() {
    const float clearance = k_clearance * static_cast<float>(scene.spacing);
    const SolidTest<D> in_solids = [&](std::span<const Vec<D>> points,
                                       std::vector<std::uint8_t>& solid) {
        workers.for_each(points.size(), [&](std::size_t i) {
            if (solids.distance(points[i]) < clearance)
                solid[i] = 1;
        });
    };
    FluidSamples<D> samples = sample_fluid<D>(scene, scene_solids, {}, in_solids);
    position = std::move(samples.positions);
    velocity = std::move(samples.velocities);
    fluid = std::move(samples.fluids);
    pressure.assign(position.size(), 0);
    id.resize(position.size());
    for (std::uint32_t i = 0; i < id.size(); ++i)
        id[i] = i;
    next_id = static_cast<std::uint32_t>(id.size());
}

/// A lattice with its jitter is a little denser than fluid at rest, and would give off energy while
/// it expands: particles are moved apart first, and left with the velocities they had.
template <int D>
void ConstraintWorld<D>::Impl::relax_fill() {
    constexpr int k_rounds = 20, k_sweeps = 10;
    constexpr float k_round = 1.0f / 120;  // [s]
    sort();
    const std::vector<Vec<D>> still(position.size(), Vec<D>::all(0));
    std::vector<Vec<D>> moved = still;
    std::vector<float> unused(position.size(), 0);
    for (int round = 0; round < k_rounds && !position.empty(); ++round) {
        solids.find(workers, columns, {}, density.walls());
        const FluidStep<D> step = fluid_step(k_round, k_round);
        density.start(step, still, {});
        for (int k = 0; k < k_sweeps; ++k)
            density.sweep(step, k % 2 != 0);
        density.finish(step, moved, unused);
        for (std::size_t i = 0; i < position.size(); ++i)
            position[i] += moved[i] * k_round;
        sort();
    }
}

template <int D>
ConstraintWorld<D>::ConstraintWorld(const Scene& scene, SceneSolids<D> solids, int threads)
    : impl_(std::make_unique<Impl>(scene, std::move(solids), threads)) {}
template <int D>
ConstraintWorld<D>::ConstraintWorld(ConstraintWorld&&) noexcept = default;
template <int D>
ConstraintWorld<D>& ConstraintWorld<D>::operator=(ConstraintWorld&&) noexcept = default;
template <int D>
ConstraintWorld<D>::~ConstraintWorld() = default;

template <int D>
double ConstraintWorld<D>::time() const {
    return impl_->time;
}
template <int D>
std::int64_t ConstraintWorld<D>::step_count() const {
    return impl_->step_count;
}
template <int D>
std::size_t ConstraintWorld<D>::fluid_count() const {
    return impl_->position.size();
}
template <int D>
std::uint64_t ConstraintWorld<D>::lost_count() const {
    return impl_->lost;
}
template <int D>
const std::vector<std::uint64_t>& ConstraintWorld<D>::sunk_counts() const {
    return impl_->sunk;
}
template <int D>
std::vector<std::string> ConstraintWorld<D>::warnings() const {
    return impl_->warnings;
}
template <int D>
int ConstraintWorld<D>::threads() const {
    return impl_->workers.threads;
}
template <int D>
double ConstraintWorld<D>::joint_error(double arm) const {
    return impl_->bodies.joint_error(arm);
}
template <int D>
void ConstraintWorld<D>::watch_residuals(bool on) {
    impl_->watches = on;
}
template <int D>
const std::vector<double>& ConstraintWorld<D>::residuals() const {
    return impl_->residuals;
}

template <int D>
std::vector<ObjectSurface> ConstraintWorld<D>::surfaces() const {
    return object_surfaces(impl_->scene_solids);
}

template <int D>
std::vector<BodyView> ConstraintWorld<D>::bodies() const {
    std::vector<BodyView> views;
    const std::span<const BodyState> states = impl_->bodies.states();
    for (std::size_t b = 0; b < states.size(); ++b) {
        const BodyState& s = states[b];
        BodyView view;
        view.name = impl_->scene.bodies[b].name;
        view.position = to_vector(s.position);
        view.rotation = {s.rotation.s, s.rotation.v[0], s.rotation.v[1], s.rotation.v[2]};
        view.velocity = to_vector(s.velocity);
        view.angular_velocity = to_vector(s.angular_velocity);
        view.force = to_vector(impl_->pushes[b].force);
        view.torque = to_vector(impl_->pushes[b].torque);
        views.push_back(std::move(view));
    }
    return views;
}

template <int D>
std::vector<float> ConstraintWorld<D>::host_densities() const {
    std::vector<float> densities = impl_->relative_density;
    densities.resize(impl_->position.size(), 1);
    for (std::size_t i = 0; i < densities.size(); ++i)
        densities[i] *= impl_->rest_density(i);
    return densities;
}

template <int D>
std::size_t ConstraintWorld<D>::memory_bytes() const {
    return impl_->position.size() * (2 * sizeof(Vec<D>) + 6 * sizeof(float)) +
           impl_->columns.bytes() + impl_->density.bytes() + impl_->viscous.bytes() +
           impl_->solids.bytes();
}

template <int D>
HostParticles ConstraintWorld<D>::host_particles() const {
    const auto flat = [](const std::vector<Vec<D>>& vectors) {
        static_assert(sizeof(Vec<D>) == D * sizeof(float));
        return std::span(reinterpret_cast<const float*>(vectors.data()), D * vectors.size());
    };
    return {D,
            flat(impl_->position),
            flat(impl_->velocity),
            impl_->density.volume(),
            impl_->pressure,
            impl_->id,
            impl_->fluid};
}

template <int D>
std::vector<std::uint64_t> ConstraintWorld<D>::emitted_counts() const {
    return impl_->emitters.save();
}

template <int D>
Snapshot ConstraintWorld<D>::snapshot() const {
    Snapshot s;
    s.time = impl_->time;
    s.step = impl_->step_count;
    s.last_dt = impl_->last_dt;
    s.lost = impl_->lost;
    s.time_step = {impl_->max_speed};
    s.positions = flatten(impl_->position);
    s.velocities = flatten(impl_->velocity);
    s.volumes.assign(impl_->position.size(), impl_->density.volume());
    s.pressures = impl_->pressure;
    s.divergence_pressures.assign(impl_->position.size(), 0);
    s.next_id = impl_->next_id;
    s.sunk = impl_->sunk;
    s.emitted = emitted_counts();
    if (!impl_->description.bodies.empty())
        s.bodies = impl_->bodies.save();
    s.ids = impl_->id;
    s.fluids = impl_->fluid;
    return s;
}

template <int D>
void ConstraintWorld<D>::restore(const Snapshot& s) {
    const std::size_t n = s.ids.size();
    if (s.positions.size() != n * D || s.velocities.size() != n * D || s.pressures.size() != n ||
        s.fluids.size() != n || s.time_step.size() != 1)
        throw InputError("snapshot: its arrays do not fit together or belong to another method");
    if (std::ranges::any_of(s.fluids, [&](auto f) { return f >= impl_->scene.fluids.size(); }))
        throw InputError("snapshot: it holds a fluid that the scene does not have");
    if (s.emitted.size() != impl_->emitters.size() || s.sunk.size() != impl_->sunk.size())
        throw InputError("snapshot: it holds other emitters or sinks than the scene");
    const bool fits =
        impl_->description.bodies.empty() ? s.bodies.empty() : impl_->bodies.restore(s.bodies);
    if (!fits)
        throw InputError("snapshot: it holds other bodies than the scene");
    impl_->emitters.restore(s.emitted);
    impl_->time = s.time;
    impl_->step_count = s.step;
    impl_->last_dt = s.last_dt;
    impl_->lost = s.lost;
    impl_->max_speed = s.time_step[0];
    impl_->position = unflatten<D>(s.positions);
    impl_->velocity = unflatten<D>(s.velocities);
    impl_->pressure = s.pressures;
    impl_->relative_density.assign(n, 1);
    impl_->id = s.ids;
    impl_->fluid = s.fluids;
    impl_->next_id = s.next_id;
    impl_->sunk = s.sunk;
}

template class ConstraintWorld<2>;
template class ConstraintWorld<3>;

}  // namespace millrace
