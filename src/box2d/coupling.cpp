#include <box2d/box2d.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "box2d/body_motion.hpp"
#include "box2d/body_shapes.hpp"
#include "box2d/world_step.hpp"

namespace millrace {

namespace {

constexpr float k_reach = 5;  // of the fluid, in spacings: more than any kernel has

// What is known of a body. The pointer that leads here may be that of a destroyed body.
struct Known {
    std::optional<SolidId> solid;
    std::uint64_t signature = 0;
    std::uint64_t listed = 0;   // the last reading that found it in the world
    std::uint64_t sighted = 0;  // the last reading that found it near the fluid
    double sighted_at = 0;      // [s]
    bool pinned = false;        // stays, since an emitter may ride on it
    BodyMotion motion;
};

SolidKind kind_of(const b2Body& body) {
    switch (body.GetType()) {
        case b2_dynamicBody:
            return SolidKind::dynamic;
        case b2_kinematicBody:
            return SolidKind::kinematic;
        default:
            return SolidKind::fixed;
    }
}

Status locked() {
    return Status::failed("the world is locked: not from a callback of b2World::Step");
}

}  // namespace

struct Box2dCoupling::Impl {
    Pool& pool;
    b2World& world;
    Box2dOptions options;
    std::unordered_map<const b2Body*, Known> bodies;
    std::uint64_t reading = 0;
    bool to_push = false;  // bodies were read and not pushed yet
    double read_at = 0;    // time of the pool [s]
    WorldStep step_world{};

    void list_bodies();
    void look_into(Point2 min, Point2 max, float margin);
    float sight(float dt) const;
    Status update();
    Status update(const b2Body& body, Known& known);
    Status enter(const b2Body& body, Known& known);
    void drop(Known& known);
};

// Forgets the bodies that were destroyed: those that the world no longer lists.
void Box2dCoupling::Impl::list_bodies() {
    ++reading;
    if (bodies.empty())
        return;
    for (const b2Body* b = world.GetBodyList(); b != nullptr; b = b->GetNext())
        if (const auto found = bodies.find(b); found != bodies.end())
            found->second.listed = reading;
    for (auto it = bodies.begin(); it != bodies.end();) {
        if (it->second.listed == reading) {
            ++it;
            continue;
        }
        drop(it->second);
        it = bodies.erase(it);
    }
}

// Marks the bodies with a fixture near a box.
void Box2dCoupling::Impl::look_into(Point2 min, Point2 max, float margin) {
    struct Callback : b2QueryCallback {
        Impl* impl;
        bool ReportFixture(b2Fixture* fixture) override {
            if (visible(*fixture, impl->options)) {
                Known& known = impl->bodies[fixture->GetBody()];
                known.listed = known.sighted = impl->reading;
                known.sighted_at = impl->pool.time();
            }
            return true;
        }
    } callback;
    callback.impl = this;
    world.QueryAABB(&callback,
                    {{min.x - margin, min.y - margin}, {max.x + margin, max.y + margin}});
}

// How far from the fluid a body may matter within dt.
float Box2dCoupling::Impl::sight(float dt) const {
    float fastest = 0;  // squared
    for (const Point2& v : pool.velocities())
        fastest = std::max(fastest, v.x * v.x + v.y * v.y);
    return k_reach * pool.options().spacing + std::sqrt(fastest) * dt;
}

// Hands the known bodies to the pool, in the order of the world: the same in every run.
Status Box2dCoupling::Impl::update() {
    for (const b2Body* b = world.GetBodyList(); b != nullptr; b = b->GetNext()) {
        const auto found = bodies.find(b);
        if (found == bodies.end())
            continue;
        Known& known = found->second;
        if (Status status = update(*b, known); !status)
            return Status::failed("body at (" + std::to_string(b->GetPosition().x) + ", " +
                                  std::to_string(b->GetPosition().y) + "): " + status.message());
        if (!known.solid)
            bodies.erase(found);
    }
    return {};
}

Status Box2dCoupling::Impl::update(const b2Body& body, Known& known) {
    const bool old = !known.pinned && known.sighted != reading &&
                     std::abs(pool.time() - known.sighted_at) > options.keep;
    if (!body.IsEnabled() || old) {
        drop(known);
        return {};
    }
    const std::uint64_t signature = signature_of(body, options);
    if (!known.solid || signature != known.signature) {
        drop(known);
        known.signature = signature;
        return enter(body, known);
    }
    SolidState state = state_of(body);
    known.motion.estimate(body, state);
    if (!pool.set_solid(*known.solid, state))  // it is gone: the pool was restored
        return enter(body, known);
    return {};
}

Status Box2dCoupling::Impl::enter(const b2Body& body, Known& known) {
    known.solid.reset();
    known.motion = {};
    SolidOptions solid;
    solid.shapes = shapes_of(body, options);
    if (solid.shapes.empty())
        return {};
    solid.kind = kind_of(body);
    solid.center = {body.GetLocalCenter().x, body.GetLocalCenter().y};
    solid.state = state_of(body);
    known.motion.estimate(body, solid.state);
    const Result<SolidId> added = pool.add_solid(solid);
    if (!added)
        return Status::failed(added.message());
    known.solid = *added;
    return {};
}

void Box2dCoupling::Impl::drop(Known& known) {
    if (known.solid)
        (void)pool.remove_solid(*known.solid);  // fails where it is gone already
    known.solid.reset();
}

Box2dCoupling::Box2dCoupling(Pool& pool, b2World& world, const Box2dOptions& options)
    : impl_(new Impl{pool, world, options, {}, 0, false, 0}) {}
Box2dCoupling::Box2dCoupling(Box2dCoupling&&) noexcept = default;
Box2dCoupling& Box2dCoupling::operator=(Box2dCoupling&&) noexcept = default;
Box2dCoupling::~Box2dCoupling() = default;

Result<PoolReport> Box2dCoupling::step(float dt, int velocity_iterations, int position_iterations) {
    if (velocity_iterations < 0 || position_iterations < 0)
        return Status::failed("numbers of iterations must not be negative");
    if (Status status = read_bodies(dt); !status)
        return status;
    Result<PoolReport> report = impl_->pool.step(dt);
    if (!report)
        return report;
    if (Status status = push_bodies(); !status)
        return status;
    impl_->step_world(impl_->world, dt, velocity_iterations, position_iterations);
    return report;
}

Status Box2dCoupling::read_bodies(float dt) {
    Impl& impl = *impl_;
    if (impl.world.IsLocked())
        return locked();
    if (!(dt > 0) || !std::isfinite(dt))
        return Status::failed("dt must be positive, it is " + std::to_string(dt));
    impl.list_bodies();
    const float sight = impl.sight(dt);
    if (impl.pool.size() > 0) {
        const Pool::Bounds bounds = impl.pool.bounds();
        impl.look_into(bounds.min, bounds.max, sight);
    }
    // Fluid may come out of the pinned ones, among what is near them.
    std::vector<b2AABB> boxes;
    for (const auto& [body, known] : impl.bodies)
        for (const b2Fixture* f = known.pinned && body->IsEnabled() ? body->GetFixtureList()
                                                                    : nullptr;
             f != nullptr; f = f->GetNext())
            for (int k = 0; k < f->GetShape()->GetChildCount(); ++k)
                boxes.push_back(f->GetAABB(k));
    for (const b2AABB& box : boxes)
        impl.look_into({box.lowerBound.x, box.lowerBound.y}, {box.upperBound.x, box.upperBound.y},
                       sight);
    if (Status status = impl.update(); !status)
        return status;
    impl.to_push = true;
    impl.read_at = impl.pool.time();
    return {};
}

Status Box2dCoupling::push_bodies() {
    Impl& impl = *impl_;
    if (impl.world.IsLocked())
        return locked();
    const auto dt = static_cast<float>(impl.pool.time() - impl.read_at);
    if (!impl.to_push || !(dt > 0))
        return Status::failed("read the bodies and step the pool before the bodies are pushed");
    impl.to_push = false;
    for (b2Body* b = impl.world.GetBodyList(); b != nullptr; b = b->GetNext()) {
        const auto found = impl.bodies.find(b);
        if (found == impl.bodies.end() || !found->second.solid || !b->IsEnabled() ||
            b->GetType() != b2_dynamicBody)
            continue;
        if (const Result<SolidPush> push = impl.pool.push_on(*found->second.solid))
            found->second.motion.apply(*push, dt, *b);
    }
    return {};
}

Status Box2dCoupling::see(Point2 min, Point2 max) {
    if (impl_->world.IsLocked())
        return locked();
    if (!std::isfinite(min.x + min.y + max.x + max.y) || min.x > max.x || min.y > max.y)
        return Status::failed("the lower corner of the box must not be above the upper one");
    impl_->list_bodies();
    impl_->look_into(min, max, impl_->sight(0));
    return impl_->update();
}

Result<SolidId> Box2dCoupling::solid(b2Body& body) {
    Impl& impl = *impl_;
    if (impl.world.IsLocked())
        return locked();
    if (body.GetWorld() != &impl.world)
        return Status::failed("the body is in another world");
    if (!body.IsEnabled())
        return Status::failed("the body is not enabled");
    impl.list_bodies();
    Known& known = impl.bodies[&body];
    known.listed = known.sighted = impl.reading;
    known.sighted_at = impl.pool.time();
    known.pinned = true;
    Status status = impl.update(body, known);
    if (known.solid)
        return *known.solid;
    impl.bodies.erase(&body);
    return status ? Status::failed("the body has no fixture that the fluid sees") : status;
}

Status Box2dCoupling::forget() {
    if (impl_->world.IsLocked())
        return locked();
    impl_->to_push = false;
    for (auto& [body, known] : impl_->bodies)
        impl_->drop(known);
    impl_->bodies.clear();
    return {};
}

std::size_t Box2dCoupling::size() const {
    return impl_->bodies.size();
}

}  // namespace millrace
