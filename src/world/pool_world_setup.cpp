// How a PoolWorld begins, is seen, saved and restored; the step itself is in pool_world.cpp.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/portable.hpp"
#include "pool/method.hpp"
#include "world/flat_motion.hpp"
#include "world/make_flat_bodies.hpp"
#include "world/pool_shapes.hpp"
#include "world/pool_world.hpp"
#include "world/scene_size.hpp"

namespace millrace {

namespace {

Point2 to_point(const Vector& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1])};
}

/// What a call on the pool returned; throws InputError at this place of the scene.
template <class T>
T checked(Result<T>&& result, const std::string& place) {
    if (!result)
        throw InputError(place + ": " + result.message());
    return std::move(*result);
}

std::string place_of(const char* list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
}

PoolMethod method_of(const Pressure& pressure) {
    PoolMethod method;
    method.name = pressure.method;
    method.self_contribution = static_cast<float>(pressure.self_contribution);
    method.iterations = pressure.iterations;
    method.warm_start = pressure.warm_start;
    method.relaxation_time = static_cast<float>(pressure.relaxation_time);
    method.compliance = static_cast<float>(pressure.compliance);
    method.over_relaxation = static_cast<float>(pressure.over_relaxation);
    method.stiffness = static_cast<float>(pressure.stiffness);
    method.near_stiffness = static_cast<float>(pressure.near_stiffness);
    method.rest_ratio = static_cast<float>(pressure.rest_ratio);
    method.kernels = pressure.kernels;
    return method;
}

PoolOptions options_of(const Scene& scene, int threads) {
    constexpr double k_most_substeps = 1000;  // that a pool allows
    const TimeStep& step = scene.time_step;
    PoolOptions options;
    options.spacing = static_cast<float>(scene.spacing);
    options.gravity = to_point(scene.gravity);
    options.method = method_of(scene.pressure);
    options.threads = threads;
    options.max_particles = 100'000'000;  // check_size limits them
    if (step.mode == "fixed") {
        options.longest_substep = static_cast<float>(step.dt);
        options.max_substeps = 1;
    } else {
        options.cfl = static_cast<float>(step.cfl);
        options.longest_substep = static_cast<float>(step.max);
        options.max_substeps =
            static_cast<int>(std::clamp(std::ceil(step.max / step.min), 1.0, k_most_substeps));
    }
    if (scene.domain) {
        options.min = to_point(scene.domain->min);
        options.max = to_point(scene.domain->max);
    }
    return options;
}

FluidMaterial material_of(const Fluid& fluid) {
    FluidMaterial material;
    material.density = static_cast<float>(fluid.density);
    material.viscosity =
        fluid.viscosity.method == "standard" ? static_cast<float>(fluid.viscosity.nu) : 0;
    material.wall_friction = fluid.viscosity.walls == "no-slip" ? 1 : 0;
    if (fluid.surface_tension.method == "color_field")
        material.tension = static_cast<float>(fluid.surface_tension.sigma);
    material.linear_viscosity = static_cast<float>(fluid.goo.linear_viscosity);
    material.quadratic_viscosity = static_cast<float>(fluid.goo.quadratic_viscosity);
    material.spring_stiffness = static_cast<float>(fluid.goo.spring_stiffness);
    material.yield_ratio = static_cast<float>(fluid.goo.yield_ratio);
    material.plasticity = static_cast<float>(fluid.goo.plasticity);
    material.stickiness = static_cast<float>(fluid.goo.stickiness);
    material.color = 0xff;
    for (int k = 0; k < 3; ++k)
        material.color =
            material.color << 8 | static_cast<std::uint32_t>(std::lround(255 * fluid.color[k]));
    return material;
}

/// The pool's options are the scene's, but for their names.
Pool make_pool(const Scene& scene, int threads) {
    Result<Pool> pool = Pool::create(options_of(scene, threads));
    if (pool)
        return std::move(*pool);
    std::string message = pool.message();
    for (const auto& [of_pool, of_scene] :
         {std::pair{"method.name", "pressure.method"}, {"method.", "pressure."}})
        if (message.starts_with(of_pool))
            message.replace(0, std::strlen(of_pool), of_scene);
    throw InputError(message);
}

/// The coordinates of points, two floats each.
std::span<const float> flat(std::span<const Point2> points) {
    static_assert(sizeof(Point2) == 2 * sizeof(float));
    return {reinterpret_cast<const float*>(points.data()), 2 * points.size()};
}

template <class T>
std::vector<T> list(std::span<const T> values) {
    return {values.begin(), values.end()};
}

}  // namespace

double kernel_radius(const Scene& scene) {
    make_pool(scene, 1);  // checks them
    return make_pool_solver(method_of(scene.pressure), static_cast<float>(scene.spacing))
        ->support();
}

PoolWorld::PoolWorld(const Scene& scene, SceneSolids<2> solids, int threads)
    : scene_(scene),
      solids_(std::move(solids)),
      pool_(make_pool(scene, threads)),
      flat_(flat_description(scene, solids_)),
      sunk_(scene.sinks.size(), 0) {
    for (std::size_t s = 0; s < scene.sinks.size(); ++s)
        checked(pool_.remove(pool_shape(scene.sinks[s].box)), place_of("sinks", s));
    add_fluids();
    add_walls();
    add_bodies();
    fill();
    add_emitters();
}

void PoolWorld::add_fluids() {
    for (std::size_t f = 0; f < scene_.fluids.size(); ++f)
        checked(pool_.add_fluid(material_of(scene_.fluids[f])), place_of("fluids", f));
}

/// The frame of a wall that moves has its origin in the centre of the motion.
void PoolWorld::add_walls() {
    for (std::size_t w = 0; w < scene_.boundaries.size(); ++w) {
        FlatWall& wall = flat_.walls[w];
        if (wall.moves) {
            const WallMotion& motion = *scene_.boundaries[w].motion;
            wall.state = state_between(motion, 0, 1e-3);
            for (Shape2& shape : wall.shapes)
                shape = seen_from(to_point(motion.center), std::move(shape));
        }
        SolidOptions solid;
        solid.shapes = wall.shapes;
        solid.kind = wall.moves ? SolidKind::kinematic : SolidKind::fixed;
        solid.state = wall.state;
        wall_solids_.push_back(checked(pool_.add_solid(solid), place_of("boundaries", w)));
        wall_states_.push_back(wall.state);
    }
}

void PoolWorld::add_bodies() {
    if (scene_.bodies.empty())
        return;
    bodies_ = make_flat_bodies(flat_);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
        SolidOptions solid;
        solid.shapes = {flat_.bodies[b].shape};
        solid.center = bodies_->center(b);
        solid.kind = SolidKind::dynamic;
        solid.state = bodies_->state(b);
        body_solids_.push_back(checked(pool_.add_solid(solid), place_of("bodies", b)));
    }
    pushes_.resize(scene_.bodies.size());
}

void PoolWorld::add_emitters() {
    for (std::size_t f = 0; f < scene_.fluids.size(); ++f)
        for (const Emitter& emitter : scene_.fluids[f].emitters) {
            EmitterOptions options;
            options.fluid = static_cast<std::uint8_t>(f);
            options.position = to_point(emitter.position);
            options.direction = to_point(emitter.direction);
            options.width = static_cast<float>(2 * emitter.radius);
            options.speed = static_cast<float>(emitter.speed);
            options.max_particles = emitter.max_particles;
            for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
                if (scene_.bodies[b].name == emitter.body)
                    options.solid = body_solids_[b];
            const EmitterId id = checked(pool_.add_emitter(options), place_of("fluids", f));
            emitters_.push_back({id, emitter, options});
        }
}

void PoolWorld::fill() {
    bool wanted = false;
    for (std::size_t f = 0; f < scene_.fluids.size(); ++f) {
        FillOptions options;
        options.fluid = static_cast<std::uint8_t>(f);
        options.velocity = to_point(scene_.fluids[f].velocity);
        for (const FilledVolume<2>& fill : solids_.fills[f]) {
            wanted = true;
            checked(pool_.fill(pool_shape(fill), options), place_of("fluids", f));
        }
    }
    if (wanted && pool_.size() == 0)
        throw InputError(k_nothing_filled);
}

std::vector<BodyView> PoolWorld::bodies() const {
    std::vector<BodyView> views;
    for (std::size_t b = 0; b < body_solids_.size(); ++b) {
        const SolidState s = bodies_->state(b);
        const Point2 c = bodies_->center(b);
        const double cosine = portable::cos(double{s.angle}), sine = portable::sin(double{s.angle});
        const double half = double{s.angle} / 2;
        const SolidPush& push = pushes_[b];
        BodyView view;
        view.name = scene_.bodies[b].name;
        view.position = {s.position.x + cosine * c.x - sine * c.y,
                         s.position.y + sine * c.x + cosine * c.y, 0};
        view.rotation = {portable::cos(half), 0, 0, portable::sin(half)};
        view.velocity = {s.velocity.x, s.velocity.y, 0};
        view.angular_velocity = {0, 0, s.angular_velocity};
        view.force = {push.impulse.x / last_dt_, push.impulse.y / last_dt_, 0};
        view.torque = {0, 0, push.angular_impulse / last_dt_};
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<float> PoolWorld::host_densities() const {
    std::vector<float> densities = list(pool_.densities());
    for (std::size_t i = 0; i < densities.size(); ++i)
        densities[i] *= rest_density(i);
    return densities;
}

std::size_t PoolWorld::memory_bytes() const {
    return static_cast<std::size_t>(k_bytes_per_pool_particle) * pool_.size();
}

HostParticles PoolWorld::host_particles() const {
    return {2,
            flat(pool_.positions()),
            flat(pool_.velocities()),
            static_cast<float>(scene_.spacing * scene_.spacing),
            pool_.pressures(),
            pool_.ids(),
            pool_.fluids()};
}

std::vector<std::uint64_t> PoolWorld::emitted_counts() const {
    std::vector<std::uint64_t> counts;
    for (const SceneEmitter& e : emitters_)
        counts.push_back(*pool_.emitted(e.id));
    return counts;
}

Snapshot PoolWorld::snapshot() const {
    Snapshot s;
    s.time = time_;
    s.step = step_;
    s.last_dt = last_dt_;
    s.lost = lost_;
    s.positions = list(flat(pool_.positions()));
    s.velocities = list(flat(pool_.velocities()));
    s.volumes.assign(pool_.size(), static_cast<float>(scene_.spacing * scene_.spacing));
    s.pressures = list(pool_.pressures());
    s.divergence_pressures.assign(pool_.size(), 0);
    s.ids = list(pool_.ids());
    s.fluids = list(pool_.fluids());
    s.sunk = sunk_;
    s.emitted = emitted_counts();
    if (bodies_)
        s.bodies = bodies_->save();
    const std::vector<std::byte> saved = pool_.save();
    s.pool.resize(saved.size());
    std::memcpy(s.pool.data(), saved.data(), saved.size());
    return s;
}

void PoolWorld::restore(const Snapshot& s) {
    if (s.pool.empty())
        throw InputError("snapshot: it is not that of a scene that runs in the pool");
    if (s.sunk.size() != sunk_.size() || s.emitted.size() != emitters_.size())
        throw InputError("snapshot: it holds other emitters or sinks than the scene");
    if (std::ranges::any_of(s.fluids, [&](auto f) { return f >= scene_.fluids.size(); }))
        throw InputError("snapshot: it holds a fluid that the scene does not have");
    std::unique_ptr<FlatBodies> bodies = bodies_ ? make_flat_bodies(flat_) : nullptr;
    if (bodies ? !bodies->restore(s.bodies) : !s.bodies.empty())
        throw InputError("snapshot: it holds other bodies than the scene");
    Pool pool = make_pool(scene_, threads());
    if (const Status status = pool.restore(std::as_bytes(std::span(s.pool))); !status)
        throw InputError("snapshot: " + status.message());
    for (const std::vector<SolidId>* solids : {&wall_solids_, &body_solids_})
        for (const SolidId id : *solids)
            if (!pool.solid(id))
                throw InputError("snapshot: it holds other walls or bodies than the scene");
    for (SceneEmitter& e : emitters_) {
        e.options.speed = -1;  // of the saved one nothing is known: it is set anew
        if (!pool.emitted(e.id))
            throw InputError("snapshot: it holds other emitters than the scene");
    }
    pool_ = std::move(pool);
    bodies_ = std::move(bodies);
    pushes_.assign(pushes_.size(), {});
    sunk_ = s.sunk;
    time_ = s.time;
    step_ = s.step;
    last_dt_ = s.last_dt;
    lost_ = s.lost;
}

}  // namespace millrace
