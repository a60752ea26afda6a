#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "rigid/contact_finder.hpp"
#include "support/rigid.hpp"

// Where bodies in space touch.
namespace millrace {
namespace {

using namespace test;

class SpaceContactFinder : public WithBullet {};

constexpr double k_reach = 0.1;
constexpr Vec3d k_up{{0, 1, 0}};

using Contacts = std::vector<BodyContact>;

std::vector<BodyState> states_of(const RigidDescription& d) {
    std::vector<BodyState> states;
    for (const BodyDescription& body : d.bodies)
        states.push_back(body.state);
    return states;
}

Contacts contacts(const RigidDescription& d, double reach = k_reach) {
    const auto finder = make_space_contact_finder(d, reach);
    const auto found = finder->find(states_of(d), {});
    return {found.begin(), found.end()};
}

Contacts contacts(std::vector<BodyDescription> bodies, std::vector<WallDescription> walls = {}) {
    return contacts(RigidDescription{k_down, std::move(bodies), std::move(walls), {}});
}

BodyDescription turned(BodyDescription d, const Vec3d& axis, double angle) {
    d.state.rotation = Quaterniond::from_axis_angle(axis, angle);
    return d;
}

BodyDescription box(const Vec3d& size, const Vec3d& at) {
    return box_body("box", size, at);
}

BodyDescription ball(double radius, const Vec3d& at) {
    return sphere_body("ball", radius, at);
}

BodyDescription long_body(bool is_capsule, double radius, double height, const Vec3d& at) {
    BodyDescription d = sphere_body("long", radius, at);
    const double half = is_capsule ? height / 2 - radius : height / 2;
    const Vec3d from{{0, -half, 0}}, to{{0, half, 0}};
    if (is_capsule)
        solid(d).shape = PlacedCapsule{from, to, radius};
    else
        solid(d).shape = PlacedCylinder{from, to, radius};
    return d;
}

/// Arms of width 1 along x and y, 3 long and 1 thick, about (1, 1, 0).
BodyDescription l_shape(const Vec3d& at) {
    BodyDescription d = box({{3, 3, 1}}, at);
    const std::vector<Vec2d> outline{{{0, 0}}, {{3, 0}}, {{3, 1}}, {{1, 1}}, {{1, 3}}, {{0, 3}}};
    const std::uint32_t n = 6;
    TriangleMesh surface;
    for (const double z : {-0.5, 0.5})
        for (const Vec2d& p : outline)
            surface.vertices.push_back({{p[0] - 1, p[1] - 1, z}});
    const std::uint32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    for (const auto& [a, b, c] : caps) {
        surface.triangles.push_back({a, c, b});
        surface.triangles.push_back({a + n, b + n, c + n});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t k = (i + 1) % n;
        surface.triangles.push_back({i, k, k + n});
        surface.triangles.push_back({i, k + n, i + n});
    }
    solid(d).shape = PlacedMesh(surface);
    return d;
}

void expect_near(const Vec3d& x, const Vec3d& y, double tolerance = 1e-3) {
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(x[k], y[k], tolerance);
}

/// All have this normal and this gap.
void expect_all(const Contacts& found, std::size_t count, const Vec3d& normal, double gap,
                double tolerance = 1e-3) {
    EXPECT_EQ(found.size(), count);
    for (const BodyContact& c : found) {
        expect_near(c.normal, normal, tolerance);
        EXPECT_NEAR(c.gap, gap, tolerance);
    }
}

/// How far the contacts spread along an axis.
double width(const Contacts& found, int axis) {
    double low = 1e300, high = -1e300;
    for (const BodyContact& c : found) {
        low = std::min(low, c.point[axis]);
        high = std::max(high, c.point[axis]);
    }
    return high - low;
}

TEST_F(SpaceContactFinder, BallsTouchAlongTheLineOfTheirCentres) {
    const Vec3d way{{0.48, 0.6, 0.64}};
    for (const double gap : {-0.3, 0.0, 0.05}) {
        const auto found = contacts({ball(1, Vec3d::all(0)), ball(0.5, way * (1.5 + gap))});
        expect_all(found, 1, -way, gap, 1e-9);
        expect_near(found[0].point, way * (1 + gap / 2), 1e-9);
    }
    EXPECT_TRUE(contacts({ball(1, Vec3d::all(0)), ball(0.5, way * 1.61)}).empty());
}

TEST_F(SpaceContactFinder, ABoxStandsOnFourCornersAtOnce) {
    for (const double size : {0.01, 1.0, 30.0})
        for (const double gap : {-0.05, 0.0, 0.05}) {
            const Vec3d at{{0.2 * size, (0.5 + gap) * size, 0}};
            const Vec3d low{{-5 * size, -size, -5 * size}}, high{{5 * size, 0, 5 * size}};
            const WallDescription slab = block(low, high);
            const WallDescription around =
                tank({{low[0], 0, low[2]}}, {{high[0], 6 * size, high[2]}});
            for (const bool is_hull : {false, true})
                for (const WallDescription& wall : {floor_plane(), slab, around, as_mesh(slab)}) {
                    BodyDescription body = box(Vec3d::all(size), at);
                    if (is_hull)
                        body = as_mesh(body);
                    const RigidDescription d{k_down, {body}, {wall}, {}};
                    const auto found = contacts(d, 0.1 * size);
                    ASSERT_EQ(found.size(), 4u)
                        << is_hull << ' ' << gap << ' ' << size << ' ' << solid(wall).name;
                    for (const BodyContact& c : found) {
                        EXPECT_EQ(c.b, -1);
                        EXPECT_NEAR(c.gap, gap * size, 1e-3 * size);
                        expect_near(c.normal, k_up);
                        EXPECT_NEAR(c.point[1], gap * size / 2, 1e-3 * size);
                    }
                    EXPECT_NEAR(width(found, 0), size, 0.02 * size);
                    EXPECT_NEAR(width(found, 2), size, 0.02 * size);
                }
        }
}

TEST_F(SpaceContactFinder, ABoxStandsOnABox) {
    for (const double gap : {-0.1, 0.0, 0.05})
        for (const double angle : {0.0, 0.3}) {
            const auto turn = [&](BodyDescription d) {
                d.state.rotation = Quaterniond::from_axis_angle({{1, 2, 3}}, angle);
                d.state.position = rotate(d.state.rotation, d.state.position);
                return d;
            };
            const BodyDescription below = turn(box({{2, 1, 2}}, {{0, 0, 0}}));
            const Vec3d up = rotate(below.state.rotation, k_up);
            for (const bool is_hull : {false, true}) {
                BodyDescription above = turn(box(Vec3d::all(1), {{0.7, 1 + gap, 0}}));
                if (is_hull)
                    above = as_mesh(above);
                expect_all(contacts({below, above}), 4, -up, gap);
                expect_all(contacts({above, below}), 4, up, gap);
            }
        }
}

TEST_F(SpaceContactFinder, EdgesAndCornersTouch) {
    const double half = std::numbers::sqrt2 / 2;
    const double quarter = std::numbers::pi / 4;
    for (const double gap : {-0.02, 0.03}) {
        // an edge on a face
        const auto edge =
            contacts({turned(box(Vec3d::all(1), {{0, 0.5 + half + gap, 0}}), {{0, 0, 1}}, quarter),
                      box({{4, 1, 4}}, Vec3d::all(0))});
        expect_all(edge, 2, k_up, gap, 4e-3);
        EXPECT_NEAR(width(edge, 2), 1, 0.02);
        // two edges that cross
        const auto cross =
            contacts({turned(box(Vec3d::all(1), {{0, 2 * half + gap, 0}}), {{0, 0, 1}}, quarter),
                      turned(box(Vec3d::all(1), Vec3d::all(0)), {{1, 0, 0}}, quarter)});
        expect_all(cross, 1, k_up, gap, 0.01);
        expect_near(cross[0].point, {{0, half + gap / 2, 0}}, 0.01);
    }
    const auto corner =
        contacts({box(Vec3d::all(1), Vec3d::all(0)), box(Vec3d::all(1), {{1.03, 1.04, 0.5}})});
    ASSERT_FALSE(corner.empty());
    for (const BodyContact& c : corner) {
        EXPECT_NEAR(c.gap, 0.05, 0.01);
        expect_near(c.normal, {{-0.6, -0.8, 0}}, 0.1);
    }
}

TEST_F(SpaceContactFinder, RoundBodiesLieOnFaces) {
    const WallDescription slab = block({{-5, -1, -5}}, {{5, 0, 5}});
    const Vec3d sideways{{0, 0, 1}};
    for (const double gap : {-0.03, 0.0, 0.05})
        for (const WallDescription& wall : {floor_plane(), slab}) {
            expect_all(contacts({ball(0.5, {{1, 0.5 + gap, 2}})}, {wall}), 1, k_up, gap);
            const auto lying = [&](bool is_capsule) {
                return contacts({turned(long_body(is_capsule, 0.2, 1, {{0, 0.2 + gap, 0}}),
                                        sideways, std::numbers::pi / 2)},
                                {wall});
            };
            expect_all(lying(false), 2, k_up, gap);
            expect_all(lying(true), 2, k_up, gap);
            EXPECT_NEAR(width(lying(false), 0), 1, 0.02);
            EXPECT_NEAR(width(lying(true), 0), 0.6, 0.02);
            const auto standing = contacts({long_body(false, 0.2, 1, {{0, 0.5 + gap, 0}})}, {wall});
            expect_all(standing, 4, k_up, gap);
            EXPECT_NEAR(width(standing, 0), 0.4, 0.02);
            expect_all(contacts({long_body(true, 0.2, 1, {{0, 0.5 + gap, 0}})}, {wall}), 1, k_up,
                       gap);
        }
}

TEST_F(SpaceContactFinder, DeepOverlapsPartAlongTheSmallestWay) {
    const auto flat =
        contacts({box({{4, 1, 4}}, Vec3d::all(0)), box({{4, 1, 4}}, {{0.5, 0.4, 0}})});
    ASSERT_FALSE(flat.empty());
    EXPECT_NEAR(flat[0].gap, -0.6, 1e-3);
    expect_near(flat[0].normal, -k_up);
    const auto within = contacts({ball(0.2, {{0, 0.4, 0.1}}), box({{4, 1, 4}}, Vec3d::all(0))});
    ASSERT_EQ(within.size(), 1u);
    EXPECT_NEAR(within[0].gap, -0.3, 1e-3);
    expect_near(within[0].normal, k_up);
}

TEST_F(SpaceContactFinder, TanksHaveClosedAndOpenFaces) {
    const WallDescription around = tank({{0, 0, 0}}, {{4, 2, 3}});
    const auto corner = contacts({box(Vec3d::all(1), {{0.49, 0.51, 1.5}})}, {around});
    ASSERT_EQ(corner.size(), 8u);
    for (const BodyContact& c : corner) {
        const bool is_floor = c.normal[1] > 0.5;
        expect_near(c.normal, is_floor ? k_up : Vec3d{{1, 0, 0}});
        EXPECT_NEAR(c.gap, is_floor ? 0.01 : -0.01, 1e-3);
    }
    EXPECT_TRUE(contacts({box(Vec3d::all(1), {{2, 1.6, 1.5}})}, {around}).empty());
}

TEST_F(SpaceContactFinder, AConcaveBodyStandsOnItsCornersAndHoldsABoxInItsNotch) {
    const auto standing = contacts({l_shape({{0, 1.02, 0}})}, {floor_plane()});
    expect_all(standing, 4, k_up, 0.02, 5e-3);
    EXPECT_NEAR(width(standing, 0), 3, 0.02);
    const auto held = contacts({box({{1, 1, 0.6}}, {{0.495, 0.495, 0}}), l_shape(Vec3d::all(0))});
    ASSERT_FALSE(held.empty());
    bool from_left = false, from_below = false;
    for (const BodyContact& c : held) {
        from_left |= c.normal[0] > 0.9;
        from_below |= c.normal[1] > 0.9;
        EXPECT_GT(c.normal[0] + c.normal[1], 0);
    }
    EXPECT_TRUE(from_left && from_below);
}

TEST_F(SpaceContactFinder, WallsMoveWithTheirFrames) {
    RigidDescription d{k_down, {box(Vec3d::all(1), Vec3d::all(0))}, {floor_plane()}, {}};
    solid(d.walls[0]).moves = true;
    const auto finder = make_space_contact_finder(d, k_reach);
    BodyState frame;
    EXPECT_EQ(finder->find(states_of(d), {&frame, 1}).size(), 4u);
    frame.position = {{0, -0.55, 0}};
    const auto found = finder->find(states_of(d), {&frame, 1});
    expect_all({found.begin(), found.end()}, 4, k_up, 0.05);
}

TEST_F(SpaceContactFinder, JoinedBodiesDoNotTouch) {
    RigidDescription d{k_down,
                       {box_body("a", Vec3d::all(1), {{0, 0.5, 0}}),
                        box_body("b", Vec3d::all(1), {{0.95, 0.5, 0}})},
                       {floor_plane()},
                       {}};
    EXPECT_EQ(contacts(d).size(), 12u);
    Joint joint;
    joint.type = "hinge";
    joint.bodies = {"world", "a"};
    d.joints = {joint};
    EXPECT_EQ(contacts(d).size(), 12u);
    d.joints[0].bodies = {"b", "a"};
    EXPECT_EQ(contacts(d).size(), 8u);
}

TEST_F(SpaceContactFinder, FeaturesStayAndNothingIsRemembered) {
    RigidDescription d{k_down,
                       {box(Vec3d::all(1), {{0, 0.5, 0}}), box(Vec3d::all(1), {{0.1, 1.5, 0.2}}),
                        as_mesh(box({{1, 2, 1}}, {{3, 1, 0}})), ball(0.3, {{3, 2.3, 0}})},
                       {floor_plane(), tank({{-2, 0, -3}}, {{6, 5, 3}})},
                       {}};
    const auto finder = make_space_contact_finder(d, k_reach);
    const auto keys = [](std::span<const BodyContact> found) {
        std::vector<std::tuple<int, int, std::uint32_t>> result;
        for (const BodyContact& c : found)
            result.emplace_back(c.a, c.b, c.feature);
        return result;
    };
    const auto start = finder->find(states_of(d), {});
    const Contacts first(start.begin(), start.end());
    const auto once = keys(first);
    EXPECT_EQ(once.size(), 4u * 5 + 1);
    EXPECT_TRUE(std::ranges::is_sorted(once));
    EXPECT_EQ(std::ranges::adjacent_find(once), once.end());
    std::mt19937 random(5);
    std::uniform_real_distribution<double> little(-1e-3, 1e-3);
    for (int step = 0; step < 20; ++step) {
        std::vector<BodyState> states = states_of(d);
        for (BodyState& state : states) {
            state.position += {{little(random), little(random), little(random)}};
            state.rotation = Quaterniond::from_axis_angle(
                {{little(random), little(random), little(random)}}, little(random));
        }
        EXPECT_EQ(keys(finder->find(states, {})), once);
    }
    const auto again = finder->find(states_of(d), {});
    ASSERT_EQ(again.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(again[i].gap, first[i].gap);
        EXPECT_TRUE(again[i].point == first[i].point && again[i].normal == first[i].normal);
        EXPECT_EQ(again[i].feature, first[i].feature);
    }
}

/// The axes of a box, each half an edge long.
std::vector<Vec3d> half_edges(const BodyDescription& d) {
    std::vector<Vec3d> edges;
    for (int k = 0; k < 3; ++k) {
        Vec3d edge = Vec3d::all(0);
        edge[k] = std::get<PlacedBox<3>>(solid(d).shape).high[k];
        edges.push_back(rotate(d.state.rotation, edge));
    }
    return edges;
}

/// The largest distance of two boxes along an axis that may part them.
double parted_by(const BodyDescription& a, const BodyDescription& b) {
    const std::vector<Vec3d> p = half_edges(a), q = half_edges(b);
    std::vector<Vec3d> axes = p;
    axes.insert(axes.end(), q.begin(), q.end());
    for (const Vec3d& u : p)
        for (const Vec3d& v : q)
            axes.push_back(cross(u, v));
    double most = -1e300;
    for (const Vec3d& axis : axes) {
        if (norm(axis) < 1e-6)
            continue;
        const Vec3d n = axis / norm(axis);
        double distance = std::abs(dot(n, a.state.position - b.state.position));
        for (int k = 0; k < 3; ++k)
            distance -= std::abs(dot(n, p[static_cast<std::size_t>(k)])) +
                        std::abs(dot(n, q[static_cast<std::size_t>(k)]));
        most = std::max(most, distance);
    }
    return most;
}

Vec3d nearest_in(const BodyDescription& d, const Vec3d& x) {
    Vec3d local = rotate(conjugate(d.state.rotation), x - d.state.position);
    for (int k = 0; k < 3; ++k)
        local[k] = std::clamp(local[k], -std::get<PlacedBox<3>>(solid(d).shape).high[k],
                              std::get<PlacedBox<3>>(solid(d).shape).high[k]);
    return d.state.position + rotate(d.state.rotation, local);
}

/// The distance, or how far they overlap as a negative number. Projecting onto one box and the
/// other in turn goes to the nearest places (Cheney and Goldstein 1959).
double gap_between(const BodyDescription& a, const BodyDescription& b) {
    const double parted = parted_by(a, b);
    if (parted <= 0 || parted > 2 * k_reach)
        return parted;
    Vec3d x = a.state.position;
    for (int i = 0; i < 1000; ++i)
        x = nearest_in(a, nearest_in(b, x));
    return norm(x - nearest_in(b, x));
}

TEST_F(SpaceContactFinder, RandomBoxesAgreeWithBruteForce) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(0, 4), size(0.2, 1.5), angle(-3, 3);
    std::vector<BodyDescription> bodies;
    for (int i = 0; i < 60; ++i) {
        const Vec3d axis{{angle(random), angle(random), angle(random)}};
        bodies.push_back(turned(box({{size(random), size(random), size(random)}},
                                    {{place(random), place(random), place(random)}}),
                                axis, i % 4 == 0 ? 0 : angle(random)));
    }
    const Contacts found = contacts(bodies);
    constexpr double k_rounded = 0.01;  // edges and corners are
    for (int a = 0; a < 60; ++a)
        for (int b = a + 1; b < 60; ++b) {
            const double expected = gap_between(bodies[static_cast<std::size_t>(a)],
                                                bodies[static_cast<std::size_t>(b)]);
            double least = 1e300;
            for (const BodyContact& c : found)
                if (c.a == a && c.b == b)
                    least = std::min(least, c.gap);
            if (expected < k_reach - k_rounded) {
                EXPECT_NEAR(least, expected, k_rounded) << a << ' ' << b;
            } else if (expected > k_reach) {
                EXPECT_EQ(least, 1e300) << a << ' ' << b << ' ' << expected;
            }
        }
}

}  // namespace
}  // namespace millrace
