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

}  // namespace millrace
