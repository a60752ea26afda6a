#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "support/rigid.hpp"

// Many bodies at once.
namespace millrace {
namespace {

using namespace test;

class Pile : public WithBullet {};

/// How deep a corner of one box is in another [m].
double overlap(const std::vector<BodyDescription>& bodies, std::span<const BodyState> states) {
    double deepest = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (const TriangleMesh surface = solid(bodies[i]).surface();
             const Vec3d& corner : surface.vertices) {
            const Vec3d x = states[i].position + rotate(states[i].rotation, corner);
            for (std::size_t j = 0; j < bodies.size(); ++j) {
                if (i == j)
                    continue;
                const Vec3d y = rotate(conjugate(states[j].rotation), x - states[j].position);
                double depth = 1;
                for (int k = 0; k < 3; ++k)
                    depth = std::min(depth, std::get<PlacedBox<3>>(solid(bodies[j]).shape).high[k] -
                                                std::abs(y[k]));
                deepest = std::max(deepest, depth);
            }
        }
    return deepest;
}

RigidDescription pile(int count) {
    RigidDescription d{k_down, {}, {tank({{-0.25, 0, -0.25}}, {{0.25, 1.5, 0.25}})}, {}};
    std::mt19937 random{1};
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < count; ++i) {
        const int layer = i / 16, k = i % 16;
        BodyDescription box =
            box_body(std::to_string(i), Vec3d{{0.06, 0.05, 0.04}},
                     {{(k % 4 - 1.5) * 0.11, 0.06 + layer * 0.09, (k / 4 - 1.5) * 0.11}});
        box.state.rotation = Quaterniond::from_axis_angle(
            {{uniform(random), uniform(random), uniform(random)}}, 3 * uniform(random));
        d.bodies.push_back(box);
    }
    return d;
}

TEST_F(Pile, APileStaysInItsTank) {
    const RigidDescription d = pile(200);
    const auto e = bullet(d);
    run(*e, 4, 0.002);
    double deepest = 0, fastest = 0, highest = 0;
    const std::vector<Vec3d> corners = solid(d.bodies[0]).surface().vertices;
    for (const BodyState& s : e->states()) {
        for (const Vec3d& corner : corners) {
            const Vec3d x = s.position + rotate(s.rotation, corner);
            ASSERT_TRUE(std::isfinite(x[0] + x[1] + x[2]));
            deepest = std::max({deepest, -x[1], std::abs(x[0]) - 0.25, std::abs(x[2]) - 0.25});
            highest = std::max(highest, x[1]);
        }
        fastest = std::max(fastest, norm(s.velocity));
    }
    const double into_each_other = overlap(d.bodies, e->states());
    EXPECT_LT(into_each_other, 0.002);
    EXPECT_LT(deepest, 0.001);
    EXPECT_LT(fastest, 0.5);
    EXPECT_LT(highest, 0.45);
    EXPECT_GT(highest, 200 * 0.06 * 0.05 * 0.04 / 0.25);
}

TEST_F(Pile, TheSameStartGivesTheSameBits) {
    const auto end = [] {
        const auto e = bullet(pile(60));
        run(*e, 0.5, 0.002);
        return std::vector(e->states().begin(), e->states().end());
    };
    const auto a = end(), b = end();
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(BodyState)), 0);
}

/// From the same states two engines go on alike, whatever they saw before.
TEST_F(Pile, RestoreForgetsContacts) {
    const auto a = bullet(pile(60)), b = bullet(pile(60));
    run(*a, 0.5, 0.002);
    const std::vector then(a->states().begin(), a->states().end());
    a->restore(then);
    b->restore(then);
    run(*a, 0.3, 0.002);
    run(*b, 0.3, 0.002);
    EXPECT_EQ(std::memcmp(a->states().data(), b->states().data(), 60 * sizeof(BodyState)), 0);
}

}  // namespace
}  // namespace millrace
