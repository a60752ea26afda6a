#include <gtest/gtest.h>

#include "support/pool_scenes.hpp"

// What callers may do wrong: a message says what, and the pool stays as it was.
namespace millrace {
namespace {

constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float k_infinity = std::numeric_limits<float>::infinity();

template <class Outcome>
void expect_refused(const Outcome& outcome, const std::string& part_of_message) {
    EXPECT_FALSE(outcome);
    EXPECT_NE(outcome.message().find(part_of_message), std::string::npos)
        << "'" << outcome.message() << "' does not say '" << part_of_message << "'";
}

TEST(PoolErrors, Options) {
    const auto refused = [](auto change, const char* message) {
        PoolOptions options;
        change(options);
        expect_refused(Pool::create(options), message);
    };
    for (const float bad : {0.0f, -1.0f, k_nan, k_infinity}) {
        refused([&](PoolOptions& o) { o.spacing = bad; }, "spacing: must be");
        refused([&](PoolOptions& o) { o.cfl = bad; }, "cfl: must be");
    }
    for (const float bad : {0.0f, -1.0f, k_nan})
        refused([&](PoolOptions& o) { o.longest_substep = bad; }, "longest_substep: must be");
    refused([](PoolOptions& o) { o.gravity.x = k_nan; }, "gravity");
    refused([](PoolOptions& o) { o.max_substeps = 0; }, "max_substeps");
    refused([](PoolOptions& o) { o.threads = -1; }, "threads");
    refused([](PoolOptions& o) { o.max.x = o.min.x; }, "min, max");
    refused([](PoolOptions& o) { o.min.y = k_nan; }, "min, max");
    refused([](PoolOptions& o) { o.spacing = 1e-6f; }, "min, max: must be at most 1e8 spacings");
    refused([](PoolOptions& o) { o.method.name = "magic"; }, "method.name");
    refused([](PoolOptions& o) { o.method.kernels = "magic"; }, "method.kernels");
    refused([](PoolOptions& o) { o.method.iterations = -1; }, "method.iterations");
    refused([](PoolOptions& o) { o.method.self_contribution = 2; }, "method.self_contribution");
    refused([](PoolOptions& o) { o.method.relaxation_time = k_nan; }, "method.relaxation_time");
    refused([](PoolOptions& o) { o.method.compliance = -1; }, "method.compliance");
    refused([](PoolOptions& o) { o.method.over_relaxation = 2; }, "method.over_relaxation");
    refused([](PoolOptions& o) { o.method.stiffness = -1; }, "method.stiffness");
    refused([](PoolOptions& o) { o.method.near_stiffness = k_infinity; }, "near_stiffness");
    refused([](PoolOptions& o) { o.method.rest_ratio = 0; }, "method.rest_ratio");
}

/// A pool with some of everything, of which every test asks that it stays as it was.
class PoolMistakes : public ::testing::Test {
  protected:
    void SetUp() override {
        add_tank(pool_, 2, 2);
        EXPECT_TRUE(pool_.fill(Shape2::box({0, 0}, {1, 1})));
        EXPECT_TRUE(pool_.add_emitter({}));
        EXPECT_TRUE(pool_.add_sink(Shape2::circle({50, 0}, 1)));
        before_ = pool_.hash();
    }
    void TearDown() override {
        EXPECT_EQ(pool_.hash(), before_);
        EXPECT_TRUE(pool_.step(0.01f));
    }

    Pool pool_ = make_pool();
    std::uint64_t before_ = 0;
};

std::vector<std::pair<Shape2, const char*>> bad_shapes() {
    return {{Shape2::circle({0, 0}, 0), "radius: must be greater than 0"},
            {Shape2::circle({0, 0}, -1), "radius: must be"},
            {Shape2::circle({0, 0}, k_nan), "radius: must be"},
            {Shape2::circle({k_nan, 0}, 1), "points: must be finite"},
            {Shape2::circle({0, k_infinity}, 1), "points: must be finite"},
            {Shape2{Shape2::Kind::circle, {}, 1}, "a circle has one"},
            {Shape2::polygon({{0, 0}, {1, 0}}), "a polygon has at least three"},
            {Shape2::polygon({}), "a polygon has at least three"},
            {Shape2::polygon({{0, 0}, {1, 1}, {2, 2}}), "the polygon has no area"},
            {Shape2::polygon({{0, 0}, {2, 2}, {2, 0}, {0, 1}}), "the polygon crosses itself"},
            {Shape2::box({0, 0}, {0, 1}), "the polygon has no area"},
            {Shape2::box({0, 0}, {1, k_nan}), "points: must be finite"}};
}

TEST_F(PoolMistakes, Shapes) {
    for (const auto& [shape, message] : bad_shapes()) {
        expect_refused(pool_.fill(shape), message);
        expect_refused(pool_.remove(shape), message);
        expect_refused(pool_.add_sink(shape), message);
        SolidOptions solid;
        solid.shapes = {Shape2::circle({0, 0}, 1), shape};
        expect_refused(pool_.add_solid(solid), message);
        expect_refused(pool_.add_solid(solid), "shapes[1]");
    }
    const Shape2 chain = Shape2::chain({{0, 0}, {1, 0}});
    expect_refused(pool_.fill(chain), "a chain has no inside");
    expect_refused(pool_.remove(chain), "a chain has no inside");
    expect_refused(pool_.add_sink(chain), "a chain has no inside");
    expect_refused(pool_.add_solid({.shapes = {Shape2::chain({{0, 0}})}}), "at least two");
    expect_refused(pool_.add_solid({.shapes = {Shape2::chain({{1, 0}, {1, 0}})}}), "the same");
    expect_refused(pool_.add_solid({}), "a solid has at least one");
}

/// The box around a shape must not hold more places than there is memory for.
TEST_F(PoolMistakes, FillsThatAreTooLarge) {
    expect_refused(pool_.fill(Shape2::circle({0, 0}, 1e6f)), "too large");
}

TEST_F(PoolMistakes, Materials) {
    const auto refused = [&](auto change, const char* message) {
        FluidMaterial material;
        change(material);
        expect_refused(pool_.add_fluid(material), message);
        expect_refused(pool_.set_material(0, material), message);
    };
    for (const float bad : {0.0f, -1.0f, k_nan, k_infinity})
        refused([&](FluidMaterial& m) { m.density = bad; }, "fluid: density: must be");
    for (const float bad : {-1.0f, k_nan, k_infinity}) {
        refused([&](FluidMaterial& m) { m.viscosity = bad; }, "fluid: viscosity: must be");
        refused([&](FluidMaterial& m) { m.tension = bad; }, "tension");
        refused([&](FluidMaterial& m) { m.stickiness = bad; }, "stickiness");
        refused([&](FluidMaterial& m) { m.wall_friction = bad; }, "wall_friction");
    }
    refused([&](FluidMaterial& m) { m.wall_friction = 1.5f; }, "wall_friction: must be from 0 to");
    expect_refused(pool_.set_material(1, {}), "fluid: there is none with the id 1");
}

TEST(PoolErrors, AtMostSixteenFluids) {
    Pool pool = make_pool();
    for (int k = 1; k < 16; ++k)
        EXPECT_EQ(*pool.add_fluid({}), k);
    expect_refused(pool.add_fluid({}), "at most 16");
}

TEST_F(PoolMistakes, Particles) {
    const auto refused = [&](NewParticle particle, const char* message) {
        expect_refused(pool_.add(particle), message);
    };
    refused({.position = {k_nan, 0}}, "position, velocity: must be finite and within 1e6");
    refused({.position = {5, 5}, .velocity = {0, k_infinity}}, "must be finite");
    refused({.position = {5, 5}, .velocity = {1e20f, 0}}, "velocity");
    refused({.position = {2e4f, 0}}, "outside of the pool's bounds");
    refused({.position = {5, 5}, .fluid = 1}, "fluid: there is none with the id 1");
    refused({.position = {5, 5}, .lifetime = -1}, "lifetime: must be");
    refused({.position = {5, 5}, .lifetime = k_nan}, "lifetime: must be");
    const Shape2 box = Shape2::box({5, 5}, {6, 6});
    expect_refused(pool_.fill(box, {.fluid = 3}), "fluid: there is none with the id 3");
    expect_refused(pool_.fill(box, {.velocity = {k_nan, 0}}),
                   "velocity: must be finite and within 1e6");
    expect_refused(pool_.fill(box, {.velocity = {1e20f, 0}}), "velocity");
    expect_refused(pool_.fill(box, {.angular_velocity = k_nan}),
                   "velocity: must be finite and within 1e6");
    expect_refused(pool_.fill(box, {.lifetime = -1}), "lifetime: must be");
    const ParticleId none = 123456;
    expect_refused(pool_.remove(none), "particle: there is none with the id 123456");
    expect_refused(pool_.set_velocity(none, {0, 0}), "particle: there is none");
    expect_refused(pool_.index_of(none), "particle: there is none");
    expect_refused(pool_.set_velocity(0, {k_nan, 0}), "velocity: must be finite and within 1e6");
    expect_refused(pool_.set_velocity(0, {0, -1e20f}), "velocity");
}

TEST_F(PoolMistakes, Solids) {
    const auto refused = [&](auto change, const char* message) {
        SolidOptions solid{.shapes = {Shape2::circle({0, 0}, 1)}};
        change(solid.state);
        expect_refused(pool_.add_solid(solid), message);
        expect_refused(pool_.set_solid(0, solid.state), message);
    };
    refused([](SolidState& s) { s.position.x = k_nan; },
            "position, velocity: must be finite and within 1e6");
    refused([](SolidState& s) { s.velocity.y = k_infinity; }, "position, velocity");
    refused([](SolidState& s) { s.angle = k_nan; }, "angle");
    refused([](SolidState& s) { s.angular_velocity = k_infinity; }, "angular_velocity");
    refused([](SolidState& s) { s.acceleration.x = k_nan; }, "acceleration");
    refused([](SolidState& s) { s.inverse_mass = -1; }, "inverse_mass: must be at least 0");
    refused([](SolidState& s) { s.inverse_inertia = k_nan; }, "inverse_inertia: must be");
    SolidOptions solid{.shapes = {Shape2::circle({0, 0}, 1)}};
    solid.center.x = k_nan;
    expect_refused(pool_.add_solid(solid), "center: must be finite");
    expect_refused(pool_.set_solid(9, {}), "solid: there is none with the id 9");
    expect_refused(pool_.remove_solid(9), "solid: there is none with the id 9");
    expect_refused(pool_.push_on(9), "solid: there is none with the id 9");
    expect_refused(pool_.solid(9), "solid: there is none with the id 9");
}

TEST_F(PoolMistakes, EmittersAndSinks) {
    const auto refused = [&](auto change, const char* message) {
        EmitterOptions options;
        change(options);
        expect_refused(pool_.add_emitter(options), message);
        expect_refused(pool_.set_emitter(0, options), message);
    };
    for (const float bad : {0.0f, -1.0f, k_nan, k_infinity})
        refused([&](EmitterOptions& o) { o.width = bad; }, "emitter: width: must be");
    for (const float bad : {-1.0f, k_nan, k_infinity}) {
        refused([&](EmitterOptions& o) { o.speed = bad; }, "emitter: speed: must be");
        refused([&](EmitterOptions& o) { o.lifetime = bad; }, "emitter: lifetime: must be");
    }
    refused([](EmitterOptions& o) { o.position.y = k_nan; }, "emitter: position");
    refused([](EmitterOptions& o) { o.direction = {0, 0}; }, "emitter: direction");
    refused([](EmitterOptions& o) { o.direction = {k_nan, 0}; }, "emitter: direction");
    refused([](EmitterOptions& o) { o.fluid = 2; }, "emitter: fluid: there is none with the id 2");
    refused([](EmitterOptions& o) { o.solid = 7; }, "emitter: solid: there is none with the id 7");
    expect_refused(pool_.set_emitter(9, {}), "emitter: there is none with the id 9");
    expect_refused(pool_.remove_emitter(9), "emitter: there is none with the id 9");
    expect_refused(pool_.remove_sink(9), "sink: there is none with the id 9");
}

TEST_F(PoolMistakes, Steps) {
    for (const float dt : {0.0f, -0.01f, k_nan, k_infinity, 1e9f})
        expect_refused(pool_.step(dt), "dt: must be greater than 0");
    EXPECT_EQ(pool_.time(), 0);
}

TEST_F(PoolMistakes, BytesThatAreNoPool) {
    const std::vector<std::byte> good = pool_.save();
    expect_refused(pool_.restore({}), "not a saved pool, or it is damaged");
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 50)
        expect_refused(pool_.restore(std::span(good).first(size)), "restore: ");
    std::vector<std::byte> more = good;
    more.push_back(std::byte{0});
    expect_refused(pool_.restore(more), "damaged");
    for (std::size_t at = 0; at < good.size(); at += 1 + at / 50) {
        std::vector<std::byte> flipped = good;
        flipped[at] ^= std::byte{0x41};
        expect_refused(pool_.restore(flipped), "restore: ");
    }
    PoolOptions other;
    other.spacing = 0.11f;
    expect_refused(pool_.restore(make_pool(other).save()), "saved with other options");
    other = {};
    other.method.iterations = 9;
    expect_refused(pool_.restore(make_pool(other).save()), "saved with other options");
    EXPECT_TRUE(pool_.restore(good));
}

}  // namespace
}  // namespace millrace
