#pragma once

#include "math/body_state.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// Where a scripted wall's frame is at a time and how it moves: points x' of the start are at
/// rotation x' + position, the velocities are those of that position. At rest before motion.from;
/// from motion.until on it stays where it has come to.
///
///     sine        d(t) = axis amplitude (sin(2 pi t / period + phase) - sin(phase))
///     linear      d(t) = velocity t
///     rotate      a turn by 2 pi rpm / 60 t about the axis through the centre
///     keyframes   places and turns about the centre, evenly from one to the next
///
/// with t counted from motion.from; keyframes have times of the run.
BodyState motion_at(const WallMotion& motion, double time);

}  // namespace millrace
