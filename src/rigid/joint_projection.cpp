#include "rigid/joint_projection.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

void orthogonalize(JointRow* rows, int i, int before, const JointMasses::Pair& masses) {
    for (int k = 0; k < before; ++k) {
        const double size = masses.product(rows[k], rows[k]);
        const double part = size > 0 ? masses.product(rows[i], rows[k]) / size : 0;
        rows[i].linear_a -= rows[k].linear_a * part;
        rows[i].angular_a -= rows[k].angular_a * part;
        rows[i].linear_b -= rows[k].linear_b * part;
        rows[i].angular_b -= rows[k].angular_b * part;
        rows[i].error -= rows[k].error * part;
    }
}

namespace {

/// One Newton step for one joint: dx = -M^-1 J^T (J M^-1 J^T)^-1 C. Returns the largest |C|.
double project(const BoundJoint& joint, const JointMasses& masses, std::span<BodyState> states) {
    BodyState& a = states[static_cast<std::size_t>(joint.a)];
    const JointRows rows = joint_rows(joint, a, second_state(joint, states));
    JointRow j[7];
    int n = 0;
    for (int i = 0; i < rows.count; ++i)
        j[n++] = rows.held[i];
    if (joint.limited && (rows.free.error < joint.least || rows.free.error > joint.most)) {
        j[n] = rows.free;
        j[n++].error -= rows.free.error < joint.least ? joint.least : joint.most;
    }
    double worst = 0;
    for (int i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(j[i].error));
    if (worst == 0)
        return 0;

    const JointMasses::Pair pair = masses.of(joint, states);
    Vec3d move_a = Vec3d::all(0), move_b = move_a, angle_a = move_a, angle_b = move_a;
    for (int i = 0; i < n; ++i) {
        orthogonalize(j, i, i, pair);
        const double size = pair.product(j[i], j[i]);
        const double impulse = size > 0 ? -j[i].error / size : 0;
        move_a += j[i].linear_a * (impulse * pair.mass_a);
        angle_a += pair.inertia_a * j[i].angular_a * impulse;
        move_b += j[i].linear_b * (impulse * pair.mass_b);
        angle_b += pair.inertia_b * j[i].angular_b * impulse;
    }
    a.position += move_a;
    a.rotation = turned(a.rotation, angle_a);
    if (joint.b != k_world) {
        BodyState& b = states[static_cast<std::size_t>(joint.b)];
        b.position += move_b;
        b.rotation = turned(b.rotation, angle_b);
    }
    return worst;
}

}  // namespace

JointMasses::JointMasses(const RigidDescription& description) {
    for (const BodyDescription& body : description.bodies) {
        masses_.push_back(1 / body.mass);
        inertias_.push_back(inverse(body.inertia));
    }
}

JointMasses::Pair JointMasses::of(const BoundJoint& joint,
                                  std::span<const BodyState> states) const {
    const auto a = static_cast<std::size_t>(joint.a), b = static_cast<std::size_t>(joint.b);
    const bool world = joint.b == k_world;
    return {masses_[a], world ? 0 : masses_[b], in_world_axes(inertias_[a], states[a].rotation),
            world ? Mat3d::zero() : in_world_axes(inertias_[b], states[b].rotation)};
}

double JointMasses::Pair::product(const JointRow& j, const JointRow& k) const {
    return mass_a * dot(j.linear_a, k.linear_a) + dot(j.angular_a, inertia_a * k.angular_a) +
           mass_b * dot(j.linear_b, k.linear_b) + dot(j.angular_b, inertia_b * k.angular_b);
}

void project_joints(std::span<const BoundJoint> joints, const JointMasses& masses,
                    std::span<BodyState> states) {
    for (int sweep = 0; sweep < 20; ++sweep) {
        double worst = 0;
        for (const BoundJoint& joint : joints)
            worst = std::max(worst, project(joint, masses, states));
        if (worst < 1e-10)
            break;
    }
}

}  // namespace millrace
