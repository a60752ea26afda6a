#pragma once

#include "math/mat.hpp"
#include "math/spin.hpp"

namespace millrace {

/// How something rigid moves: the velocity of a reference point and the turning about it.
template <int D, class T = float>
struct Twist {
    Vec<D, T> velocity = Vec<D, T>::all(0);            ///< [m/s]
    Spin<D, T> angular_velocity = Spin<D, T>::all(0);  ///< [rad/s]
};

/// Where a rigid object is: its samples x' of the start lie at rotation x' + position. The position
/// is the reference point of its twist: of a body the centre of mass.
template <int D>
struct Frame {
    Mat<D> rotation = Mat<D>::identity();
    Vec<D> position = Vec<D>::all(0);
    Twist<D> twist;
};

}  // namespace millrace
