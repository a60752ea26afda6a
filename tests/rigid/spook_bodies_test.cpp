#include "rigid/spook_bodies.hpp"

#include <gtest/gtest.h>

#include "rigid/spook_engine.hpp"
#include "support/rigid.hpp"

namespace millrace {
namespace {

using namespace test;

constexpr double k_dt = 1.0 / 120;

/// Bodies alone, stepped with 15 sweeps as beside a fluid.
void run(SpookBodies& bodies, double seconds, std::vector<BodyState> walls, double dt = k_dt) {
    for (int k = 0; k * dt < seconds - 1e-9; ++k) {
        bodies.start(dt, {}, walls);
        for (int s = 0; s < 15; ++s)
            bodies.sweep(Workers{1}, s % 2 == 0);
        bodies.finish(dt);
    }
}

BodyDescription described(const Body& body) {
    std::vector<std::string> warnings;
    const SolidBody<2> made = make_body<2>(body, 0.1, body.name, warnings);
    return {made.solid, made.center, made.mass, made.inertia, made.state};
}

BodyDescription flat_box(const std::string& name, double width, double height, const Vec3d& at,
                         double density = 500) {
    Body body;
    body.name = name;
    body.shape = BodyBox{{width, height, 0}};
    body.position = {at[0], at[1], 0};
    body.density = density;
    return described(body);
}

Joint joint(const std::string& type, const std::string& a, const std::string& b, Vector anchor) {
    Joint j;
    j.type = type;
    j.bodies = {a, b};
    j.anchor = anchor;
    return j;
}

std::string numbered(const char* word, int number) {
    std::string name(word);
    return name.append(std::to_string(number));
}

struct Scenery {
    int dimension;
    RigidDescription description;
    std::vector<BodyState> walls() const {
        return std::vector<BodyState>(description.walls.size());
    }
    SpookBodies bodies(double reach = 0.01) const {
        return SpookBodies(description, dimension, reach);
    }
};

BodyDescription box_in(int dimension, const std::string& name, const Vec3d& size, const Vec3d& at,
                       double density = 500) {
    return dimension == 2 ? flat_box(name, size[0], size[1], at, density)
                          : box_body(name, size, at, density);
}

class SpookBodiesIn : public ::testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        if (GetParam() == 3 && rigid_engines().size() < 2)
            GTEST_SKIP() << "this build has no Bullet";
    }
    Scenery on_a_floor() const {
        Scenery s{GetParam(), {}};
        s.description.gravity = k_down;
        s.description.walls = {GetParam() == 2 ? floor_line() : floor_plane()};
        return s;
    }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, SpookBodiesIn, ::testing::Values(2, 3),
                         [](const auto& info) { return std::to_string(info.param) + "D"; });

TEST_P(SpookBodiesIn, AStackOfTenBoxesStands) {
    Scenery s = on_a_floor();
    for (int k = 0; k < 10; ++k)
        s.description.bodies.push_back(
            box_in(GetParam(), numbered("b", k), Vec3d::all(0.2), {{0, 0.1 + 0.2 * k, 0}}));
    SpookBodies bodies = s.bodies();
    run(bodies, 10, s.walls());
    for (int k = 0; k < 10; ++k) {
        const BodyState& state = bodies.states()[static_cast<std::size_t>(k)];
        EXPECT_NEAR(state.position[0], 0, 0.002) << k;
        EXPECT_NEAR(state.position[1], 0.1 + 0.2 * k, 0.002) << k;
        EXPECT_LT(norm(state.velocity), 1e-3) << k;
        EXPECT_LT(norm(state.angular_velocity), 1e-2) << k;
    }
}

TEST_P(SpookBodiesIn, FrictionStopsASlide) {
    Scenery s = on_a_floor();
    s.description.bodies = {box_in(GetParam(), "a", {{0.4, 0.1, 0.4}}, {{0, 0.05, 0}})};
    std::visit([](auto& solid) { solid.friction = 0.9; }, s.description.bodies[0].solid);
    std::visit([](auto& solid) { solid.friction = 0.4; }, s.description.walls[0].solid);
    // sqrt(0.9 * 0.4) = 0.6
    const double v = 2;
    s.description.bodies[0].state.velocity = {{v, 0, 0}};
    SpookBodies bodies = s.bodies();
    run(bodies, 2, s.walls());
    EXPECT_NEAR(bodies.states()[0].position[0] / (v * v / (2 * 0.6 * 9.81)), 1, 0.05);
    EXPECT_LT(norm(bodies.states()[0].velocity), 1e-6);
}

TEST_P(SpookBodiesIn, ABallBouncesAsHighAsItsRestitutionSays) {
    Scenery s = on_a_floor();
    Body ball;
    ball.name = "ball";
    ball.position = {0, 1, 0};
    if (GetParam() == 2) {
        ball.shape = BodySphere{0.1};
        s.description.bodies = {described(ball)};
    } else {
        s.description.bodies = {sphere_body("ball", 0.1, {{0, 1, 0}})};
    }
    std::visit([](auto& solid) { solid.restitution = 0.7; }, s.description.bodies[0].solid);
    std::visit([](auto& solid) { solid.restitution = 0.2; }, s.description.walls[0].solid);
    SpookBodies bodies = s.bodies();
    double highest = 0, time = 0;
    bool fell = false;
    for (; time < 1.2; time += 0.002) {
        run(bodies, 0.002, s.walls(), 0.002);
        fell = fell || bodies.states()[0].velocity[1] > 0;
        if (fell)
            highest = std::max(highest, bodies.states()[0].position[1] - 0.1);
    }
    EXPECT_NEAR(highest, 0.9 * 0.7 * 0.7, 0.02);
}

/// A heavy body on a chain of light ones: 1000 to 1 across the joints.
TEST_P(SpookBodiesIn, AThousandToOneHangsTogether) {
    Scenery s{GetParam(), {}};
    s.description.gravity = k_down;
    const double link = 0.1;
    for (int k = 0; k < 5; ++k) {
        s.description.bodies.push_back(box_in(GetParam(), numbered("l", k), {{0.02, link, 0.02}},
                                              {{0, -link * (k + 0.5), 0}}));
        std::string before = "world";
        if (k > 0)
            before = numbered("l", k - 1);
        s.description.joints.push_back(joint("hinge", before, numbered("l", k), {0, -link * k, 0}));
    }
    s.description.bodies.push_back(
        box_in(GetParam(), "heavy", Vec3d::all(0.3), {{0, -5 * link - 0.15, 0}}));
    BodyDescription& heavy = s.description.bodies.back();
    const double more = 1000 * s.description.bodies[0].mass / heavy.mass;
    heavy.mass *= more;
    heavy.inertia = heavy.inertia * more;
    heavy.state.velocity = {{0.3, 0, 0}};
    s.description.joints.push_back(joint("hinge", "l4", "heavy", {0, -5 * link, 0}));
    SpookBodies bodies = s.bodies();
    double worst = 0, swing = 0;
    for (int k = 0; k < 600; ++k) {
        run(bodies, k_dt, {});
        worst = std::max(worst, bodies.joint_error(link));
        swing = std::max(swing, std::abs(bodies.states()[5].position[0]));
    }
    EXPECT_LT(worst, 0.01 * link);
    EXPECT_GT(swing, 0.05);
}

/// T = 2 pi sqrt((I + m d^2) / (m g d)), of a rod on a hinge.
TEST_P(SpookBodiesIn, APendulumHasItsPeriod) {
    Scenery s{GetParam(), {}};
    s.description.gravity = k_down;
    s.description.bodies = {box_in(GetParam(), "rod", {{0.05, 1, 0.05}}, {{0, -0.5, 0}})};
    s.description.joints = {joint("hinge", "rod", "world", {0, 0, 0})};
    const double angle = 0.1;
    s.description.bodies[0].state.angular_velocity = Vec3d::all(0);
    SpookBodies bodies = s.bodies();
    // let go at an angle
    BodyState state = s.description.bodies[0].state;
    state.rotation = Quaterniond::from_axis_angle({{0, 0, 1}}, angle);
    state.position = rotate(state.rotation, Vec3d{{0, -0.5, 0}});
    const BodyState states[1] = {state};
    bodies.restore(states);
    const BodyDescription& rod = s.description.bodies[0];
    const double inertia = rod.inertia(2, 2) + rod.mass * 0.25;
    const double period = 2 * std::numbers::pi * std::sqrt(inertia / (rod.mass * 9.81 * 0.5)) *
                          (1 + angle * angle / 16);
    double last = 0, time = 0, first = -1, crossings = 0;
    const double dt = 1.0 / 240;
    double before = bodies.states()[0].position[0];
    while (time < 10 * period) {
        run(bodies, dt, {}, dt);
        time += dt;
        const double now = bodies.states()[0].position[0];
        if (before > 0 && now <= 0) {
            const double at = time - dt * now / (now - before);
            if (first < 0)
                first = at;
            else
                ++crossings;
            last = at;
        }
        before = now;
    }
    ASSERT_GT(crossings, 7);
    EXPECT_NEAR((last - first) / crossings / period, 1, 0.003);
    EXPECT_LT(bodies.joint_error(1), 1e-3);
}

TEST_P(SpookBodiesIn, MotorsReachTheirSpeedWithinTheirStrength) {
    Scenery s{GetParam(), {}};
    s.description.gravity = Vec3d::all(0);
    s.description.bodies = {box_in(GetParam(), "wheel", {{1, 0.2, 0.2}}, {{0, 0, 0}})};
    s.description.joints = {joint("hinge", "wheel", "world", {0, 0, 0})};
    const double torque = 0.01 * s.description.bodies[0].inertia(2, 2);
    s.description.joints[0].motor = Motor{2, torque * 100, {}};
    SpookBodies bodies = s.bodies();
    run(bodies, 1, {});
    EXPECT_NEAR(bodies.states()[0].angular_velocity[2], 1, 0.02);  // alpha = 1 rad/s^2
    run(bodies, 2, {});
    EXPECT_NEAR(bodies.states()[0].angular_velocity[2], 2, 1e-6);
}

TEST_P(SpookBodiesIn, LimitsAreNotPassed) {
    Scenery s{GetParam(), {}};
    s.description.gravity = k_down;
    s.description.bodies = {box_in(GetParam(), "flap", {{1, 0.1, 0.1}}, {{0.5, 0, 0}})};
    s.description.joints = {joint("hinge", "flap", "world", {0, 0, 0})};
    s.description.joints[0].limits = {-30, 30};
    SpookBodies bodies = s.bodies();
    run(bodies, 3, {});
    const BodyState& state = bodies.states()[0];
    const double angle = 2 * std::atan2(state.rotation.v[2], state.rotation.s);
    EXPECT_NEAR(angle * 180 / std::numbers::pi, -30, 0.5);
    EXPECT_LT(norm(state.angular_velocity), 1e-3);
}

/// A body rests on the limit of its slider, wherever the anchor is.
TEST_P(SpookBodiesIn, ASlidersLimitHoldsFarFromItsAnchor) {
    Scenery s{GetParam(), {}};
    s.description.gravity = k_down;
    s.description.bodies = {box_in(GetParam(), "b", Vec3d::all(0.5), {{6, 3, 0}})};
    s.description.joints = {joint("slider", "b", "world", {0, 0, 0})};
    s.description.joints[0].axis = {0, 1, 0};
    s.description.joints[0].limits = {0, 1};
    SpookBodies bodies = s.bodies();
    run(bodies, 2, {});
    EXPECT_NEAR(bodies.states()[0].position[1], 3, 1e-3);
    EXPECT_LT(norm(bodies.states()[0].velocity), 1e-6);
}

/// Pieces that hang on each other by hinges that give way by 4 degrees: all at their limits.
TEST_P(SpookBodiesIn, LimitsHoldInAChain) {
    Scenery s{GetParam(), {}};
    s.description.gravity = k_down;
    for (int k = 0; k < 4; ++k) {
        const std::string name = numbered("p", k);
        std::string before = "world";
        if (k > 0)
            before = numbered("p", k - 1);
        s.description.bodies.push_back(
            box_in(GetParam(), name, {{1, 0.2, 0.2}}, {{k + 0.5, 0, 0}}));
        s.description.joints.push_back(joint("hinge", before, name, {double(k), 0, 0}));
        s.description.joints.back().limits = {-4, 4};
    }
    SpookBodies bodies = s.bodies();
    run(bodies, 3, {});
    for (int k = 0; k < 4; ++k) {
        const BodyState& state = bodies.states()[static_cast<std::size_t>(k)];
        const double angle = 2 * std::atan2(state.rotation.v[2], state.rotation.s);
        // one that starts at the world is bound the other way round, the sign is the same
        EXPECT_NEAR(angle * 180 / std::numbers::pi, -4 * (k + 1), 0.05) << k;
    }
    EXPECT_LT(bodies.joint_error(1), 1e-4);
}

/// Two bodies that meet in empty space, joined to two more: momentum and turn stay, energy falls.
TEST_P(SpookBodiesIn, MomentumStaysAndEnergyDoesNotGrow) {
    Scenery s{GetParam(), {}};
    s.description.gravity = Vec3d::all(0);
    s.description.bodies = {box_in(GetParam(), "a", {{0.4, 0.2, 0.3}}, {{-0.6, 0.05, 0}}, 700),
                            box_in(GetParam(), "b", {{0.3, 0.3, 0.3}}, {{0.6, 0, 0}}, 300),
                            box_in(GetParam(), "c", {{0.3, 0.1, 0.1}}, {{0.9, 0, 0}}, 900)};
    s.description.bodies[0].state.velocity = {{2, 0.1, 0}};
    s.description.bodies[1].state.angular_velocity = {{0, 0, 3}};
    s.description.joints = {joint("hinge", "b", "c", {0.75, 0, 0})};
    SpookBodies bodies = s.bodies();
    struct Sums {
        Vec3d linear = Vec3d::all(0), angular = Vec3d::all(0);
        double energy = 0;
    };
    const auto sums = [&] {
        Sums sums;
        for (std::size_t b = 0; b < 3; ++b) {
            const BodyDescription& d = s.description.bodies[b];
            const BodyState& state = bodies.states()[b];
            const Vec3d turn = in_world_axes(d.inertia, state.rotation) * state.angular_velocity;
            sums.linear += state.velocity * d.mass;
            sums.angular += cross(state.position, state.velocity * d.mass) + turn;
            sums.energy += 0.5 * d.mass * squared_norm(state.velocity) +
                           0.5 * dot(state.angular_velocity, turn);
        }
        return sums;
    };
    run(bodies, k_dt, {});
    const Sums first = sums();
    double most = 0;
    for (int k = 0; k < 300; ++k) {
        run(bodies, k_dt, {});
        most = std::max(most, sums().energy);
    }
    const Sums last = sums();
    EXPECT_LT(norm(last.linear - first.linear), 1e-5 * norm(first.linear));
    EXPECT_LT(norm(last.angular - first.angular), 1e-5 * norm(first.angular));
    EXPECT_LT(most, first.energy * (1 + 1e-3));
    EXPECT_LT(last.energy, 0.98 * first.energy);  // they did meet
}

TEST_P(SpookBodiesIn, ASavedStateGoesOnWithTheSameBits) {
    Scenery s = on_a_floor();
    for (int k = 0; k < 3; ++k)
        s.description.bodies.push_back(box_in(GetParam(), numbered("b", k), Vec3d::all(0.2),
                                              {{0.03 * k, 0.12 + 0.22 * k, 0}}));
    SpookBodies bodies = s.bodies(), other = s.bodies();
    run(bodies, 0.5, s.walls());
    ASSERT_TRUE(other.restore(bodies.save()));
    run(bodies, 0.5, s.walls());
    run(other, 0.5, s.walls());
    for (std::size_t b = 0; b < 3; ++b) {
        EXPECT_TRUE(bodies.states()[b].position == other.states()[b].position);
        EXPECT_TRUE(bodies.states()[b].velocity == other.states()[b].velocity);
    }
    EXPECT_FALSE(other.restore(std::vector<double>(5, 0.0)));
}

/// The same through the engine, as beside other fluids in 3D.
TEST(SpookEngine, ABoxComesToRest) {
    if (rigid_engines().size() < 2)
        GTEST_SKIP() << "this build has no Bullet";
    RigidDescription d{
        k_down, {box_body("a", Vec3d::all(0.2), {{0, 0.3, 0}})}, {floor_plane()}, {}};
    const auto engine = make_rigid_engine("spook", d);
    const std::vector<Wrench> none(1);
    for (int k = 0; k < 500; ++k)
        engine->step(0.004, none, {});
    EXPECT_NEAR(engine->states()[0].position[1], 0.1, 0.001);
    EXPECT_LT(norm(engine->states()[0].velocity), 1e-4);
}

}  // namespace
}  // namespace millrace
