#include "spook/holonomic.hpp"

namespace millrace::holonomic {

namespace {

Vec3d direction(const Vec3d& d, double length) {
    return length > 0 ? d / length : Vec3d::all(0);
}

}  // namespace

Value circle(const Vec3d& x, const Vec3d& center, const Vec3d& normal, double radius) {
    const Vec3d d = x - center, p = d - normal * dot(normal, d);
    const double r = norm(p);
    return {r - radius, {direction(p, r)}};
}

Value distance(const Vec3d& a, const Vec3d& b, double length) {
    const double r = norm(a - b);
    const Vec3d n = direction(a - b, r);
    return {r - length, {n, -n}};
}

Value distance_to_point(const Vec3d& x, const Vec3d& anchor, double length) {
    const double r = norm(x - anchor);
    return {r - length, {direction(x - anchor, r)}};
}

Value area(const Vec3d& a, const Vec3d& b, const Vec3d& c, double area) {
    const auto turned = [](const Vec3d& side) { return Vec3d{{-0.5 * side[1], 0.5 * side[0], 0}}; };
    const double twice = cross(b - a, c - a)[2];
    return {0.5 * twice - area, {turned(c - b), turned(a - c), turned(b - a)}};
}

Value volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, double volume) {
    const Vec3d grad_b = cross(c - a, d - a) / 6.0;
    const Vec3d grad_c = cross(d - a, b - a) / 6.0;
    const Vec3d grad_d = cross(b - a, c - a) / 6.0;
    return {dot(b - a, grad_b) - volume, {-(grad_b + grad_c + grad_d), grad_b, grad_c, grad_d}};
}

Value plane(const Vec3d& x, const Vec3d& point, const Vec3d& normal) {
    return {dot(normal, x - point), {normal}};
}

}  // namespace millrace::holonomic
