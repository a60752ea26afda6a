#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include "rigid/bullet_units.hpp"
#include "rigid/free_turn.hpp"
#include "rigid/joints.hpp"

namespace millrace {

/// A joint in Bullet's solver: the rows of joint_rows, and rows for the limit and the motor.
class BulletJoint final : public btTypedConstraint {
  public:
    BulletJoint(const BoundJoint& joint, btRigidBody& a, btRigidBody& b, const BulletUnits& units);

    /// The rows of the next step, of dt [s].
    void prepare(const BodyState& a, const BodyState& b, double dt);

    void getInfo1(btConstraintInfo1* info) override;
    void getInfo2(btConstraintInfo2* info) override;
    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }

  private:
    struct Row {
        JointRow row;
        double speed;        ///< what J v shall be [m/s] or [rad/s]
        double least, most;  ///< of the impulse [N s] or [N m s]
    };
    BoundJoint joint_;
    BulletUnits units_;
    Row rows_[9];
    int count_ = 0;
};

/// Moves and turns bodies back to where their joints hold; velocities stay as they are. Solving
/// for velocities alone leaves an error of dt^3 a step, and pulling it in through velocities would
/// feed energy in.
class JointProjection {
  public:
    explicit JointProjection(const RigidDescription& description);

    void apply(std::span<const BoundJoint> joints, std::span<BodyState> states) const;

  private:
    double project(const BoundJoint& joint, std::span<BodyState> states) const;

    std::vector<double> inverse_masses_;
    std::vector<Mat3d> inverse_inertias_;
};

}  // namespace millrace
