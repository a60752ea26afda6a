#include <gtest/gtest.h>

#include "millrace/error.hpp"
#include "rigid/free_turn.hpp"
#include "rigid/joints.hpp"
#include "support/rigid.hpp"

namespace millrace {
namespace {

using namespace test;

constexpr double k_pi = std::numbers::pi;

class JointTest : public WithBullet {};

Joint joint(const std::string& type, const std::vector<std::string>& bodies, const Vector& anchor,
            const Vector& axis = {0, 0, 1}) {
    Joint j;
    j.type = type;
    j.bodies = bodies;
    j.anchor = anchor;
    j.axis = axis;
    return j;
}

double energy(const RigidDescription& d, const RigidEngine& e) {
    double sum = 0;
    for (std::size_t i = 0; i < d.bodies.size(); ++i) {
        const BodyState& s = e.states()[i];
        sum += d.bodies[i].mass * (squared_norm(s.velocity) / 2 - dot(d.gravity, s.position)) +
               dot(s.angular_velocity,
                   in_world_axes(d.bodies[i].inertia, s.rotation) * s.angular_velocity) /
                   2;
    }
    return sum;
}

/// A rod that hangs from the origin and is let go at an angle.
RigidDescription pendulum(double size, double angle) {
    RigidDescription d{k_down, {box_body("a", {{0.1 * size, size, 0.1 * size}}, {})}, {}, {}};
    d.bodies[0].state.rotation = Quaterniond::from_axis_angle({{0, 0, 1}}, angle);
    d.bodies[0].state.position = rotate(d.bodies[0].state.rotation, Vec3d{{0, -size / 2, 0}});
    d.joints = {joint("hinge", {"world", "a"}, {0, 0, 0})};
    return d;
}

/// T = 2 pi sqrt(I / (m g l)) (1 + a^2/16 + ...), I about the hinge.
TEST_F(JointTest, APendulumKeepsItsPeriodAndEnergy) {
    for (const double size : {0.05, 1.0, 20.0})
        for (const double dt : {0.001, 0.004}) {
            const double amplitude = 0.3;
            const RigidDescription d = pendulum(size, amplitude);
            const double m = d.bodies[0].mass, l = size / 2;
            const double inertia = d.bodies[0].inertia(2, 2) + m * l * l;
            const double period =
                2 * k_pi * std::sqrt(inertia / (m * 9.81 * l)) * (1 + amplitude * amplitude / 16);
            const auto e = bullet(d);
            const std::vector<Wrench> no_push(1);
            int crossings = 0;
            double first = 0, last = 0, widest = 0, before = amplitude;
            for (double t = 0; t < 10 * period; t += dt) {
                e->step(dt, no_push, {});
                const double x = e->states()[0].position[0];
                if (x < 0 && before >= 0) {
                    last = t;
                    if (crossings++ == 0)
                        first = t;
                }
                before = x;
                if (t > 9 * period)
                    widest = std::max(widest, std::asin(std::min(1.0, x / l)));
                EXPECT_NEAR(norm(e->states()[0].position), l, 1e-6 * l);
            }
            const double measured = (last - first) / (crossings - 1);
            EXPECT_NEAR(measured / period, 1, 0.01);
            EXPECT_NEAR(widest / amplitude, 1, 0.02);
        }
}

/// Far from its axis, skew to its principal axes, and fast.
TEST_F(JointTest, AnEccentricWheelSpinsOn) {
    for (const double dt : {0.001, 0.004}) {
        RigidDescription d{Vec3d::all(0), {box_body("a", {{0.3, 1, 0.5}}, {{0.7, 0, 0}})}, {}, {}};
        const Vec3d axis = Vec3d{{1, 2, 2}} / 3.0;
        d.joints = {joint("hinge", {"a", "world"}, {0, 0, 0}, {1, 2, 2})};
        d.bodies[0].state.angular_velocity = axis * 10.0;
        d.bodies[0].state.velocity =
            cross(d.bodies[0].state.angular_velocity, d.bodies[0].state.position);
        const auto e = bullet(d);
        run(*e, 10, dt);
        const double speed = dot(e->states()[0].angular_velocity, axis);
        EXPECT_NEAR(speed / 10, 1, 0.02);
        EXPECT_LT(norm(cross(e->states()[0].angular_velocity, axis)), 0.05);
    }
}

TEST_F(JointTest, ADoublePendulumKeepsItsEnergy) {
    RigidDescription d{
        k_down,
        {box_body("a", {{1, 0.1, 0.1}}, {{0.5, 0, 0}}),
         box_body("b", {{1, 0.1, 0.1}}, {{1.5, 0, 0}})},
        {},
        {joint("hinge", {"world", "a"}, {0, 0, 0}), joint("hinge", {"a", "b"}, {1, 0, 0})}};
    const auto e = bullet(d);
    const double start = energy(d, *e), span = d.bodies[0].mass * 9.81 * 4;
    double worst = 0, gap = 0;
    for (int i = 0; i < 50; ++i) {
        run(*e, 0.1, 0.001);
        worst = std::max(worst, std::abs(energy(d, *e) - start) / span);
        const BodyState &a = e->states()[0], &b = e->states()[1];
        gap = std::max(gap, norm(a.position + rotate(a.rotation, Vec3d{{0.5, 0, 0}}) - b.position -
                                 rotate(b.rotation, Vec3d{{-0.5, 0, 0}})));
    }
    EXPECT_LT(worst, 0.02);
    EXPECT_LT(gap, 1e-4);
}

/// Two bodies that tumble freely, joined or welded.
TEST_F(JointTest, ATumblingPairKeepsEnergyAndMomentum) {
    for (const std::string type : {"hinge", "weld", "distance"}) {
        RigidDescription d{Vec3d::all(0),
                           {box_body("a", {{0.3, 1, 0.5}}, {{0, 0, 0}}),
                            box_body("b", {{0.5, 0.3, 1}}, {{0.5, 0, 0}})},
                           {},
                           {joint(type, {"a", "b"}, {0.25, 0, 0}, {1, 2, 2})}};
        d.joints[0].anchor_b = {0.6, 0.1, 0};
        const Vec3d spin{{1.8, 2.1, -1.2}};
        for (BodyDescription& body : d.bodies) {
            body.state.angular_velocity = spin;
            body.state.velocity = cross(spin, body.state.position);
        }
        const auto e = bullet(d);
        const auto momentum = [&] {
            Vec3d sum = Vec3d::all(0);
            for (int i = 0; i < 2; ++i) {
                const BodyState& s = e->states()[i];
                sum += d.bodies[i].mass * cross(s.position, s.velocity) +
                       in_world_axes(d.bodies[i].inertia, s.rotation) * s.angular_velocity;
            }
            return sum;
        };
        const double start = energy(d, *e);
        const Vec3d l = momentum();
        run(*e, 20, 0.002);
        EXPECT_NEAR(energy(d, *e) / start, 1, 0.01) << type;
        EXPECT_LT(norm(momentum() - l) / norm(l), 0.01) << type;
    }
}

TEST_F(JointTest, AChainHangsTogether) {
    RigidDescription d{k_down, {}, {}, {}};
    for (int i = 0; i < 10; ++i) {
        d.bodies.push_back(
            box_body(std::to_string(i), {{0.1, 0.04, 0.04}}, {{0.05 + 0.1 * i, 0, 0}}));
        d.joints.push_back(joint("hinge", {i ? std::to_string(i - 1) : "world", std::to_string(i)},
                                 {0.1 * i, 0, 0}));
    }
    d.bodies.back().mass *= 10;  // a weight at its end
    d.bodies.back().inertia = d.bodies.back().inertia * 10.0;
    const auto e = bullet(d);
    double longest = 0;
    for (int i = 0; i < 30; ++i) {
        run(*e, 0.1, 0.002);
        longest = std::max(longest, norm(e->states()[9].position));
    }
    EXPECT_LT(longest, 0.955);
}

TEST_F(JointTest, ASliderKeepsToItsAxis) {
    RigidDescription d{k_down, {box_body("a", {{1, 0.3, 0.5}}, {{0, 1, 0}})}, {}, {}};
    d.joints = {joint("slider", {"a", "world"}, {0.3, 1, 0}, {1, -1, 0})};
    const auto e = bullet(d);
    run(*e, 1, 0.002, {Wrench{{{0, 0, 900}}, {{30, 40, 50}}}});
    const Vec3d way = e->states()[0].position - d.bodies[0].state.position;
    const double expected = 9.81 * std::sqrt(0.5) / 2;
    EXPECT_NEAR(way[0], expected * std::sqrt(0.5), 0.005 * expected);
    EXPECT_NEAR(way[0], -way[1], 1e-6);
    EXPECT_NEAR(way[2], 0, 1e-6);
    EXPECT_LT(norm(e->states()[0].rotation.v), 1e-6);
}

TEST_F(JointTest, ADistanceKeepsItsLength) {
    RigidDescription d{k_down, {sphere_body("a", 0.1, {{1, 0, 0}})}, {}, {}};
    d.joints = {joint("distance", {"a", "world"}, {0.9, 0, 0})};
    const auto e = bullet(d);
    const double start = energy(d, *e);
    double off = 0;
    for (int i = 0; i < 100; ++i) {
        run(*e, 0.05, 0.002);
        const BodyState& s = e->states()[0];
        off = std::max(
            off, std::abs(norm(s.position + rotate(s.rotation, Vec3d{{-0.1, 0, 0}})) / 0.9 - 1));
    }
    EXPECT_LT(off, 0.01);
    EXPECT_NEAR(energy(d, *e), start, 0.02 * d.bodies[0].mass * 9.81);
}

/// A rope: slack, then taut.
TEST_F(JointTest, ADistanceWithLimitsIsARope) {
    RigidDescription d{k_down, {sphere_body("a", 0.1, {{0, -0.5, 0}})}, {}, {}};
    d.joints = {joint("distance", {"world", "a"}, {0, 0, 0})};
    d.joints[0].anchor_b = {0, -0.5, 0};
    d.joints[0].limits = {0, 2};
    const auto e = bullet(d);
    run(*e, 0.2, 0.002);
    EXPECT_NEAR(e->states()[0].velocity[1], -9.81 * 0.2, 1e-6);
    EXPECT_GT(e->responses()[0].r[1][1], 0);
    run(*e, 2, 0.002);
    EXPECT_NEAR(e->states()[0].position[1], -2, 0.01);
    EXPECT_NEAR(e->states()[0].velocity[1], 0, 0.01);
    EXPECT_NEAR(e->responses()[0].r[1][1], 0, 1e-12);
}

TEST_F(JointTest, AWeldHoldsTwoBodies) {
    RigidDescription d{k_down,
                       {box_body("a", {{1, 0.2, 0.2}}, {{0.5, 2, 0}}),
                        box_body("b", {{1, 0.2, 0.2}}, {{1.5, 2, 0}})},
                       {floor_plane()},
                       {joint("weld", {"a", "b"}, {1, 2, 0})}};
    d.bodies[0].state.angular_velocity = {{0, 0, 2}};
    d.bodies[1].state.angular_velocity = {{0, 0, 2}};
    d.bodies[1].state.velocity = {{0, 2, 0}};
    const auto e = bullet(d);
    run(*e, 3, 0.002);
    const BodyState &a = e->states()[0], &b = e->states()[1];
    EXPECT_LT(norm(a.position + rotate(a.rotation, Vec3d{{1, 0, 0}}) - b.position), 0.002);
    EXPECT_LT(norm((conjugate(a.rotation) * b.rotation).v), 0.002);
    EXPECT_NEAR(a.position[1], 0.1, 0.005);
}

TEST_F(JointTest, LimitsStop) {
    RigidDescription d = pendulum(1, 0.5);
    d.joints[0].limits = {-40, 10};  // from where it starts
    const auto e = bullet(d);
    double lowest = 1;
    for (int i = 0; i < 200; ++i) {
        run(*e, 0.01, 0.002);
        lowest = std::min(lowest, std::asin(2 * e->states()[0].position[0]));
    }
    EXPECT_NEAR(lowest, 0.5 - 40 * k_pi / 180, 0.002);

    RigidDescription s{k_down, {box_body("a", Vec3d::all(1), {{0, 1, 0}})}, {}, {}};
    s.joints = {joint("slider", {"world", "a"}, {0, 0, 0}, {0, 1, 0})};
    s.joints[0].limits = {-0.3, 0.2};
    const auto f = bullet(s);
    run(*f, 1, 0.002);
    EXPECT_NEAR(f->states()[0].position[1], 0.7, 0.001);
    EXPECT_NEAR(f->states()[0].velocity[1], 0, 0.001);
    run(*f, 1, 0.002, {Wrench{{{0, 2 * 9.81 * s.bodies[0].mass, 0}}, Vec3d::all(0)}});
    EXPECT_NEAR(f->states()[0].position[1], 1.2, 0.001);
}

TEST_F(JointTest, AMotorReachesItsSpeedWithinItsStrength) {
    for (const bool world_first : {true, false}) {
        RigidDescription d{Vec3d::all(0), {box_body("a", {{1, 0.5, 0.5}}, {{0, 0, 0}})}, {}, {}};
        d.joints = {joint("hinge",
                          world_first ? std::vector<std::string>{"world", "a"}
                                      : std::vector<std::string>{"a", "world"},
                          {0, 0, 0}, {0, 0, 1})};
        const double torque = 20;
        d.joints[0].motor = Motor{3, torque, {}};
        const auto e = bullet(d);
        run(*e, 0.5, 0.002);
        EXPECT_NEAR(e->states()[0].angular_velocity[2], 0.5 * torque / d.bodies[0].inertia(2, 2),
                    1e-6);
        run(*e, 10, 0.002);
        EXPECT_NEAR(e->states()[0].angular_velocity[2], 3, 1e-6);
    }
    RigidDescription d{Vec3d::all(0), {box_body("a", Vec3d::all(1), {{0, 0, 0}})}, {}, {}};
    d.joints = {joint("slider", {"world", "a"}, {0, 0, 0}, {0, 1, 0})};
    d.joints[0].motor = Motor{-2, {}, 100.0};
    const auto e = bullet(d);
    run(*e, 1, 0.002);
    EXPECT_NEAR(e->states()[0].velocity[1], -100 / d.bodies[0].mass, 1e-6);
    run(*e, 20, 0.005);
    EXPECT_NEAR(e->states()[0].velocity[1], -2, 1e-6);
}

/// The second body turns against the first, and both against each other as their inertias say.
TEST_F(JointTest, AMotorBetweenBodiesConservesMomentum) {
    RigidDescription d{Vec3d::all(0),
                       {box_body("hull", {{2, 1, 1}}, {{0, 0, 0}}),
                        box_body("screw", {{0.1, 0.5, 0.2}}, {{1.2, 0, 0}})},
                       {},
                       {joint("hinge", {"hull", "screw"}, {1.2, 0, 0}, {1, 0, 0})}};
    d.joints[0].motor = Motor{10, 5.0, {}};
    const auto e = bullet(d);
    run(*e, 3, 0.002);
    const double hull = e->states()[0].angular_velocity[0],
                 screw = e->states()[1].angular_velocity[0];
    EXPECT_NEAR(screw - hull, 10, 1e-3);
    EXPECT_NEAR(d.bodies[0].inertia(0, 0) * hull + d.bodies[1].inertia(0, 0) * screw, 0, 1e-6);
}

/// (v' - v) / dt of a push is R times it, for every joint to the world.
TEST_F(JointTest, ResponsesAreWhatTheEngineDoes) {
    for (const std::string type : {"free", "hinge", "slider", "distance", "weld"}) {
        RigidDescription d{Vec3d::all(0), {box_body("a", {{1, 2, 3}}, {{0.5, -0.2, 0.3}})}, {}, {}};
        d.bodies[0].state.rotation = Quaterniond::from_axis_angle({{1, 1, 2}}, 0.8);
        if (type != "free")
            d.joints = {joint(type, {"a", "world"}, {1, 2, 0}, {1, 0, 2})};
        const double scale = d.bodies[0].mass;
        for (int k = 0; k < 6; ++k) {
            const auto e = bullet(d);
            const Response r = e->responses()[0];
            Wrench push;
            (k < 3 ? push.force[k] : push.torque[k - 3]) = scale;
            const double dt = 1e-4;
            e->step(dt, std::vector{push}, {});
            for (int i = 0; i < 3; ++i) {
                EXPECT_NEAR(e->states()[0].velocity[i] / dt, scale * r.r[i][k], 1e-4) << type;
                EXPECT_NEAR(e->states()[0].angular_velocity[i] / dt, scale * r.r[3 + i][k], 1e-4)
                    << type;
            }
        }
    }
}

/// A step that suddenly is far shorter must not kick.
TEST_F(JointTest, StepsMayChangeSuddenly) {
    const RigidDescription d = pendulum(1, 1);
    const auto e = bullet(d);
    const double start = energy(d, *e);
    for (int i = 0; i < 300; ++i) {
        run(*e, 0.005, 0.005);
        run(*e, 5e-6, 1e-6);
    }
    EXPECT_NEAR(energy(d, *e), start, 0.02 * d.bodies[0].mass * 9.81);
}

std::string error_of(const std::string& engine, const Joint& j) {
    RigidDescription d{
        k_down,
        {box_body("a", Vec3d::all(1), {}), box_body("b", Vec3d::all(1), {{3, 0, 0}})},
        {},
        {joint("weld", {"a", "world"}, {}), j}};
    try {
        make_rigid_engine(engine, d);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST(JointErrors, NameThePlaceAndTheRemedy) {
    EXPECT_EQ(error_of("own", joint("hinge", {"a", "world"}, {})),
              "joints[1]: the engine own knows only welds to the world; use bullet, in 2D box2d");
    EXPECT_EQ(error_of("own", joint("weld", {"a", "b"}, {})),
              "joints[1]: the engine own knows only welds to the world; use bullet, in 2D box2d");
    const std::string engine = rigid_engines().back();
    const auto starts = [&](const Joint& j, const std::string& text) {
        const std::string error = error_of(engine, j);
        EXPECT_EQ(error.substr(0, text.size()), text) << error;
    };
    starts(joint("hinge", {"a", "c"}, {}), "joints[1].bodies: there is no body \"c\"");
    starts(joint("hinge", {"world", "world"}, {}), "joints[1].bodies: \"world\" stands twice");
    starts(joint("hinge", {"a", "a"}, {}), "joints[1].bodies: the same body stands twice");
    starts(joint("hinge", {"a"}, {}), "joints[1].bodies: name two");
    starts(joint("glue", {"a", "b"}, {}), "joints[1].type: there is no joint \"glue\"");
    starts(joint("hinge", {"a", "b"}, {}, {0, 0, 0}), "joints[1].axis");
    starts(joint("distance", {"a", "b"}, {}), "joints[1].anchor_b");
    Joint limited = joint("slider", {"a", "b"}, {});
    limited.limits = {2, 1};
    starts(limited, "joints[1].limits");
    limited.type = "weld";
    starts(limited, "joints[1].limits");
    Joint driven = joint("weld", {"a", "b"}, {});
    driven.motor = Motor{};
    starts(driven, "joints[1].motor");
    EXPECT_THROW(make_rigid_engine("ode", {}), InputError);
    if (rigid_engines().size() < 2) {
        try {
            make_rigid_engine("bullet", {});
            FAIL();
        } catch (const InputError& e) {
            EXPECT_STREQ(e.what(), "rigid.engine: this build has no bullet; use own");
        }
    }
}

}  // namespace
}  // namespace millrace
