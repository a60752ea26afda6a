#include <gtest/gtest.h>

#include "rigid/free_turn.hpp"
#include "support/rigid.hpp"

// Bodies that touch nothing, in every engine.
namespace millrace {
namespace {

using namespace test;

class FreeBody : public testing::TestWithParam<std::string> {
  protected:
    std::unique_ptr<RigidEngine> engine(const RigidDescription& d) const {
        return make_rigid_engine(GetParam(), d);
    }
};

INSTANTIATE_TEST_SUITE_P(Engines, FreeBody, testing::ValuesIn(rigid_engines()),
                         [](const auto& info) { return info.param; });

TEST_P(FreeBody, FallsAsTheIntegratorSays) {
    RigidDescription d{{{0, -9.81, 0}}, {box_body("a", {{1, 2, 3}}, {{0, 10, 0}})}, {}, {}};
    d.bodies[0].state.velocity = {{1, 2, 3}};
    const auto e = engine(d);
    const Wrench push{{{30, 0, 0}}, Vec3d::all(0)};
    const double dt = 0.002, n = 500, t = n * dt;
    run(*e, t, dt, {push});
    const BodyState& s = e->states()[0];
    const double a = 30 / d.bodies[0].mass, sum = dt * dt * n * (n + 1) / 2;
    EXPECT_NEAR(s.velocity[0], 1 + a * t, 1e-9);
    EXPECT_NEAR(s.velocity[1], 2 - 9.81 * t, 1e-9);
    EXPECT_NEAR(s.position[0], t + a * sum, 1e-9);
    EXPECT_NEAR(s.position[1], 10 + 2 * t - 9.81 * sum, 1e-9);
    EXPECT_NEAR(s.position[2], 3 * t, 1e-9);
}

TEST_P(FreeBody, TorqueSpinsIt) {
    RigidDescription d{Vec3d::all(0), {box_body("a", {{1, 2, 3}}, Vec3d::all(0))}, {}, {}};
    const auto e = engine(d);
    const double torque = 50, dt = 0.002;
    run(*e, 1, dt, {Wrench{Vec3d::all(0), {{0, torque, 0}}}});
    EXPECT_NEAR(e->states()[0].angular_velocity[1], torque / d.bodies[0].inertia(1, 1), 1e-9);
}

/// An inertia that is not diagonal, as of a mesh in any pose.
BodyDescription skew_body(double size) {
    BodyDescription body =
        box_body("a", {{0.3 * size, 1.0 * size, 0.6 * size}}, {{size, 2 * size, 0}});
    const Quaterniond turn = Quaterniond::from_axis_angle({{1, 2, 3}}, 0.7);
    body.inertia = in_world_axes(body.inertia, turn);
    TriangleMesh surface = solid(body).surface();
    for (Vec3d& v : surface.vertices)
        v = rotate(turn, v);
    solid(body).shape = PlacedMesh(surface);
    return body;
}

TEST_P(FreeBody, SpinKeepsEnergyAndMomentum) {
    for (const double dt : {0.001, 0.005})
        for (const double spin : {3.0, 10.0}) {
            RigidDescription d{Vec3d::all(0), {skew_body(0.5)}, {}, {}};
            d.bodies[0].state.angular_velocity = Vec3d{{0.5, 0.7, -0.4}} * spin;
            const Mat3d& inertia = d.bodies[0].inertia;
            const auto e = engine(d);
            const auto momentum = [&] {
                const BodyState& s = e->states()[0];
                return in_world_axes(inertia, s.rotation) * s.angular_velocity;
            };
            const auto energy = [&] {
                return dot(e->states()[0].angular_velocity, momentum()) / 2;
            };
            const Vec3d l = momentum();
            const double energy_0 = energy();
            double off_energy = 0, off_momentum = 0;
            const std::vector<Wrench> no_push(1);
            for (double t = 0; t < 60; t += dt) {
                e->step(dt, no_push, {});
                off_energy = std::max(off_energy, std::abs(energy() / energy_0 - 1));
                off_momentum = std::max(off_momentum, norm(momentum() - l) / norm(l));
            }
            EXPECT_LT(off_energy, 1e-6) << dt << ' ' << spin;
            EXPECT_LT(off_momentum, 1e-6) << dt << ' ' << spin;
        }
}

/// A free turn is that of a far smaller step.
TEST_P(FreeBody, TurnConvergesToTheExactOne) {
    const auto end = [&](double dt) {
        RigidDescription d{Vec3d::all(0), {skew_body(0.5)}, {}, {}};
        d.bodies[0].state.angular_velocity = {{1, 2, -1}};
        const auto e = engine(d);
        run(*e, 2, dt);
        return to_matrix(e->states()[0].rotation);
    };
    const Mat3d exact = end(1e-5);
    const auto error = [&](double dt) {
        const Mat3d off = end(dt) - exact;
        double sum = 0;
        for (const auto& row : off.m)
            for (const double x : row)
                sum += x * x;
        return std::sqrt(sum);
    };
    const double coarse = error(0.004), fine = error(0.002);
    EXPECT_LT(coarse, 1e-4);
    EXPECT_NEAR(coarse / fine, 4, 0.2);  // of second order
}

/// About the axis of middle inertia a body turns over and over (Dzhanibekov).
TEST_P(FreeBody, FlipsAboutTheMiddleAxis) {
    RigidDescription d{Vec3d::all(0), {box_body("a", {{0.1, 0.6, 0.3}}, Vec3d::all(0))}, {}, {}};
    // I_x > I_z > I_y: z is the middle axis
    d.bodies[0].state.angular_velocity = {{0.02, 0, 5}};
    const auto e = engine(d);
    const std::vector<Wrench> no_push(1);
    int flips = 0;
    double side = 1;
    for (int i = 0; i < 20000; ++i) {
        e->step(0.002, no_push, {});
        const BodyState& s = e->states()[0];
        const double z = rotate(conjugate(s.rotation), s.angular_velocity)[2] / 5;
        if (z * side < -0.9)
            ++flips, side = -side;
    }
    EXPECT_GE(flips, 4);
    EXPECT_LE(flips, 40);
}

TEST_P(FreeBody, WeldToTheWorldHoldsIt) {
    RigidDescription d{{{0, -9.81, 0}}, {box_body("a", {{1, 2, 3}}, {{0, 10, 0}})}, {}, {}};
    d.joints.push_back({"", "weld", {"world", "a"}, {}, {}, {0, 0, 1}, {}, {}});
    const auto e = engine(d);
    run(*e, 1, 0.002, {Wrench{{{100, 0, 0}}, {{0, 50, 1}}}});
    EXPECT_LT(norm(e->states()[0].position - d.bodies[0].state.position), 1e-6);
    EXPECT_LT(norm(e->states()[0].rotation.v), 1e-6);
    for (const auto& row : e->responses()[0].r)
        for (const double x : row)
            EXPECT_NEAR(x, 0, 1e-12);
}

TEST_P(FreeBody, RestoreGoesBack) {
    RigidDescription d{{{0, -9.81, 0}}, {skew_body(1)}, {}, {}};
    d.bodies[0].state.angular_velocity = {{1, 2, 3}};
    const auto e = engine(d);
    run(*e, 0.1, 0.002);
    const std::vector<BodyState> then(e->states().begin(), e->states().end());
    run(*e, 0.1, 0.002);
    const BodyState first = e->states()[0];
    e->restore(then);
    run(*e, 0.1, 0.002);
    EXPECT_EQ(first.position, e->states()[0].position);
    EXPECT_EQ(first.rotation.v, e->states()[0].rotation.v);
    EXPECT_EQ(first.angular_velocity, e->states()[0].angular_velocity);
}

}  // namespace
}  // namespace millrace
