#include <gtest/gtest.h>

#include <cmath>

#include "math/scene_vectors.hpp"
#include "support/scenes.hpp"
#include "world/world.hpp"

namespace millrace {
namespace {

/// A block of fluid that flies against a spinning box, in empty space.
Scene collision(const std::string& engine) {
    Scene scene = free_block<3>(14, 0.03);
    scene.rigid.engine = engine;
    scene.fluids[0].velocity = {0.5, 0, 0.2};
    scene.fluids[0].viscosity.nu = 1e-3;
    Body body;
    body.name = "box";
    body.shape = BodyBox{{0.21, 0.15, 0.12}};
    body.density = 400;
    body.position = {0.55, 0.25, 0.2};
    body.rotation = {{1, 2, 3}, 30};
    body.velocity = {-1, 0, 0};
    body.angular_velocity = {0, 2, 5};
    scene.bodies = {body};
    return scene;
}

/// A tank of water in which a light and a heavy box lie.
Scene pool() {
    Scene scene = full_tank<3>(14, 0.03);
    for (int b = 0; b < 2; ++b) {
        Body body;
        body.name = "box_" + std::to_string(b);
        body.shape = BodyBox{{0.12, 0.12, 0.12}};
        body.density = b == 0 ? 300 : 2000;
        body.position = {0.13 + 0.17 * b, 0.4 - 0.2 * b, 0.2};
        scene.bodies.push_back(body);
    }
    return scene;
}

struct Momentum {
    Vec3d linear = Vec3d::all(0), angular = Vec3d::all(0);
};

Momentum momentum(const World<3>& world, const Scene& scene) {
    Momentum sum;
    const std::vector<Vec3> x = world.fluid().position.to_host(),
                            v = world.fluid().velocity.to_host();
    const std::vector<float> volume = world.fluid().volume.to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3d p = Vec3d::from(v[i]) * (1000.0 * volume[i]);
        sum.linear += p;
        sum.angular += cross(Vec3d::from(x[i]), p);
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const Vec3d size = to_vec3d(std::get<BodyBox>(scene.bodies[b].shape).size);
        const double m = size[0] * size[1] * size[2] * scene.bodies[b].density;
        const BodyState& state = world.objects().bodies()[b];
        Mat3d inertia = Mat3d::zero();
        for (int k = 0; k < 3; ++k) {
            const double a = size[(k + 1) % 3], c = size[(k + 2) % 3];
            inertia(k, k) = m / 12 * (a * a + c * c);
        }
        const Mat3d o = to_matrix(state.rotation);
        sum.linear += state.velocity * m;
        sum.angular += cross(state.position, state.velocity) * m +
                       o * (inertia * (transpose(o) * state.angular_velocity));
    }
    return sum;
}

// What the fluid gives the bodies it loses itself, for every solver and with friction.
TEST(Bodies, MomentumIsConserved) {
    for (const std::string method : {"dfsph", "iisph", "pcisph", "wcsph"})
        for (const std::string walls : {"slip", "no-slip"}) {
            Scene scene = collision(method == "dfsph" ? "auto" : "own");
            scene.pressure.method = method;
            scene.fluids[0].viscosity.walls = walls;
            World<3> world(scene, Device::cpu(2));
            const Momentum before = momentum(world, scene);
            for (int k = 0; k < (method == "wcsph" ? 250 : 120); ++k)
                world.step(1e9);
            const Momentum after = momentum(world, scene);
            EXPECT_LT(norm(after.linear - before.linear), 1e-5 * norm(before.linear)) << method;
            EXPECT_LT(norm(after.angular - before.angular), 1e-4 * norm(before.angular)) << method;
            // they have met
            const Vec3d v = world.objects().bodies()[0].velocity;
            EXPECT_GT(v[0], -0.9) << method << " " << walls;
        }
}

TEST(Bodies, SameBitsForAnyNumberOfThreads) {
    const auto run = [](int threads) {
        World<3> world(pool(), Device::cpu(threads));
        for (int k = 0; k < 15; ++k)
            world.step(1e9);
        return world.snapshot();
    };
    const Snapshot one = run(1);
    for (const int threads : {2, 7}) {
        const Snapshot other = run(threads);
        EXPECT_EQ(one.positions, other.positions);
        EXPECT_EQ(one.velocities, other.velocities);
        EXPECT_EQ(one.bodies, other.bodies);
    }
}

TEST(Bodies, GoOnWithTheSameBits) {
    Scene scene = pool();
    scene.rigid.engine = "own";  // without contacts there is nothing else to remember
    World<3> straight(scene, Device::cpu(2)), resumed(scene, Device::cpu(1));
    for (int k = 0; k < 10; ++k)
        straight.step(1e9);
    resumed.restore(straight.snapshot());
    for (int k = 0; k < 10; ++k) {
        straight.step(1e9);
        resumed.step(1e9);
    }
    EXPECT_EQ(straight.snapshot().positions, resumed.snapshot().positions);
    EXPECT_EQ(straight.snapshot().bodies, resumed.snapshot().bodies);
}

TEST(Bodies, ASnapshotOfOtherBodiesIsRefused) {
    Scene scene = pool();
    World<3> world(scene, Device::cpu(2));
    const Snapshot two = world.snapshot();
    scene.bodies.pop_back();
    World<3> other(scene, Device::cpu(2));
    EXPECT_THROW(other.restore(two), InputError);
}

// A body in empty space feels nothing of the fluid: it falls as the rigid engine has it.
TEST(Bodies, FarFromTheFluidTheyFallFreely) {
    Scene scene = pool();
    scene.bodies[0].position = {5, 50, 5};
    scene.time_step = {.mode = "fixed", .dt = 0.002};
    World<3> world(scene, Device::cpu(2));
    for (int k = 0; k < 50; ++k)
        world.step(1e9);
    EXPECT_NEAR(world.objects().bodies()[0].velocity[1], -9.81 * 0.1, 1e-6);
    EXPECT_NEAR(world.objects().bodies()[0].position[1], 50 - 9.81 * 0.002 * 0.002 * 1275, 1e-6);
    EXPECT_EQ(norm(world.objects().pushes()[0].force), 0);
}

/// How fast particles move against a frame, and where they are in it on average.
template <int D>
struct Relative {
    double fastest = 0;
    Vec<D, double> mean = Vec<D, double>::all(0);
};

template <int D>
Relative<D> relative(const World<D>& world, const Vec<D>& velocity) {
    Relative<D> r;
    const std::vector<Vec<D>> x = world.fluid().position.to_host(),
                              v = world.fluid().velocity.to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        r.fastest = std::max(r.fastest, double(norm(v[i] - velocity)));
        for (int k = 0; k < D; ++k)
            r.mean[k] += (x[i][k] - velocity[k] * world.time()) / static_cast<double>(x.size());
    }
    return r;
}

// In a tank that moves evenly water rests as in one that stands still.
template <int D>
void expect_moving_tank_is_at_rest() {
    Scene scene = full_tank<D>(12, 0.05);
    scene.time_step = {.mode = "fixed", .dt = 0.002};
    World<D> standing(scene, Device::cpu(2));
    scene.fluids[0].velocity = {0.5, 0.1, 0};
    scene.boundaries[0].motion.emplace();
    scene.boundaries[0].motion->type = "linear";
    scene.boundaries[0].motion->velocity = {0.5, 0.1, 0};
    World<D> moving(scene, Device::cpu(2));
    for (int k = 0; k < 150; ++k) {
        standing.step(1e9);
        moving.step(1e9);
    }
    Vec<D> v = Vec<D>::all(0);
    const Relative<D> a = relative(standing, v);
    v[0] = 0.5f, v[1] = 0.1f;
    const Relative<D> b = relative(moving, v);
    EXPECT_LT(norm(a.mean - b.mean), 1e-3 * 0.05);
    EXPECT_NEAR(a.fastest, b.fastest, 0.5 * a.fastest);
}

TEST(MovingWalls, WaterRestsInATankThatMovesEvenly) {
    expect_moving_tank_is_at_rest<2>();
    expect_moving_tank_is_at_rest<3>();
}

// A tank that sets off takes its water along: it goes to and fro about the tank's own speed.
TEST(MovingWalls, ATankThatSetsOffTakesItsWaterAlong) {
    Scene scene = full_tank<2>(16, 0.05);
    std::get<Box>(scene.boundaries[0].shape).max[1] = 4;
    scene.boundaries[0].motion.emplace();
    scene.boundaries[0].motion->type = "linear";
    scene.boundaries[0].motion->velocity = {0.3, 0, 0};
    World<2> world(scene, Device::cpu(2));
    while (world.time() < 3)
        world.step(3);
    EXPECT_NEAR(relative<2>(world, {0.3f, 0}).mean[0], 0.4, 0.03);
    EXPECT_EQ(world.lost_count(), 0u);
    for (const Vec2& x : world.fluid().position.to_host()) {
        EXPECT_GT(x[0], 0.9f);
        EXPECT_LT(x[0], 1.7f);
    }
}

// Fluid that does not slip is carried along by a turning drum, and slips without friction.
TEST(MovingWalls, ATurningDrumCarriesViscousFluid) {
    for (const bool slips : {true, false}) {
        Scene scene;
        scene.spacing = 0.04;
        scene.gravity = {0, 0, 0};
        Fluid honey;
        Fill fill;
        fill.shape = Sphere{{0, 0, 0}, 0.28};
        honey.fill = {fill};
        honey.viscosity.nu = 0.05;
        honey.viscosity.walls = slips ? "slip" : "no-slip";
        scene.fluids = {honey};
        Boundary drum;
        drum.name = "drum";
        drum.shape = Sphere{{0, 0, 0}, 0.28};
        drum.inside = true;
        drum.motion.emplace();
        drum.motion->type = "rotate";
        drum.motion->axis = {0, 0, 1};
        drum.motion->rpm = 30;
        scene.boundaries = {drum};
        World<3> world(scene, Device::cpu(2));
        while (world.time() < 1)
            world.step(1);
        double spin = 0, inertia = 0;
        const std::vector<Vec3> x = world.fluid().position.to_host(),
                                v = world.fluid().velocity.to_host();
        for (std::size_t i = 0; i < x.size(); ++i) {
            spin += x[i][0] * v[i][1] - x[i][1] * v[i][0];
            inertia += x[i][0] * x[i][0] + x[i][1] * x[i][1];
        }
        const double omega = spin / inertia, wall = 3.14159265;
        if (slips)
            EXPECT_LT(omega, 0.2 * wall);
        else
            EXPECT_GT(omega, 0.7 * wall);
        EXPECT_LT(omega, 1.05 * wall);
    }
}

}  // namespace
}  // namespace millrace
