#include "pool/solids.hpp"

#include <gtest/gtest.h>

#include "pool/method.hpp"

namespace millrace {
namespace {

constexpr float k_spacing = 0.1f;

/// Solids, and what single points see of them.
struct SolidsBench {
    std::unique_ptr<PoolSolver> solver = make_pool_solver({}, k_spacing);
    Solids solids;
    Columns<2> columns;

    SolidsBench() { solids.configure(k_spacing, solver->walls().reach()); }
    void add(std::vector<Shape2> shapes, SolidKind kind = SolidKind::fixed) {
        SolidOptions options;
        options.shapes = std::move(shapes);
        options.kind = kind;
        options.state.inverse_mass = 1;
        solids.add(static_cast<SolidId>(solids.all().size()), options);
    }
    std::vector<SolidContact<2>> at(Vec2 x) {
        columns.sort({1}, {&x, 1}, solver->support());
        solids.start(0.01f);
        solids.find_contacts({1}, columns, solver->walls());
        return solids.contacts();
    }
    float density(Vec2 x) {
        float sum = 0;
        for (const SolidContact<2>& contact : at(x))
            sum += contact.density;
        return sum;
    }
    Vec2 gradient(Vec2 x) {
        Vec2 sum{0, 0};
        for (const SolidContact<2>& contact : at(x))
            sum = sum + contact.normal * contact.slope;
        return sum;
    }
    WallField::Value wall(float distance) const { return solver->walls().at(distance); }
};

TEST(SolidContacts, AFlatWallGivesItsField) {
    SolidsBench bench;
    bench.add({Shape2::box({-2, -1}, {2, 0})});
    for (float d = 0.005f; d < bench.solver->walls().reach(); d += 0.007f) {
        const std::vector<SolidContact<2>> contacts = bench.at({0.3f, d});
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_NEAR(contacts[0].distance, d, 1e-4f);
        EXPECT_NEAR(contacts[0].density, bench.wall(d).density, 0.01f);
        EXPECT_NEAR(contacts[0].normal[1], 1, 1e-4f);
    }
    EXPECT_TRUE(bench.at({0.3f, bench.solver->walls().reach() + 0.01f}).empty());
    EXPECT_TRUE(bench.at({30, 0.05f}).empty());
}

/// Both walls count in full, whether they are one solid or two, polygons or a chain.
TEST(SolidContacts, InARightCornerBothWallsCount) {
    const std::vector<std::vector<std::vector<Shape2>>> corners = {
        {{Shape2::box({0, -1}, {2, 0})}, {Shape2::box({-1, -1}, {0, 2})}},
        {{Shape2::box({0, -1}, {2, 0}), Shape2::box({-1, -1}, {0, 2})}},
        {{Shape2::polygon({{-1, -1}, {2, -1}, {2, 0}, {0, 0}, {0, 2}, {-1, 2}})}},
        {{Shape2::chain({{0, 2}, {0, 0}, {2, 0}})}}};
    for (std::size_t k = 0; k < corners.size(); ++k) {
        SolidsBench bench;
        for (const std::vector<Shape2>& shapes : corners[k])
            bench.add(shapes);
        for (const Vec2 x : {Vec2{0.05f, 0.05f}, Vec2{0.03f, 0.07f}, Vec2{0.1f, 0.02f}}) {
            const WallField::Value left = bench.wall(x[0]), floor = bench.wall(x[1]);
            EXPECT_NEAR(bench.density(x), left.density + floor.density, 0.02f) << "corner " << k;
            const Vec2 gradient = bench.gradient(x);
            EXPECT_NEAR(gradient[0], left.slope, 0.05f * std::abs(left.slope) + 0.1f);
            EXPECT_NEAR(gradient[1], floor.slope, 0.05f * std::abs(floor.slope) + 0.1f);
        }
    }
}

/// A floor of several boxes, or of one concave polygon that was cut, is almost one floor: nowhere
/// is the fluid above it denser by more than a few parts in a hundred, and never thinner.
TEST(SolidContacts, ASeamIsHardlySeen) {
    const std::vector<std::vector<std::vector<Shape2>>> floors = {
        {{Shape2::box({-2, -1}, {0, 0})}, {Shape2::box({0, -1}, {2, 0})}},
        {{Shape2::box({-2, -1}, {0, 0}), Shape2::box({0, -1}, {2, 0})}},
        {{Shape2::box({-2, -1}, {0.1f, 0})}, {Shape2::box({-0.1f, -1}, {2, 0})}},  // overlap
        {{Shape2::chain({{-2, 0}, {0, 0}, {2, 0}})}},
        {{Shape2::chain({{-2, 0}, {0, 0}})}, {Shape2::chain({{0, 0}, {2, 0}})}}};
    for (std::size_t k = 0; k < floors.size(); ++k) {
        SolidsBench bench;
        for (const std::vector<Shape2>& shapes : floors[k])
            bench.add(shapes);
        for (const float y : {0.03f, 0.05f, 0.08f})
            for (float x = -0.3f; x <= 0.3f; x += 0.02f) {
                const float more = bench.density({x, y}) - bench.wall(y).density;
                EXPECT_GT(more, -0.01f) << "floor " << k << ", x " << x << ", y " << y;
                EXPECT_LT(more, 0.045f) << "floor " << k << ", x " << x << ", y " << y;
            }
    }
}

/// Below a body both surfaces add less the narrower the gap is: a film takes the place of
/// particles. Between walls that stay where they are there is none.
TEST(SolidContacts, ANarrowGapBelowABodyAddsLess) {
    float last = 0;
    for (const float gap : {0.5f, 1.0f, 1.5f, 2.0f, 2.5f})
        for (const SolidKind kind : {SolidKind::dynamic, SolidKind::fixed}) {
            SolidsBench bench;
            const float height = gap * k_spacing;
            bench.add({Shape2::box({-2, -1}, {2, 0})});
            bench.add({Shape2::box({-2, height}, {2, height + 1})}, kind);
            const float part =
                bench.density({0, height / 2}) / (2 * bench.wall(height / 2).density);
            if (kind == SolidKind::fixed) {
                EXPECT_NEAR(part, 1, 0.03f);
                continue;
            }
            EXPECT_NEAR(part, room_in_gap(gap), 0.03f);
            EXPECT_GE(part, last);
            last = part;
            for (const SolidContact<2>& contact : bench.at({0, height / 2}))
                EXPECT_NEAR(contact.room, contact.solid == 1 ? room_in_gap(gap) : 1, 1e-3f);
        }
    EXPECT_EQ(room_in_gap(0.3f), 0);
    EXPECT_EQ(room_in_gap(k_loose), 1);
}

TEST(SolidContacts, ContactsMoveAndTurnWithTheSolid) {
    SolidsBench bench;
    bench.add({Shape2::box({-1, -0.5f}, {1, 0.5f})});
    SolidState state;
    state.position = {10, 20};
    state.angle = 0.5f * std::numbers::pi_v<float>;
    bench.solids.find(0)->set(state);
    const std::vector<SolidContact<2>> contacts = bench.at({9.45f, 20.3f});  // left of what stands
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].distance, 0.05f, 1e-3f);
    EXPECT_NEAR(contacts[0].normal[0], -1, 1e-3f);
    EXPECT_NEAR(bench.solids.distance({9.45f, 20.3f}), 0.05f, 1e-3f);
    EXPECT_TRUE(bench.at({0.3f, 0.55f}).empty());
}

}  // namespace
}  // namespace millrace
