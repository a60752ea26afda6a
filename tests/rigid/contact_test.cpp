#include <gtest/gtest.h>

#include <random>

#include "rigid/free_turn.hpp"
#include "support/rigid.hpp"

// Bodies that meet walls and each other.
namespace millrace {
namespace {

using namespace test;

class Contact : public WithBullet {};

TEST_F(Contact, ASlidingBlockStopsWhereFrictionSays) {
    for (const double size : {0.02, 1.0})
        for (const double dt : {0.001, 0.004}) {
            const WallDescription box =
                block({{-9 * size, -size, -9 * size}}, {{12 * size, 0, 11 * size}});
            for (const WallDescription& wall : {floor_plane(), box, as_mesh(box)}) {
                RigidDescription d{
                    k_down, {box_body("a", Vec3d::all(size), {{0, size / 2, 0}})}, {wall}, {}};
                solid(d.bodies[0]).friction = 0.9;
                solid(d.walls[0]).friction = 0.1;  // sqrt(0.9 * 0.1) = 0.3
                const double v = std::sqrt(9.81 * size) * 2;
                d.bodies[0].state.velocity = {{v * 0.6, 0, v * 0.8}};
                const auto e = bullet(d);
                run(*e, 5 * v / 9.81, dt);
                const Vec3d& x = e->states()[0].position;
                const double way = std::hypot(x[0], x[2]), expected = v * v / (2 * 0.3 * 9.81);
                EXPECT_NEAR(way / expected, 1, 0.05) << size << ' ' << dt;
                EXPECT_NEAR(std::atan2(x[0], x[2]), std::atan(0.75), 0.06);
                EXPECT_LT(norm(e->states()[0].velocity), 1e-3 * v);
            }
        }
}

TEST_F(Contact, FrictionHoldsOnAnInclineUpToItsAngle) {
    const double mu = 0.5;
    for (const double heading : {0.0, 0.6})  // not along the axes too
        for (const double factor : {0.95, 1.2}) {
            const double slope = std::atan(mu) * factor;
            const Quaterniond turn = Quaterniond::from_axis_angle({{0, 1, 0}}, heading) *
                                     Quaterniond::from_axis_angle({{0, 0, 1}}, slope);
            RigidDescription d{k_down, {box_body("a", {{1, 0.2, 1}}, Vec3d::all(0))}, {}, {}};
            const Vec3d normal = rotate(turn, Vec3d{{0, 1, 0}});
            d.walls = {floor_plane(normal)};
            d.bodies[0].state.position = normal * 0.1;
            d.bodies[0].state.rotation = turn;
            solid(d.bodies[0]).friction = solid(d.walls[0]).friction = mu;
            const auto e = bullet(d);
            run(*e, 2, 0.002);
            const double way = norm(e->states()[0].position - d.bodies[0].state.position);
            // s = (sin - mu cos) g t^2 / 2
            const double free = (std::sin(slope) - mu * std::cos(slope)) * 9.81 * 2;
            if (factor < 1)
                EXPECT_LT(way, 0.005) << heading;
            else
                EXPECT_NEAR(way, free, 0.05 * free) << heading;
        }
}

/// a = g sin / (1 + I / (m r^2))
TEST_F(Contact, BallsAndCylindersRoll) {
    const double slope = 0.3, r = 0.1;
    const Vec3d normal{{std::sin(slope), std::cos(slope), 0}};
    for (const std::string shape : {"sphere", "cylinder", "capsule"})
        for (const double dt : {0.001, 0.004}) {
            RigidDescription d{
                k_down, {sphere_body("a", r, normal * r)}, {floor_plane(normal)}, {}};
            BodyDescription& a = d.bodies[0];
            if (shape != "sphere") {
                const double half = (shape == "cylinder" ? 2 : 1) * r;
                const Vec3d from{{0, -half, 0}}, to{{0, half, 0}};
                if (shape == "cylinder")
                    solid(a).shape = PlacedCylinder{from, to, r};
                else
                    solid(a).shape = PlacedCapsule{from, to, r};
                const double along = a.mass * r * r / 2, across = 2 * a.mass * r * r;
                a.inertia = diagonal(across, along, across);
                a.state.rotation = Quaterniond::from_axis_angle({{1, 0, 0}}, std::numbers::pi / 2);
            }
            const auto e = bullet(d);
            run(*e, 1, dt);
            const double expected =
                9.81 * std::sin(slope) / (1 + a.inertia(1, 1) / (a.mass * r * r));
            EXPECT_NEAR(norm(e->states()[0].velocity) / expected, 1, 0.02) << shape;
            EXPECT_NEAR(norm(e->states()[0].angular_velocity) * r / expected, 1, 0.02) << shape;
        }
}

TEST_F(Contact, BouncesKeepTheirPartOfTheSpeed) {
    for (const bool ball : {true, false})
        for (const double size : {0.02, 1.0})
            for (const double e : {0.5, 0.8})
                for (const double dt : {0.001, 0.002, 0.005}) {
                    const Vec3d at{{0, 0.5 * size + 0.37, 0}};
                    RigidDescription d{k_down,
                                       {ball ? sphere_body("a", size / 2, at)
                                             : box_body("a", Vec3d::all(size), at)},
                                       {tank({{-5, 0, -5}}, {{5, 10, 5}})},
                                       {}};
                    solid(d.bodies[0]).restitution = e;
                    const auto engine = bullet(d);
                    const std::vector<Wrench> no_push(1);
                    double before = 0, after = -1;
                    for (int i = 0; i < 2000 && after < 0; ++i) {
                        before = engine->states()[0].velocity[1];
                        engine->step(dt, no_push, {});
                        after = engine->states()[0].velocity[1];
                    }
                    EXPECT_NEAR(after / -before, e, 0.05 * e) << ball << ' ' << size << ' ' << dt;
                    EXPECT_GT(before, -1.02 * std::sqrt(2 * 9.81 * (0.37 + 5 * dt)));
                }
}

TEST_F(Contact, ABouncingBallComesToRest) {
    RigidDescription d{k_down, {sphere_body("a", 0.05, {{0, 0.5, 0}})}, {floor_plane()}, {}};
    solid(d.bodies[0]).restitution = 0.5;
    const auto e = bullet(d);
    run(*e, 4, 0.002);
    EXPECT_LT(norm(e->states()[0].velocity), 1e-3);
    EXPECT_NEAR(e->states()[0].position[1], 0.05, 0.0005);
}

TEST_F(Contact, ABoxRestsOnTheFloorAtAnySize) {
    for (const bool mesh_floor : {false, true})
        for (const double size : {0.02, 1.0, 20.0})
            for (const double dt : {0.0005, 0.003}) {
                RigidDescription d{
                    k_down, {box_body("a", Vec3d::all(size), {{0, 0.55 * size, 0}})}, {}, {}};
                const WallDescription wall =
                    tank({{-3 * size, 0, -3 * size}}, {{3 * size, 6 * size, 3 * size}});
                d.walls = {mesh_floor ? as_mesh(wall) : wall};
                const auto e = bullet(d);
                run(*e, 3 * std::sqrt(size), dt);
                EXPECT_NEAR(e->states()[0].position[1] / size, 0.5, 0.005) << size;
                EXPECT_LT(norm(e->states()[0].velocity), 0.005 * std::sqrt(size)) << size;
            }
}

TEST_F(Contact, ShapesRestAtTheirHeight) {
    for (const std::string shape : {"cylinder", "capsule", "hull"}) {
        RigidDescription d{k_down, {box_body("a", {{0.4, 0.6, 0.4}}, {{0, 0.32, 0}})}, {}, {}};
        if (shape == "cylinder")
            solid(d.bodies[0]).shape = PlacedCylinder{{{0, -0.3, 0}}, {{0, 0.3, 0}}, 0.2};
        else if (shape == "capsule")
            solid(d.bodies[0]).shape = PlacedCapsule{{{0, -0.1, 0}}, {{0, 0.1, 0}}, 0.2};
        else
            d.bodies[0] = as_mesh(d.bodies[0]);
        for (const WallDescription& wall : {floor_plane(), block({{-2, -1, -2}}, {{2, 0, 2}}),
                                            as_mesh(block({{-2, -1, -2}}, {{2, 0, 2}}))}) {
            d.walls = {wall};
            const auto e = bullet(d);
            run(*e, shape == "capsule" ? 0.3 : 2, 0.002);  // it stands, but not for ever
            EXPECT_NEAR(e->states()[0].position[1], 0.3, 0.003) << shape;
        }
    }
}

TEST_F(Contact, AStackStandsWithStepsOfAnyLength) {
    for (const bool jumps : {false, true}) {
        RigidDescription d{k_down, {}, {floor_plane()}, {}};
        const double size = 0.1;
        for (int i = 0; i < 10; ++i)
            d.bodies.push_back(
                box_body(std::to_string(i), Vec3d::all(size), {{0, (i + 0.5) * size, 0}}));
        const auto e = bullet(d);
        std::mt19937 random{7};
        std::uniform_real_distribution<double> length(0.0005, 0.003);
        const std::vector<Wrench> no_push(10);
        int n = 0;
        for (double t = 0; t < 5;) {
            const double dt = jumps ? (++n % 2 ? 0.005 : 1e-6) : length(random);
            e->step(dt, no_push, {});
            t += dt;
        }
        const Vec3d off = e->states()[9].position - d.bodies[9].state.position;
        EXPECT_LT(norm(off), 0.05 * size) << jumps;
    }
}

TEST_F(Contact, ACollisionConservesMomentum) {
    for (const bool spheres : {true, false}) {
        RigidDescription d{Vec3d::all(0), {}, {}, {}};
        const Vec3d left{{-1, 0.1, 0.05}}, right{{1, -0.1, 0}};
        d.bodies = spheres
                       ? std::vector{sphere_body("a", 0.4, left), sphere_body("b", 0.5, right, 900)}
                       : std::vector{box_body("a", {{0.5, 0.7, 0.9}}, left),
                                     box_body("b", {{0.9, 0.6, 0.5}}, right, 900)};
        d.bodies[0].state.velocity = {{3, 0, 0}};
        d.bodies[0].state.angular_velocity = {{1, 2, 3}};
        d.bodies[1].state.velocity = {{-1, 0.2, 0}};
        const auto e = bullet(d);
        const auto momenta = [&] {
            std::pair<Vec3d, Vec3d> sum{Vec3d::all(0), Vec3d::all(0)};
            for (int i = 0; i < 2; ++i) {
                const BodyState& s = e->states()[i];
                const Vec3d p = d.bodies[i].mass * s.velocity;
                sum.first += p;
                sum.second += cross(s.position, p) +
                              in_world_axes(d.bodies[i].inertia, s.rotation) * s.angular_velocity;
            }
            return sum;
        };
        const auto before = momenta();
        run(*e, 1.5, 0.002);
        const auto after = momenta();
        EXPECT_GT(norm(e->states()[0].velocity - d.bodies[0].state.velocity), 1);  // they met
        const double size = norm(before.first);
        EXPECT_LT(norm(after.first - before.first) / size, 1e-6);
        EXPECT_LT(norm(after.second - before.second) / norm(before.second), 0.01);
    }
}

/// A square cup, open at the top, around its centre of mass.
BodyDescription cup(const Vec3d& position) {
    const double wall = 0.05, half = 0.5;
    BodyDescription d = box_body("cup", Vec3d::all(2 * half), position, 300);
    // outer and inner box without lids, joined by a rim
    const TriangleMesh outer = box_surface(Vec3d::all(half));
    TriangleMesh inner =
        moved(box_surface({{half - wall, half - wall / 2, half - wall}}), {{0, wall / 2, 0}});
    TriangleMesh both = joined(outer, inner);
    std::vector<std::array<std::uint32_t, 3>> kept;
    for (std::size_t i = 0; i < both.triangles.size(); ++i) {
        auto t = both.triangles[i];
        const bool lid = (i % 12) / 2 == 3;  // the face at +y
        if (lid)
            continue;
        if (i >= 12)
            std::swap(t[1], t[2]);  // the inside looks inwards
        kept.push_back(t);
    }
    for (const auto& [a, b] : {std::pair{2u, 3u}, {3u, 7u}, {7u, 6u}, {6u, 2u}}) {
        kept.push_back({b, a, a + 8});
        kept.push_back({b, a + 8, b + 8});
    }
    both.triangles = kept;
    solid(d).shape = PlacedMesh(both);
    return d;
}

TEST_F(Contact, AConcaveBodyHoldsABallAndABox) {
    for (const WallDescription& wall : {floor_plane(), block({{-2, -1, -2}}, {{2, 0, 2}}),
                                        as_mesh(block({{-2, -1, -2}}, {{2, 0, 2}}))}) {
        RigidDescription d{k_down,
                           {cup({{0, 0.52, 0}}), sphere_body("ball", 0.15, {{0.2, 0.8, 0.05}}),
                            box_body("box", Vec3d::all(0.2), {{-0.2, 0.8, 0.05}})},
                           {wall},
                           {}};
        const auto e = bullet(d);
        run(*e, 3, 0.002);
        const BodyState &c = e->states()[0], &ball = e->states()[1], &box = e->states()[2];
        EXPECT_NEAR(c.position[1], 0.5, 0.01);
        EXPECT_NEAR(ball.position[1], 0.05 + 0.15, 0.01);
        EXPECT_NEAR(box.position[1], 0.05 + 0.1, 0.01);
        EXPECT_LT(norm(ball.velocity), 0.05);
        EXPECT_LT(norm(box.velocity), 0.05);
    }
}

/// A cup that falls on its side tumbles to rest and does not sink in.
TEST_F(Contact, AConcaveBodyComesToRest) {
    RigidDescription d{k_down, {cup({{0, 1.2, 0}})}, {tank({{-3, 0, -3}}, {{3, 4, 3}})}, {}};
    d.bodies[0].state.rotation = Quaterniond::from_axis_angle({{1, 0.3, 0.2}}, 1.2);
    const auto e = bullet(d);
    run(*e, 5, 0.002);
    const BodyState& s = e->states()[0];
    EXPECT_NEAR(s.position[1], 0.5, 0.015);
    EXPECT_LT(norm(s.velocity), 0.05);
}

TEST_F(Contact, AMovingWallPushesAndCarries) {
    // a floor at 0.5 m/s under one box, a wall that pushes another
    RigidDescription d{k_down,
                       {box_body("rides", Vec3d::all(0.2), {{0, 0.1, 2}}),
                        box_body("pushed", Vec3d::all(0.2), {{0.11, 0.1, 0}})},
                       {block({{-9, -1, 1}}, {{9, 0, 3}}), block({{-9, -1, -1}}, {{9, 0, 1}}),
                        block({{-1, 0.01, -0.5}}, {{0, 1, 0.5}})},
                       {}};
    solid(d.walls[0]).moves = solid(d.walls[2]).moves = true;
    const auto e = bullet(d);
    const std::vector<Wrench> no_push(2);
    std::vector<BodyState> frames(3);
    for (int i = 1; i <= 1000; ++i) {
        for (const int k : {0, 2}) {
            frames[k].velocity = {{0.5, 0, 0}};
            frames[k].position = {{0.5 * 0.002 * i, 0, 0}};
        }
        e->step(0.002, no_push, frames);
    }
    EXPECT_NEAR(e->states()[0].velocity[0], 0.5, 0.005);
    EXPECT_GT(e->states()[0].position[0], 0.9);
    EXPECT_NEAR(e->states()[1].velocity[0], 0.5, 0.005);
    EXPECT_NEAR(e->states()[1].position[0], 1 + 0.1, 0.002);
}

TEST_F(Contact, ATurntableCarries) {
    RigidDescription d{k_down, {box_body("a", Vec3d::all(0.1), {{0.5, 0.05, 0}})}, {}, {}};
    Solid<3> table = solid_of<3>("table", PlacedCylinder{{{0, -0.2, 0}}, {{0, 0, 0}}, 1});
    table.moves = true;
    d.walls = {{table, {}}};
    const auto e = bullet(d);
    std::vector<BodyState> frame(1);
    frame[0].angular_velocity = {{0, 1.0, 0}};
    const std::vector<Wrench> no_push(1);
    for (int i = 1; i <= 1000; ++i) {
        frame[0].rotation = Quaterniond::from_axis_angle({{0, 1, 0}}, 0.002 * i);
        e->step(0.002, no_push, frame);
    }
    const Vec3d x = e->states()[0].position;
    EXPECT_NEAR(std::atan2(-x[2], x[0]), 2.0, 0.05);
    EXPECT_NEAR(std::hypot(x[0], x[2]), 0.5, 0.02);
}

/// A drum of triangles that turns about z, and a tank that is shaken.
TEST_F(Contact, MovingTanksKeepTheirBodies) {
    TriangleMesh surface;
    const int n = 32;
    for (int i = 0; i < n; ++i) {
        const double a = 2 * std::numbers::pi * i / n;
        for (const double z : {-0.2, 0.2})
            surface.vertices.push_back({{0.5 * std::cos(a), 0.5 * std::sin(a), z}});
    }
    surface.vertices.push_back({{0, 0, -0.2}});
    surface.vertices.push_back({{0, 0, 0.2}});
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t p = 2 * i, q = 2 * ((i + 1) % n), end = 2 * n;
        surface.triangles.insert(
            surface.triangles.end(),
            {{p, p + 1, q}, {q, p + 1, q + 1}, {p, q, end}, {q + 1, p + 1, end + 1}});
    }
    WallDescription drum{solid_of<3>("drum", PlacedMesh(surface)), {}};
    solid(drum).hollow = true;
    for (const bool turns : {true, false}) {
        RigidDescription d{
            k_down, {}, {turns ? drum : tank({{-0.4, -0.4, -0.2}}, {{0.4, 0.6, 0.2}})}, {}};
        solid(d.walls[0]).moves = true;
        for (int i = 0; i < 30; ++i)
            d.bodies.push_back(
                box_body(std::to_string(i), {{0.06, 0.05, 0.07}},
                         {{(i % 5 - 2) * 0.1, (i / 15 - 1) * 0.1, (i / 5 % 3 - 1) * 0.1}}));
        const auto e = bullet(d);
        const std::vector<Wrench> no_push(30);
        std::vector<BodyState> frame(1);
        const double dt = 0.003, rate = 2 * std::numbers::pi;
        for (int i = 1; i <= 1000; ++i) {
            const double t = i * dt;
            if (turns) {
                frame[0].rotation = Quaterniond::from_axis_angle({{0, 0, 1}}, 3 * t);
                frame[0].angular_velocity = {{0, 0, 3}};
            } else {
                frame[0].position = {{0.1 * std::sin(rate * t), 0, 0}};
                frame[0].velocity = {{0.1 * rate * std::cos(rate * t), 0, 0}};
            }
            e->step(dt, no_push, frame);
        }
        double out = 0, lift = -1;
        for (const BodyState& s : e->states()) {
            const Vec3d x = s.position - frame[0].position;
            out = std::max({out,
                            turns ? std::hypot(x[0], x[1]) - 0.48
                                  : std::max(std::abs(x[0]) - 0.38, -0.38 - x[1]),
                            std::abs(x[2]) - 0.18});
            lift = std::max(lift, x[1]);
        }
        EXPECT_LE(out, 0.001) << turns;
        if (turns) {
            EXPECT_GT(lift, -0.3);  // the drum takes them along
        }
    }
}

/// The transforms of a wall are those of its triangles.
TEST_F(Contact, WallsAreScaledThenTurnedThenMoved) {
    Boundary given;
    given.shape = Box{{0, 0, 0}, {1, 1, 1}};
    given.scale = {2, 0.5, 1};
    given.rotation = {{0, 0, 1}, 90};
    given.position = {1, 0, 0};
    const WallDescription w = wall_of<3>(given);
    // x from 0.5 to 1, y from 0 to 2, z from 0 to 1
    RigidDescription d{k_down, {box_body("a", Vec3d::all(0.2), {{0.75, 2.15, 0.5}})}, {w}, {}};
    const auto e = bullet(d);
    run(*e, 1, 0.002);
    EXPECT_NEAR(e->states()[0].position[1], 2.1, 0.002);
}

TEST_F(Contact, NothingTunnels) {
    RigidDescription d{k_down, {}, {tank({{-1, 0, -1}}, {{1, 2, 1}})}, {}};
    for (int i = 0; i < 5; ++i) {
        d.bodies.push_back(box_body(std::to_string(i), Vec3d::all(0.02), {{0.1 * i, 1, 0}}));
        d.bodies.back().state.velocity = {{0, -60, 40.0 * i}};
    }
    const auto e = bullet(d);
    run(*e, 1, 0.005);
    for (const BodyState& s : e->states()) {
        EXPECT_GT(s.position[1], 0.009);
        EXPECT_LT(std::abs(s.position[2]), 0.992);
    }
}

}  // namespace
}  // namespace millrace
