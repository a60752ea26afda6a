#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/primitives.hpp"
#include "rigid/rigid_engine.hpp"

// Bodies and walls for tests, without a scene file.
namespace millrace::test {

inline TriangleMesh box_surface(const Vec3d& half) {
    return box_mesh(-half, half);
}

inline TriangleMesh moved(const TriangleMesh& mesh, const Vec3d& by) {
    return transformed(mesh, Vec3d::all(1), Quaterniond::identity(), by);
}

inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
    append(a, b);
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

inline constexpr Vec3d k_down{{0, -9.81, 0}};

/// Tests of what only bullet can do.
class WithBullet : public testing::Test {
  protected:
    void SetUp() override {
        if (rigid_engines().size() < 2)
            GTEST_SKIP() << "this build has no bullet";
    }
};

inline std::unique_ptr<RigidEngine> bullet(const RigidDescription& d) {
    return make_rigid_engine("bullet", d);
}

}  // namespace millrace::test
