#include <box2d/box2d.h>
#include <gtest/gtest.h>

#include "millrace/box2d.hpp"
#include "support/step_sequences.hpp"

// Bodies of Box2D and water, in steps of any length.
namespace millrace {
namespace {

using Kind = StepSequence::Kind;

constexpr double k_g = 9.81;

class AnyStepBodiesPhysics : public ::testing::TestWithParam<std::tuple<std::string, Kind>> {
  protected:
    void SetUp() override {
        b2BodyDef fixed;
        tank_ = world_.CreateBody(&fixed);
        add_wall({0, 8}, {0, 0});
        add_wall({0, 0}, {4, 0});
        add_wall({4, 0}, {4, 8});
        PoolOptions options;
        options.spacing = 0.1f;
        options.method.name = std::get<0>(GetParam());
        Result<Pool> pool = Pool::create(options);
        ASSERT_TRUE(pool) << pool.message();
        pool_.emplace(std::move(*pool));
        ASSERT_TRUE(pool_->add_fluid({}));
        coupling_.emplace(*pool_, world_, Box2dOptions{.skin = false});
    }
    b2Fixture* add_wall(b2Vec2 from, b2Vec2 to) {
        b2EdgeShape edge;
        edge.SetTwoSided(from, to);
        return tank_->CreateFixture(&edge, 0);
    }
    void add_box(b2Vec2 position, float density) {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position = position;
        def.position.x += 0.5f * pool_->options().spacing * seeded_offset(unsigned(boxes_.size()));
        b2PolygonShape shape;
        shape.SetAsBox(0.25f, 0.25f);
        boxes_.push_back(world_.CreateBody(&def));
        boxes_.back()->CreateFixture(&shape, density);
    }
    void settle(int frames) {
        for (int k = 0; k < frames; ++k)
            ASSERT_TRUE(coupling_->step(1.0f / 60));
    }
    double energy() const {
        const double mass = 1000 * double(pool_->options().spacing) * pool_->options().spacing;
        double sum = 0;
        for (std::size_t i = 0; i < pool_->size(); ++i) {
            const Point2 x = pool_->positions()[i], v = pool_->velocities()[i];
            sum += mass * (k_g * x.y + 0.5 * (double(v.x) * v.x + double(v.y) * v.y));
        }
        for (const b2Body* box : boxes_)
            sum += box->GetMass() * (k_g * box->GetPosition().y +
                                     0.5 * box->GetLinearVelocity().LengthSquared()) +
                   0.5 * box->GetInertia() * box->GetAngularVelocity() * box->GetAngularVelocity();
        return sum;
    }
    /// How far the energy rises above that of the start, over it.
    double largest_rise(double time) {
        const double start = energy();
        double most = -1;
        StepSequence(std::get<1>(GetParam()), 1e-6, 1.0 / 30).run(time, [&](double dt) {
            const Result<PoolReport> step = coupling_->step(static_cast<float>(dt));
            ASSERT_TRUE(step) << step.message();
            most = std::max(most, energy() / start - 1);
        });
        RecordProperty("rise", std::to_string(most));
        return most;
    }

    b2World world_{{0, -9.81f}};
    b2Body* tank_ = nullptr;
    std::optional<Pool> pool_;
    std::optional<Box2dCoupling> coupling_;
    std::vector<b2Body*> boxes_;
};

const auto k_kinds = ::testing::Values(Kind::random, Kind::alternating, Kind::geometric);
const auto k_name = [](const auto& info) {
    return std::get<0>(info.param) + "_" + name_of(std::get<1>(info.param));
};

// Not mueller, which throws boxes that are piled up in water about in even steps as well.
INSTANTIATE_TEST_SUITE_P(Methods, AnyStepBodiesPhysics,
                         ::testing::Combine(::testing::Values("spook", "iisph", "dfsph", "clavet"),
                                            k_kinds),
                         k_name);

class AnyStepPilePhysics : public AnyStepBodiesPhysics {};
INSTANTIATE_TEST_SUITE_P(Default, AnyStepPilePhysics,
                         ::testing::Combine(::testing::Values("spook"), k_kinds), k_name);

/// Two light boxes on each other and a heavy one, which a wave hits. What clavet holds as
/// compression, up to 4 % of the water's energy, is its own to give back; of the others 0.4 %
/// (pool/any_step_physics_test.cpp).
TEST_P(AnyStepBodiesPhysics, ADamBreakAmongBoxesGainsNoEnergy) {
    add_box({3, 0.26f}, 400);
    add_box({3, 0.78f}, 400);
    add_box({2.2f, 0.26f}, 2500);
    b2Fixture* gate = add_wall({1.3f, 0}, {1.3f, 8});
    ASSERT_TRUE(coupling_->see({0, 0}, {4, 2}));
    ASSERT_TRUE(pool_->fill(Shape2::box({0, 0}, {1.3f, 1.6f})));
    settle(180);
    tank_->DestroyFixture(gate);
    for (b2Body* box : boxes_)
        box->SetAwake(true);
    const std::size_t count = pool_->size();
    EXPECT_LT(largest_rise(1.5), std::get<0>(GetParam()) == "clavet" ? 0.04 : 0.004);
    EXPECT_EQ(pool_->size(), count);
    for (const b2Body* box : boxes_) {
        EXPECT_GT(box->GetPosition().y, 0.2f);
        EXPECT_GT(box->GetPosition().x, 0.2f);
        EXPECT_LT(box->GetPosition().x, 3.8f);
    }
}

/// Box2D starts a step from the impulses of the last one. Nothing is thrown off a pile by them;
/// what the boxes sink into each other Box2D lifts again: 2 cm, their skins.
TEST_P(AnyStepPilePhysics, APileOfBoxesStaysAPile) {
    for (int k = 0; k < 6; ++k) {
        add_box({2, 0.26f + 0.52f * static_cast<float>(k)}, 1000);
        boxes_.back()->SetTransform({2, boxes_.back()->GetPosition().y}, 0);
    }
    ASSERT_TRUE(coupling_->see({0, 0}, {4, 2}));
    ASSERT_TRUE(pool_->fill(Shape2::box({0, 0}, {4, 0.4f})));
    settle(60);
    largest_rise(3);
    for (std::size_t k = 0; k < boxes_.size(); ++k) {
        const float below = k > 0 ? boxes_[k - 1]->GetPosition().x : 2;
        EXPECT_NEAR(boxes_[k]->GetPosition().x, below, 0.1) << k;
        EXPECT_NEAR(boxes_[k]->GetPosition().y, 0.26 + 0.51 * double(k), 0.08) << k;
        EXPECT_LT(boxes_[k]->GetLinearVelocity().Length(), 0.5) << k;
    }
}

}  // namespace
}  // namespace millrace
