#pragma once

#include "math/mat.hpp"
#include "math/quaternion.hpp"

namespace millrace {

/// A body's inertia about its centre of mass, in axes of the body [kg m^2], and the inverse.
struct Inertia {
    Mat3d tensor;
    Mat3d inverse;
};

/// I(t) = O I(0) O^T, and the same for the inverse. S1 Eq. 4.18-4.19.
Mat3d in_world_axes(const Mat3d& tensor, const Quaterniond& rotation);

/// How a body that nothing touches turns in a step. Vectors are of the world.
struct FreeTurn {
    Vec3d midway;            ///< angular velocity midway through the step [rad/s]
    Quaterniond rotation;    ///< after the step
    Vec3d angular_velocity;  ///< after the step [rad/s]
};

/// The turn at the angular momentum L [kg m^2/s], which stays as it is, over dt [s].
///
/// S1 Algorithm 5, lines 3-7, with one change: q-dot is taken at the angular velocity midway,
/// not at that of the start. With m = O^T L, the momentum as the body sees it (m-dot = m x I^-1 m),
///
///     m' - m = dt m_mid x omega_mid,    m_mid = (m + m') / 2,    omega_mid = I(0)^-1 m_mid
///     q' = (q + dt q-dot) / |q + dt q-dot|,    q-dot = 1/2 [0, O omega_mid] q
///
/// The midpoint rule keeps m . I^-1 m, the energy, and m . m (Austin, Krishnaprasad, Wang 1993);
/// the normalised step of S1 Eq. 4.27 is the Cayley map that belongs to it, so that O'^T L = m'.
/// With omega of the start instead, the energy of an asymmetric body grows in every step.
FreeTurn turn_freely(const Quaterniond& rotation, const Inertia& inertia, const Vec3d& momentum,
                     double dt);

}  // namespace millrace
