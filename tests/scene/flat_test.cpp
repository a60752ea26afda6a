// Scenes of 2D games: bodies, outlines and the methods of the pool.
#include <nlohmann/json.hpp>

#include "scene/scene_test.hpp"

namespace millrace::scene_test {

namespace {

std::vector<std::string> wall(const std::string& keys) {
    return {"boundaries=[{" + keys + "}]"};
}
std::vector<std::string> fill(const std::string& keys) {
    return {"fluids[0].fill=[{" + keys + "}]"};
}
std::vector<std::string> body(const std::string& keys) {
    return {"bodies=[{" + keys + "}]"};
}
std::vector<std::string> joint(const std::string& keys) {
    return {R"(bodies=[{"name": "a", "circle": {"radius": 1}},
                       {"name": "b", "circle": {"radius": 1}}])",
            R"(joints=[{"bodies": ["a", "b"], )" + keys + "}]"};
}
std::vector<std::string> both(std::vector<std::string> a, const std::string& b) {
    a.push_back(b);
    return a;
}

std::string polygon(const std::string& points) {
    return R"("polygon": {"points": [)" + points + "]}";
}

const std::string k_circle = R"("circle": {"center": [1, 2], "radius": 0.5})";
const std::string k_disc = R"("circle": {"radius": 0.5})";
const std::string k_triangle = polygon("[0, 0], [1, 0], [0, 1]");
const std::string k_chain = R"("chain": {"points": [[0, 0], [1, 0]]})";

}  // namespace

TEST(SceneFlat, BodiesHaveShapesOfThePlane) {
    const Scene scene = pool_2d({R"(bodies=[{"box": {"size": [1, 2]}}, {"circle": {"radius": 2}},
        {"polygon": {"points": [[0, 0], [1, 0], [0, 1]]}}])"});
    EXPECT_EQ(std::get<BodyBox>(scene.bodies.at(0).shape), BodyBox({1, 2, 0}));
    EXPECT_EQ(std::get<BodySphere>(scene.bodies.at(1).shape), BodySphere{2});
    EXPECT_EQ(std::get<Polygon>(scene.bodies.at(2).shape),
              (Polygon{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}));

    EXPECT_EQ(refusal_2d(body("")), "pool.json: bodies[0]: needs one of box, circle, polygon");
    EXPECT_EQ(refusal_2d(body(k_disc + "," + k_triangle)),
              "pool.json: bodies[0]: has both circle and polygon; only one shape is allowed");
    for (const char* shape : {R"("sphere": {"radius": 1})", R"("mesh": {"file": "a.obj"})",
                              R"("cylinder": {"radius": 1, "height": 1})",
                              R"("capsule": {"radius": 1, "height": 3})"}) {
        const std::string name = std::string(shape).substr(1, std::string(shape).find(':') - 2);
        EXPECT_EQ(refusal_2d(body(shape)), "pool.json: bodies[0]." + name +
                                               ": is available in 3D only; in 2D: box, circle, "
                                               "polygon");
    }
    for (const std::string& shape : {k_disc, k_triangle}) {
        const std::string name = shape.substr(1, shape.find(':') - 2);
        EXPECT_EQ(refusal(body(shape)),
                  "pool.json: bodies[0]." + name +
                      ": is available in 2D only; in 3D: box, sphere, cylinder, capsule, mesh");
    }
    EXPECT_EQ(refusal_2d(body(R"("box": {"size": [1, 1, 1]})")),
              "pool.json: bodies[0].box.size: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refusal_2d(body(R"("circle": {"radius": 0})")),
              "pool.json: bodies[0].circle.radius: must be greater than 0, got 0");
}

TEST(SceneFlat, BodiesTurnAboutZ) {
    const Scene scene = pool_2d(body(k_disc + R"(, "rotation": {"angle": 30},
        "angular_velocity": -2, "position": [1, 2], "velocity": [3, 4])"));
    EXPECT_EQ(scene.bodies.at(0).rotation, (Rotation{{0, 0, 1}, 30}));
    EXPECT_EQ(scene.bodies.at(0).angular_velocity, (Vector{0, 0, -2}));
    EXPECT_EQ(scene.bodies.at(0).position, (Vector{1, 2, 0}));
    const auto json = nlohmann::json::parse(scene_to_json(scene));
    EXPECT_EQ(json["bodies"][0]["angular_velocity"], -2.0);

    EXPECT_EQ(refusal_2d(body(k_disc + R"(, "rotation": {"angle": 1, "axis": [0, 0, -1]})")), "");
    EXPECT_EQ(refusal_2d(body(k_disc + R"(, "rotation": {"angle": 1, "axis": [0, 1, 1]})")),
              "pool.json: bodies[0].rotation.axis: must be along z in 2D, such as [0, 0, 1]");
    EXPECT_EQ(refusal_2d(body(k_disc + R"(, "angular_velocity": [0, 0, 1])")),
              "pool.json: bodies[0].angular_velocity: must be a number, got a list");
    EXPECT_EQ(refusal(body(R"("sphere": {"radius": 1}, "angular_velocity": 1)")),
              "pool.json: bodies[0].angular_velocity: must be a list of 3 numbers, got 1");
}

TEST(SceneFlat, PolygonsAreSimple) {
    const auto refused = [](const std::string& points) {
        return refusal_2d(body(polygon(points)));
    };
    const std::string place = "pool.json: bodies[0].polygon.points";
    EXPECT_EQ(refused("[0, 0], [0, 1], [1, 0]"), "");  // clockwise
    EXPECT_EQ(refused("[0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]"), "");
    EXPECT_EQ(refused("[0, 0], [1, 0], [2, 0], [2, 2]"), "");  // a corner that is straight
    EXPECT_EQ(refused("[0, 0], [1, 0]"), place + ": must have at least 3 entries, got 2");
    EXPECT_EQ(refused("[0, 0, 0], [1, 0], [0, 1]"),
              place + "[0]: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refused("[0, 0], [1, 1], [1, 0], [0, 1]"),
              place + ": the edge from point 0 meets the one from point 2");
    EXPECT_EQ(refused("[0, 0], [2, 0], [2, 2], [1, 0], [0, 2]"),  // touches an edge
              place + ": the edge from point 0 meets the one from point 2");
    EXPECT_EQ(refused("[0, 0], [1, 0], [2, 0]"),  // no area
              place + ": the edge from point 1 meets the one from point 2");
    EXPECT_EQ(refused("[0, 0], [2, 0], [1, 0], [1, 1]"),  // goes back
              place + ": the edge from point 0 meets the one from point 1");
    EXPECT_EQ(refused("[0, 0], [1, 0], [1, 0], [0, 1]"),
              place + "[2]: must differ from the point before");
    EXPECT_EQ(refused("[0, 0], [1, 0], [0, 1], [0, 0]"),
              place + "[3]: must differ from the first point; a polygon closes by itself");
    EXPECT_EQ(refusal_2d(body("\"polygon\": {}")),
              place +
                  ": missing; required: its corners, in any sense of rotation; its edges do not "
                  "cross [m]");
}

TEST(SceneFlat, Walls) {
    EXPECT_EQ(std::get<Sphere>(pool_2d(wall(k_circle)).boundaries[0].shape),
              (Sphere{{1, 2, 0}, 0.5}));
    EXPECT_EQ(std::get<Polygon>(pool_2d(wall(k_triangle)).boundaries[0].shape).points.size(), 3u);
    EXPECT_EQ(std::get<Chain>(pool_2d(wall(k_chain)).boundaries[0].shape),
              (Chain{{{0, 0, 0}, {1, 0, 0}}}));
    EXPECT_EQ(std::get<Plane>(pool_2d(wall(R"("plane": {"point": [0, 1]})")).boundaries[0].shape),
              (Plane{{0, 1, 0}, {0, 1, 0}}));
    EXPECT_EQ(pool_2d({R"(boundaries[0].rotation={"angle": 45})"}).boundaries[0].rotation,
              (Rotation{{0, 0, 1}, 45}));

    const std::string place = "pool.json: boundaries[0]";
    EXPECT_EQ(refusal_2d(wall("")), place + ": needs one of box, plane, circle, polygon, chain");
    EXPECT_EQ(
        refusal_2d(wall(R"("sphere": {"center": [0, 0], "radius": 1})")),
        place + ".sphere: is available in 3D only; in 2D: box, plane, circle, polygon, chain");
    EXPECT_EQ(refusal(wall(k_chain)),
              place + ".chain: is available in 2D only; in 3D: box, sphere, cylinder, plane, mesh");
    EXPECT_EQ(refusal_2d(wall(R"("chain": {"points": [[0, 0]]})")),
              place + ".chain.points: must have at least 2 entries, got 1");
    EXPECT_EQ(refusal_2d(wall(R"("chain": {"points": [[0, 0], [0, 0]]})")),
              place + ".chain.points[1]: must differ from the point before");
    EXPECT_EQ(refusal_2d(wall(polygon("[0, 0], [1, 1], [1, 0], [0, 1]"))),
              place + ".polygon.points: the edge from point 0 meets the one from point 2");
    EXPECT_EQ(refusal_2d(wall(k_triangle + R"(, "inside": true)")), "");
    EXPECT_EQ(refusal_2d(wall(k_circle + R"(, "scale": [1, 2])")), "");
    EXPECT_EQ(refusal_2d(wall(k_chain + R"(, "inside": true)")),
              place + ".inside: means nothing of a chain: it has two sides");
    EXPECT_EQ(refusal_2d({R"(boundaries[0].rotation={"axis": [1, 0, 0], "angle": 45})"}),
              place + ".rotation.axis: must be along z in 2D, such as [0, 0, 1]");
}

TEST(SceneFlat, WallsMove) {
    const auto motion = [](const std::string& keys) {
        return wall(k_triangle + R"(, "motion": {)" + keys + "}");
    };
    const Scene scene = pool_2d(motion(R"("type": "rotate", "axis": [0, 0, 1], "rpm": 3)"));
    EXPECT_EQ(scene.boundaries[0].motion->axis, (Vector{0, 0, 1}));
    const std::string place = "pool.json: boundaries[0].motion";
    EXPECT_EQ(refusal_2d(motion(R"("type": "rotate", "rpm": 3)")),
              place + ".axis: must be along z in 2D, such as [0, 0, 1]");
    EXPECT_EQ(refusal_2d(motion(R"("type": "rotate", "axis": [0, 1], "rpm": 3)")),
              place + ".axis: must have 3 numbers in 2D, got 2");
    EXPECT_EQ(
        refusal_2d(motion(R"("type": "sine", "axis": [0, 0, 1], "amplitude": 1, "period": 1)")),
        place + ".axis: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refusal_2d(motion(R"("type": "keyframes", "keyframes": [{"time": 0,
                                   "rotation": {"axis": [1, 0, 0], "angle": 3}}])")),
              place + ".keyframes[0].rotation.axis: must be along z in 2D, such as [0, 0, 1]");
}

TEST(SceneFlat, Fills) {
    EXPECT_EQ(std::get<Sphere>(pool_2d(fill(k_circle)).fluids[0].fill[0].shape),
              (Sphere{{1, 2, 0}, 0.5}));
    EXPECT_EQ(std::get<Polygon>(pool_2d(fill(k_triangle)).fluids[0].fill[0].shape).points.size(),
              3u);
    const std::string place = "pool.json: fluids[0].fill[0]";
    EXPECT_EQ(refusal_2d(fill(R"("circle": {"center": [1, 2], "radius": 0.04})")),
              place +
                  ".circle: no particle fits: the circle is 0.08 m wide, less than the spacing "
                  "0.1 m");
    EXPECT_EQ(refusal_2d(fill(polygon("[0, 0], [1, 1], [1, 0], [0, 1]"))),
              place + ".polygon.points: the edge from point 0 meets the one from point 2");
    EXPECT_EQ(refusal(fill(k_circle)),
              place + ".circle: is available in 2D only; in 3D: box, sphere, mesh, points");
}

TEST(SceneFlat, Joints) {
    const Scene scene = pool_2d(joint(R"("type": "hinge", "anchor": [1, 2], "limits": [-30, 45],
        "motor": {"speed": 2, "max_torque": 10})"));
    EXPECT_EQ(scene.joints.at(0).anchor, (Vector{1, 2, 0}));
    EXPECT_EQ(scene.joints.at(0).axis, (Vector{0, 0, 1}));
    EXPECT_EQ(pool_2d(joint(R"("type": "slider", "axis": [1, 1])")).joints.at(0).axis,
              (Vector{1, 1, 0}));
    EXPECT_EQ(refusal_2d(joint(R"("type": "weld")")), "");
    EXPECT_EQ(refusal_2d(joint(R"("type": "distance", "anchor": [0, 0], "anchor_b": [1, 0])")), "");
    const std::string place = "pool.json: joints[0]";
    EXPECT_EQ(refusal_2d(joint(R"("type": "hinge", "anchor": [0, 0], "axis": [0, 1, 1])")),
              place + ".axis: must be along z in 2D, such as [0, 0, 1]");
    EXPECT_EQ(refusal_2d(joint(R"("type": "hinge", "anchor": [0, 0], "axis": [0, 1])")),
              place + ".axis: must have 3 numbers in 2D, got 2");
    EXPECT_EQ(refusal_2d(joint(R"("type": "slider")")),
              place + ".axis: missing; required where type is 'slider' in 2D");
    EXPECT_EQ(refusal_2d(joint(R"("type": "slider", "axis": [0, 0, 1])")),
              place + ".axis: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refusal_2d(joint(R"("type": "hinge", "anchor": [0, 0, 0])")),
              place + ".anchor: must have 2 numbers in 2D, got 3");
}

TEST(SceneFlat, RigidEngine) {
    for (const std::string engine : {"auto", "own", "box2d", "spook"}) {
        EXPECT_EQ(pool_2d({"rigid.engine=" + engine}).rigid.engine, engine);
    }
    EXPECT_EQ(refusal_2d({"rigid.engine=bullet"}),
              "pool.json: rigid.engine: 'bullet' is not available in 2D with engine 'sph'; "
              "available: auto, own, box2d, spook");
    EXPECT_EQ(refusal({"rigid.engine=box2d"}),
              "pool.json: rigid.engine: 'box2d' is not available in 3D with engine 'sph'; "
              "available: auto, own, bullet, spook");
    EXPECT_EQ(refusal_2d({"engine=game", "rigid.engine=own"}),
              "pool.json: rigid.engine: 'own' is not available in 2D with engine 'game'; "
              "available: auto, box2d");
    for (const std::string engine : {"own", "bullet", "box2d"}) {
        EXPECT_EQ(refusal({"engine=constraints", "rigid.engine=" + engine}),
                  "pool.json: rigid.engine: '" + engine +
                      "' is not available in 3D with engine 'constraints'; available: auto, spook");
    }
}

// What runs is written: nothing in a scene moves it to another engine.
TEST(SceneFlat, TheEngineIsWrittenNotGuessed) {
    EXPECT_EQ(pool().engine, "sph");
    EXPECT_EQ(pool_2d(body(k_disc)).engine, "sph");
    for (const std::string& shape : {k_circle, k_triangle, k_chain}) {
        EXPECT_EQ(pool_2d(wall(shape)), pool_2d(both(wall(shape), "engine=sph"))) << shape;
    }
    EXPECT_EQ(pool_2d({"engine=game"}).pressure.method, "spook");
    EXPECT_EQ(pool_2d({"engine=constraints"}).pressure.method, "spook");
    EXPECT_EQ(pool({"engine=constraints"}).pressure.method, "spook");
    EXPECT_EQ(refusal({"engine=game"}),
              "pool.json: engine: 'game' is available in 2D only; in 3D: sph, constraints");
    EXPECT_EQ(refusal({"engine=gane"}),
              "pool.json: engine: must be one of sph, game, constraints; got 'gane'; did you mean "
              "'game'?");
}

// A scene made in C++ starts from the same defaults as one from a file.
TEST(SceneFlat, DefaultsAreThoseOfTheEngine) {
    for (const std::string engine : {"sph", "game", "constraints"}) {
        const Scene file = pool_2d({"engine=" + engine}), made = default_scene(engine);
        EXPECT_EQ(file.time_step, made.time_step);
        EXPECT_EQ(file.pressure, made.pressure);
        EXPECT_EQ(file.rigid, made.rigid);
    }
    EXPECT_EQ(default_scene("sph"), Scene());
    EXPECT_EQ(default_scene("constraints").time_step, (TimeStep{.cfl = 1, .max = 1.0 / 120}));
}

TEST(SceneFlat, WhatConstraintsCanDo) {
    const auto refused = [](const std::string& setting) {
        return refusal({"engine=constraints", setting});
    };
    EXPECT_EQ(refused("pressure.boundary=contact"), "");
    EXPECT_EQ(refused("pressure.pair_damping=0"), "");
    EXPECT_EQ(
        refused("pressure.method=dfsph"),
        "pool.json: pressure.method: 'dfsph' is not of engine 'constraints', which has spook; "
        "for this method write \"engine\": \"sph\"");
    EXPECT_EQ(refused("time_step.mode=metropolis"),
              "pool.json: time_step.mode: 'metropolis' is not available with engine 'constraints'; "
              "available: cfl, fixed");
    EXPECT_EQ(refused("pressure.kernels=poly6h"),
              "pool.json: pressure.kernels: 'poly6h' is not of method 'spook' with engine "
              "'constraints'; available: spiky, poly6");
    EXPECT_EQ(refused(R"(fluids[0].viscosity={"method": "xsph"})"),
              "pool.json: fluids[0].viscosity.method: 'xsph' is not available with engine "
              "'constraints'; available: none, and standard and implicit, which are the same here: "
              "always implicit");
    EXPECT_EQ(refused(R"(fluids[0].viscosity={"walls": "no-slip"})"),
              "pool.json: fluids[0].viscosity.walls: 'no-slip' is not available with engine "
              "'constraints'; available: slip");
    EXPECT_EQ(refused(R"(fluids[0].surface_tension={"method": "cohesion"})"),
              "pool.json: fluids[0].surface_tension.method: 'cohesion' is not available with "
              "engine 'constraints'; available: none");
    EXPECT_EQ(refusal_2d({"engine=game", "pressure.boundary=contact"}),
              "pool.json: pressure.boundary: used only with engine constraints; here it is 'game'");
    EXPECT_EQ(refusal_2d({"engine=game", "pressure.pair_damping=0"}),
              "pool.json: pressure.pair_damping: used only with engine constraints; here it is "
              "'game'");
}

TEST(SceneFlat, Methods) {
    const Pressure spook = pool_2d({"engine=game", "pressure.iterations=20",
                                    "pressure.relaxation_time=3", "pressure.compliance=0.1",
                                    "pressure.over_relaxation=1.5", "pressure.kernels=poly6h",
                                    "pressure.self_contribution=0.2", "pressure.warm_start=false"})
                               .pressure;
    EXPECT_EQ(spook.iterations, 20);
    EXPECT_EQ(spook.relaxation_time, 3);
    EXPECT_EQ(spook.kernels, "poly6h");
    const Pressure clavet = pool_2d({"engine=game", "pressure.method=clavet",
                                     "pressure.stiffness=4", "pressure.near_stiffness=5",
                                     "pressure.rest_ratio=0.9", "pressure.kernels=squared"})
                                .pressure;
    EXPECT_EQ(clavet.stiffness, 4);
    EXPECT_EQ(clavet.kernels, "squared");

    EXPECT_EQ(
        refusal_2d({"pressure.method=clavet"}),
        "pool.json: pressure.method: 'clavet' is not of engine 'sph', which has dfsph, iisph, "
        "pcisph, wcsph; for this method write \"engine\": \"game\"");
    EXPECT_EQ(
        refusal({"pressure.method=clavet"}),
        "pool.json: pressure.method: 'clavet' is not of engine 'sph', which has dfsph, iisph, "
        "pcisph, wcsph; there is none in 3D that has it");
    EXPECT_EQ(refusal_2d({"pressure.method=spook"}),
              "pool.json: pressure.method: 'spook' is not of engine 'sph', which has dfsph, iisph, "
              "pcisph, wcsph; for this method write \"engine\": \"game\" or \"engine\": "
              "\"constraints\"");
    const auto refused = [](const std::string& method, const std::string& key) {
        return refusal_2d({"engine=game", "pressure.method=" + method, "pressure." + key});
    };
    const std::string place = "pool.json: pressure.";
    EXPECT_EQ(refused("mueller", "iterations=3"),
              place +
                  "iterations: used only with method spook, iisph, dfsph; here method is "
                  "'mueller'");
    EXPECT_EQ(refused("spook", "stiffness=3"),
              place + "stiffness: used only with method mueller, clavet; here method is 'spook'");
    EXPECT_EQ(refused("spook", "avg_error=0.1"),
              place +
                  "avg_error: used only with method wcsph, pcisph, iisph, dfsph; here method "
                  "is 'spook'");
    EXPECT_EQ(refused("mueller", "warm_start=true"),
              place +
                  "warm_start: used only with method wcsph, pcisph, iisph, dfsph, spook; here "
                  "method is 'mueller'");
    EXPECT_EQ(refused("clavet", "kernels=cubic"),
              place +
                  "kernels: must be one of original, hybrid, squared, spiky, poly6, poly6h; "
                  "got 'cubic'");
    EXPECT_EQ(refused("clavet", "kernels=poly6"),
              place +
                  "kernels: 'poly6' is not of method 'clavet' with engine 'game'; available: "
                  "original, hybrid, squared");
    EXPECT_EQ(
        refused("spook", "kernels=squared"),
        place +
            "kernels: 'squared' is not of method 'spook' with engine 'game'; available: spiky, "
            "poly6, poly6h");
    EXPECT_EQ(refused("spook", "over_relaxation=2"),
              place + "over_relaxation: must be less than 2, got 2");
    EXPECT_EQ(refused("dfsph", "iterations=3"), "");
    EXPECT_EQ(refusal({"pressure.iterations=3"}),
              place +
                  "iterations: used only with engine game or constraints; here it is 'sph', where "
                  "max_iterations limits the solver");
    EXPECT_EQ(refusal_2d({"pressure.method=iisph", "pressure.self_contribution=0.1"}),
              place +
                  "self_contribution: used only with engine game; here it is 'sph', where support "
                  "sets the radius of the kernel");
}

// A game steps 60 times a second.
TEST(SceneFlat, StepsAreLongerInGames) {
    const auto steps = [](const std::vector<std::string>& overrides) {
        return pool_2d(both(overrides, "engine=game")).time_step;
    };
    EXPECT_EQ(steps({}), (TimeStep{.cfl = 1, .max = 1.0 / 60}));
    EXPECT_EQ(steps({"time_step.cfl=0.5"}), (TimeStep{.cfl = 0.5, .max = 1.0 / 60}));
    EXPECT_EQ(steps({"time_step.max=0.005"}), (TimeStep{.cfl = 1, .max = 0.005}));
    EXPECT_EQ(pool_2d().time_step, TimeStep{});
}

TEST(SceneFlat, Goo) {
    const auto goo = [](const std::string& method) {
        return std::vector<std::string>{"engine=game", "pressure.method=" + method,
                                        R"(fluids[0].goo={"linear_viscosity": 1,
            "quadratic_viscosity": 2, "spring_stiffness": 3, "yield_ratio": 0.2, "plasticity": 5,
            "stickiness": 6})"};
    };
    EXPECT_EQ(pool_2d(goo("clavet")).fluids[0].goo, (Goo{1, 2, 3, 0.2, 5, 6}));
    EXPECT_EQ(refusal_2d(goo("spook")),
              "pool.json: fluids[0].goo: used only with pressure.method 'clavet'; here it is "
              "'spook'");
    EXPECT_EQ(refusal({"fluids[0].goo={}"}), "pool.json: fluids[0].goo: is available in 2D only");
    EXPECT_EQ(refusal_2d({"fluids[0].goo.yield_ratio=2"}),
              "pool.json: fluids[0].goo.yield_ratio: must be at most 1, got 2");
}

TEST(SceneFlat, WhatGamesCanDo) {
    const auto refused = [](const std::string& setting, const std::string& method = "spook") {
        return refusal_2d({"engine=game", "pressure.method=" + method, setting});
    };
    EXPECT_EQ(refused("name=x", "wcsph"),
              "pool.json: pressure.method: 'wcsph' is not of engine 'game', which has spook, "
              "clavet, mueller, iisph, dfsph; for this method write \"engine\": \"sph\"");
    EXPECT_EQ(refused("time_step.mode=metropolis"),
              "pool.json: time_step.mode: 'metropolis' is not available with engine 'game'; "
              "available: cfl, fixed");
    EXPECT_EQ(refusal_2d({"engine=game", "time_step.mode=fixed", "time_step.dt=0.01"}), "");
    EXPECT_EQ(refused("support=2.5"),
              "pool.json: support: is not used with engine 'game'; pressure.self_contribution sets "
              "the radius of the kernels");
    for (const std::string method : {"implicit", "xsph"}) {
        EXPECT_EQ(refused("fluids[0].viscosity.method=" + method),
                  "pool.json: fluids[0].viscosity.method: '" + method +
                      "' is not available with engine 'game'; available: none, standard");
    }
    EXPECT_EQ(refused("fluids[0].surface_tension.method=cohesion", "mueller"),
              "pool.json: fluids[0].surface_tension.method: 'cohesion' is not available with "
              "engine 'game'; available: none, and color_field with pressure.method 'mueller'");
    EXPECT_EQ(refused("fluids[0].surface_tension.method=color_field", "mueller"), "");
    EXPECT_NE(refused("fluids[0].surface_tension.method=color_field"), "");
}

// With the engine sph there are all methods and forces, whatever the walls and bodies.
TEST(SceneFlat, WhatSphCanDo) {
    for (const std::string method : {"wcsph", "pcisph", "iisph", "dfsph"}) {
        EXPECT_EQ(refusal_2d(both(body(k_disc), "pressure.method=" + method)), "");
    }
    EXPECT_EQ(refusal_2d(both(wall(k_chain), "time_step.mode=metropolis")), "");
    EXPECT_EQ(refusal_2d(both(fill(k_circle), "support=2.5")), "");
    EXPECT_EQ(refusal_2d(both(wall(k_circle), "boundaries[0].inside=true")), "");
    EXPECT_EQ(refusal_2d(both(wall(k_triangle), "fluids[0].viscosity.method=implicit")), "");
}

}  // namespace millrace::scene_test
