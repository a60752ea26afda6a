#include "box2d/scene_bodies.hpp"

#include <box2d/box2d.h>

#include <algorithm>
#include <cmath>

#include "box2d/body_motion.hpp"
#include "box2d/body_shapes.hpp"
#include "box2d/fixtures.hpp"
#include "box2d/scene_joints.hpp"
#include "box2d/world_step.hpp"
#include "math/portable.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr int k_velocity_iterations = 8, k_position_iterations = 3;

/// Box2D is tuned for bodies of 0.1 to 10 m. Where the scene is much smaller or larger its unit is
/// not the metre: so many of it are one. A power of two, which rounds nothing.
float unit_for(double spacing) {
    constexpr double k_good = 0.1, k_least = 0.02, k_most = 0.5;  // [m]
    if (spacing >= k_least && spacing <= k_most)
        return 1;
    return static_cast<float>(portable::nearest_power_of_two(k_good / spacing));
}

/// A state in Box2D's unit, in metres.
SolidState in_metres(SolidState state, float unit) {
    for (Point2* v : {&state.position, &state.velocity, &state.acceleration})
        *v = {v->x / unit, v->y / unit};
    state.inverse_inertia *= unit * unit;
    return state;
}

SolidPush in_units(SolidPush push, float unit) {
    push.impulse = {push.impulse.x * unit, push.impulse.y * unit};
    push.angular_impulse *= unit * unit;
    return push;
}

class Box2dBodies : public FlatBodies {
  public:
    explicit Box2dBodies(const FlatDescription& description)
        : unit_(unit_for(description.spacing)),
          world_({description.gravity.x * unit_, description.gravity.y * unit_}) {
        world_.SetAllowSleeping(false);  // what floats hardly ever rests
        const b2BodyDef fixed;
        ground_ = world_.CreateBody(&fixed);
        for (const FlatWall& wall : description.walls)
            add(wall);
        for (const FlatBody& body : description.bodies)
            add(body);
        for (const Joint& joint : description.joints)
            add_joint(world_, joint, find(joint.bodies[0]), find(joint.bodies[1]), *ground_, unit_);
    }

    Point2 center(std::size_t body) const override {
        const b2Vec2& c = bodies_[body].body->GetLocalCenter();
        return {c.x / unit_, c.y / unit_};
    }

    SolidState state(std::size_t body) const override {
        return in_metres(state_of(*bodies_[body].body), unit_);
    }

    SolidState predict(std::size_t body) override {
        SolidState state = state_of(*bodies_[body].body);
        bodies_[body].motion.estimate(*bodies_[body].body, state);
        return in_metres(state, unit_);
    }

    void step(float dt, std::span<const SolidPush> pushes,
              std::span<const SolidState> walls) override {
        for (std::size_t b = 0; b < bodies_.size(); ++b)
            bodies_[b].motion.apply(in_units(pushes[b], unit_), dt, *bodies_[b].body);
        for (std::size_t w = 0; w < walls_.size(); ++w)
            if (walls_[w]->GetType() == b2_kinematicBody) {
                place(*walls_[w], walls[w]);
                walls_[w]->SetLinearVelocity(to_b2(walls[w].velocity));
                walls_[w]->SetAngularVelocity(walls[w].angular_velocity);
            }
        step_world_(world_, dt, k_velocity_iterations, k_position_iterations);
    }

    void place(std::size_t b, const SolidState& state) override {
        b2Body& body = *bodies_[b].body;
        place(body, state);
        body.SetLinearVelocity(to_b2(state.velocity));
        body.SetAngularVelocity(state.angular_velocity);
    }

    std::vector<double> save() const override {
        std::vector<double> numbers;
        for (const Known& known : bodies_) {
            const b2Body& b = *known.body;
            for (const float number :
                 {b.GetPosition().x, b.GetPosition().y, b.GetAngle(), b.GetLinearVelocity().x,
                  b.GetLinearVelocity().y, b.GetAngularVelocity()})
                numbers.push_back(number);
            known.motion.save(numbers);
        }
        return numbers;
    }

    bool restore(std::span<const double> numbers) override {
        constexpr std::size_t k_state = 6, k_numbers = k_state + BodyMotion::k_numbers;
        if (numbers.size() != k_numbers * bodies_.size())
            return false;
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            float n[k_state];
            std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(k_numbers * i), k_state, n);
            b2Body& body = *bodies_[i].body;
            body.SetTransform({n[0], n[1]}, n[2]);
            body.SetLinearVelocity({n[3], n[4]});
            body.SetAngularVelocity(n[5]);
            bodies_[i].motion.restore(
                numbers.subspan(k_numbers * i + k_state, BodyMotion::k_numbers));
        }
        return true;
    }

  private:
    struct Known {
        std::string name;
        b2Body* body;
        BodyMotion motion;
    };

    b2Vec2 to_b2(Point2 p) const { return {p.x * unit_, p.y * unit_}; }

    void place(b2Body& body, const SolidState& state) {
        body.SetTransform(to_b2(state.position), state.angle);
    }

    void add(const FlatWall& wall) {
        b2BodyDef def;
        def.type = wall.moves ? b2_kinematicBody : b2_staticBody;
        walls_.push_back(world_.CreateBody(&def));
        place(*walls_.back(), wall.state);
        for (const Shape2& shape : wall.shapes)
            add_fixtures(
                *walls_.back(), shape, unit_,
                {0, static_cast<float>(wall.friction), static_cast<float>(wall.restitution)});
    }

    void add(const FlatBody& flat) {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position = to_b2(flat.state.position);
        def.angle = flat.state.angle;
        b2Body& body = *world_.CreateBody(&def);
        add_fixtures(body, flat.shape, unit_,
                     {1, static_cast<float>(flat.friction), static_cast<float>(flat.restitution)});
        if (!body.GetFixtureList())
            throw InputError("bodies: '" + flat.name +
                             "' is too small for a scene of this spacing");
        b2MassData mass;  // Box2D has the inertia about the origin of the body
        mass.mass = static_cast<float>(flat.mass);
        mass.center = to_b2(flat.center);
        mass.I = static_cast<float>(flat.inertia) * unit_ * unit_ +
                 mass.mass * b2Dot(mass.center, mass.center);
        body.SetMassData(&mass);
        body.SetLinearVelocity(to_b2(flat.state.velocity));  // of the centre of mass
        body.SetAngularVelocity(flat.state.angular_velocity);
        bodies_.push_back({flat.name, &body, {}});
    }

    b2Body& find(const std::string& name) {
        const auto found = std::ranges::find(bodies_, name, &Known::name);
        return found == bodies_.end() ? *ground_ : *found->body;
    }

    float unit_;
    b2World world_;
    WorldStep step_world_;
    b2Body* ground_;
    std::vector<b2Body*> walls_;
    std::vector<Known> bodies_;
};

}  // namespace

std::unique_ptr<FlatBodies> make_box2d_bodies(const FlatDescription& description) {
    return std::make_unique<Box2dBodies>(description);
}

}  // namespace millrace
