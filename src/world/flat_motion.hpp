#pragma once

#include "millrace/pool.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// The frame of a scripted wall in the plane, its origin at the start in the motion's centre: where
/// it is at a time, with the velocities that lead to where it is dt later.
SolidState state_between(const WallMotion& motion, double time, double dt);

}  // namespace millrace
