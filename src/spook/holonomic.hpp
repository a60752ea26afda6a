#pragma once

#include <array>

#include "math/vec.hpp"

namespace millrace::holonomic {

/// g and its gradients for at most four particles, in the order of the arguments.
struct Value {
    double g;
    std::array<Vec3d, 4> gradients = {Vec3d::all(0), Vec3d::all(0), Vec3d::all(0), Vec3d::all(0)};
};

/// A bead on a circle (S3 chapter 8): g = |p| - radius [m] with p = d - n (n . d), d = x - center.
/// The unit normal n is that of the plane of the circle; what keeps the bead in it is `plane`.
/// On the axis there is no gradient.
Value circle(const Vec3d& x, const Vec3d& center, const Vec3d& normal, double radius);

/// Two particles (S3 7.1): g = |a - b| - length [m]. Where they meet there is no gradient.
Value distance(const Vec3d& a, const Vec3d& b, double length);

/// A particle and a point that does not move: g = |x - anchor| - length [m].
Value distance_to_point(const Vec3d& x, const Vec3d& anchor, double length);

/// A triangle in the plane of x and y (S3 7.0.1, with the sign of its turn, so that it has a
/// gradient even without an area): g = 1/2 (b - a) x (c - a) - area [m^2].
Value area(const Vec3d& a, const Vec3d& b, const Vec3d& c, double area);

/// A tetrahedron (S3 7.0.1): g = 1/6 (b - a) . [(c - a) x (d - a)] - volume [m^3].
Value volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, double volume);

/// The height above a plane with the unit normal n: g = n . (x - point) [m].
Value plane(const Vec3d& x, const Vec3d& point, const Vec3d& normal);

}  // namespace millrace::holonomic
