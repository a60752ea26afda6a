#include <box2d/box2d.h>
#include <gtest/gtest.h>

#include "millrace/box2d.hpp"
#include "support/seed.hpp"

namespace millrace {
namespace {

// Boxes of 0.6 m in water of 1.5 m depth and 4 m width, by Archimedes.
TEST(Box2dPhysics, LightBoxesFloatAndHeavyOnesSink) {
    constexpr float k_size = 0.6f, k_width = 4, k_spacing = 0.06f;
    b2World world({0, -9.81f});
    const b2BodyDef fixed;
    b2Body* tank = world.CreateBody(&fixed);
    b2ChainShape walls;
    const b2Vec2 corners[]{{k_width, 5}, {k_width, 0}, {0, 0}, {0, 5}};
    walls.CreateChain(corners, 4, {k_width, 6}, {0, 6});
    tank->CreateFixture(&walls, 0);

    PoolOptions options;
    options.spacing = k_spacing;
    Result<Pool> pool = Pool::create(options);
    ASSERT_TRUE(pool) << pool.message();
    ASSERT_TRUE(pool->add_fluid({.viscosity = 1e-3f}));
    Box2dCoupling coupling(*pool, world, {.skin = false});
    ASSERT_TRUE(coupling.see({0, 0}, {k_width, 1.5f}));
    const Result<std::size_t> filled = pool->fill(Shape2::box({0, 0}, {k_width, 1.5f}));
    ASSERT_TRUE(filled) << filled.message();

    const float densities[]{0.4f, 0.7f, 1.5f};
    b2Body* boxes[3];
    for (int k = 0; k < 3; ++k) {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        const float aside = 0.5f * k_spacing * seeded_offset(static_cast<unsigned>(k));
        def.position.Set(0.8f + 1.2f * static_cast<float>(k) + aside, 2);
        boxes[k] = world.CreateBody(&def);
        b2PolygonShape shape;
        shape.SetAsBox(k_size / 2, k_size / 2);
        boxes[k]->CreateFixture(&shape, 1000 * densities[k]);
    }
    float mean[3]{};
    constexpr int k_frames = 900, k_averaged = 300;
    for (int frame = 0; frame < k_frames; ++frame) {
        const Result<PoolReport> report = coupling.step(1.0f / 60);
        ASSERT_TRUE(report) << report.message();
        if (frame >= k_frames - k_averaged)
            for (int k = 0; k < 3; ++k)
                mean[k] += boxes[k]->GetPosition().y / k_averaged;
    }
    EXPECT_EQ(pool->size(), *filled);
    // on the floor, but for a layer of particles that may be caught below
    EXPECT_LT(mean[2], k_size / 2 + k_spacing);

    // Box k has its centre at level + size (1/2 - density): the difference of two needs no level.
    EXPECT_NEAR(mean[0] - mean[1], k_size * (densities[1] - densities[0]), 0.1f * k_size);
    const float water = static_cast<float>(*filled) * k_spacing * k_spacing;
    const float level = (water + k_size * k_size * (densities[0] + densities[1] + 1)) / k_width;
    EXPECT_NEAR(mean[0], level + k_size * (0.5f - densities[0]), 0.1f * k_size + k_spacing);
}

}  // namespace
}  // namespace millrace
