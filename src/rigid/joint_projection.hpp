#pragma once

#include <span>
#include <vector>

#include "rigid/free_turn.hpp"
#include "rigid/joints.hpp"

// What joints do to places, whatever engine solves for velocities.
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

/// Makes row i orthogonal to those before it: j_i -= j_k (j_i M^-1 j_k) / (j_k M^-1 j_k), and its
/// right side with it. Impulses along orthogonal rows do not disturb each other, so that sweeps
/// solve one joint at once.
void orthogonalize(JointRow* rows, int i, int before, const JointMasses::Pair& masses);

/// Moves and turns bodies back to where their joints hold; velocities stay as they are. Solving
/// for velocities alone leaves an error of dt^3 a step, and pulling it in through velocities would
/// feed energy in.
void project_joints(std::span<const BoundJoint> joints, const JointMasses& masses,
                    std::span<BodyState> states);

}  // namespace millrace
