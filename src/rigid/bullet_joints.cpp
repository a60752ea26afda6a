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

}  // namespace

BulletJoint::BulletJoint(const BoundJoint& joint, btRigidBody& a, btRigidBody& b,
                         const BulletUnits& units)
    : btTypedConstraint(D6_CONSTRAINT_TYPE, a, b), joint_(joint), units_(units) {}

/// The impulses act along J at the start of the step, and C shall be 0 at its end:
///     C(x + dt v) = C(x) + dt J v + curvature(v)    =>    J v = -curvature(v) / dt
/// with the curvature of the present velocities. This is the SHAKE scheme (Ryckaert, Ciccotti,
/// Berendsen 1977), which keeps the energy of a pendulum; J v = 0 would damp it by v^2 dt / (2
/// r^2).
void BulletJoint::prepare(const BodyState& a, const BodyState& b, double dt) {
    const JointRows now = joint_rows(joint_, a, b);
    const JointRows then = joint_rows(joint_, moved(a, dt), moved(b, dt));
    const auto curvature = [&](const JointRow& before, const JointRow& after) {
        return after.error - before.error - dt * rate(before, a, b);
    };
    count_ = 0;
    for (int i = 0; i < now.count; ++i)
        rows_[count_++] = {now.held[i], -curvature(now.held[i], then.held[i]) / dt, -k_infinity,
                           k_infinity};
    if (joint_.motor_speed) {
        const double most = joint_.motor_strength * dt;
        rows_[count_++] = {now.free, *joint_.motor_speed, -most, most};
    }
    if (joint_.limited) {
        const double x = now.free.error, bend = curvature(now.free, then.free);
        const double bent = std::abs(bend) < 1 ? bend : 0;  // an angle that passes 180 degrees
        rows_[count_++] = {now.free, (std::min(joint_.least - x, 0.0) - bent) / dt, 0, k_infinity};
        rows_[count_++] = {now.free, (std::max(joint_.most - x, 0.0) - bent) / dt, -k_infinity, 0};
    }
}

void BulletJoint::getInfo1(btConstraintInfo1* info) {
    info->m_numConstraintRows = count_;
    info->nub = 0;
}

void BulletJoint::getInfo2(btConstraintInfo2* info) {
    for (int i = 0; i < count_; ++i) {
        const Row& r = rows_[i];
        const double speed = r.row.is_angle ? 1 : units_.length;
        const double impulse = r.row.is_angle ? units_.torque() : units_.force();
        const int at = i * info->rowskip;
        for (int k = 0; k < 3; ++k) {
            info->m_J1linearAxis[at + k] = r.row.linear_a[k];
            info->m_J1angularAxis[at + k] = r.row.angular_a[k] * speed;
            info->m_J2linearAxis[at + k] = r.row.linear_b[k];
            info->m_J2angularAxis[at + k] = r.row.angular_b[k] * speed;
        }
        info->m_constraintError[at] = r.speed * speed;
        info->m_lowerLimit[at] = std::max(r.least * impulse, -SIMD_INFINITY);
        info->m_upperLimit[at] = std::min(r.most * impulse, SIMD_INFINITY);
    }
}

JointProjection::JointProjection(const RigidDescription& description) {
    for (const BodyDescription& body : description.bodies) {
        inverse_masses_.push_back(1 / body.mass);
        inverse_inertias_.push_back(inverse(body.inertia));
    }
}

void JointProjection::apply(std::span<const BoundJoint> joints, std::span<BodyState> states) const {
    for (int sweep = 0; sweep < 20; ++sweep) {
        double worst = 0;
        for (const BoundJoint& joint : joints)
            worst = std::max(worst, project(joint, states));
        if (worst < 1e-10)
            break;
    }
}

/// One Newton step for one joint: dx = -M^-1 J^T (J M^-1 J^T)^-1 C. Returns the largest |C|.
double JointProjection::project(const BoundJoint& joint, std::span<BodyState> states) const {
    const auto a = static_cast<std::size_t>(joint.a), b = static_cast<std::size_t>(joint.b);
    const bool world = joint.b == k_world;
    const JointRows rows = joint_rows(joint, states[a], second_state(joint, states));
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

    const Mat3d turn_a = in_world_axes(inverse_inertias_[a], states[a].rotation);
    const Mat3d turn_b =
        world ? Mat3d::zero() : in_world_axes(inverse_inertias_[b], states[b].rotation);
    const double mass_a = inverse_masses_[a], mass_b = world ? 0 : inverse_masses_[b];
    double m[7][8];  // J M^-1 J^T and C
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k)
            m[i][k] = mass_a * dot(j[i].linear_a, j[k].linear_a) +
                      dot(j[i].angular_a, turn_a * j[k].angular_a) +
                      mass_b * dot(j[i].linear_b, j[k].linear_b) +
                      dot(j[i].angular_b, turn_b * j[k].angular_b);
        m[i][n] = -j[i].error;
    }
    for (int p = 0; p < n; ++p)  // positive definite: no pivots needed
        for (int i = 0; i < n; ++i) {
            if (i == p)
                continue;
            const double factor = m[i][p] / m[p][p];
            for (int k = p; k <= n; ++k)
                m[i][k] -= factor * m[p][k];
        }
    Vec3d move_a = Vec3d::all(0), move_b = move_a, angle_a = move_a, angle_b = move_a;
    for (int i = 0; i < n; ++i) {
        const double impulse = m[i][n] / m[i][i];
        move_a += j[i].linear_a * (impulse * mass_a);
        angle_a += turn_a * j[i].angular_a * impulse;
        move_b += j[i].linear_b * (impulse * mass_b);
        angle_b += turn_b * j[i].angular_b * impulse;
    }
    states[a].position += move_a;
    states[a].rotation = turned(states[a].rotation, angle_a);
    if (!world) {
        states[b].position += move_b;
        states[b].rotation = turned(states[b].rotation, angle_b);
    }
    return worst;
}

}  // namespace millrace
