#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "rigid/rigid_engine.hpp"

// Bodies and walls for tests, without a scene file.
namespace millrace::test {

inline Triangles box_surface(const Vec3d& half) {
    Triangles box;
    for (int i = 0; i < 8; ++i)
        box.vertices.push_back(
            {{i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]}});
    const std::uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& q : quads) {
        box.triangles.push_back({q[0], q[1], q[2]});
        box.triangles.push_back({q[0], q[2], q[3]});
    }
    return box;
}

inline Triangles moved(Triangles t, const Vec3d& by) {
    for (Vec3d& v : t.vertices)
        v += by;
    return t;
}

inline Triangles joined(Triangles a, const Triangles& b) {
    const auto n = static_cast<std::uint32_t>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& t : b.triangles)
        a.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
    return a;
}

inline Mat3d diagonal(double x, double y, double z) {
    Mat3d m = Mat3d::zero();
    m(0, 0) = x, m(1, 1) = y, m(2, 2) = z;
    return m;
}

inline BodyDescription box_body(const std::string& name, const Vec3d& size, const Vec3d& position,
                                double density = 500) {
    BodyDescription d;
    d.body.name = name;
    d.body.box = BodyBox{{size[0], size[1], size[2]}};
    d.surface = box_surface(size * 0.5);
    d.center = Vec3d::all(0);
    d.mass = density * size[0] * size[1] * size[2];
    const double xx = size[0] * size[0], yy = size[1] * size[1], zz = size[2] * size[2];
    d.inertia = diagonal(yy + zz, xx + zz, xx + yy) * (d.mass / 12);
    d.state.position = position;
    return d;
}

inline BodyDescription sphere_body(const std::string& name, double radius, const Vec3d& position,
                                   double density = 500) {
    BodyDescription d;
    d.body.name = name;
    d.body.sphere = BodySphere{radius};
    d.surface = box_surface(Vec3d::all(radius));  // engines take the radius
    d.center = Vec3d::all(0);
    d.mass = density * 4 / 3 * std::numbers::pi * radius * radius * radius;
    d.inertia = Mat3d::identity() * (0.4 * d.mass * radius * radius);
    d.state.position = position;
    return d;
}

/// A tank, open at the top.
inline WallDescription tank(const Vec3d& min, const Vec3d& max) {
    WallDescription w;
    w.boundary.box = Box{{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
    w.boundary.inside = true;
    w.boundary.open = {"+y"};
    w.surface = moved(box_surface((max - min) * 0.5), (max + min) * 0.5);
    return w;
}

inline WallDescription floor_plane(const Vec3d& normal = {{0, 1, 0}}) {
    WallDescription w;
    w.boundary.plane = Plane{{0, 0, 0}, {normal[0], normal[1], normal[2]}};
    return w;
}

inline void run(RigidEngine& engine, double duration, double dt,
                const std::vector<Wrench>& pushes = {}) {
    std::vector<Wrench> all = pushes;
    all.resize(engine.states().size());
    const long steps = std::lround(duration / dt);
    for (long i = 0; i < steps; ++i)
        engine.step(dt, all, {});
}

}  // namespace millrace::test
