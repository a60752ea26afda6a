#include "geometry/mass_properties.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/primitives.hpp"

namespace millrace {
namespace {

constexpr double k_pi = std::numbers::pi;

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
    EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
    EXPECT_NEAR(a.volume, b.volume, tolerance * b.volume);
    const double size = std::cbrt(b.volume);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(a.center[i], b.center[i], tolerance * size);
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(a.inertia(i, j), b.inertia(i, j), tolerance * trace(b.inertia)) << i << j;
    }
}

// Of tetrahedra from another apex, with the integral of f(x) of second order by the rule with four
// points of weight 1/4, (5 - sqrt 5)/20 of each corner and the rest of one: exact.
MassProperties by_quadrature(const TriangleMesh& mesh, double density, const Vec3d& apex) {
    const double near = (5 + 3 * std::sqrt(5.0)) / 20, far = (5 - std::sqrt(5.0)) / 20;
    double volume = 0;
    Vec3d moment = Vec3d::all(0);
    Mat3d second = Mat3d::zero();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d corners[4] = {apex, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)};
        const double v = dot(mesh.normal(t), corners[1] - apex) / 6;
        volume += v;
        for (int c = 0; c < 4; ++c) {
            Vec3d x = Vec3d::all(0);
            for (int k = 0; k < 4; ++k)
                x += corners[k] * (k == c ? near : far);
            moment += x * (v / 4);
            second += outer(x, x) * (v / 4);
        }
    }
    MassProperties body;
    body.volume = volume;
    body.mass = density * volume;
    body.center = moment / volume;
    const Mat3d central = (second - outer(moment, moment) * (1 / volume)) * density;
    body.inertia = Mat3d::identity() * trace(central) - central;
    return body;
}

MassProperties cuboid(const Vec3d& min, const Vec3d& max, double density) {
    const Vec3d s = max - min;
    MassProperties body;
    body.volume = s[0] * s[1] * s[2];
    body.mass = density * body.volume;
    body.center = (min + max) * 0.5;
    body.inertia = Mat3d::zero();
    for (int k = 0; k < 3; ++k)
        body.inertia(k, k) = body.mass / 12 * (squared_norm(s) - s[k] * s[k]);
    return body;
}

TEST(MassProperties, Cuboid) {
    const Vec3d min{{-1, 0.5, 2}}, max{{0.3, 4, 2.7}};
    expect_same(mass_properties(box_mesh(min, max), 700), cuboid(min, max, 700), 1e-12);
}

TEST(MassProperties, CornerTetrahedron) {
    // x, y, z >= 0, x + y + z <= 1: V = 1/6, M_x = 1/24, M_xx = 1/60, M_xy = 1/120
    TriangleMesh mesh;
    mesh.vertices = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const MassProperties body = mass_properties(mesh, 6);
    EXPECT_NEAR(body.mass, 1, 1e-12);
    const double xx = 6 * (1.0 / 60 - 1.0 / 6 / 16), xy = 6 * (1.0 / 120 - 1.0 / 6 / 16);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(body.center[i], 0.25, 1e-12);
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(body.inertia(i, j), i == j ? 2 * xx : -xy, 1e-12);
    }
}

TEST(MassProperties, PolyhedraByAnotherMethod) {
    const TriangleMesh meshes[] = {sphere_mesh({{1, 2, 3}}, 0.7, 0.2),
                                   torus_mesh({{-1, 0, 0}}, {{1, 2, 3}}, 1, 0.4, 0.1),
                                   capsule_mesh({{0, 0, 0}}, {{1, 1, 0}}, 0.3, 0.1)};
    for (const TriangleMesh& mesh : meshes)
        expect_same(mass_properties(mesh, 1.3), by_quadrature(mesh, 1.3, {{0.3, -0.8, 0.5}}), 1e-6);
}

TEST(MassProperties, ATorusConvergesToTheAnalyticOne) {
    const double major = 1, minor = 0.4, density = 10;
    const double mass = density * 2 * k_pi * k_pi * major * minor * minor;
    const double about_axis = mass * (major * major + 0.75 * minor * minor);
    const double across = mass * (major * major / 2 + 0.625 * minor * minor);
    double last = 1;
    for (const double edge : {0.2, 0.1, 0.05, 0.025}) {
        const MassProperties body =
            mass_properties(torus_mesh(Vec3d::all(0), {{0, 1, 0}}, major, minor, edge), density);
        const double error = std::max(
            {std::abs(body.mass / mass - 1), std::abs(body.inertia(1, 1) / about_axis - 1),
             std::abs(body.inertia(0, 0) / across - 1), std::abs(body.inertia(2, 2) / across - 1)});
        EXPECT_LT(error, 0.3 * last);  // second order
        last = error;
    }
    EXPECT_LT(last, 1e-3);
}

TEST(MassProperties, TurnWithTheBody) {
    const TriangleMesh mesh = torus_mesh({{0.2, 0, 0.1}}, {{1, 2, 3}}, 1, 0.4, 0.2);
    const MassProperties body = mass_properties(mesh, 500);
    const auto turn = Quaterniond::from_axis_angle({{3, -1, 2}}, 1.1);
    const Vec3d shift{{1e4, -2e4, 3e4}};  // far away: nothing may cancel
    const MassProperties moved =
        mass_properties(transformed(mesh, Vec3d::all(1), turn, shift), 500);
    MassProperties expected = body;
    expected.center = shift + rotate(turn, body.center);
    const Mat3d r = to_matrix(turn);
    expected.inertia = r * body.inertia * transpose(r);
    expect_same(moved, expected, 1e-9);
}

TEST(MassProperties, EitherWinding) {
    const TriangleMesh mesh = capsule_mesh({{5, 0, 0}}, {{6, 1, 0}}, 0.3, 0.1);
    expect_same(mass_properties(turned_over(mesh), 2), mass_properties(mesh, 2), 1e-12);
}

TEST(MassProperties, PartsAddUpByTheParallelAxisTheorem) {
    const Vec3d a{{0, 0, 0}}, b{{1, 2, 3}}, c{{4, -1, 0}}, d{{6, 1, 5}};
    TriangleMesh both = box_mesh(a, b);
    append(both, box_mesh(c, d));
    const MassProperties one = cuboid(a, b, 3), two = cuboid(c, d, 3);
    MassProperties sum;
    sum.mass = one.mass + two.mass;
    sum.volume = one.volume + two.volume;
    sum.center = (one.center * one.mass + two.center * two.mass) / sum.mass;
    sum.inertia = Mat3d::zero();
    for (const MassProperties& part : {one, two}) {
        const Vec3d r = part.center - sum.center;
        sum.inertia +=
            part.inertia + (Mat3d::identity() * squared_norm(r) - outer(r, r)) * part.mass;
    }
    expect_same(mass_properties(both, 3), sum, 1e-12);
}

}  // namespace
}  // namespace millrace
