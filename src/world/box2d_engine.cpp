#include "world/box2d_engine.hpp"

#include "math/portable.hpp"
#include "rigid/response.hpp"
#include "world/make_flat_bodies.hpp"
#include "world/pool_shapes.hpp"

namespace millrace {

namespace {

double angle_of(const Quaterniond& rotation) {
    return 2 * portable::atan2(rotation.v[2], rotation.s);
}

Quaterniond turn_by(double angle) {
    return {portable::cos(angle / 2), {{0, 0, portable::sin(angle / 2)}}};
}

Point2 to_point(const Vec3d& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1])};
}

class Box2dEngine final : public RigidEngine {
  public:
    Box2dEngine(FlatDescription flat, const RigidDescription& description)
        : flat_(std::move(flat)),
          bodies_(make_flat_bodies(flat_)),
          responses_(description, bind_joints(description)),
          wall_count_(description.walls.size()) {
        for (const BodyDescription& body : description.bodies) {
            centers_.push_back(body.center);
            states_.push_back(body.state);
        }
        responses_.update(states_);
    }

    std::span<const BodyState> states() const override { return states_; }
    std::span<const Response> responses() const override { return responses_.now(); }

    void step(double dt, std::span<const Wrench> pushes,
              std::span<const BodyState> walls) override {
        std::vector<SolidPush> impulses(states_.size());
        for (std::size_t b = 0; b < states_.size(); ++b)
            impulses[b] = {to_point(pushes[b].force * dt),
                           static_cast<float>(pushes[b].torque[2] * dt)};
        std::vector<SolidState> frames(wall_count_);
        for (std::size_t w = 0; w < walls.size(); ++w)
            frames[w] = state_before(walls[w], dt);
        bodies_->step(static_cast<float>(dt), impulses, frames);
        for (std::size_t b = 0; b < states_.size(); ++b)
            states_[b] = state_of(b);
        responses_.update(states_);
    }

    void restore(std::span<const BodyState> states) override {
        bodies_ = make_flat_bodies(flat_);
        states_.assign(states.begin(), states.end());
        for (std::size_t b = 0; b < states_.size(); ++b) {
            const BodyState& s = states_[b];
            SolidState state;
            state.position = to_point(s.position - rotate(s.rotation, centers_[b]));
            state.angle = static_cast<float>(angle_of(s.rotation));
            state.velocity = to_point(s.velocity);
            state.angular_velocity = static_cast<float>(s.angular_velocity[2]);
            bodies_->place(b, state);
        }
        responses_.update(states_);
    }

  private:
    /// Of a wall that comes, with the velocities that it has, to where it is at the end of a step.
    static SolidState state_before(const BodyState& end, double dt) {
        SolidState state;
        state.position = to_point(end.position - end.velocity * dt);
        state.angle = static_cast<float>(angle_of(end.rotation) - end.angular_velocity[2] * dt);
        state.velocity = to_point(end.velocity);
        state.angular_velocity = static_cast<float>(end.angular_velocity[2]);
        return state;
    }

    BodyState state_of(std::size_t b) const {
        const SolidState s = bodies_->state(b);
        BodyState state;
        state.rotation = turn_by(s.angle);
        state.position =
            Vec3d{{s.position.x, s.position.y, 0}} + rotate(state.rotation, centers_[b]);
        state.velocity = {{s.velocity.x, s.velocity.y, 0}};
        state.angular_velocity = {{0, 0, s.angular_velocity}};
        return state;
    }

    FlatDescription flat_;
    std::unique_ptr<FlatBodies> bodies_;
    Responses responses_;
    std::size_t wall_count_;
    std::vector<Vec3d> centers_;  ///< of mass, in the bodies' frames [m]
    std::vector<BodyState> states_;
};

}  // namespace

std::unique_ptr<RigidEngine> make_box2d_engine(const Scene& scene, const SceneSolids<2>& solids,
                                               const RigidDescription& description) {
    return std::make_unique<Box2dEngine>(flat_description(scene, solids), description);
}

template <int D>
std::unique_ptr<RigidEngine> make_engine(const Scene& scene, const SceneSolids<D>& solids,
                                         const RigidDescription& description) {
    const std::string& engine = scene.rigid.engine;
    if constexpr (D == 2) {
        if (engine == "box2d" || (engine == "auto" && has_box2d()))
            return make_box2d_engine(scene, solids, description);
        if (engine == "auto")
            return make_rigid_engine("own", description);
    }
    return make_rigid_engine(engine, description);
}

template std::unique_ptr<RigidEngine> make_engine<2>(const Scene&, const SceneSolids<2>&,
                                                     const RigidDescription&);
template std::unique_ptr<RigidEngine> make_engine<3>(const Scene&, const SceneSolids<3>&,
                                                     const RigidDescription&);

}  // namespace millrace
