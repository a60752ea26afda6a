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

/// A solid of this shape.
template <int D>
Solid<D> solid_of(const std::string& name, PlacedShape<D> shape) {
    Solid<D> solid;
    solid.name = name;
    solid.shape = std::move(shape);
    solid.edge = 0.05;
    return solid;
}
template <template <int> class Shape, int D>
Solid<D> solid_of(const std::string& name, const Shape<D>& shape) {
    return solid_of<D>(name, PlacedShape<D>(shape));
}

/// That of a body or a wall in 3D, or in 2D.
template <int D = 3, class Description>
decltype(auto) solid(Description& d) {
    return std::get<Solid<D>>(d.solid);
}

inline BodyDescription box_body(const std::string& name, const Vec3d& size, const Vec3d& position,
                                double density = 500) {
    BodyDescription d;
    d.solid = solid_of(name, PlacedBox<3>{size * -0.5, size * 0.5});
    d.mass = density * size[0] * size[1] * size[2];
    const double xx = size[0] * size[0], yy = size[1] * size[1], zz = size[2] * size[2];
    d.inertia = diagonal(yy + zz, xx + zz, xx + yy) * (d.mass / 12);
    d.state.position = position;
    return d;
}

inline BodyDescription sphere_body(const std::string& name, double radius, const Vec3d& position,
                                   double density = 500) {
    BodyDescription d;
    d.solid = solid_of(name, PlacedBall<3>{Vec3d::all(0), radius});
    d.mass = density * 4 / 3 * std::numbers::pi * radius * radius * radius;
    d.inertia = Mat3d::identity() * (0.4 * d.mass * radius * radius);
    d.state.position = position;
    return d;
}

/// A tank, open at the top.
inline WallDescription tank(const Vec3d& min, const Vec3d& max) {
    PlacedBox<3> box{min, max};
    box.open[3] = true;
    WallDescription w{solid_of("tank", box), {}};
    solid(w).hollow = true;
    return w;
}

/// A solid block.
inline WallDescription block(const Vec3d& min, const Vec3d& max) {
    return {solid_of("block", PlacedBox<3>{min, max}), {}};
}

/// Only triangles, as of a file.
template <class Description>
Description as_mesh(Description d) {
    solid(d).shape = PlacedMesh(solid(d).surface());
    return d;
}

/// A wall as the scene describes it.
template <int D>
WallDescription wall_of(const Boundary& wall) {
    return {make_wall<D>(wall, 0.1), {}};
}

inline WallDescription floor_plane(const Vec3d& normal = {{0, 1, 0}}) {
    return {solid_of("floor", PlacedHalfSpace<3>{Vec3d::all(0), normal}), {}};
}

/// The same in the plane.
inline WallDescription floor_line() {
    return {solid_of("floor", PlacedHalfSpace<2>{Vec2d::all(0), {{0, 1}}}), {}};
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
