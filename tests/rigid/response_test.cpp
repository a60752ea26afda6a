#include "rigid/response.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/rigid.hpp"

namespace millrace {
namespace {

using namespace test;

using Six = std::array<double, 6>;

Six times(const Response& r, const Six& f) {
    Six a{};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            a[i] += r.r[i][k] * f[k];
    return a;
}

double inner(const Six& a, const Six& b) {
    double sum = 0;
    for (int i = 0; i < 6; ++i)
        sum += a[i] * b[i];
    return sum;
}

Six of(const Vec3d& a, const Vec3d& b) {
    return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

Joint joint(const std::string& type, const Vector& anchor, const Vector& axis) {
    Joint j;
    j.type = type;
    j.bodies = {"a", "world"};
    j.anchor = anchor;
    j.anchor_b = {4, 5, 6};
    j.axis = axis;
    return j;
}

RigidDescription turned_box(const std::vector<Joint>& joints) {
    RigidDescription d{Vec3d::all(0), {box_body("a", {{1, 2, 3}}, {{0.5, -0.2, 0.3}})}, {}, joints};
    d.bodies[0].state.rotation = Quaterniond::from_axis_angle({{1, 1, 2}}, 0.8);
    return d;
}

Response response_of(const RigidDescription& d) {
    Responses responses(d, bind_joints(d));
    responses.update(std::vector{d.bodies[0].state});
    return responses.now()[0];
}

int rank(Response r) {
    int n = 0;
    for (int round = 0; round < 6; ++round) {
        int p = 0;
        for (int i = 1; i < 6; ++i)
            if (r.r[i][i] > r.r[p][p])
                p = i;
        const double pivot = r.r[p][p];
        if (pivot < 1e-12)
            break;
        ++n;
        Six column;
        for (int i = 0; i < 6; ++i)
            column[i] = r.r[i][p];
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < 6; ++k)
                r.r[i][k] -= column[i] * column[k] / pivot;
    }
    return n;
}

struct Case {
    std::vector<Joint> joints;
    int rank;
};

std::vector<Case> cases() {
    const Joint hinge = joint("hinge", {1, 2, 0}, {1, 0, 2});
    const Joint same_hinge = joint("hinge", {2, 2, 2}, {1, 0, 2});  // a point of the same axis
    const Joint slider = joint("slider", {1, 2, 0}, {0, 1, 1});
    const Joint distance = joint("distance", {1, 0, 0}, {0, 0, 1});
    return {{{}, 6},
            {{hinge}, 1},
            {{slider}, 1},
            {{joint("weld", {0, 0, 0}, {0, 0, 1})}, 0},
            {{distance}, 5},
            {{hinge, same_hinge}, 1},
            {{hinge, slider}, 0},
            {{distance, distance}, 5}};
}

TEST(Response, IsSymmetricAndOfTheRankThatIsLeft) {
    std::mt19937 random{3};
    std::normal_distribution<double> normal;
    for (const Case& c : cases()) {
        const Response r = response_of(turned_box(c.joints));
        EXPECT_EQ(rank(r), c.rank);
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < 6; ++k)
                EXPECT_NEAR(r.r[i][k], r.r[k][i], 1e-15);
        for (int i = 0; i < 100; ++i) {
            Six f;
            for (double& x : f)
                x = normal(random);
            EXPECT_GE(inner(f, times(r, f)), -1e-15);
        }
    }
}

TEST(Response, NothingGivesWayAgainstTheJoint) {
    for (const Case& c : cases()) {
        const RigidDescription d = turned_box(c.joints);
        const Response r = response_of(d);
        for (const BoundJoint& bound : bind_joints(d)) {
            const JointRows rows = joint_rows(bound, d.bodies[0].state, {});
            for (int i = 0; i < rows.count; ++i)
                for (const double x : times(r, of(rows.held[i].linear_a, rows.held[i].angular_a)))
                    EXPECT_NEAR(x, 0, 1e-14);
        }
    }
}

/// A hinge leaves s = (axis x (c - anchor), axis), and R = s s^T / (s^T M s).
TEST(Response, OfAHingeAndASlider) {
    for (const bool hinge : {true, false}) {
        const Vec3d anchor{{1, 2, 0}}, axis = Vec3d{{1, 0, 2}} / std::sqrt(5.0);
        const RigidDescription d =
            turned_box({joint(hinge ? "hinge" : "slider", {1, 2, 0}, {1, 0, 2})});
        const BodyDescription& body = d.bodies[0];
        const Vec3d zero = Vec3d::all(0);
        const Vec3d linear = hinge ? cross(axis, body.state.position - anchor) : axis;
        const Vec3d angular = hinge ? axis : zero;
        const double inertia =
            body.mass * squared_norm(linear) +
            dot(angular, in_world_axes(body.inertia, body.state.rotation) * angular);
        const Six s = of(linear, angular);
        const Response r = response_of(d);
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < 6; ++k)
                EXPECT_NEAR(r.r[i][k], s[i] * s[k] / inertia, 1e-15);
    }
}

/// The rows are the rates of their errors.
TEST(JointRows, AreDerivatives) {
    std::mt19937 random{5};
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vec3d{{uniform(random), uniform(random), uniform(random)}}; };
    for (const std::string type : {"hinge", "slider", "distance", "weld"}) {
        RigidDescription d = turned_box({joint(type, {1, 2, 0}, {1, 0, 2})});
        d.bodies.push_back(box_body("b", {{1, 1, 1}}, {{3, 2, 1}}));
        d.joints[0].bodies = {"a", "b"};
        const BoundJoint bound = bind_joints(d)[0];
        BodyState a = d.bodies[1].state, b = d.bodies[0].state;  // the second against the first
        // where the joint is held: both move as one; a slider and a hinge along their free way
        const auto moved = [](BodyState s, double dt) {
            s.position += dt * s.velocity;
            s.rotation = turned(s.rotation, dt * s.angular_velocity);
            return s;
        };
        a.velocity = vector(), b.velocity = vector();
        a.angular_velocity = vector(), b.angular_velocity = vector();
        const JointRows now = joint_rows(bound, a, b);
        const double dt = 1e-6;
        const JointRows before = joint_rows(bound, moved(a, -dt), moved(b, -dt));
        const JointRows after = joint_rows(bound, moved(a, dt), moved(b, dt));
        const auto rate = [&](const JointRow& row) {
            return dot(row.linear_a, a.velocity) + dot(row.angular_a, a.angular_velocity) +
                   dot(row.linear_b, b.velocity) + dot(row.angular_b, b.angular_velocity);
        };
        for (int i = 0; i < now.count; ++i) {
            if (type != "distance") {
                EXPECT_NEAR(now.held[i].error, 0, 1e-12);
            }
            EXPECT_NEAR((after.held[i].error - before.held[i].error) / (2 * dt), rate(now.held[i]),
                        1e-6)
                << type << ' ' << i;
        }
        if (type != "weld") {
            EXPECT_NEAR((after.free.error - before.free.error) / (2 * dt), rate(now.free), 1e-6);
        }
    }
}

}  // namespace
}  // namespace millrace
