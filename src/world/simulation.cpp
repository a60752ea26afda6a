#include "millrace/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "boundary/scripted_motion.hpp"
#include "math/scene_vectors.hpp"
#include "world/constraint_world.hpp"
#include "world/pool_world.hpp"
#include "world/probe_values.hpp"
#include "world/read_particles.hpp"
#include "world/scene_size.hpp"
#include "world/watch.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

using AnyWorld =
    std::variant<World<2>, World<3>, PoolWorld, ConstraintWorld<2>, ConstraintWorld<3>>;

Device choose_device(const Simulation::Options& options) {
    if (options.device == "cpu")
        return Device::cpu(options.threads);
    if (options.device == "cuda")
        return Device::cuda();
    if (options.device == "auto")
        return Device::cuda_available() ? Device::cuda() : Device::cpu(options.threads);
    throw InputError("device: must be auto, cpu or cuda, got '" + options.device + "'");
}

template <int D>
AnyWorld build(const Scene& scene, const Simulation::Options& options) {
    SceneSolids<D> solids = make_solids<D>(scene);
    const SceneSize size = estimate_size<D>(scene, solids);
    if constexpr (D == 2)
        if (scene.engine == "game") {
            if (options.device == "cuda")
                throw InputError("device: the engine 'game' runs on the cpu, not on cuda");
            const Device cpu = Device::cpu(options.threads);
            check_size(size, cpu);
            return PoolWorld(scene, std::move(solids), cpu.threads());
        }
    if (scene.engine == "constraints") {
        if (options.device == "cuda")
            throw InputError("device: the engine 'constraints' runs on the cpu, not on cuda");
        const Device cpu = Device::cpu(options.threads);
        check_size(size, cpu);
        return ConstraintWorld<D>(scene, std::move(solids), cpu.threads());
    }
    const Device device = choose_device(options);
    check_size(size, device);
    const auto settle = [&](double part) {
        if (options.on_settle)
            options.on_settle(part);
    };
    return World<D>(scene, std::move(solids), device,
                    options.settle ? settle : std::function<void(double)>());
}

AnyWorld build(const Scene& scene, const Simulation::Options& options) {
    validate_scene(scene, scene.name);
    return scene.dimension == 2 ? build<2>(scene, options) : build<3>(scene, options);
}

Vector to_vector(const Vec3d& v) {
    return {v[0], v[1], v[2]};
}

BodyView view_of(const std::string& name, const BodyState& s) {
    return {name,
            to_vector(s.position),
            {s.rotation.s, s.rotation.v[0], s.rotation.v[1], s.rotation.v[2]},
            to_vector(s.velocity),
            to_vector(s.angular_velocity)};
}

template <int D>
std::vector<BodyView> bodies_of(const World<D>& world, const std::vector<std::string>& names) {
    std::vector<BodyView> views;
    const std::span<const BodyState> states = world.objects().bodies();
    for (std::size_t b = 0; b < states.size(); ++b) {
        views.push_back(view_of(names[b], states[b]));
        views.back().force = to_vector(world.objects().pushes()[b].force);
        views.back().torque = to_vector(world.objects().pushes()[b].torque);
    }
    return views;
}
std::vector<BodyView> bodies_of(const PoolWorld& world, const std::vector<std::string>&) {
    return world.bodies();
}

template <int D>
std::vector<BodyView> bodies_of(const ConstraintWorld<D>& world, const std::vector<std::string>&) {
    return world.bodies();
}

template <int D>
std::uint64_t outside_of(const World<D>& world) {
    return world.outside_count();
}
std::uint64_t outside_of(const PoolWorld&) {
    return 0;
}
template <int D>
std::uint64_t outside_of(const ConstraintWorld<D>&) {
    return 0;
}

template <int D>
void read_walls(const World<D>& world, std::vector<float>& positions) {
    if (!positions.empty() && !world.walls().anything_moves())
        return;
    positions.clear();
    for (const Vec<D>& x : world.walls().host_positions())
        positions.insert(positions.end(), std::begin(x.c), std::end(x.c));
}
void read_walls(const PoolWorld&, std::vector<float>&) {}
template <int D>
void read_walls(const ConstraintWorld<D>&, std::vector<float>&) {}

}  // namespace

struct Simulation::Impl {
    int dimension;
    AnyWorld world;
    /// Of worlds that take their steps as they come, and are looked at afterwards.
    std::optional<Watch> watch;
    ReadArrays read;  ///< since the last step
    std::vector<float> wall_positions;
    ProbeSettings probed;
    std::vector<std::string> body_names;
    std::vector<Boundary> boundaries;

    Impl(const Scene& scene, const Options& options)
        : dimension(scene.dimension),
          world(build(scene, options)),
          probed(probe_settings(scene)),
          boundaries(scene.boundaries) {
        if (!std::holds_alternative<World<2>>(world) && !std::holds_alternative<World<3>>(world))
            watch.emplace(scene.dimension == 2 ? make_watch<2>(scene, make_solids<2>(scene))
                                               : make_watch<3>(scene, make_solids<3>(scene)));
        for (const Body& body : scene.bodies)
            body_names.push_back(body.name);
    }

    template <class Function>
    auto visit(Function&& f) {
        return std::visit(std::forward<Function>(f), world);
    }

    /// Throws RunError where a step has left the scale of the scene.
    void look_at(const StepReport& report) {
        if (!watch)
            return;
        for (const Boundary& boundary : boundaries)
            if (boundary.motion)
                watch->see_motion(motion_at(*boundary.motion, report.time));
        Prospect prospect;
        prospect.finite = std::isfinite(report.kinetic_energy + report.potential_energy);
        prospect.speed = report.max_speed;
        for (const BodyView& body : visit([&](auto& w) { return bodies_of(w, body_names); }))
            prospect.speed = std::max(prospect.speed, norm(to_vec3d(body.velocity)));
        const std::string complaint = watch->complaint(prospect);
        if (!complaint.empty())
            throw RunError(watch->last_words(report.time, fastest_place(), complaint, ""));
    }

    Vec3d fastest_place() {
        const auto positions = field(ParticleField::position);
        const auto velocities = field(ParticleField::velocity);
        Vec3d place = Vec3d::all(0);
        double fastest = -1;
        for (std::size_t i = 0; i < positions.size() / dimension; ++i) {
            double v2 = 0;
            for (int k = 0; k < dimension; ++k)
                v2 += double(velocities[i * dimension + k]) * velocities[i * dimension + k];
            if (v2 <= fastest)
                continue;
            fastest = v2;
            for (int k = 0; k < dimension; ++k)
                place[k] = positions[i * dimension + k];
        }
        return place;
    }

    std::span<const float> field(ParticleField field) {
        return visit([&](auto& w) { return read.field(w, field); });
    }
};

Simulation::Simulation(const Scene& scene, const Options& options)
    : impl_(std::make_unique<Impl>(scene, options)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

StepReport Simulation::step(double latest) {
    if (!(latest > time()))
        throw InputError("step: the time to end at must be later than time()");
    impl_->read.forget();
    const StepReport report = impl_->visit([&](auto& w) { return w.step(latest); });
    impl_->look_at(report);
    return report;
}

StepReport Simulation::advance(double seconds) {
    if (!(seconds > 0))
        throw InputError("advance: the time must be greater than 0");
    StepReport report;
    const double end = time() + seconds;
    while (time() < end)
        report = step(end);
    return report;
}

int Simulation::dimension() const {
    return impl_->dimension;
}
double Simulation::time() const {
    return impl_->visit([](auto& w) { return w.time(); });
}
std::int64_t Simulation::step_count() const {
    return impl_->visit([](auto& w) { return w.step_count(); });
}
std::size_t Simulation::fluid_count() const {
    return impl_->visit([](auto& w) { return w.fluid_count(); });
}
std::size_t Simulation::boundary_count() const {
    return impl_->visit([](auto& w) { return w.boundary_count(); });
}
std::uint64_t Simulation::lost_count() const {
    return impl_->visit([](auto& w) { return w.lost_count(); });
}
std::uint64_t Simulation::outside_count() const {
    return impl_->visit([](auto& w) { return outside_of(w); });
}

std::span<const float> Simulation::positions() const {
    return impl_->field(ParticleField::position);
}
std::span<const float> Simulation::velocities() const {
    return impl_->field(ParticleField::velocity);
}
std::span<const float> Simulation::densities() const {
    return impl_->field(ParticleField::density);
}
std::span<const float> Simulation::pressures() const {
    return impl_->field(ParticleField::pressure);
}
std::span<const float> Simulation::volumes() const {
    return impl_->field(ParticleField::volume);
}
std::span<const std::uint32_t> Simulation::ids() const {
    return impl_->visit([&](auto& w) { return impl_->read.ids(w); });
}
std::span<const std::uint8_t> Simulation::fluids() const {
    return impl_->visit([&](auto& w) { return impl_->read.fluids(w); });
}
ParticleArrays Simulation::read_particles(bool with_pressures) const {
    return impl_->visit([&](auto& w) { return millrace::read_particles(w, with_pressures); });
}

std::vector<double> Simulation::probe(const Probe& probe) const {
    return impl_->visit([&](auto& w) { return probe_values(w, impl_->probed, probe); });
}

std::span<const float> Simulation::boundary_positions() const {
    impl_->visit([&](auto& w) { read_walls(w, impl_->wall_positions); });
    return impl_->wall_positions;
}

std::vector<BodyView> Simulation::bodies() const {
    return impl_->visit([&](auto& w) { return bodies_of(w, impl_->body_names); });
}
std::vector<BodyView> Simulation::moving_walls() const {
    std::vector<BodyView> views;
    for (const Boundary& boundary : impl_->boundaries)
        if (boundary.motion)
            views.push_back(view_of(boundary.name, motion_at(*boundary.motion, time())));
    return views;
}
std::vector<ObjectSurface> Simulation::surfaces() const {
    return impl_->visit([](auto& w) { return w.surfaces(); });
}
std::vector<std::uint64_t> Simulation::sunk_counts() const {
    return impl_->visit([](auto& w) { return w.sunk_counts(); });
}
std::vector<std::uint64_t> Simulation::emitted_counts() const {
    return impl_->visit([](auto& w) { return w.emitted_counts(); });
}
std::vector<std::string> Simulation::warnings() const {
    return impl_->visit([](auto& w) { return w.warnings(); });
}

std::size_t Simulation::warning_count() const {
    return impl_->visit([](auto& w) { return w.warnings().size(); });
}

Snapshot Simulation::snapshot() const {
    return impl_->visit([](auto& w) { return w.snapshot(); });
}
void Simulation::restore(const Snapshot& snapshot) {
    impl_->read.forget();
    impl_->visit([&](auto& w) { w.restore(snapshot); });
}

std::string Simulation::device_name() const {
    return impl_->visit([](auto& w) { return w.device_name(); });
}
int Simulation::threads() const {
    return impl_->visit([](auto& w) { return w.threads(); });
}
std::size_t Simulation::memory_bytes() const {
    return impl_->visit([](auto& w) { return w.memory_bytes(); });
}

std::string version() {
    return MILLRACE_VERSION;
}
bool has_cuda() {
    return Device::cuda_built();
}
bool cuda_available() {
    return Device::cuda_available();
}

}  // namespace millrace
