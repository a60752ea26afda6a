#include "rigid/free_turn.hpp"

namespace millrace {

Mat3d in_world_axes(const Mat3d& tensor, const Quaterniond& rotation) {
    const Mat3d o = to_matrix(rotation);
    return o * tensor * transpose(o);
}

FreeTurn turn_freely(const Quaterniond& rotation, const Inertia& inertia, const Vec3d& momentum,
                     double dt) {
    const Vec3d m = rotate(conjugate(rotation), momentum);
    // For a given omega the midpoint solves m_mid + a x m_mid = m with a = dt/2 omega. Each round
    // gains a factor of about dt |omega|.
    Vec3d omega = inertia.inverse * m;
    for (int round = 0; round < 60; ++round) {
        const Vec3d a = omega * (0.5 * dt);
        const Vec3d m_mid = (m - cross(a, m) + a * dot(a, m)) / (1 + dot(a, a));
        const Vec3d next = inertia.inverse * m_mid;
        const double change = squared_norm(next - omega);
        omega = next;
        if (change <= 1e-31 * squared_norm(omega))
            break;
    }
    FreeTurn turn;
    turn.midway = rotate(rotation, omega);
    turn.rotation = integrate(rotation, turn.midway, dt);
    turn.angular_velocity = in_world_axes(inertia.inverse, turn.rotation) * momentum;
    return turn;
}

}  // namespace millrace
