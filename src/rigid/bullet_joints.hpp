#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include "rigid/bullet_units.hpp"
#include "rigid/joint_projection.hpp"

namespace millrace {

/// A joint in Bullet's solver: the rows of joint_rows, and rows for the limit and the motor.
class BulletJoint final : public btTypedConstraint {
  public:
    BulletJoint(const BoundJoint& joint, btRigidBody& a, btRigidBody& b, const BulletUnits& units);

    /// The rows of the next step, of dt [s].
    void prepare(const BodyState& a, const BodyState& b, const JointMasses::Pair& masses,
                 double dt);

    void getInfo1(btConstraintInfo1* info) override;
    void getInfo2(btConstraintInfo2* info) override;
    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }

  private:
    BoundJoint joint_;
    BulletUnits units_;
    JointRow rows_[9];           ///< `error` is what J v shall be [m/s] or [rad/s]
    double least_[9], most_[9];  ///< of the impulses [N s] or [N m s]
    int count_ = 0;
};

}  // namespace millrace
