#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rigid/contact_finder.hpp"
#include "rigid/free_turn.hpp"
#include "rigid/joint_projection.hpp"
#include "spook/constraint_system.hpp"
#include "spook/relaxation.hpp"

namespace millrace {

/// The rigid bodies of a scene with their contacts, joints and motors as rows of a constraint
/// system (S2 VII-B), which a fluid may share. Bodies come first in the system, then the walls.
///     contact   n . (v_a - v_b) >= -max(gap, 0) / dt; lambda >= 0
///     friction  |lambda_t| <= mu lambda_n, mu = sqrt(mu_a mu_b)
///     bounce    n . v >= e c for contacts that close faster than a threshold, e = max(e_a, e_b)
///     overlap   bodies that overlap are moved apart, a part of it in every step: to undo it by
///               velocities, as joints do, would make stacks jump
///     joint     rows of joint_rows: G v = -undo g + xi G v_k; limits one-sided; motors bounded;
///               where a slam pulls one apart, bodies are moved back after the step
class SpookBodies {
  public:
    /// `dimension` 2: in the plane z = 0. `reach` is the largest gap of a contact [m].
    SpookBodies(const RigidDescription& description, int dimension, double reach);

    std::span<const BodyState> states() const { return states_; }
    ConstraintSystem& system() { return system_; }
    std::uint32_t wall(std::size_t w) const {  ///< its number in the system
        return static_cast<std::uint32_t>(states_.size() + w);
    }

    /// Velocities without constraints, and the rows of a step. `walls` are the walls' frames at
    /// the start of the step with their velocities, `natural` is the step that this one is a part
    /// of, if it is longer.
    void start(double dt, std::span<const Wrench> pushes, std::span<const BodyState> walls,
               double natural = 0);
    /// Solves the joints together, then sweeps all rows in one direction and the other.
    void sweep(const Workers& workers, bool forwards);
    /// Moves the bodies on with the velocities that were found.
    void finish(double dt);

    /// The largest error of any joint's held rows: a length [m] or an angle times `arm` [m].
    double joint_error(double arm) const;
    std::size_t contact_count() const { return contacts_.size(); }

    std::vector<double> save() const;
    /// False: these are the numbers of other bodies.
    bool restore(std::span<const double> numbers);
    void restore(std::span<const BodyState> states);

    Relaxation joint_relaxation{0, 1};

  private:
    struct Surface {
        double friction, restitution;
    };
    /// What a contact did in the last step.
    struct Memory {
        int a, b;
        Vec3d place;  ///< in the axes of a, from its centre of mass
        double normal;
        Vec3d along;
    };
    double to_start(double dt) const;
    void add_joints(double dt);
    void add_contacts(double dt, std::span<const BodyState> walls);
    void add_contact(const BodyContact& contact, double dt);
    void add_joint(const BoundJoint& joint, std::size_t number, double dt);
    double hold_hinge(const BoundJoint& joint, std::size_t number, const JointRow& turn,
                      double dt) const;
    const Memory* remembered(const BodyContact& contact) const;
    Vec3d place_on_first(const BodyContact& contact) const;
    void remember(double dt);
    void separate(double dt);

    int dimension_;
    double reach_;
    Vec3d gravity_;
    std::vector<BodyState> states_;
    std::vector<double> masses_;
    std::vector<Inertia> inertias_;
    std::vector<Surface> body_surfaces_, wall_surfaces_;
    std::vector<BoundJoint> joints_;
    JointMasses joint_masses_;
    std::unique_ptr<ContactFinder> finder_;
    ConstraintSystem system_;
    ConstraintSystem apart_;  ///< of places instead of velocities, for bodies that overlap

    static constexpr int k_joint_rows = 9;
    std::vector<BodyContact> contacts_;
    std::vector<std::uint32_t> contact_rows_;
    std::vector<Vec3d> contact_sides_;    ///< two of every contact
    std::vector<int> joint_rows_;         ///< k_joint_rows of every joint; -1: none
    std::vector<double> joint_memory_;    ///< their impulses
    std::vector<Memory> contact_memory_;  ///< sorted
    double last_dt_ = 0;
    double natural_ = 0;  ///< of the step at hand
};

}  // namespace millrace
