#include "rigid/bullet_joints.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cmath>
#include <limits>

namespace millrace {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

double rate(const JointRow& row, const BodyState& a, const BodyState& b) {
    return dot(row.linear_a, a.velocity) + dot(row.angular_a, a.angular_velocity) +
           dot(row.linear_b, b.velocity) + dot(row.angular_b, b.angular_velocity);
}

BodyState moved(BodyState state, double dt) {
    state.position += dt * state.velocity;
    state.rotation = turned(state.rotation, dt * state.angular_velocity);
    return state;
}

/// Makes row i orthogonal to those before it: j_i -= j_k (j_i M^-1 j_k) / (j_k M^-1 j_k), and its
/// right side with it. Impulses along orthogonal rows do not disturb each other, so that Bullet's
/// sweeps solve one joint at once.
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

BulletJoint::BulletJoint(const BoundJoint& joint, btRigidBody& a, btRigidBody& b,
                         const BulletUnits& units)
    : btTypedConstraint(D6_CONSTRAINT_TYPE, a, b), joint_(joint), units_(units) {}

/// The impulses act along J at the start of the step, and C shall be 0 at its end:
///     C(x + dt v) = C(x) + dt J v + curvature(v)    =>    J v = -curvature(v) / dt
/// with the curvature of the present velocities. This is the SHAKE scheme (Ryckaert, Ciccotti,
/// Berendsen 1977), which keeps the energy of a pendulum; J v = 0 would damp it by v^2 dt / (2
/// r^2).
void BulletJoint::prepare(const BodyState& a, const BodyState& b, const JointMasses::Pair& masses,
                          double dt) {
    const JointRows now = joint_rows(joint_, a, b);
    const JointRows then = joint_rows(joint_, moved(a, dt), moved(b, dt));
    const auto curvature = [&](const JointRow& before, const JointRow& after) {
        return after.error - before.error - dt * rate(before, a, b);
    };
    count_ = 0;
    const auto add = [&](const JointRow& row, double speed, double least, double most) {
        rows_[count_] = row;
        rows_[count_].error = speed;
        least_[count_] = least;
        most_[count_] = most;
        orthogonalize(rows_, count_, std::min(count_, now.count), masses);
        ++count_;
    };
    for (int i = 0; i < now.count; ++i)
        add(now.held[i], -curvature(now.held[i], then.held[i]) / dt, -k_infinity, k_infinity);
    if (joint_.motor_speed)
        add(now.free, *joint_.motor_speed, -joint_.motor_strength * dt, joint_.motor_strength * dt);
    if (joint_.limited) {
        const double x = now.free.error, bend = curvature(now.free, then.free);
        const double bent = std::abs(bend) < 1 ? bend : 0;  // an angle that passes 180 degrees
        add(now.free, (std::min(joint_.least - x, 0.0) - bent) / dt, 0, k_infinity);
        add(now.free, (std::max(joint_.most - x, 0.0) - bent) / dt, -k_infinity, 0);
    }
}

void BulletJoint::getInfo1(btConstraintInfo1* info) {
    info->m_numConstraintRows = count_;
    info->nub = 0;
}

void BulletJoint::getInfo2(btConstraintInfo2* info) {
    for (int i = 0; i < count_; ++i) {
        const JointRow& row = rows_[i];
        const double scale = row.is_angle ? 1 : units_.length;
        const double impulse = units_.torque() / scale;
        const int at = i * info->rowskip;
        for (int k = 0; k < 3; ++k) {
            info->m_J1linearAxis[at + k] = row.linear_a[k] * scale / units_.length;
            info->m_J1angularAxis[at + k] = row.angular_a[k] * scale;
            info->m_J2linearAxis[at + k] = row.linear_b[k] * scale / units_.length;
            info->m_J2angularAxis[at + k] = row.angular_b[k] * scale;
        }
        info->m_constraintError[at] = row.error * scale;
        info->m_lowerLimit[at] = std::max(least_[i] * impulse, -SIMD_INFINITY);
        info->m_upperLimit[at] = std::min(most_[i] * impulse, SIMD_INFINITY);
    }
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
