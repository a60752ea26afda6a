#include "millrace/pool.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "pool/pool_impl.hpp"

namespace millrace {

namespace {

constexpr std::size_t k_most_fluids = 16;

Status failed(const std::string& what, const std::string& problem) {
    return Status::failed(what + ": " + problem);
}

Status unknown(const char* what, std::uint32_t id) {
    return Status::failed(std::string(what) + ": there is none with the id " + std::to_string(id));
}

bool is_finite(Point2 p) {
    return std::isfinite(p.x) && std::isfinite(p.y);
}

/// A velocity beyond it leads nowhere.
bool is_slow(Point2 v) {
    return std::abs(v.x) <= 1e6f && std::abs(v.y) <= 1e6f;  // false for NaN
}

}  // namespace

Pool::Impl::Impl(const PoolOptions& o)
    : options(o),
      volume(o.spacing * o.spacing),
      workers{o.threads > 0 ? o.threads
                            : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))},
      solver(make_pool_solver(o.method, o.spacing)) {
    viscosity.emplace(o.spacing, solver->support(), norm(to_vec(o.gravity)), usual_substep(o));
    solids.configure(o.spacing, solver->walls().reach());
}

Pool::Pool(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pool::Pool(Pool&&) noexcept = default;
Pool& Pool::operator=(Pool&&) noexcept = default;
Pool::~Pool() = default;

Result<Pool> Pool::create(const PoolOptions& options) {
    if (const std::string problem = problem_of(options); !problem.empty())
        return Status::failed(problem);
    return Pool(std::make_unique<Impl>(options));
}

const PoolOptions& Pool::options() const {
    return impl_->options;
}

Result<std::uint8_t> Pool::add_fluid(const FluidMaterial& material) {
    if (const std::string problem = problem_of(material); !problem.empty())
        return failed("fluid", problem);
    if (impl_->materials.size() >= k_most_fluids)
        return Status::failed("fluid: a pool has at most 16");
    impl_->materials.push_back(material);
    return static_cast<std::uint8_t>(impl_->materials.size() - 1);
}

Status Pool::set_material(std::uint8_t fluid, const FluidMaterial& material) {
    if (fluid >= impl_->materials.size())
        return unknown("fluid", fluid);
    if (const std::string problem = problem_of(material); !problem.empty())
        return failed("fluid", problem);
    impl_->materials[fluid] = material;
    return {};
}

Result<std::size_t> Pool::fill(const Shape2& shape, const FillOptions& options) {
    if (const std::string problem = problem_of(shape, true); !problem.empty())
        return failed("shape", problem);
    if (options.fluid >= impl_->materials.size())
        return unknown("fluid", options.fluid);
    if (!is_slow(options.velocity) || !(std::abs(options.angular_velocity) <= 1e6f))
        return Status::failed("velocity, angular_velocity: must be finite and within 1e6");
    if (!(options.lifetime >= 0))
        return Status::failed("lifetime: must be at least 0");
    if (impl_->places_in(shape) > 3e7)
        return Status::failed("shape: is too large, the box around it has more than 3e7 places");
    return impl_->fill(shape, options);
}

Result<ParticleId> Pool::add(const NewParticle& particle) {
    if (particle.fluid >= impl_->materials.size())
        return unknown("fluid", particle.fluid);
    if (!is_finite(particle.position) || !is_slow(particle.velocity))
        return Status::failed("position, velocity: must be finite and within 1e6");
    if (!impl_->is_within_bounds(particle.position))
        return Status::failed("position: is outside of the pool's bounds");
    if (!(particle.lifetime >= 0))
        return Status::failed("lifetime: must be at least 0");
    if (!impl_->add(particle))
        return Status::failed("the pool is full: it holds max_particles");
    return impl_->next_particle - 1;
}

Result<std::size_t> Pool::remove(const Shape2& shape) {
    if (const std::string problem = problem_of(shape, true); !problem.empty())
        return failed("shape", problem);
    impl_->index_is_valid = false;
    return impl_->remove_inside(shape);
}

Status Pool::remove(ParticleId particle) {
    const Result<std::size_t> index = index_of(particle);
    if (!index)
        return Status::failed(index.message());
    impl_->particles.remove(*index);
    impl_->index_is_valid = false;
    return {};
}

void Pool::clear() {
    impl_->particles = {};
    impl_->index_is_valid = false;
}

Result<EmitterId> Pool::add_emitter(const EmitterOptions& options) {
    const EmitterId id = impl_->next_emitter;
    impl_->emitters[id] = {};
    if (Status status = set_emitter(id, options); !status) {
        impl_->emitters.erase(id);
        return status;
    }
    ++impl_->next_emitter;
    return id;
}

Status Pool::set_emitter(EmitterId emitter, const EmitterOptions& options) {
    const auto found = impl_->emitters.find(emitter);
    if (found == impl_->emitters.end())
        return unknown("emitter", emitter);
    if (const std::string problem = problem_of(options); !problem.empty())
        return failed("emitter", problem);
    if (options.fluid >= impl_->materials.size())
        return unknown("emitter: fluid", options.fluid);
    if (options.solid && !impl_->solids.find(*options.solid))
        return unknown("emitter: solid", *options.solid);
    found->second.options = options;
    return {};
}

Status Pool::remove_emitter(EmitterId emitter) {
    return impl_->emitters.erase(emitter) > 0 ? Status() : unknown("emitter", emitter);
}

Result<std::uint64_t> Pool::emitted(EmitterId emitter) const {
    const auto found = impl_->emitters.find(emitter);
    if (found == impl_->emitters.end())
        return unknown("emitter", emitter);
    return found->second.emitted;
}

Result<SinkId> Pool::add_sink(const Shape2& shape) {
    if (const std::string problem = problem_of(shape, true); !problem.empty())
        return failed("sink", problem);
    impl_->sinks[impl_->next_sink] = shape;
    return impl_->next_sink++;
}

Status Pool::remove_sink(SinkId sink) {
    return impl_->sinks.erase(sink) > 0 ? Status() : unknown("sink", sink);
}

Result<SolidId> Pool::add_solid(const SolidOptions& options) {
    if (const std::string problem = problem_of(options); !problem.empty())
        return failed("solid", problem);
    impl_->solids.add(impl_->next_solid, options);
    return impl_->next_solid++;
}

Status Pool::set_solid(SolidId solid, const SolidState& state) {
    Solid* found = impl_->solids.find(solid);
    if (!found)
        return unknown("solid", solid);
    if (const std::string problem = problem_of(state); !problem.empty())
        return failed("solid", problem);
    found->set(state);
    return {};
}

Status Pool::remove_solid(SolidId solid) {
    if (!impl_->solids.find(solid))
        return unknown("solid", solid);
    impl_->solids.remove(solid);
    std::erase_if(impl_->emitters,
                  [&](const auto& entry) { return entry.second.options.solid == solid; });
    return {};
}

Result<SolidPush> Pool::push_on(SolidId solid) const {
    const Solid* found = impl_->solids.find(solid);
    if (!found)
        return unknown("solid", solid);
    return found->push;
}

Result<SolidState> Pool::solid(SolidId solid) const {
    const Solid* found = impl_->solids.find(solid);
    if (!found)
        return unknown("solid", solid);
    SolidState state = found->options.state;
    state.position = to_point(found->pose.position);
    state.angle = found->pose.angle;
    state.velocity = to_point(found->velocity);
    state.angular_velocity = found->spin;
    return state;
}

std::size_t Pool::size() const {
    return impl_->particles.size();
}
double Pool::time() const {
    return impl_->time;
}
std::span<const Point2> Pool::positions() const {
    return impl_->particles.position;
}
std::span<const Point2> Pool::velocities() const {
    return impl_->particles.velocity;
}
std::span<const ParticleId> Pool::ids() const {
    return impl_->particles.id;
}
std::span<const std::uint8_t> Pool::fluids() const {
    return impl_->particles.fluid;
}
std::span<const float> Pool::densities() const {
    return impl_->particles.density;
}
std::span<const float> Pool::pressures() const {
    return impl_->particles.pressure;
}
std::span<const float> Pool::ages() const {
    return impl_->particles.age;
}
std::span<std::uint32_t> Pool::colors() {
    return impl_->particles.color;
}
std::span<std::uint64_t> Pool::user_data() {
    return impl_->particles.user_data;
}

Result<std::size_t> Pool::index_of(ParticleId particle) const {
    auto& index = impl_->index;
    if (!impl_->index_is_valid) {
        index.clear();
        for (std::uint32_t i = 0; i < impl_->particles.size(); ++i)
            index.push_back({impl_->particles.id[i], i});
        std::sort(index.begin(), index.end());
        impl_->index_is_valid = true;
    }
    const auto found = std::lower_bound(index.begin(), index.end(),
                                        std::pair<ParticleId, std::uint32_t>(particle, 0));
    if (found == index.end() || found->first != particle)
        return unknown("particle", particle);
    return std::size_t{found->second};
}

Status Pool::set_velocity(ParticleId particle, Point2 velocity) {
    const Result<std::size_t> index = index_of(particle);
    if (!index)
        return Status::failed(index.message());
    if (!is_slow(velocity))
        return Status::failed("velocity: must be finite and within 1e6");
    impl_->particles.velocity[*index] = velocity;
    return {};
}

Pool::Bounds Pool::bounds() const {
    const std::vector<Point2>& x = impl_->particles.position;
    if (x.empty())
        return {};
    Bounds b{x[0], x[0]};
    for (const Point2& p : x) {
        b.min = {std::min(b.min.x, p.x), std::min(b.min.y, p.y)};
        b.max = {std::max(b.max.x, p.x), std::max(b.max.y, p.y)};
    }
    return b;
}

}  // namespace millrace
