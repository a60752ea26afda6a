#include "rigid/own_engine.hpp"

#include "millrace/error.hpp"
#include "rigid/free_turn.hpp"
#include "rigid/response.hpp"

namespace millrace {
namespace {

class OwnEngine final : public RigidEngine {
  public:
    explicit OwnEngine(const RigidDescription& description)
        : gravity_(description.gravity),
          joints_(bind_joints(description)),
          held_(description.bodies.size(), false),
          responses_(description, joints_) {
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            if (joints_[i].type != JointType::weld || joints_[i].b != k_world)
                throw InputError(
                    "joints[" + std::to_string(i) +
                    "]: the engine own knows only welds to the world; use bullet, in 2D box2d");
            held_[static_cast<std::size_t>(joints_[i].a)] = true;
        }
        for (const BodyDescription& body : description.bodies) {
            masses_.push_back(body.mass);
            inertias_.push_back({body.inertia, inverse(body.inertia)});
            states_.push_back(body.state);
        }
        restore(std::vector(states_));
    }

    std::span<const BodyState> states() const override { return states_; }
    std::span<const Response> responses() const override { return responses_.now(); }

    /// S1 Algorithm 5, except that line 6 comes first, so that the turn is semi-implicit as the
    /// way is, and that lines 3-5 take the angular velocity midway (turn_freely).
    void step(double dt, std::span<const Wrench> pushes, std::span<const BodyState>) override {
        for (std::size_t i = 0; i < states_.size(); ++i) {
            if (held_[i])
                continue;
            BodyState& body = states_[i];
            body.velocity += dt * (gravity_ + pushes[i].force / masses_[i]);  // Eq. 4.13
            body.position += dt * body.velocity;                              // Eq. 4.14

            // L is the state; it is kept as omega, which is the same and what a checkpoint has
            const Vec3d momentum =
                in_world_axes(inertias_[i].tensor, body.rotation) * body.angular_velocity +
                dt * pushes[i].torque;  // Eq. 4.15, 4.17
            const FreeTurn turn = turn_freely(body.rotation, inertias_[i], momentum, dt);
            body.rotation = turn.rotation;
            body.angular_velocity = turn.angular_velocity;  // Eq. 4.22
        }
        responses_.update(states_);
    }

    void restore(std::span<const BodyState> states) override {
        states_.assign(states.begin(), states.end());
        for (std::size_t i = 0; i < states_.size(); ++i)
            if (held_[i])
                states_[i].velocity = states_[i].angular_velocity = Vec3d::all(0);
        responses_.update(states_);
    }

  private:
    Vec3d gravity_;
    std::vector<BoundJoint> joints_;
    std::vector<bool> held_;
    Responses responses_;
    std::vector<double> masses_;
    std::vector<Inertia> inertias_;
    std::vector<BodyState> states_;
};

}  // namespace

std::unique_ptr<RigidEngine> make_own_engine(const RigidDescription& description) {
    return std::make_unique<OwnEngine>(description);
}

}  // namespace millrace
