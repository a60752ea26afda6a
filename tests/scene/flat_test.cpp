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
    EXPECT_EQ(scene.bodies.at(0).box, BodyBox({1, 2, 0}));
    EXPECT_EQ(scene.bodies.at(1).circle, BodySphere{2});
    EXPECT_EQ(scene.bodies.at(2).polygon, (Polygon{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}));

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
    EXPECT_EQ(pool_2d(wall(k_circle)).boundaries[0].circle, (Sphere{{1, 2, 0}, 0.5}));
    EXPECT_EQ(pool_2d(wall(k_triangle)).boundaries[0].polygon->points.size(), 3u);
    EXPECT_EQ(pool_2d(wall(k_chain)).boundaries[0].chain, (Chain{{{0, 0, 0}, {1, 0, 0}}}));
    EXPECT_EQ(pool_2d(wall(R"("plane": {"point": [0, 1]})")).boundaries[0].plane,
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
    EXPECT_EQ(refusal_2d(wall(k_triangle + R"(, "inside": true)")),
              place +
                  ".inside: is available with box only in 2D; a closed chain is a tank of any "
                  "shape");
    EXPECT_EQ(refusal_2d(wall(k_circle + R"(, "scale": [1, 2])")),
              place + ".scale: must be the same along x and y for a circle");
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
    EXPECT_EQ(pool_2d(fill(k_circle)).fluids[0].fill[0].circle, (Sphere{{1, 2, 0}, 0.5}));
    EXPECT_EQ(pool_2d(fill(k_triangle)).fluids[0].fill[0].polygon->points.size(), 3u);
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

TEST(SceneFlat, Engine) {
    EXPECT_EQ(pool_2d({"rigid.engine=box2d"}).rigid.engine, "box2d");
    for (const std::string engine : {"own", "bullet"}) {
        EXPECT_EQ(refusal_2d({"rigid.engine=" + engine}),
                  "pool.json: rigid.engine: '" + engine +
                      "' is available in 3D only; in 2D: auto, box2d, spook");
    }
    EXPECT_EQ(refusal({"rigid.engine=box2d"}),
              "pool.json: rigid.engine: 'box2d' is available in 2D only; in 3D: auto, own, bullet, "
              "spook");
    EXPECT_EQ(refusal_2d({"rigid.engine=spook"}),
              "pool.json: rigid.engine: 'spook' is available in 2D with pressure.method 'spook' "
              "only; here: auto, box2d");
    for (const std::string engine : {"own", "bullet", "box2d"}) {
        EXPECT_EQ(refusal({"pressure.method=spook", "rigid.engine=" + engine}),
                  "pool.json: rigid.engine: '" + engine +
                      "' is not available in 3D with pressure.method 'spook', which solves bodies "
                      "and fluid together; available: auto, spook");
    }
}

// In one solve with the bodies: all of spook in 3D, and in 2D where the bodies are spook's too.
TEST(SceneFlat, WhatRunsAsConstraints) {
    EXPECT_FALSE(runs_as_constraints(pool()));
    EXPECT_FALSE(runs_as_constraints(pool({"rigid.engine=spook"})));
    EXPECT_TRUE(runs_as_constraints(pool({"pressure.method=spook"})));
    EXPECT_FALSE(runs_as_constraints(pool_2d({"pressure.method=spook"})));
    const Scene flat = pool_2d({"pressure.method=spook", "rigid.engine=spook"});
    EXPECT_TRUE(runs_as_constraints(flat));
    EXPECT_FALSE(runs_in_pool(flat));
    EXPECT_EQ(flat.time_step, (TimeStep{.cfl = 1, .max = 1.0 / 120}));

    const auto refused = [](const std::string& setting) {
        return refusal({"pressure.method=spook", setting});
    };
    EXPECT_EQ(refused("pressure.boundary=contact"), "");
    EXPECT_EQ(refused("pressure.pair_damping=0"), "");
    EXPECT_EQ(refused("time_step.mode=metropolis"),
              "pool.json: time_step.mode: 'metropolis' is not available with pressure.method "
              "'spook'; available: cfl, fixed");
    EXPECT_EQ(refused("pressure.kernels=poly6h"),
              "pool.json: pressure.kernels: 'poly6h' is available in 2D without rigid.engine "
              "'spook' only; available here: spiky, poly6");
    EXPECT_EQ(refused(R"(fluids[0].viscosity={"method": "xsph"})"),
              "pool.json: fluids[0].viscosity.method: 'xsph' is not available with "
              "pressure.method 'spook'; available: none, standard, implicit, which are the same "
              "here: always implicit");
    EXPECT_EQ(refused(R"(fluids[0].viscosity={"walls": "no-slip"})"),
              "pool.json: fluids[0].viscosity.walls: 'no-slip' is not available with "
              "pressure.method 'spook'; available: slip");
    EXPECT_EQ(refused(R"(fluids[0].surface_tension={"method": "cohesion"})"),
              "pool.json: fluids[0].surface_tension.method: 'cohesion' is not available with "
              "pressure.method 'spook'; available: none");
    EXPECT_EQ(refusal_2d({"pressure.method=spook", "pressure.boundary=contact"}),
              "pool.json: pressure.boundary: used only in 3D, or in 2D with rigid.engine 'spook'");
    EXPECT_EQ(refusal_2d({"pressure.method=spook", "pressure.pair_damping=0"}),
              "pool.json: pressure.pair_damping: used only in 3D, or in 2D with rigid.engine "
              "'spook'");
}

TEST(SceneFlat, WhatRunsInThePool) {
    EXPECT_FALSE(runs_in_pool(pool()));
    EXPECT_FALSE(runs_in_pool(pool(body(R"("box": {"size": [1, 1, 1]})"))));
    EXPECT_FALSE(runs_in_pool(pool_2d()));
    EXPECT_FALSE(runs_in_pool(pool_2d({"pressure.method=iisph"})));
    EXPECT_TRUE(runs_in_pool(pool_2d(body(k_disc))));
    for (const std::string method : {"mueller", "clavet", "spook"}) {
        EXPECT_TRUE(runs_in_pool(pool_2d({"pressure.method=" + method})));
    }
    for (const std::string& shape : {k_circle, k_triangle, k_chain}) {
        EXPECT_TRUE(runs_in_pool(pool_2d(wall(shape)))) << shape;
    }
    EXPECT_TRUE(runs_in_pool(pool_2d(fill(k_circle))));
    EXPECT_TRUE(runs_in_pool(pool_2d({R"(boundaries[0].rotation={"angle": 45})"})));
    EXPECT_TRUE(runs_in_pool(
        pool_2d({R"(boundaries[0].motion={"type": "rotate", "axis": [0, 0, 1], "rpm": 3})"})));
}

TEST(SceneFlat, Methods) {
    const Pressure spook = pool_2d({"pressure.method=spook", "pressure.iterations=20",
                                    "pressure.relaxation_time=3", "pressure.compliance=0.1",
                                    "pressure.over_relaxation=1.5", "pressure.kernels=poly6h",
                                    "pressure.self_contribution=0.2", "pressure.warm_start=false"})
                               .pressure;
    EXPECT_EQ(spook.iterations, 20);
    EXPECT_EQ(spook.relaxation_time, 3);
    EXPECT_EQ(spook.kernels, "poly6h");
    const Pressure clavet =
        pool_2d({"pressure.method=clavet", "pressure.stiffness=4", "pressure.near_stiffness=5",
                 "pressure.rest_ratio=0.9", "pressure.kernels=squared"})
            .pressure;
    EXPECT_EQ(clavet.stiffness, 4);
    EXPECT_EQ(clavet.kernels, "squared");

    for (const std::string method : {"mueller", "clavet"}) {
        EXPECT_EQ(refusal({"pressure.method=" + method}),
                  "pool.json: pressure.method: '" + method +
                      "' is available in 2D only; available in 3D: wcsph, pcisph, iisph, dfsph, "
                      "spook");
    }
    const auto refused = [](const std::string& method, const std::string& key) {
        return refusal_2d({"pressure.method=" + method, "pressure." + key});
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
                  "kernels: 'poly6' is not of method 'clavet'; available: original, hybrid, "
                  "squared");
    EXPECT_EQ(refused("spook", "kernels=squared"),
              place +
                  "kernels: 'squared' is not of method 'spook'; available: spiky, poly6, "
                  "poly6h");
    EXPECT_EQ(refused("spook", "over_relaxation=2"),
              place + "over_relaxation: must be less than 2, got 2");
    EXPECT_EQ(refused("dfsph", "iterations=3"),
              place +
                  "iterations: with method 'dfsph' used only in 2D scenes with bodies or with "
                  "walls that are not boxes; here max_iterations limits the solver");
    EXPECT_EQ(refused("iisph", "self_contribution=0.1"),
              place +
                  "self_contribution: with method 'iisph' used only in 2D scenes with bodies "
                  "or with walls that are not boxes; here support sets the radius of the "
                  "kernel");
    EXPECT_EQ(refusal_2d(both(body(k_disc), "pressure.iterations=3")), "");
    EXPECT_EQ(refusal({"pressure.iterations=3"}),
              place +
                  "iterations: with method 'dfsph' used only in 2D scenes with bodies or with "
                  "walls that are not boxes; here max_iterations limits the solver");
}

// A game steps 60 times a second.
TEST(SceneFlat, StepsAreLongerInThePool) {
    const auto steps = [](const std::vector<std::string>& overrides) {
        return pool_2d(both(overrides, "pressure.method=spook")).time_step;
    };
    EXPECT_EQ(steps({}), (TimeStep{.cfl = 1, .max = 1.0 / 60}));
    EXPECT_EQ(steps({"time_step.cfl=0.5"}), (TimeStep{.cfl = 0.5, .max = 1.0 / 60}));
    EXPECT_EQ(steps({"time_step.max=0.005"}), (TimeStep{.cfl = 1, .max = 0.005}));
    EXPECT_EQ(pool_2d().time_step, TimeStep{});
}

TEST(SceneFlat, Goo) {
    const auto goo = [](const std::string& method) {
        return std::vector<std::string>{"pressure.method=" + method,
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

TEST(SceneFlat, WhatThePoolCannotDo) {
    const auto with_body = [](const std::string& key) {
        return refusal_2d(both(body(k_disc), key));
    };
    EXPECT_EQ(with_body("pressure.method=wcsph"),
              "pool.json: pressure.method: 'wcsph' is not available in 2D with bodies; available: "
              "iisph, dfsph, mueller, clavet, spook");
    EXPECT_EQ(refusal_2d(both(wall(k_chain), "pressure.method=pcisph")),
              "pool.json: pressure.method: 'pcisph' is not available in 2D with "
              "boundaries[0].chain; available: iisph, dfsph, mueller, clavet, spook");
    EXPECT_EQ(refusal_2d(both(fill(k_circle), "time_step.mode=metropolis")),
              "pool.json: time_step.mode: 'metropolis' is not available in 2D with "
              "fluids[0].fill[0].circle; available: cfl, fixed");
    EXPECT_EQ(refusal_2d({"pressure.method=spook", "time_step.mode=fixed", "time_step.dt=0.01"}),
              "");
    EXPECT_EQ(with_body("support=2.5"),
              "pool.json: support: is not used in 2D with bodies; pressure.self_contribution sets "
              "the radius of the kernels");
    for (const std::string method : {"implicit", "xsph"}) {
        EXPECT_EQ(refusal_2d({"pressure.method=spook", "fluids[0].viscosity.method=" + method}),
                  "pool.json: fluids[0].viscosity.method: '" + method +
                      "' is not available in 2D with pressure.method 'spook'; available: none, "
                      "standard");
    }
    const std::string tension =
        "pool.json: fluids[0].surface_tension.method: 'cohesion' is not available in 2D with "
        "pressure.method 'mueller'; available: none, and color_field with pressure.method "
        "'mueller'";
    EXPECT_EQ(refusal_2d({"pressure.method=mueller", "fluids[0].surface_tension.method=cohesion"}),
              tension);
    EXPECT_EQ(
        refusal_2d({"pressure.method=mueller", "fluids[0].surface_tension.method=color_field"}),
        "");
    EXPECT_NE(refusal_2d({"pressure.method=spook", "fluids[0].surface_tension.method=color_field"}),
              "");
}

}  // namespace millrace::scene_test
