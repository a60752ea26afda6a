// The resolved scene and scenes built in code.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "scene/scene_test.hpp"
#include "support/paths.hpp"

namespace millrace::scene_test {

namespace {

Fill box_fill(const Box& box, double jitter) {
    Fill fill;
    fill.shape = box;
    fill.jitter = jitter;
    return fill;
}

Probe probe(const std::string& name, const std::string& type, const Vector& at = {}) {
    Probe probe;
    probe.name = name;
    probe.type = type;
    probe.at = at;
    return probe;
}

/// Every member differs from its default; what is in 3D only comes in scene_with_bodies().
Scene rich_scene(int dimension) {
    const bool flat = dimension == 2;
    const Box box{{0.1, 0.2, flat ? 0.0 : 0.3}, {1, 2, flat ? 0.0 : 3.0}};
    Scene scene;
    scene.name = "rich";
    scene.dimension = dimension;
    scene.spacing = 1.0 / 30;
    scene.support = 2.5;
    scene.gravity = {1, 2, flat ? 0.0 : 3.0};
    scene.domain = box;
    scene.end = 0.1 + 0.2;
    scene.seed = std::numeric_limits<std::uint64_t>::max();
    scene.fluids = {{.name = "oil",
                     .density = 850.5,
                     .velocity = {0, 1, 0},
                     .fill = {box_fill(box, 0), box_fill(box, 0.1)},
                     .emitters = {},
                     .viscosity = {"none", 0.25},
                     .surface_tension = {},
                     .vorticity = {},
                     .goo = {},
                     .color = {0, 0.5, 1}},
                    {.fill = {box_fill(box, 0.05)},
                     .emitters = {},
                     .viscosity = {},
                     .surface_tension = {},
                     .vorticity = {},
                     .goo = {}}};
    Boundary tank;
    tank.name = "tank";
    tank.shape = box;
    tank.inside = true;
    tank.open = {"+y"};
    tank.scale = {2, 3, flat ? 1.0 : -0.5};
    tank.position = {0.1, 0.2, 0};
    tank.friction = 0.3;
    tank.restitution = 0.9;
    tank.color = {1, 0, 0.5};
    Boundary wall;
    wall.name = "wall";
    wall.shape = box;
    wall.motion.emplace();
    wall.motion->type = "sine";
    wall.motion->axis = {0, 2, 0};
    wall.motion->amplitude = 0.2;
    wall.motion->period = 3;
    wall.motion->phase = 90;
    wall.motion->from = 1;
    scene.boundaries = {tank, wall};
    wall.name = "pusher";
    wall.motion.emplace();
    wall.motion->type = "linear";
    wall.motion->velocity = {1, 2, 0};
    wall.motion->until = 4;
    scene.boundaries.push_back(wall);
    scene.sinks = {{"drain", box}};
    scene.pressure = {.avg_error = 1e-4,
                      .max_error = 2e-4,
                      .min_iterations = 0,
                      .max_iterations = 7,
                      .warm_start = false,
                      .relaxation = 0.3};
    scene.time_step = {.mode = "fixed", .cfl = 0.3, .min = 1e-5, .max = 0.004, .dt = 0.00123};
    scene.output.fps = 24;
    scene.output.particles = {};
    scene.output.fields = {"id"};
    if (!flat) {
        scene.output.surface = {{"vtp", "obj"}, 0.75, 3, true, 0.5};
        scene.output.diffuse = {{"vtu"}, 100, 0.25, 3};
    }
    scene.probes = {probe("level", "height", {0.5, 0, flat ? 0 : 0.25}),
                    probe("p", "pressure", {1, 2, 0}), probe("v", "velocity", {1, 2, 0}),
                    probe("f", "front"), probe("e", "energy")};
    scene.probes[1].interval = 0.1;
    scene.probes[3].axis = 1;
    scene.camera = {{1, 2, 3}, {4, 5, 6}, 50};
    return scene;
}

/// Every shape, motion, body and joint.
Scene scene_with_bodies() {
    Scene scene = rich_scene(3);
    const Rotation turned{{1, 2, 3}, 30};
    const MeshFile mesh{"a b/ship.obj", {1, -2, 3}, turned, {4, 5, 6}};
    Fluid& oil = scene.fluids[0];
    oil.vorticity.method = "micropolar";
    oil.vorticity.nu_t = 0.02;
    oil.vorticity.inertia = 0.5;
    oil.vorticity.smoothing = 0.125;
    scene.fluids[1].vorticity.method = "confinement";
    scene.fluids[1].vorticity.strength = 0.75;
    oil.fill.resize(5);
    oil.fill[2].shape = Sphere{{1, 2, 3}, 0.5};
    oil.fill[3].shape = mesh;
    oil.fill[4].shape = PointFile{"a b/bunny.bgeo", {1, -2, 3}, turned, {4, 5, 6}};
    oil.emitters.resize(2);
    oil.emitters[0].name = "jet";
    oil.emitters[0].direction = {0, -1, 0};
    oil.emitters[0].speed = 2;
    oil.emitters[0].radius = 0.1;
    oil.emitters[0].from = 0.5;
    oil.emitters[0].until = 1.5;
    oil.emitters[0].max_particles = 1000;
    oil.emitters[0].body = "ship";
    oil.emitters[1].name = "slit";
    oil.emitters[1].size = {0.5, 0.1, 0};
    oil.emitters[1].up = {0, 1, 1};
    Fluid rain;
    rain.name = "rain";
    rain.emitters = {oil.emitters[0]};
    scene.fluids.push_back(rain);

    std::vector<Boundary> walls(5);
    walls[0].shape = Sphere{{1, 2, 3}, 0.5};
    walls[1].shape = Cylinder{{0, 0, 0}, {0, 1, 0}, 0.25};
    walls[1].inside = true;
    walls[2].shape = Plane{{0, 1, 0}, {1, 1, 0}};
    walls[3].shape = mesh;
    walls[3].rotation = turned;
    walls[3].motion.emplace();
    walls[3].motion->type = "rotate";
    walls[3].motion->center = {1, 0, 0};
    walls[3].motion->rpm = -30;
    walls[4].shape = scene.boundaries[0].shape;
    walls[4].motion.emplace();
    walls[4].motion->type = "keyframes";
    walls[4].motion->keyframes = {{}, {1.5, {1, 0, 0}, turned}};
    for (std::size_t i = 0; i < walls.size(); ++i) {
        walls[i].name = "wall" + std::to_string(i);
        scene.boundaries.push_back(walls[i]);
    }

    scene.bodies.resize(5);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        scene.bodies[i].name = "body" + std::to_string(i);
    }
    Body& ship = scene.bodies[0];
    ship.name = "ship";
    ship.shape = BodyMesh{"a b/ship.obj", {1, 1, 2}};
    ship.density = 300;
    ship.center_of_mass = Vector{0.1, -0.2, 0.3};
    ship.inertia = Vector{1, 2, 2.5};
    ship.position = {1, 2, 3};
    ship.rotation = turned;
    ship.velocity = {0, 1, 0};
    ship.angular_velocity = {0, 0, 3};
    ship.friction = 2;
    ship.restitution = 0;
    ship.color = {1, 1, 1};
    scene.bodies[1].shape = BodyBox{{1, 2, 3}};
    scene.bodies[1].mass = 12;
    scene.bodies[1].center_of_mass = Vector{0, 0.1, 0};
    scene.bodies[1].inertia = Vector{1, 2, 2.5};
    scene.bodies[2].shape = BodySphere{0.5};
    scene.bodies[3].shape = BodyCylinder{0.5, 0.1};
    scene.bodies[4].shape = BodyCapsule{0.5, 1};

    scene.joints.resize(4);
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        scene.joints[i].name = "joint" + std::to_string(i);
        scene.joints[i].type = std::array{"hinge", "slider", "distance", "weld"}[i];
        scene.joints[i].bodies = {scene.bodies[i].name, i == 0 ? "world" : "ship"};
        scene.joints[i].anchor = {1, 2, 3};
    }
    scene.joints[0].axis = {0, 1, 1};
    scene.joints[0].limits = {-30, 45};
    scene.joints[0].motor = Motor{3, 100, {}};
    scene.joints[1].motor = Motor{-1, {}, 50};
    scene.joints[2].anchor_b = {3, 2, 1};
    scene.joints[2].limits = {0, 2};
    scene.rigid.engine = "bullet";
    scene.probes.push_back(probe("s", "body"));
    scene.probes.back().body = "ship";
    return scene;
}

/// A scene that runs in the pool, with every shape of the plane.
Scene pool_scene(const std::string& method) {
    Scene scene = rich_scene(2);
    scene.engine = "game";
    scene.support = 2;
    scene.pressure = {.method = method};
    scene.time_step.mode = "cfl";
    scene.time_step.dt = TimeStep{}.dt;
    const Rotation turned{{0, 0, -1}, 30};
    const Polygon triangle{{{0, 0, 0}, {1, 0, 0}, {0.5, 1.0 / 3, 0}}};
    scene.fluids[1].fill.resize(3);
    scene.fluids[1].fill[1].shape = Sphere{{1, 2, 0}, 0.5};
    scene.fluids[1].fill[2].shape = triangle;
    std::vector<Boundary> walls(4);
    walls[0].shape = Sphere{{1, 2, 0}, 0.5};
    walls[1].shape = triangle;
    walls[1].rotation = turned;
    walls[2].shape = Chain{{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}};
    walls[2].motion.emplace();
    walls[2].motion->type = "rotate";
    walls[2].motion->axis = {0, 0, 1};
    walls[2].motion->rpm = 5;
    walls[3].shape = Plane{{0, 1, 0}, {1, 1, 0}};
    for (std::size_t i = 0; i < walls.size(); ++i) {
        walls[i].name = "wall" + std::to_string(i);
        scene.boundaries.push_back(walls[i]);
    }
    scene.bodies.resize(3);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        scene.bodies[i].name = "body" + std::to_string(i);
    }
    scene.bodies[0].shape = BodyBox{{1, 2, 0}};
    scene.bodies[0].rotation = turned;
    scene.bodies[0].angular_velocity = {0, 0, 1.0 / 3};
    scene.bodies[1].shape = BodySphere{0.5};
    scene.bodies[1].mass = 12;
    scene.bodies[1].center_of_mass = Vector{0, 0.1, 0};
    scene.bodies[1].inertia = Vector{0, 0, 3};
    scene.bodies[2].shape = triangle;
    scene.joints.resize(2);
    scene.joints[0].name = "axle";
    scene.joints[0].type = "hinge";
    scene.joints[0].bodies = {"body0", "world"};
    scene.joints[0].anchor = {1, 2, 0};
    scene.joints[1].name = "rail";
    scene.joints[1].type = "slider";
    scene.joints[1].bodies = {"body0", "body1"};
    scene.joints[1].axis = {1, 2, 0};
    scene.rigid.engine = "box2d";
    return scene;
}

Scene goo_scene() {
    Scene scene = pool_scene("clavet");
    scene.fluids[0].goo = {1, 2, 3, 0.25, 5, 6};
    scene.pressure.self_contribution = 0.1;
    scene.pressure.stiffness = 2;
    scene.pressure.near_stiffness = 3;
    scene.pressure.rest_ratio = 0.9;
    scene.pressure.kernels = "original";
    return scene;
}

std::string refusal_of(const Scene& scene) {
    try {
        validate_scene(scene, "built");
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST(SceneWrite, RoundTripIsExact) {
    for (const Scene& scene : {pool(), pool_2d(), rich_scene(2), rich_scene(3), scene_with_bodies(),
                               pool_scene("spook"), pool_scene("dfsph"), goo_scene(),
                               load_scene(millrace::in_sources("scenes/dam_break.json"))}) {
        EXPECT_EQ(parse_scene(scene_to_json(scene)), scene) << scene_to_json(scene);
    }
}

TEST(SceneWrite, EveryDefaultIsWrittenOut) {
    const auto json = nlohmann::json::parse(scene_to_json(pool()));
    for (const char* key :
         {"millrace", "name", "dimension", "spacing", "support", "gravity", "end", "seed", "fluids",
          "boundaries", "pressure", "time_step", "output", "probes"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["millrace"], 1);
    EXPECT_EQ(json["gravity"], (nlohmann::json{0.0, -9.81, 0.0}));
    EXPECT_EQ(json["fluids"][0]["viscosity"]["nu"], 1e-6);
    EXPECT_EQ(json["fluids"][0]["fill"][0]["jitter"], 0.01);
    EXPECT_EQ(json["boundaries"][0]["name"], "boundary_0");
    EXPECT_EQ(json["pressure"]["method"], "dfsph");
    EXPECT_EQ(json["output"]["particles"], nlohmann::json{"vtu"});
    EXPECT_EQ(nlohmann::json::parse(scene_to_json(pool_2d()))["gravity"],
              (nlohmann::json{0.0, -9.81}));
}

TEST(SceneWrite, WhatMeansNothingIsNotWritten) {
    const auto json = nlohmann::json::parse(scene_to_json(scene_with_bodies()));
    EXPECT_FALSE(json["bodies"][1].contains("density"));
    EXPECT_EQ(json["bodies"][1]["mass"], 12);
    EXPECT_EQ(json["bodies"][2]["density"], 500);
    EXPECT_FALSE(json["fluids"][0]["emitters"][0].contains("size"));
    EXPECT_FALSE(json["fluids"][0]["emitters"][0].contains("up"));
    EXPECT_FALSE(json["fluids"][0]["emitters"][1].contains("radius"));
    EXPECT_FALSE(json["joints"][1].contains("limits"));
    EXPECT_FALSE(json["joints"][3].contains("axis"));
    EXPECT_FALSE(json["boundaries"][3].contains("open"));
    EXPECT_FALSE(json["boundaries"][5].contains("inside"));
    EXPECT_EQ(json["rigid"]["engine"], "bullet");
    EXPECT_EQ(nlohmann::json::parse(scene_to_json(pool()))["bodies"], nlohmann::json::array());
}

TEST(SceneWrite, WhatMeansNothingInThePlaneIsNotWritten) {
    const auto json = nlohmann::json::parse(scene_to_json(pool_scene("spook")));
    EXPECT_EQ(json["bodies"][0]["angular_velocity"], 1.0 / 3);
    EXPECT_EQ(json["bodies"][2]["polygon"]["points"][1], (nlohmann::json{1.0, 0.0}));
    EXPECT_EQ(json["joints"][0]["axis"], (nlohmann::json{0.0, 0.0, 1.0}));
    EXPECT_EQ(json["joints"][1]["axis"], (nlohmann::json{1.0, 2.0}));
    EXPECT_EQ(json["pressure"]["relaxation_time"], 2.0);
    for (const char* key : {"avg_error", "max_iterations", "stiffness", "kernels", "gamma"}) {
        EXPECT_FALSE(json["pressure"].contains(key)) << key;
    }
    EXPECT_FALSE(nlohmann::json::parse(scene_to_json(pool()))["fluids"][0].contains("goo"));
}

TEST(SceneWrite, VectorsTakeOneLine) {
    EXPECT_NE(scene_to_json(pool()).find("\n  \"gravity\": [0.0, -9.81, 0.0],\n"),
              std::string::npos);
}

TEST(SceneValidate, AcceptsScenesBuiltInCode) {
    EXPECT_EQ(refusal_of(rich_scene(2)), "");
    EXPECT_EQ(refusal_of(rich_scene(3)), "");
    EXPECT_EQ(refusal_of(scene_with_bodies()), "");
    EXPECT_EQ(refusal_of(pool_scene("mueller")), "");
    EXPECT_EQ(refusal_of(goo_scene()), "");
    Scene scene = scene_with_bodies();
    scene.boundaries[0].name.clear();  // found a name when the scene is read
    scene.bodies[4].name.clear();
    scene.joints[0].name.clear();
    scene.sinks[0].name.clear();
    scene.fluids[0].emitters[0].name.clear();
    EXPECT_EQ(refusal_of(scene), "");
}

TEST(SceneValidate, AppliesTheRulesOfBodies) {
    const auto refusal_with = [](auto change) {
        Scene scene = scene_with_bodies();
        change(scene);
        return refusal_of(scene);
    };
    EXPECT_EQ(refusal_with([](Scene& s) { s.bodies[1].density = 900; }),
              "built: bodies[1].density: cannot be given together with mass");
    EXPECT_EQ(refusal_with([](Scene& s) { std::get<BodyMesh>(s.bodies[0].shape).file.clear(); }),
              "built: bodies[0].mesh.file: must not be empty, got ''");
    EXPECT_EQ(refusal_with([](Scene& s) {
                  s.joints[3].limits = {0, 1};
              }),
              "built: joints[3].limits: used only with type hinge, slider, distance; here type is "
              "'weld'");
    EXPECT_EQ(refusal_with([](Scene& s) { s.joints[0].bodies.pop_back(); }),
              "built: joints[0].bodies: must have 2 entries, got 1");
    EXPECT_EQ(refusal_with([](Scene& s) { s.fluids[2].emitters[0].radius = 0; }),
              "built: fluids[2].emitters[0]: needs one of radius, size");
}

TEST(SceneValidate, AppliesTheRulesOfTheFile) {
    const auto refusal_with = [](auto change) {
        Scene scene = rich_scene(2);
        change(scene);
        return refusal_of(scene);
    };
    EXPECT_EQ(refusal_of(Scene{}), "built: spacing: must be greater than 0, got 0");
    EXPECT_EQ(refusal_with([](Scene& s) { s.fluids.clear(); }),
              "built: fluids: must have at least one entry");
    EXPECT_EQ(refusal_with([](Scene& s) { s.fluids[1].density = -3; }),
              "built: fluids[1].density: must be greater than 0, got -3");
    EXPECT_EQ(refusal_with([](Scene& s) { s.end = std::nan(""); }),
              "built: end: must be a finite number, got nan");
    EXPECT_EQ(refusal_with([](Scene& s) { s.domain->max[1] = INFINITY; }),
              "built: domain.max[1]: must be a finite number, got inf");
    EXPECT_EQ(
        refusal_with([](Scene& s) { std::get<Box>(s.fluids[0].fill[1].shape).max[0] = 0.11; }),
        "built: fluids[0].fill[1].box: no particle fits: along x the box is "
        "0.009999999999999995 m, less than the spacing 0.03333333333333333 m");
    EXPECT_EQ(refusal_with([](Scene& s) { s.dimension = 7; }),
              "built: dimension: must be at most 3, got 7");
    EXPECT_EQ(refusal_with([](Scene& s) { s.gravity[2] = 1; }),
              "built: gravity: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refusal_with([](Scene& s) { s.probes[0].at[1] = 1; }),
              "built: probes[0].at: must have 1 number [x] in 2D, got 3");
    EXPECT_EQ(refusal_with([](Scene& s) { s.time_step.mode = "cfl"; }),
              "built: time_step.dt: used only with mode fixed; here mode is 'cfl'");
    EXPECT_EQ(refusal_with([](Scene& s) { s.probes[4].axis = 1; }),
              "built: probes[4].axis: used only with type front; here type is 'energy'");
    EXPECT_EQ(refusal_with([](Scene& s) { s.probes[0].name.clear(); }),
              "built: probes[0].name: must not be empty, got ''");
    EXPECT_EQ(refusal_with([](Scene& s) { s.probes[0].name = "\xff"; }),
              "built: probes[0].name: must be UTF-8, got '\xff'");
    EXPECT_EQ(refusal_with([](Scene& s) { s.fluids[0].fill[0].shape = {}; }),
              "built: fluids[0].fill[0]: needs one of box, circle, polygon");
    EXPECT_EQ(refusal_with([](Scene& s) {
                  s.boundaries[0].shape = Cylinder{{}, {0, 1, 0}, 1};
              }),
              "built: boundaries[0].cylinder: is available in 3D only; in 2D: box, plane, circle, "
              "polygon, chain");
    EXPECT_EQ(refusal_with([](Scene& s) {
                  s.boundaries[0].rotation.axis = {1, 0, 0};
              }),
              "built: boundaries[0].rotation.axis: must be along z in 2D, such as [0, 0, 1]");
    EXPECT_EQ(refusal_with([](Scene& s) { s.boundaries[0].scale[2] = 2; }),
              "built: boundaries[0].scale: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refusal_with([](Scene& s) { s.boundaries[1].motion->rpm = 2; }),
              "built: boundaries[1].motion.rpm: used only with type rotate; here type is 'sine'");
    EXPECT_EQ(refusal_with([](Scene& s) { s.bodies.resize(1); }),
              "built: bodies[0]: needs one of box, circle, polygon");
    EXPECT_EQ(refusal_with([](Scene& s) { s.fluids[0].goo.plasticity = 1; }),
              "built: fluids[0].goo: used only with pressure.method 'clavet'; here it is 'dfsph'");
}

}  // namespace millrace::scene_test
