// Boxes of Box2D fall into a pool of water: light ones float, heavy ones sink. There is no window;
// a game would draw pool.positions() and its bodies where this program prints a table.
#include <box2d/box2d.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <millrace/box2d.hpp>

namespace {

constexpr float k_width = 4, k_depth = 1.5f;  // of the water [m]
constexpr float k_size = 0.4f;                // of a box [m]
constexpr float k_water = 1000;               // density [kg/m^2]: per area, like that of fixtures
constexpr std::array k_relative_densities{0.5f, 0.75f, 1.0f, 1.25f, 1.5f};

// Three edges: a tank that is open at the top.
void add_tank(b2World& world) {
    const b2Vec2 corners[]{{0, 4}, {0, 0}, {k_width, 0}, {k_width, 4}};
    const b2BodyDef def;  // static, at the origin
    b2Body* tank = world.CreateBody(&def);
    for (int k = 0; k < 3; ++k) {
        b2EdgeShape edge;
        edge.SetTwoSided(corners[k], corners[k + 1]);
        tank->CreateFixture(&edge, 0);
    }
}

b2Body* add_box(b2World& world, float x, float y, float density) {
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(x, y);
    b2Body* body = world.CreateBody(&def);
    b2PolygonShape box;
    box.SetAsBox(k_size / 2, k_size / 2);
    body->CreateFixture(&box, density);
    return body;
}

int fail(const std::string& message) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    return 1;
}

}  // namespace

int main() {
    // The world, as in any game with Box2D.
    b2World world({0, -9.81f});
    add_tank(world);

    // The fluid: a spacing of a tenth of the smallest body, or more, is fine enough.
    millrace::PoolOptions options;
    options.spacing = 0.05f;
    options.threads = 0;  // all cores
    millrace::Result<millrace::Pool> created = millrace::Pool::create(options);
    if (!created)
        return fail(created.message());
    millrace::Pool& pool = *created;
    millrace::FluidMaterial water;
    water.density = k_water;
    if (auto fluid = pool.add_fluid(water); !fluid)
        return fail(fluid.message());

    // What connects them. Without the skin of Box2D's polygons the boxes displace exactly what
    // they look like.
    millrace::Box2dOptions coupling_options;
    coupling_options.skin = false;
    millrace::Box2dCoupling coupling(pool, world, coupling_options);

    // The walls must be known before water is filled in, so that it stays off them.
    if (auto status = coupling.see({0, 0}, {k_width, k_depth}); !status)
        return fail(status.message());
    auto filled = pool.fill(millrace::Shape2::box({0, 0}, {k_width, k_depth}));
    if (!filled)
        return fail(filled.message());

    std::array<b2Body*, k_relative_densities.size()> boxes{};
    for (std::size_t k = 0; k < boxes.size(); ++k)
        boxes[k] = add_box(world, 0.4f + 0.8f * static_cast<float>(k), k_depth + 0.5f,
                           k_relative_densities[k] * k_water);

    std::printf("%zu particles; heights of the boxes over the floor, by relative density [m]\n\n",
                *filled);
    std::printf("   time  ms/frame");
    for (float density : k_relative_densities)
        std::printf("  %6.2f", density);
    std::printf("\n");

    constexpr int frames = 600, frames_per_line = 60;
    double ms = 0;
    for (int frame = 1; frame <= frames; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        const auto report =
            coupling.step(1.0f / 60);  // fluid, bodies and what they do to each other
        if (!report)
            return fail(report.message());
        ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                  .count();
        if (frame % frames_per_line != 0)
            continue;
        std::printf("%5.1f s  %8.2f", pool.time(), ms / frames_per_line);
        ms = 0;
        for (const b2Body* box : boxes) {
            // on the floor, or on the last layer of particles between it and the box
            const float height = box->GetPosition().y - k_size / 2;
            if (height < 2 * options.spacing)
                std::printf("   floor");
            else
                std::printf("  %6.2f", height);
        }
        std::printf("\n");
    }
    return 0;
}
