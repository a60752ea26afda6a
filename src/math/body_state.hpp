#pragma once

#include "math/quaternion.hpp"

namespace millrace {

/// Where a body is and how it moves. Vectors are of the world.
struct BodyState {
    Vec3d position = Vec3d::all(0);  ///< of the centre of mass [m]
    Quaterniond rotation = Quaterniond::identity();
    Vec3d velocity = Vec3d::all(0);          ///< of the centre of mass [m/s]
    Vec3d angular_velocity = Vec3d::all(0);  ///< [rad/s]
};

}  // namespace millrace
