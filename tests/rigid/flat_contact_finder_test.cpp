#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "rigid/contact_finder.hpp"
#include "support/rigid.hpp"

// Where bodies of the plane touch.
namespace millrace {
namespace {

using namespace test;

constexpr double k_reach = 0.1;
using Contacts = std::vector<BodyContact>;

BodyDescription named(const std::string& name, double x, double y, double angle = 0) {
    BodyDescription d;
    Solid<2> solid;
    solid.name = name;
    d.solid = solid;
    d.state.position = {{x, y, 0}};
    d.state.rotation = Quaterniond::from_axis_angle({{0, 0, 1}}, angle);
    return d;
}

BodyDescription box(double width, double height, double x, double y, double angle = 0) {
    BodyDescription d = named("box", x, y, angle);
    const Vec2d half{{width / 2, height / 2}};
    solid<2>(d).shape = PlacedBox<2>{-half, half};
    return d;
}

BodyDescription circle(double radius, double x, double y) {
    BodyDescription d = named("circle", x, y);
    solid<2>(d).shape = PlacedBall<2>{Vec2d::all(0), radius};
    return d;
}

/// About the origin of its frame, unless a centre of mass is given.
BodyDescription polygon(const std::vector<Vector>& points, double x, double y, double angle = 0,
                        const Vec3d& center = Vec3d::all(0)) {
    BodyDescription d = named("polygon", x, y, angle);
    PlacedPolygon placed;
    for (const Vector& p : points)
        placed.corners.push_back({{p[0] - center[0], p[1] - center[1]}});
    solid<2>(d).shape = placed;
    d.center = center;
    d.state.position += rotate(d.state.rotation, center);
    return d;
}

/// Arms of width 1 along x and y, 3 long.
BodyDescription l_shape(double x, double y, double angle = 0) {
    return polygon({{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}}, x, y, angle,
                   {{1, 1, 0}});
}

WallDescription chain(std::vector<Vector> points) {
    Boundary wall;
    wall.shape = Chain{std::move(points)};
    return wall_of<2>(wall);
}

WallDescription flat_tank(std::vector<std::string> open, const Vector& scale = {1, 1, 1},
                          const Vector& position = {}) {
    Boundary wall;
    wall.shape = Box{{0, 0, 0}, {4, 2, 0}};
    wall.inside = true;
    wall.open = std::move(open);
    wall.scale = scale;
    wall.position = position;
    return wall_of<2>(wall);
}

std::vector<BodyState> states_of(const RigidDescription& d) {
    std::vector<BodyState> states;
    for (const BodyDescription& body : d.bodies)
        states.push_back(body.state);
    return states;
}

Contacts contacts(const RigidDescription& d, double reach = k_reach) {
    std::vector<BodyState> walls;
    for (const WallDescription& wall : d.walls)
        walls.push_back(wall.state);
    const auto finder = make_flat_contact_finder(d, reach);
    const auto found = finder->find(states_of(d), walls);
    return {found.begin(), found.end()};
}

Contacts contacts(std::vector<BodyDescription> bodies, std::vector<WallDescription> walls = {}) {
    return contacts(RigidDescription{k_down, std::move(bodies), std::move(walls), {}});
}

void expect_near(const Vec3d& x, const Vec3d& y, double tolerance = 1e-9) {
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(x[k], y[k], tolerance);
}

/// All have this normal and this gap.
void expect_all(const Contacts& found, std::size_t count, const Vec3d& normal, double gap,
                double tolerance = 1e-9) {
    EXPECT_EQ(found.size(), count);
    for (const BodyContact& c : found) {
        expect_near(c.normal, normal, tolerance);
        EXPECT_NEAR(c.gap, gap, tolerance);
    }
}

/// The same in a world that is turned and moved.
RigidDescription turned_world(RigidDescription d, double angle, const Vec3d& by) {
    const Quaterniond turn = Quaterniond::from_axis_angle({{0, 0, 1}}, angle);
    for (BodyDescription& body : d.bodies) {
        body.state.position = rotate(turn, body.state.position) + by;
        body.state.rotation = turn * body.state.rotation;
    }
    for (WallDescription& wall : d.walls) {
        wall.state.position = by;
        wall.state.rotation = turn;
    }
    return d;
}

TEST(FlatContactFinder, CirclesTouchAlongTheLineOfTheirCentres) {
    for (const double gap : {-0.3, 0.0, 0.05}) {
        const double distance = 1.5 + gap;
        const auto found = contacts({circle(1, 0, 0), circle(0.5, 0.6 * distance, 0.8 * distance)});
        expect_all(found, 1, {{-0.6, -0.8, 0}}, gap);
        expect_near(found[0].point, Vec3d{{0.6, 0.8, 0}} * (1 + gap / 2));
    }
    EXPECT_TRUE(contacts({circle(1, 0, 0), circle(0.5, 1.61, 0)}).empty());
    EXPECT_EQ(contacts({circle(1, 0, 0), circle(0.5, 0, 0)}).size(), 1u);
}

TEST(FlatContactFinder, CirclesTouchFacesAndCornersOfPolygons) {
    for (const double angle : {0.0, 0.4, 2.9}) {
        const Quaterniond turn = Quaterniond::from_axis_angle({{0, 0, 1}}, angle);
        for (const double gap : {-0.2, 0.07}) {
            const auto at = [&](double x, double y) {
                const Vec3d p = rotate(turn, Vec3d{{x, y, 0}});
                return contacts({box(2, 1, 0, 0, angle), circle(0.3, p[0], p[1])});
            };
            const auto face = at(0.4, 0.8 + gap);
            expect_all(face, 1, rotate(turn, Vec3d{{0, -1, 0}}), gap);
            expect_near(face[0].point, rotate(turn, Vec3d{{0.4, 0.5 + gap / 2, 0}}));
            const double d = 0.3 + gap;
            const auto corner = at(1 + 0.6 * d, 0.5 + 0.8 * d);
            expect_all(corner, 1, rotate(turn, Vec3d{{-0.6, -0.8, 0}}), gap);
        }
        const auto inside = contacts({box(2, 1, 0, 0), circle(0.3, 0.9, 0)});
        expect_all(inside, 1, {{-1, 0, 0}}, -0.4);
    }
    const auto first = contacts({circle(0.3, 0.4, 0.85), box(2, 1, 0, 0)});
    expect_all(first, 1, {{0, 1, 0}}, 0.05);
}

TEST(FlatContactFinder, BoxesTouchAtTwoPointsOfAFace) {
    for (const double angle : {0.0, 0.7, -2.0})
        for (const double gap : {-0.1, 0.0, 0.05}) {
            const RigidDescription d{k_down, {box(2, 1, 0, 0), box(1, 1, 0.9, 1 + gap)}, {}, {}};
            const Vec3d by{{3, -2, 0}};
            const auto found = contacts(turned_world(d, angle, by));
            const Quaterniond turn = Quaterniond::from_axis_angle({{0, 0, 1}}, angle);
            expect_all(found, 2, rotate(turn, Vec3d{{0, -1, 0}}), gap);
            std::vector<double> along;
            for (const BodyContact& c : found)
                along.push_back(rotate(conjugate(turn), c.point - by)[0]);
            std::ranges::sort(along);
            EXPECT_NEAR(along[0], 0.4, 1e-9);
            EXPECT_NEAR(along[1], 1, 1e-9);
        }
}

TEST(FlatContactFinder, CornersTouchFacesAndCorners) {
    const double half = std::numbers::sqrt2 / 2;
    const auto face =
        contacts({box(1, 1, 0, 0.5 + half + 0.03, std::numbers::pi / 4), box(4, 1, 0.2, 0)});
    expect_all(face, 1, {{0, 1, 0}}, 0.03);
    expect_near(face[0].point, {{0, 0.515, 0}});
    const auto corner = contacts({box(1, 1, 0, 0), box(1, 1, 1.03, 1.04)});
    expect_all(corner, 1, {{-0.6, -0.8, 0}}, 0.05);
    expect_near(corner[0].point, {{0.515, 0.52, 0}});
    EXPECT_TRUE(contacts({box(1, 1, 0, 0), box(1, 1, 1.09, 1.09)}).empty());
}

TEST(FlatContactFinder, DeepOverlapsPartAlongTheSmallestWay) {
    expect_all(contacts({box(4, 1, 0, 0), box(4, 1, 0.5, 0.3)}), 2, {{0, -1, 0}}, -0.7);
    expect_all(contacts({box(4, 1, 0, 0), box(4, 1, 3.8, 0.3)}), 2, {{-1, 0, 0}}, -0.2);
    expect_all(contacts({box(0.2, 0.2, 0.5, 0)}, {chain({{-1, 0.05, 0}, {2, 0.05, 0}})}), 2,
               {{0, -1, 0}}, -0.05);
}

TEST(FlatContactFinder, BodiesTouchHalfPlanes) {
    for (const double angle : {0.0, 1.1}) {
        const Quaterniond turn = Quaterniond::from_axis_angle({{0, 0, 1}}, angle);
        const Vec3d up = rotate(turn, Vec3d{{0, 1, 0}});
        RigidDescription d{k_down, {box(2, 1, 300, 0.52), circle(0.5, 5, 0.4)}, {floor_line()}, {}};
        const auto found = contacts(turned_world(d, angle, {{1, 2, 0}}));
        ASSERT_EQ(found.size(), 3u);
        for (const BodyContact& c : found) {
            expect_near(c.normal, up);
            EXPECT_EQ(c.b, -1);
            EXPECT_NEAR(c.gap, c.a == 0 ? 0.02 : -0.1, 1e-9);
        }
    }
}

TEST(FlatContactFinder, AConcaveBodyStandsOnItsOuterCorners) {
    const auto found = contacts({l_shape(0, 0.01)}, {floor_line()});
    expect_all(found, 2, {{0, 1, 0}}, 0.01);
    EXPECT_NEAR(std::abs(found[0].point[0] - found[1].point[0]), 3, 1e-9);
    // on its side: one arm up, the other along the floor
    const auto turned = contacts({l_shape(0, 3.01, -std::numbers::pi / 2)}, {floor_line()});
    expect_all(turned, 2, {{0, 1, 0}}, 0.01);
}

TEST(FlatContactFinder, ABoxInANotchTouchesBothArms) {
    for (const double angle : {0.0, 0.8, 2.5, -1.3}) {
        const RigidDescription d{k_down, {l_shape(0, 0), box(1, 1, 1.49, 1.51)}, {}, {}};
        const auto found = contacts(turned_world(d, angle, {{5, 1, 0}}));
        const Quaterniond back = Quaterniond::from_axis_angle({{0, 0, 1}}, -angle);
        int from_left = 0, from_below = 0;
        for (const BodyContact& c : found) {
            const Vec3d n = rotate(back, -c.normal);
            EXPECT_NEAR(std::max(n[0], n[1]), 1, 1e-9) << n[0] << ' ' << n[1];
            (n[0] > 0.5 ? from_left : from_below)++;
            EXPECT_NEAR(c.gap, n[0] > 0.5 ? -0.01 : 0.01, 1e-9);
        }
        EXPECT_EQ(from_left, 2);
        EXPECT_EQ(from_below, 2);
    }
    const auto ball = contacts({circle(0.5, 1.49, 1.51), l_shape(0, 0)});
    ASSERT_EQ(ball.size(), 2u);
    EXPECT_NEAR(ball[0].gap + ball[1].gap, 0, 1e-9);
    EXPECT_NEAR(dot(ball[0].normal, ball[1].normal), 0, 1e-9);
}

TEST(FlatContactFinder, NothingCatchesWhereThePiecesOfABodyMeet) {
    for (double x = -0.45; x < 3.4; x += 0.01) {  // along the long lower side of the L
        const auto found = contacts({box(1, 1, x, -0.499), l_shape(0, 0)});
        for (const BodyContact& c : found)
            EXPECT_NEAR(c.normal[1], -1, 1e-9) << x;
        EXPECT_EQ(found.size(), 2u) << x;
    }
}

TEST(FlatContactFinder, TanksHoldBodiesInside) {
    const auto corner = contacts({box(1, 1, 0.51, 0.49)}, {flat_tank({"+y"})});
    ASSERT_EQ(corner.size(), 4u);
    for (const BodyContact& c : corner) {
        const bool is_floor = c.normal[1] > 0.5;
        expect_near(c.normal, is_floor ? Vec3d{{0, 1, 0}} : Vec3d{{1, 0, 0}});
        EXPECT_NEAR(c.gap, is_floor ? -0.01 : 0.01, 1e-9);
    }
    const BodyDescription high = box(1, 1, 2, 1.6);
    EXPECT_TRUE(contacts({high}, {flat_tank({"+y"})}).empty());
    expect_all(contacts({high}, {flat_tank({})}), 2, {{0, -1, 0}}, -0.1);
    const WallDescription mirrored = flat_tank({"+y"}, {1, -1, 1}, {0, 2, 0});
    expect_all(contacts({high}, {mirrored}), 2, {{0, -1, 0}}, -0.1);
    EXPECT_TRUE(contacts({box(1, 1, 2, 0.4)}, {mirrored}).empty());
    // one that starts outside is not caught
    EXPECT_TRUE(contacts({box(1, 1, 2, -0.7)}, {flat_tank({"+y"})}).empty());
}

TEST(FlatContactFinder, RoundTanksHoldBodiesInside) {
    WallDescription w{solid_of("round", PlacedBall<2>{{{1, 1}}, 2}), {}};
    solid<2>(w).hollow = true;
    expect_all(contacts({circle(0.5, 1 + 0.6 * 1.45, 1 + 0.8 * 1.45)}, {w}), 1, {{-0.6, -0.8, 0}},
               0.05);
    const double y = 1 - std::sqrt(4 - 0.25);
    const auto found = contacts({box(1, 1, 1, y + 0.5)}, {w});
    ASSERT_EQ(found.size(), 2u);
    for (const BodyContact& c : found) {
        EXPECT_NEAR(c.gap, 0, 1e-9);
        expect_near(c.normal, (Vec3d{{1, 1, 0}} - c.point) / 2.0);
    }
    EXPECT_TRUE(contacts({circle(0.2, 1, 3.5)}, {w}).empty());
    solid<2>(w).hollow = false;
    expect_all(contacts({circle(0.2, 1, 3.25)}, {w}), 1, {{0, 1, 0}}, 0.05);
}

TEST(FlatContactFinder, ChainsHaveTwoSides) {
    const WallDescription line = chain({{-2, 0, 0}, {0, 0, 0}, {2, 0, 0}});
    for (const double side : {-1.0, 1.0}) {
        expect_all(contacts({box(1, 1, 1, 0.51 * side)}, {line}), 2, {{0, side, 0}}, 0.01);
        expect_all(contacts({box(1, 1, 1, 0.49 * side)}, {line}), 2, {{0, side, 0}}, -0.01);
        expect_all(contacts({circle(0.5, 0, 0.49 * side)}, {line}), 1, {{0, side, 0}}, -0.01);
        for (double x = -1.4; x < 1.4; x += 0.01) {  // no bump where the lines meet
            const auto found = contacts({box(1, 1, x, 0.499 * side)}, {line});
            EXPECT_GE(found.size(), 2u);
            for (const BodyContact& c : found)
                EXPECT_NEAR(c.normal[1], side, 1e-9) << x;
        }
    }
    expect_all(contacts({circle(0.5, 2.3, 0.44)}, {line}), 1,
               Vec3d{{0.3, 0.44, 0}} / std::hypot(0.3, 0.44), std::hypot(0.3, 0.44) - 0.5);
}

TEST(FlatContactFinder, FacesOfABoxWithoutAnInsideAreThin) {
    WallDescription w = flat_tank({"+y", "-x", "+x"});
    solid<2>(w).hollow = false;
    expect_all(contacts({box(1, 1, 2, 0.51)}, {w}), 2, {{0, 1, 0}}, 0.01);
    expect_all(contacts({box(1, 1, 2, -0.51)}, {w}), 2, {{0, -1, 0}}, 0.01);
}

TEST(FlatContactFinder, WallsMoveWithTheirFrames) {
    RigidDescription d{k_down, {box(1, 1, 0, 0)}, {floor_line()}, {}};
    solid<2>(d.walls[0]).moves = true;
    const auto finder = make_flat_contact_finder(d, k_reach);
    BodyState frame;
    EXPECT_EQ(finder->find(states_of(d), {&frame, 1}).size(), 2u);
    frame.position = {{0, -0.55, 0}};
    const auto found = finder->find(states_of(d), {&frame, 1});
    expect_all({found.begin(), found.end()}, 2, {{0, 1, 0}}, 0.05);
}

TEST(FlatContactFinder, JoinedBodiesDoNotTouch) {
    RigidDescription d{k_down, {box(1, 1, 0, 0), box(1, 1, 0.9, 0.2)}, {floor_line()}, {}};
    solid<2>(d.bodies[0]).name = "a";
    solid<2>(d.bodies[1]).name = "b";
    const auto touching = [&] {
        const Contacts found = contacts(d);
        return std::ranges::count_if(found, [](const BodyContact& c) { return c.b == 1; });
    };
    EXPECT_EQ(touching(), 2);
    Joint joint;
    joint.type = "hinge";
    joint.bodies = {"world", "a"};
    d.joints = {joint};
    EXPECT_EQ(touching(), 2);
    EXPECT_EQ(contacts(d).size(), 6u);
    d.joints[0].bodies = {"b", "a"};
    EXPECT_EQ(touching(), 0);
    EXPECT_EQ(contacts(d).size(), 4u);
}

TEST(FlatContactFinder, FeaturesStayFromStepToStep) {
    RigidDescription d{k_down,
                       {box(1, 1, 0, 0.5), box(1, 1, 0.1, 1.5), l_shape(2, 0), circle(0.3, 4, 1.3)},
                       {floor_line()},
                       {}};
    const auto finder = make_flat_contact_finder(d, k_reach);
    const auto keys = [&](std::span<const BodyContact> found) {
        std::vector<std::tuple<int, int, std::uint32_t>> result;
        for (const BodyContact& c : found)
            result.emplace_back(c.a, c.b, c.feature);
        return result;
    };
    const auto once = keys(finder->find(states_of(d), {}));
    EXPECT_EQ(once.size(), 7u);
    EXPECT_TRUE(std::ranges::is_sorted(once));
    EXPECT_EQ(std::ranges::adjacent_find(once), once.end());
    EXPECT_EQ(keys(finder->find(states_of(d), {})), once);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> little(-1e-3, 1e-3);
    for (int step = 0; step < 20; ++step) {
        std::vector<BodyState> states = states_of(d);
        for (BodyState& state : states) {
            state.position += {{little(random), little(random), 0}};
            state.rotation = Quaterniond::from_axis_angle({{0, 0, 1}}, little(random));
        }
        EXPECT_EQ(keys(finder->find(states, {})), once);
    }
}

double segment_distance(const Vec2d& x, const Vec2d& a, const Vec2d& b) {
    const double t = std::clamp(dot(x - a, b - a) / squared_norm(b - a), 0.0, 1.0);
    return norm(x - a - (b - a) * t);
}

std::vector<Vec2d> corners_of(const BodyDescription& d) {
    std::vector<Vec2d> corners;
    const Vec2d half = std::get<PlacedBox<2>>(solid<2>(d).shape).half();
    const double x = half[0], y = half[1];
    for (const Vec3d& p : {Vec3d{{-x, -y, 0}}, {{x, -y, 0}}, {{x, y, 0}}, {{-x, y, 0}}}) {
        const Vec3d at = d.state.position + rotate(d.state.rotation, p);
        corners.push_back({{at[0], at[1]}});
    }
    return corners;
}

/// Of the faces of p: by how much q is in front of the one that it is farthest in front of.
double most_in_front(const std::vector<Vec2d>& p, const std::vector<Vec2d>& q) {
    double most = -1e300;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec2d along = p[(i + 1) % p.size()] - p[i];
        const Vec2d out = normalized(Vec2d{{along[1], -along[0]}});
        double least = 1e300;
        for (const Vec2d& x : q)
            least = std::min(least, dot(out, x - p[i]));
        most = std::max(most, least);
    }
    return most;
}

/// The distance, or how far they overlap as a negative number.
double gap_between(const BodyDescription& a, const BodyDescription& b) {
    const std::vector<Vec2d> p = corners_of(a), q = corners_of(b);
    const double apart = std::max(most_in_front(p, q), most_in_front(q, p));
    if (apart <= 0)
        return apart;
    double least = 1e300;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            least = std::min({least, segment_distance(p[i], q[j], q[(j + 1) % 4]),
                              segment_distance(q[j], p[i], p[(i + 1) % 4])});
    return least;
}

TEST(FlatContactFinder, RandomBoxesAgreeWithBruteForce) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(0, 9), size(0.2, 1.5), angle(0, 7);
    std::vector<BodyDescription> bodies;
    for (int i = 0; i < 100; ++i)
        bodies.push_back(
            box(size(random), size(random), place(random), place(random), angle(random)));
    const Contacts found = contacts(bodies);
    for (int a = 0; a < 100; ++a)
        for (int b = a + 1; b < 100; ++b) {
            const double expected = gap_between(bodies[static_cast<std::size_t>(a)],
                                                bodies[static_cast<std::size_t>(b)]);
            double least = 1e300;
            int count = 0;
            for (const BodyContact& c : found)
                if (c.a == a && c.b == b) {
                    least = std::min(least, c.gap);
                    ++count;
                    EXPECT_NEAR(norm(c.normal), 1, 1e-12);
                }
            EXPECT_LE(count, 2);
            EXPECT_EQ(count > 0, expected <= k_reach) << a << ' ' << b << ' ' << expected;
            if (count > 0) {
                EXPECT_NEAR(least, expected, 1e-9) << a << ' ' << b;
            }
        }
}

bool cross_each_other(const Vec2d& a, const Vec2d& b, const Vec2d& p, const Vec2d& q) {
    return cross(b - a, p - a) * cross(b - a, q - a) < 0 &&
           cross(q - p, a - p) * cross(q - p, b - p) < 0;
}

/// The distance of a box from a line through points; below 0 where they cross.
double distance_from_line(const std::vector<Vec2d>& box, const std::vector<Vec2d>& line) {
    double least = 1e300;
    for (std::size_t i = 0; i < box.size(); ++i)
        for (std::size_t j = 0; j + 1 < line.size(); ++j) {
            const Vec2d &a = box[i], &b = box[(i + 1) % box.size()], &p = line[j], &q = line[j + 1];
            if (cross_each_other(a, b, p, q))
                return -1;
            least = std::min({least, segment_distance(a, p, q), segment_distance(p, a, b),
                              segment_distance(q, a, b)});
        }
    return least;
}

/// The least gap, where there is a contact.
double least_gap(const Contacts& found) {
    double least = 1e300;
    for (const BodyContact& c : found)
        least = std::min(least, c.gap);
    return least;
}

TEST(FlatContactFinder, NearConcaveShapesTheGapIsTheDistance) {
    const std::vector<Vec2d> l{{{0, 0}}, {{3, 0}}, {{3, 1}}, {{1, 1}},
                               {{1, 3}}, {{0, 3}}, {{0, 0}}};
    const std::vector<Vec2d> zigzag{{{0, 0}}, {{1, 0.8}}, {{2, 0}}, {{3, 0}}, {{3, 2}}, {{1, 2.2}}};
    const WallDescription thin =
        chain({{0, 0, 0}, {1, 0.8, 0}, {2, 0, 0}, {3, 0, 0}, {3, 2, 0}, {1, 2.2, 0}});
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-1, 4), size(0.1, 0.8), angle(0, 7);
    int near = 0;
    for (int i = 0; i < 5000; ++i) {
        const BodyDescription b =
            box(size(random), size(random), place(random), place(random), angle(random));
        const std::vector<Vec2d> corners = corners_of(b);
        const bool is_inside = b.state.position[0] > 0 && b.state.position[1] > 0 &&
                               std::min(b.state.position[0], b.state.position[1]) < 1 &&
                               std::max(b.state.position[0], b.state.position[1]) < 3;
        const double from_l = is_inside ? -1 : distance_from_line(corners, l);
        const double from_chain = distance_from_line(corners, zigzag);
        if (from_l > 0 && from_l < k_reach) {
            EXPECT_NEAR(least_gap(contacts({b, l_shape(0, 0)})), from_l, 1e-6) << i;
            ++near;
        }
        if (from_chain > 0 && from_chain < k_reach) {
            EXPECT_NEAR(least_gap(contacts({b}, {thin})), from_chain, 1e-6) << i;
            ++near;
        }
        if (from_l < 0) {
            EXPECT_LT(least_gap(contacts({b, l_shape(0, 0)})), 0) << i;
        }
        if (from_chain < 0) {
            EXPECT_LT(least_gap(contacts({b}, {thin})), 0) << i;
        }
    }
    EXPECT_GT(near, 300);
}

}  // namespace
}  // namespace millrace
