#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include "rigid/bullet_units.hpp"
#include "rigid/free_turn.hpp"
#include "rigid/joints.hpp"

namespace millrace {

/// The bodies that joints hold, as far as impulses go: M^-1.
class JointMasses {
  public:
    explicit JointMasses(const RigidDescription& description);

    /// Of the bodies of one joint, where they are now.
    struct Pair {
        double mass_a, mass_b;       ///< inverse
        Mat3d inertia_a, inertia_b;  ///< inverse, in the world's axes

        /// j M^-1 k^T
        double product(const JointRow& j, const JointRow& k) const;
    };
    Pair of(const BoundJoint& joint, std::span<const BodyState> states) const;

  private:
    std::vector<double> masses_;
    std::vector<Mat3d> inertias_;
};

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

/// Moves and turns bodies back to where their joints hold; velocities stay as they are. Solving
/// for velocities alone leaves an error of dt^3 a step, and pulling it in through velocities would
/// feed energy in.
void project_joints(std::span<const BoundJoint> joints, const JointMasses& masses,
                    std::span<BodyState> states);

}  // namespace millrace
