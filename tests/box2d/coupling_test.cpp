#include <box2d/box2d.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "millrace/box2d.hpp"

namespace millrace {
namespace {

constexpr float k_dt = 1.0f / 60, k_spacing = 0.1f;

Pool make_pool(Point2 gravity = {0, -10}) {
    PoolOptions options;
    options.spacing = k_spacing;
    options.gravity = gravity;
    Result<Pool> pool = Pool::create(options);
    EXPECT_TRUE(pool) << pool.message();
    EXPECT_TRUE((*pool).add_fluid({}));
    return std::move(*pool);
}

class Box2dCouplingTest : public testing::Test {
  protected:
    b2Body& add_body(b2BodyType type, b2Vec2 position) {
        b2BodyDef def;
        def.type = type;
        def.position = position;
        return *world_.CreateBody(&def);
    }
    b2Body& add_box(b2BodyType type, b2Vec2 position, b2Vec2 half_size = {0.5f, 0.5f},
                    float density = 500) {
        b2Body& body = add_body(type, position);
        b2PolygonShape box;
        box.SetAsBox(half_size.x, half_size.y);
        body.CreateFixture(&box, density);
        return body;
    }
    void no_gravity() {
        world_.SetGravity({0, 0});
        pool_ = make_pool({0, 0});
    }
    // A block of 1 m by 1 m about a point.
    void add_water(Point2 center, Point2 velocity = {}) {
        FillOptions options;
        options.velocity = velocity;
        const Result<std::size_t> added = pool_.fill(
            Shape2::box({center.x - 0.5f, center.y - 0.5f}, {center.x + 0.5f, center.y + 0.5f}),
            options);
        ASSERT_TRUE(added) << added.message();
        ASSERT_GT(*added, 50u);
    }
    void run(
        int frames, const std::function<void()>& after_each = [] {}) {
        for (int k = 0; k < frames; ++k) {
            const Result<PoolReport> report = coupling_.step(k_dt);
            ASSERT_TRUE(report) << report.message();
            after_each();
        }
    }

    b2World world_{{0, -10}};
    Pool pool_ = make_pool();
    Box2dCoupling coupling_{pool_, world_};
};

TEST_F(Box2dCouplingTest, BodiesNearTheFluidAreInThePool) {
    add_water({0, 5});
    add_box(b2_staticBody, {0, 4});
    add_box(b2_dynamicBody, {1.2f, 5});
    add_box(b2_dynamicBody, {50, 5});
    add_body(b2_staticBody, {0, 5});  // without fixtures
    run(1);
    EXPECT_EQ(coupling_.size(), 2u);
}

TEST_F(Box2dCouplingTest, SensorsAndDisabledBodiesAreNot) {
    add_water({0, 5});
    add_box(b2_staticBody, {0, 4}).GetFixtureList()->SetSensor(true);
    b2Body& box = add_box(b2_staticBody, {0, 3.9f});
    run(1);
    EXPECT_EQ(coupling_.size(), 1u);
    box.SetEnabled(false);
    run(1);
    EXPECT_EQ(coupling_.size(), 0u);
    box.SetEnabled(true);
    run(1);
    EXPECT_EQ(coupling_.size(), 1u);
}

TEST_F(Box2dCouplingTest, FiltersDecideOnWhatIsSeen) {
    coupling_ = Box2dCoupling(pool_, world_, {.category = 2, .mask = 0xfffb});
    add_water({0, 5});
    b2Fixture& fixture = *add_box(b2_staticBody, {0, 4}).GetFixtureList();
    run(1);
    EXPECT_EQ(coupling_.size(), 1u);
    b2Filter filter;
    filter.categoryBits = 4;  // which is not in the fluid's mask
    fixture.SetFilterData(filter);
    run(1);
    EXPECT_EQ(coupling_.size(), 0u);
    filter = {};
    filter.maskBits = 0xfffd;  // without the fluid's category
    fixture.SetFilterData(filter);
    run(1);
    EXPECT_EQ(coupling_.size(), 0u);
}

TEST_F(Box2dCouplingTest, DestroyedBodyLeavesAndAnotherAtItsAddressIsNew) {
    add_water({0, 5});
    b2Body* first = &add_box(b2_staticBody, {0, 4});
    const Result<SolidId> old_solid = coupling_.solid(*first);
    ASSERT_TRUE(old_solid) << old_solid.message();
    run(1);
    world_.DestroyBody(first);
    b2Body* second = &add_box(b2_staticBody, {0, 4}, {0.5f, 0.25f});
    ASSERT_EQ(second, first);  // Box2D takes the memory again
    run(1);
    EXPECT_EQ(coupling_.size(), 1u);
    EXPECT_FALSE(pool_.push_on(*old_solid));
    const Result<SolidId> new_solid = coupling_.solid(*second);
    ASSERT_TRUE(new_solid);
    EXPECT_NE(*new_solid, *old_solid);
    world_.DestroyBody(second);
    run(1);
    EXPECT_EQ(coupling_.size(), 0u);
    EXPECT_FALSE(pool_.push_on(*new_solid));
}

TEST_F(Box2dCouplingTest, NewFixturesAreNoticed) {
    add_water({0, 5});
    b2Body& body = add_box(b2_staticBody, {0, 4});
    const Result<SolidId> before = coupling_.solid(body);
    ASSERT_TRUE(before);
    run(2);
    EXPECT_EQ(*coupling_.solid(body), *before);
    b2CircleShape circle;
    circle.m_radius = 0.3f;
    body.CreateFixture(&circle, 1);
    run(1);
    EXPECT_NE(*coupling_.solid(body), *before);
    EXPECT_EQ(coupling_.size(), 1u);
}

TEST_F(Box2dCouplingTest, BodiesThatLeaveStayForAWhile) {
    coupling_ = Box2dCoupling(pool_, world_, {.keep = 0.1f});
    no_gravity();
    add_water({0, 5});
    b2Body& body = add_box(b2_kinematicBody, {0, 3.5f});
    run(1);
    EXPECT_EQ(coupling_.size(), 1u);
    body.SetTransform({50, 5}, 0);
    run(3);
    EXPECT_EQ(coupling_.size(), 1u);
    run(6);
    EXPECT_EQ(coupling_.size(), 0u);
}

TEST_F(Box2dCouplingTest, FluidLiesOnWhatIsStatic) {
    add_water({0, 1.02f});
    b2Body& tank = add_body(b2_staticBody, {0, 0});
    b2ChainShape chain;
    const b2Vec2 points[]{{0.6f, 3}, {0.6f, 0.45f}, {-0.6f, 0.45f}, {-0.6f, 3}};
    chain.CreateChain(points, 4, {0.6f, 4}, {-0.6f, 4});
    tank.CreateFixture(&chain, 0);
    const std::size_t count = pool_.size();
    run(120);
    EXPECT_EQ(pool_.size(), count);
    EXPECT_GT(pool_.bounds().min.y, 0.45f);
    EXPECT_GT(pool_.bounds().min.x, -0.6f);
    EXPECT_LT(pool_.bounds().max.x, 0.6f);
    EXPECT_EQ(tank.GetPosition(), b2Vec2(0, 0));
    EXPECT_EQ(tank.GetLinearVelocity(), b2Vec2(0, 0));
}

TEST_F(Box2dCouplingTest, KinematicBodiesGoTheirWay) {
    no_gravity();
    add_water({0, 5});
    b2Body& body = add_box(b2_kinematicBody, {-1.2f, 5});
    body.SetLinearVelocity({1, 0});
    run(60);
    EXPECT_EQ(body.GetLinearVelocity(), b2Vec2(1, 0));
    EXPECT_EQ(body.GetAngularVelocity(), 0);
    double momentum = 0;
    for (const Point2& v : pool_.velocities())
        momentum += v.x;
    EXPECT_GT(momentum, 0.2 * static_cast<double>(pool_.size()));
}

TEST_F(Box2dCouplingTest, MomentumIsConserved) {
    no_gravity();
    add_water({0, 5}, {2, 0});
    b2Body& body = add_box(b2_dynamicBody, {1.5f, 5.2f}, {0.3f, 0.5f});
    const double mass = 1000 * k_spacing * k_spacing;
    const auto momentum = [&] {
        b2Vec2 sum = body.GetMass() * body.GetLinearVelocity();
        for (const Point2& v : pool_.velocities())
            sum += b2Vec2(static_cast<float>(mass) * v.x, static_cast<float>(mass) * v.y);
        return sum;
    };
    const b2Vec2 before = momentum();
    run(60, [&] { EXPECT_LT((momentum() - before).Length(), 1e-3f * before.Length()); });
    EXPECT_GT(body.GetLinearVelocity().x, 0.3f);
}

TEST_F(Box2dCouplingTest, SleepingBodyWakesWhenWaterHits) {
    add_box(b2_staticBody, {0, 0}, {30, 0.5f});
    b2Body& body = add_box(b2_dynamicBody, {0, 1.01f}, {0.5f, 0.5f}, 100);
    b2Body& far = add_box(b2_dynamicBody, {25, 1.01f});
    for (int k = 0; k < 120; ++k)
        world_.Step(k_dt, 8, 3);
    ASSERT_FALSE(body.IsAwake());
    add_water({0.4f, 3});
    run(5);
    EXPECT_FALSE(body.IsAwake());  // the water is still on its way
    bool woke = false, far_is_hit = false;
    run(60, [&] {
        woke = woke || body.IsAwake();
        // water runs along the floor, and reaches the other box too in the end
        far_is_hit = far_is_hit || pool_.bounds().max.x > 3.5f - 3 * k_spacing;
        EXPECT_TRUE(far_is_hit || !far.IsAwake()) << pool_.bounds().max.x;
    });
    EXPECT_TRUE(woke);
}

TEST_F(Box2dCouplingTest, FixedRotationIsPushedButNotTurned) {
    no_gravity();
    add_water({0, 5}, {2, 0});
    b2Body& body = add_box(b2_dynamicBody, {1.2f, 5.6f});
    body.SetFixedRotation(true);
    b2Body& turning = add_box(b2_dynamicBody, {1.2f, 4.2f});
    run(60);
    EXPECT_GT(body.GetLinearVelocity().x, 0.05f);
    EXPECT_EQ(body.GetAngularVelocity(), 0);
    EXPECT_NE(turning.GetAngularVelocity(), 0);
}

TEST_F(Box2dCouplingTest, EmittersRideOnBodies) {
    no_gravity();
    b2Body& body = add_box(b2_kinematicBody, {20, 5});
    body.SetLinearVelocity({0, 3});
    const Result<SolidId> solid = coupling_.solid(body);
    ASSERT_TRUE(solid) << solid.message();
    EmitterOptions emitter;
    emitter.position = {0.7f, 0};
    emitter.width = 0.4f;
    emitter.speed = 2;
    emitter.solid = *solid;
    ASSERT_TRUE(pool_.add_emitter(emitter));
    run(60);
    ASSERT_GT(pool_.size(), 10u);
    EXPECT_GT(pool_.bounds().min.x, 20.5f);
    EXPECT_GT(pool_.bounds().max.y, 7);
    EXPECT_EQ(*coupling_.solid(body), *solid);
}

TEST_F(Box2dCouplingTest, ForgottenBodiesAreReadAnew) {
    add_water({0, 5});
    b2Body& body = add_box(b2_staticBody, {0, 4});
    const Result<SolidId> before = coupling_.solid(body);
    ASSERT_TRUE(before);
    ASSERT_TRUE(coupling_.forget());
    EXPECT_EQ(coupling_.size(), 0u);
    EXPECT_FALSE(pool_.push_on(*before));
    run(1);
    EXPECT_EQ(coupling_.size(), 1u);
}

TEST_F(Box2dCouplingTest, RoomIsLeftForBodiesThatWereSeen) {
    add_box(b2_dynamicBody, {0, 5});
    ASSERT_TRUE(coupling_.see({-1, 4}, {1, 6}));
    EXPECT_EQ(coupling_.size(), 1u);
    ASSERT_TRUE(pool_.fill(Shape2::box({-1, 4}, {1, 6})));
    EXPECT_GT(pool_.size(), 200u);
    for (const Point2& x : pool_.positions())
        EXPECT_FALSE(std::abs(x.x) < 0.5f && std::abs(x.y - 5) < 0.5f);
}

TEST_F(Box2dCouplingTest, MistakesAreErrors) {
    add_water({0, 5});
    b2Body& body = add_box(b2_dynamicBody, {0, 4});
    for (float dt : {0.0f, -1.0f, NAN, INFINITY})
        EXPECT_FALSE(coupling_.step(dt));
    EXPECT_FALSE(coupling_.step(k_dt, -1));
    EXPECT_FALSE(coupling_.push_bodies());
    EXPECT_FALSE(coupling_.see({1, 1}, {0, 0}));
    ASSERT_TRUE(coupling_.read_bodies(k_dt));
    EXPECT_FALSE(coupling_.push_bodies());  // without a step of the pool
    EXPECT_EQ(body.GetLinearVelocity(), b2Vec2(0, 0));
    b2World other({0, 0});
    const b2BodyDef def;
    EXPECT_FALSE(coupling_.solid(*other.CreateBody(&def)));
    EXPECT_FALSE(coupling_.solid(add_body(b2_staticBody, {0, 0})));  // no fixtures
}

TEST_F(Box2dCouplingTest, PartsDoTheSameAsTheWhole) {
    const auto fall = [](bool parts) {
        b2World world({0, -10});
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position.Set(0.2f, 4);
        b2Body* body = world.CreateBody(&def);
        b2CircleShape circle;
        circle.m_radius = 0.3f;
        body->CreateFixture(&circle, 2000);
        Pool pool = make_pool();
        EXPECT_TRUE(
            pool.fill(Shape2::box({-0.5f, 4.5f}, {0.5f, 5.5f}), FillOptions{.velocity = {0, -3}}));
        Box2dCoupling coupling(pool, world);
        for (int k = 0; k < 30; ++k) {
            if (!parts) {
                EXPECT_TRUE(coupling.step(k_dt));
                continue;
            }
            EXPECT_TRUE(coupling.read_bodies(k_dt));
            EXPECT_TRUE(pool.step(k_dt));
            EXPECT_TRUE(coupling.push_bodies());
            world.Step(k_dt, 8, 3);
        }
        return std::pair(pool.hash(), body->GetPosition());
    };
    EXPECT_EQ(fall(false), fall(true));
}

TEST_F(Box2dCouplingTest, LockedWorldIsAnError) {
    struct Listener : b2ContactListener {
        Box2dCoupling* coupling;
        b2Body* body;
        int errors = 0, calls = 0;
        void BeginContact(b2Contact*) override {
            ++calls;
            errors += !coupling->step(k_dt) && !coupling->read_bodies(k_dt) &&
                      !coupling->push_bodies() && !coupling->see({0, 0}, {1, 1}) &&
                      !coupling->solid(*body) && !coupling->forget();
        }
    } listener;
    add_water({0, 5});
    add_box(b2_staticBody, {0, 0}, {5, 0.5f});
    listener.body = &add_box(b2_dynamicBody, {0, 1});
    listener.coupling = &coupling_;
    world_.SetContactListener(&listener);
    run(2);
    EXPECT_GT(listener.calls, 0);
    EXPECT_EQ(listener.errors, listener.calls);
}

}  // namespace
}  // namespace millrace
