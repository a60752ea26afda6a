#include "rigid/bullet_engine.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>

#include "math/portable.hpp"
#include "rigid/bullet_contacts.hpp"
#include "rigid/bullet_joints.hpp"
#include "rigid/bullet_shapes.hpp"
#include "rigid/free_turn.hpp"
#include "rigid/response.hpp"

namespace millrace {
namespace {

/// What turns the principal axes into the body's; the identity where they are the same.
Quaterniond principal_axes(const Mat3d& inertia) {
    double off = 0;
    for (int i = 0; i < 3; ++i)
        off = std::max(off, std::abs(inertia(i, (i + 1) % 3)));
    if (off < 1e-9 * trace(inertia))
        return Quaterniond::identity();
    btMatrix3x3 m(inertia(0, 0), inertia(0, 1), inertia(0, 2), inertia(1, 0), inertia(1, 1),
                  inertia(1, 2), inertia(2, 0), inertia(2, 1), inertia(2, 2));
    btMatrix3x3 axes;
    m.diagonalize(axes, 1e-14, 100);
    btQuaternion q;
    axes.getRotation(q);
    return normalized(from_bullet(q));
}

/// The broadphase keeps pairs whose widened boxes overlap, so that contacts are seen before they
/// happen. Between a concave mesh and a long wall at an angle a look at a pair is dear: there only
/// those are looked at whose own boxes overlap.
void look_at_near_pair(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                       const btDispatcherInfo& info) {
    const btBroadphaseProxy &a = *pair.m_pProxy0, &b = *pair.m_pProxy1;
    const auto is_concave = [](const btBroadphaseProxy& proxy) {
        const auto* object = static_cast<const btCollisionObject*>(proxy.m_clientObject);
        return object->getCollisionShape()->getShapeType() == GIMPACT_SHAPE_PROXYTYPE;
    };
    if ((!is_concave(a) && !is_concave(b)) ||
        TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax)) {
        btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
    } else if (pair.m_algorithm) {  // with the contacts that it remembers
        pair.m_algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(pair.m_algorithm);
        pair.m_algorithm = nullptr;
    }
}

class BulletEngine final : public RigidEngine {
  public:
    explicit BulletEngine(const RigidDescription& description)
        : gravity_(description.gravity),
          units_(bullet_units(description)),
          joints_(bind_joints(description)),
          joint_masses_(description),
          responses_(description, joints_),
          dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
        set_up_world();
        for (std::size_t i = 0; i < description.walls.size(); ++i)
            add_wall(i, description.walls[i], description.bodies);
        for (const BodyDescription& body : description.bodies)
            add_body(body);
        for (const BoundJoint& joint : joints_)
            add_joint(joint);
        responses_.update(states_);
    }

    ~BulletEngine() override {
        for (const auto& joint : constraints_)
            world_.removeConstraint(joint.get());
        for (const auto* objects : {&bodies_, &walls_})
            for (const auto& object : *objects)
                world_.removeRigidBody(object.get());
    }

    std::span<const BodyState> states() const override { return states_; }
    std::span<const Response> responses() const override { return responses_.now(); }

    void step(double dt, std::span<const Wrench> pushes,
              std::span<const BodyState> walls) override {
        place_walls(dt, walls);
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            push(i, dt, pushes[i]);
        for (std::size_t i = 0; i < joints_.size(); ++i)
            constraints_[i]->prepare(states_[static_cast<std::size_t>(joints_[i].a)],
                                     second_state(joints_[i], states_),
                                     joint_masses_.of(joints_[i], states_), dt);
        // a bounce is one that gravity alone would not bring about in a few steps
        const double g = norm(gravity_) * units_.length;
        world_.getSolverInfo().m_restitutionVelocityThreshold =
            std::max(2 * g * dt, 0.01 * std::sqrt(g));
        world_.stepSimulation(dt, 0);
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            read(i);
        project_joints(joints_, joint_masses_, states_);
        responses_.update(states_);
    }

    void restore(std::span<const BodyState> states) override {
        states_.assign(states.begin(), states.end());
        for (const auto& body : bodies_)
            broadphase_.getOverlappingPairCache()->cleanProxyFromPairs(body->getBroadphaseHandle(),
                                                                       &dispatcher_);
        solver_.reset();
        world_.forget();
        responses_.update(states_);
    }

  private:
    void set_up_world() {
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
        dispatcher_.setNearCallback(look_at_near_pair);
        configuration_.setPlaneConvexMultipointIterations(4, 4);  // all corners of a face at once
        configuration_.setConvexConvexMultipointIterations(4, 4);
        world_.setGravity({0, 0, 0});  // comes with the pushes
        world_.getDispatchInfo().m_deterministicOverlappingPairs = true;
        btContactSolverInfo& info = world_.getSolverInfo();
        info.m_solverMode = SOLVER_SIMD | SOLVER_USE_WARMSTARTING |
                            SOLVER_USE_2_FRICTION_DIRECTIONS |
                            SOLVER_ENABLE_FRICTION_DIRECTION_CACHING;
        info.m_numIterations = 30;
        info.m_warmstartingFactor = 0.95;
        info.m_splitImpulse = true;  // overlaps are pushed apart without gaining speed
        info.m_splitImpulsePenetrationThreshold = 1e30;
        info.m_splitImpulseTurnErp = 0;  // or stacks creep
        info.m_linearSlop = 5e-4;
        info.m_erp2 = 0.4;
    }

    std::unique_ptr<btRigidBody> make_body(double mass, btCollisionShape* shape,
                                           const btVector3& inertia, double friction,
                                           double restitution) {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_friction = friction;
        info.m_restitution = restitution;
        info.m_linearDamping = info.m_angularDamping = 0;
        auto body = std::make_unique<btRigidBody>(info);
        body->setFlags(BT_DISABLE_WORLD_GRAVITY);  // and no gyroscopic force: see push()
        body->setActivationState(DISABLE_DEACTIVATION);
        return body;
    }

    void add_wall(std::size_t number, const WallDescription& wall,
                  std::span<const BodyDescription> bodies) {
        for (const BulletPart& part : bullet_wall_parts(wall, bodies, units_, shapes_)) {
            auto body = make_body(0, part.shape, {0, 0, 0}, wall.friction(), wall.restitution());
            if (wall.moves())
                body->setCollisionFlags(body->getCollisionFlags() |
                                        btCollisionObject::CF_KINEMATIC_OBJECT);
            body->setWorldTransform(frame(wall.state) * part.place);
            world_.addRigidBody(body.get());
            walls_.push_back(std::move(body));
            wall_parts_.push_back({number, wall.moves(), part.place});
        }
    }

    void add_body(const BodyDescription& d) {
        const Quaterniond principal = principal_axes(d.inertia);
        const Mat3d moments = in_world_axes(d.inertia, conjugate(principal));
        const btVector3 inertia =
            btVector3(moments(0, 0), moments(1, 1), moments(2, 2)) * units_.torque();
        btCollisionShape* shape = bullet_body_shape(d, principal, units_, shapes_);
        auto body = make_body(d.mass * units_.mass, shape, inertia, d.friction(), d.restitution());
        // a body that moves far in a step is swept, as a ball within it
        btVector3 low, high;
        shape->getAabb(btTransform::getIdentity(), low, high);
        const btVector3 half = (high - low) / 2;
        const double inner = half[half.minAxis()];
        body->setCcdMotionThreshold(0.5 * inner);
        body->setCcdSweptSphereRadius(0.4 * inner);

        principals_.push_back(principal);
        masses_.push_back(d.mass);
        inertias_.push_back({d.inertia, inverse(d.inertia)});
        states_.push_back(d.state);
        momenta_.push_back(Vec3d::all(0));
        spins_.push_back(Vec3d::all(0));
        on_axis_.push_back(false);
        bodies_.push_back(std::move(body));
        place(bodies_.size() - 1);
        world_.addRigidBody(bodies_.back().get());
    }

    void add_joint(const BoundJoint& joint) {
        btRigidBody& a = *bodies_[static_cast<std::size_t>(joint.a)];
        btRigidBody& b = joint.b == k_world ? btTypedConstraint::getFixedBody()
                                            : *bodies_[static_cast<std::size_t>(joint.b)];
        constraints_.push_back(std::make_unique<BulletJoint>(joint, a, b, units_));
        world_.addConstraint(constraints_.back().get(), joint.b != k_world);
        if (joint.b == k_world && joint.type != JointType::distance)
            on_axis_[static_cast<std::size_t>(joint.a)] = true;
    }

    btTransform frame(const BodyState& state) const {
        return btTransform(to_bullet(state.rotation), to_bullet(state.position, units_.length));
    }

    /// Puts Bullet's body where states_ has it.
    void place(std::size_t i) {
        bodies_[i]->setCenterOfMassTransform(
            btTransform(to_bullet(states_[i].rotation * principals_[i]),
                        to_bullet(states_[i].position, units_.length)));
    }

    /// Contacts are found at the start of the step: a wall stands where its velocity brings it to
    /// the given frame, and moves there with the bodies.
    void place_walls(double dt, std::span<const BodyState> walls) {
        for (std::size_t i = 0; i < walls_.size(); ++i) {
            const WallPart& part = wall_parts_[i];
            if (!part.moves)
                continue;
            BodyState start = walls[part.wall];
            start.position -= dt * start.velocity;
            start.rotation = turned(start.rotation, -dt * start.angular_velocity);
            const btTransform at = frame(start) * part.place;
            const btVector3 arm = at.getOrigin() - to_bullet(start.position, units_.length);
            const btVector3 spin = to_bullet(start.angular_velocity);
            walls_[i]->setWorldTransform(at);
            walls_[i]->setInterpolationWorldTransform(at);
            walls_[i]->setLinearVelocity(to_bullet(start.velocity, units_.length) +
                                         spin.cross(arm));
            walls_[i]->setAngularVelocity(spin);
        }
    }

    /// Hands a body to Bullet with the angular velocity that turns it as turn_freely does, should
    /// nothing touch it: Bullet's own gyroscopic terms gain or lose energy.
    void push(std::size_t i, double dt, const Wrench& push) {
        place(i);  // Bullet keeps nothing of its own, so that a restored run goes on alike
        const BodyState& state = states_[i];
        const Mat3d inertia = in_world_axes(inertias_[i].tensor, state.rotation);
        const Vec3d momentum = inertia * state.angular_velocity;
        momenta_[i] = momentum + dt * push.torque;
        if (on_axis_[i]) {
            // explicit: -omega x L has no part along the axis, in the implicit form a small one
            spins_[i] = in_world_axes(inertias_[i].inverse, state.rotation) *
                        (momenta_[i] - dt * cross(state.angular_velocity, momentum));
        } else {
            const FreeTurn turn = turn_freely(state.rotation, inertias_[i], momenta_[i], dt);
            // Bullet turns by |omega| dt, the Cayley map by 2 atan(|omega| dt / 2)
            const double half = norm(turn.midway) * dt / 2;
            spins_[i] = turn.midway * (half > 1e-8 ? portable::atan(half) / half : 1);
        }
        bodies_[i]->setLinearVelocity(to_bullet(state.velocity, units_.length));
        bodies_[i]->setAngularVelocity(to_bullet(spins_[i]));
        bodies_[i]->applyCentralForce(
            to_bullet(push.force + masses_[i] * gravity_, units_.force()));
    }

    void read(std::size_t i) {
        BodyState& state = states_[i];
        const btTransform& at = bodies_[i]->getCenterOfMassTransform();
        Quaterniond rotation =
            normalized(from_bullet(at.getRotation()) * conjugate(principals_[i]));
        if (rotation.s * state.rotation.s + dot(rotation.v, state.rotation.v) < 0)
            rotation = rotation * -1.0;
        const Vec3d spin = from_bullet(bodies_[i]->getAngularVelocity());
        if (on_axis_[i]) {
            state.angular_velocity = spin;
        } else {
            // what contacts and joints gave, as an angular momentum
            const Vec3d gained =
                in_world_axes(inertias_[i].tensor, state.rotation) * (spin - spins_[i]);
            state.angular_velocity =
                in_world_axes(inertias_[i].inverse, rotation) * (momenta_[i] + gained);
        }
        state.rotation = rotation;
        state.position = from_bullet(at.getOrigin(), 1 / units_.length);
        state.velocity = from_bullet(bodies_[i]->getLinearVelocity(), 1 / units_.length);
    }

    Vec3d gravity_;
    BulletUnits units_;
    std::vector<BoundJoint> joints_;
    JointMasses joint_masses_;
    Responses responses_;

    BulletShapes shapes_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    ContactWorld world_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_, walls_;
    std::vector<std::unique_ptr<BulletJoint>> constraints_;

    struct WallPart {
        std::size_t wall;
        bool moves;
        btTransform place;
    };
    std::vector<WallPart> wall_parts_;
    std::vector<Quaterniond> principals_;
    std::vector<double> masses_;
    std::vector<Inertia> inertias_;
    std::vector<bool> on_axis_;   ///< bodies with a hinge, slider or weld to the world
    std::vector<Vec3d> momenta_;  ///< angular, with the push of the step, without contacts
    std::vector<Vec3d> spins_;    ///< as handed to Bullet
    std::vector<BodyState> states_;
};

}  // namespace

std::unique_ptr<RigidEngine> make_bullet_engine(const RigidDescription& description) {
    return std::make_unique<BulletEngine>(description);
}

}  // namespace millrace
