// Rigid bodies, joints and motors.
#include "scene/scene_test.hpp"

namespace millrace::scene_test {

namespace {

std::vector<std::string> bodies(const std::string& list) {
    return {"bodies=[" + list + "]"};
}
std::vector<std::string> joint(const std::string& keys) {
    return {R"(bodies=[{"name": "ship", "sphere": {"radius": 1}},
                       {"name": "mast", "sphere": {"radius": 1}}])",
            "joints=[{" + keys + "}]"};
}

}  // namespace

TEST(SceneBodies, Shapes) {
    const Scene scene =
        pool(bodies(R"({"box": {"size": [1, 2, 3]}}, {"sphere": {"radius": 2}, "mass": 3},
                       {"cylinder": {"radius": 1, "height": 0.5}},
                       {"capsule": {"radius": 1, "height": 2}, "density": 900},
                       {"name": "ship", "mesh": {"file": "ship.obj", "scale": 2}})"));
    EXPECT_EQ(scene.bodies.at(0).name, "body_0");
    EXPECT_EQ(std::get<BodyBox>(scene.bodies[0].shape), BodyBox({1, 2, 3}));
    EXPECT_EQ(scene.bodies[0].density, 500);
    EXPECT_EQ(std::get<BodySphere>(scene.bodies[1].shape), BodySphere{2});
    EXPECT_EQ(scene.bodies[1].mass, 3);
    EXPECT_EQ(std::get<BodyCylinder>(scene.bodies[2].shape), (BodyCylinder{1, 0.5}));
    EXPECT_EQ(std::get<BodyCapsule>(scene.bodies[3].shape), (BodyCapsule{1, 2}));
    EXPECT_EQ(std::get<BodyMesh>(scene.bodies[4].shape), (BodyMesh{"ship.obj", {2, 2, 2}}));

    EXPECT_EQ(refusal(bodies("{}")),
              "pool.json: bodies[0]: needs one of box, sphere, cylinder, capsule, mesh");
    EXPECT_EQ(refusal(bodies(R"({"box": {"size": [1, 1, 1]}, "sphere": {"radius": 1}})")),
              "pool.json: bodies[0]: has both box and sphere; only one shape is allowed");
    EXPECT_EQ(refusal(bodies(R"({"box": {"size": [1, 0, 1]}})")),
              "pool.json: bodies[0].box.size[1]: must be greater than 0, got 0");
    EXPECT_EQ(
        refusal(bodies(R"({"capsule": {"radius": 1, "height": 1.5}})")),
        "pool.json: bodies[0].capsule.height: must be at least twice the radius (2), got 1.5");
    EXPECT_EQ(refusal(bodies(R"({"cylinder": {"radius": 1}})")),
              "pool.json: bodies[0].cylinder.height: missing; required: length along y [m]");
}

TEST(SceneBodies, Keys) {
    const Scene scene = pool(bodies(R"({"sphere": {"radius": 1}, "position": [1, 2, 3],
        "rotation": {"axis": [1, 0, 0], "angle": 30}, "velocity": [4, 5, 6],
        "angular_velocity": [7, 8, 9], "friction": 0, "restitution": 1, "color": [1, 0, 0]})"));
    const Body& body = scene.bodies.at(0);
    EXPECT_EQ(body.position, (Vector{1, 2, 3}));
    EXPECT_EQ(body.rotation, (Rotation{{1, 0, 0}, 30}));
    EXPECT_EQ(body.velocity, (Vector{4, 5, 6}));
    EXPECT_EQ(body.angular_velocity, (Vector{7, 8, 9}));

    const auto with = [](const std::string& keys) {
        return bodies(R"({"sphere": {"radius": 1}, )" + keys + "}");
    };
    EXPECT_EQ(refusal(with(R"("density": 1, "mass": 1)")),
              "pool.json: bodies[0].density: cannot be given together with mass");
    EXPECT_EQ(refusal(with("\"mass\": 0")),
              "pool.json: bodies[0].mass: must be greater than 0, got 0");
    EXPECT_EQ(refusal(with("\"density\": 0")),
              "pool.json: bodies[0].density: must be greater than 0, got 0");
    EXPECT_EQ(refusal(with("\"friction\": -1")),
              "pool.json: bodies[0].friction: must be at least 0, got -1");
    EXPECT_EQ(refusal(with("\"restitution\": 2")),
              "pool.json: bodies[0].restitution: must be at most 1, got 2");
    EXPECT_EQ(refusal(with("\"name\": \"world\"")),
              "pool.json: bodies[0].name: 'world' stands for the fixed world in joints, choose "
              "another");
    EXPECT_EQ(refusal(with(R"("name": "a"}, {"name": "a", "sphere": {"radius": 1})")),
              "pool.json: bodies[1].name: 'a' is already the name of bodies[0]");
}

TEST(SceneBodies, Joints) {
    const Scene scene = pool(joint(R"("type": "hinge", "bodies": ["ship", "world"],
        "anchor": [1, 2, 3], "axis": [0, 1, 0], "limits": [-30, 45],
        "motor": {"speed": 2, "max_torque": 10})"));
    EXPECT_EQ(scene.joints.at(0).name, "joint_0");
    EXPECT_EQ(scene.joints[0].bodies, (std::vector<std::string>{"ship", "world"}));
    EXPECT_EQ(scene.joints[0].limits, (std::vector<double>{-30, 45}));
    EXPECT_EQ(scene.joints[0].motor, (Motor{2, 10, {}}));
    const std::string two = R"("bodies": ["ship", "mast"], )";
    EXPECT_EQ(refusal(joint(two + R"("type": "slider", "motor": {"speed": 2, "max_force": 1})")),
              "");
    EXPECT_EQ(refusal(joint(two + R"("type": "weld")")), "");
    EXPECT_EQ(refusal(joint(two + R"("type": "distance", "anchor": [0, 0, 0],
                                     "anchor_b": [1, 0, 0], "limits": [0, 2])")),
              "");

    const std::string place = "pool.json: joints[0]";
    EXPECT_EQ(refusal(joint(two + R"("type": "ball")")),
              place + ".type: must be one of hinge, slider, distance, weld; got 'ball'");
    EXPECT_EQ(refusal(joint(R"("type": "weld")")),
              place +
                  ".bodies: missing; required: names of the two bodies; `world` is what does "
                  "not move");
    EXPECT_EQ(refusal(joint(two + R"("type": "hinge")")),
              place +
                  ".anchor: missing; required where type is 'hinge': a point of the joint, in "
                  "the world at the start; of `distance` the one on the first body [m]");
    EXPECT_EQ(refusal(joint(two + R"("type": "distance", "anchor": [0, 0, 0])")),
              place +
                  ".anchor_b: missing; required where type is 'distance': the point on the "
                  "second body, in the world at the start [m]");
    EXPECT_EQ(refusal(joint(two + R"("type": "distance", "anchor": [0, 0, 0],
                                     "anchor_b": [0, 0, 0])")),
              place + ".anchor_b: must differ from anchor, or limits must be given");
    EXPECT_EQ(refusal(joint(two + R"("type": "weld", "axis": [1, 0, 0])")),
              place + ".axis: used only with type hinge, slider; here type is 'weld'");
    EXPECT_EQ(refusal(joint(two + R"("type": "slider", "axis": [0, 0, 0])")),
              place + ".axis: must not be 0 in every direction");
    EXPECT_EQ(refusal(joint(two + R"("type": "weld", "anchor_b": [1, 0, 0])")),
              place + ".anchor_b: used only with type distance; here type is 'weld'");
}

TEST(SceneBodies, JointsHoldKnownBodies) {
    const auto between = [](const std::string& names) {
        return joint(R"("type": "weld", "bodies": )" + names);
    };
    const std::string place = "pool.json: joints[0].bodies";
    EXPECT_EQ(refusal(between(R"(["ship"])")), place + ": must have 2 entries, got 1");
    EXPECT_EQ(refusal(between(R"(["ship", "mast", "world"])")),
              place + ": must have 2 entries, got 3");
    EXPECT_EQ(refusal(between(R"(["ship", "mats"])")),
              place + "[1]: there is no body 'mats'; did you mean 'mast'?");
    EXPECT_EQ(refusal(between(R"(["rudder", "ship"])")),
              place + "[0]: there is no body 'rudder'; the bodies: ship, mast");
    EXPECT_EQ(refusal(between(R"(["ship", "ship"])")), place + "[1]: 'ship' is listed twice");
    EXPECT_EQ(refusal(between(R"(["world", "world"])")), place + "[1]: 'world' is listed twice");
}

TEST(SceneBodies, LimitsAndMotors) {
    const std::string two = R"("bodies": ["ship", "mast"], "anchor": [0, 0, 0], )";
    const std::string place = "pool.json: joints[0]";
    EXPECT_EQ(refusal(joint(two + R"("type": "hinge", "limits": [1])")),
              place + ".limits: must have 2 entries, got 1");
    EXPECT_EQ(refusal(joint(two + R"("type": "hinge", "limits": [1, 1])")),
              place + ".limits: the first must be less than the second, got 1 and 1");
    EXPECT_EQ(refusal(joint(two + R"("type": "weld", "limits": [0, 1])")),
              place + ".limits: used only with type hinge, slider, distance; here type is 'weld'");
    EXPECT_EQ(
        refusal(joint(two + R"("type": "distance", "anchor_b": [1, 0, 0], "limits": [-1, 1])")),
        place + ".limits[0]: must be at least 0 where type is 'distance', got -1");
    EXPECT_EQ(refusal(joint(two + R"("type": "hinge", "motor": {"speed": 1})")),
              place + ".motor.max_torque: missing; required where type is 'hinge'");
    EXPECT_EQ(refusal(joint(two + R"("type": "slider", "motor": {"speed": 1})")),
              place + ".motor.max_force: missing; required where type is 'slider'");
    EXPECT_EQ(refusal(joint(two + R"("type": "slider", "motor": {"speed": 1, "max_torque": 1})")),
              place + ".motor.max_torque: not of a motor of a slider, which has max_force instead");
    EXPECT_EQ(refusal(joint(two + R"("type": "weld", "motor": {"speed": 1})")),
              place + ".motor: used only with type hinge, slider; here type is 'weld'");
    EXPECT_EQ(refusal(joint(two + R"("type": "hinge", "motor": {"speed": 1, "max_torque": 0})")),
              place + ".motor.max_torque: must be greater than 0, got 0");
}

TEST(SceneBodies, ProbesOfBodies) {
    const auto probe = [](const std::string& keys) {
        return std::vector<std::string>{R"(bodies=[{"name": "ship", "sphere": {"radius": 1}}])",
                                        R"(probes=[{"name": "p", )" + keys + "}]"};
    };
    EXPECT_EQ(pool(probe(R"("type": "body", "body": "ship")")).probes.at(0).body, "ship");
    EXPECT_EQ(
        refusal(probe(R"("type": "body")")),
        "pool.json: probes[0].body: missing; required where type is 'body': name of the body");
    EXPECT_EQ(refusal(probe(R"("type": "body", "body": "shp")")),
              "pool.json: probes[0].body: there is no body 'shp'; did you mean 'ship'?");
    EXPECT_EQ(refusal(probe(R"("type": "energy", "body": "ship")")),
              "pool.json: probes[0].body: used only with type body; here type is 'energy'");
}

TEST(SceneBodies, Engine) {
    EXPECT_EQ(pool({"rigid.engine=own"}).rigid.engine, "own");
    EXPECT_EQ(
        refusal({"rigid.engine=bulet"}),
        "pool.json: rigid.engine: must be one of auto, own, bullet, box2d, spook; got 'bulet'; did "
        "you mean 'bullet'?");
    EXPECT_EQ(pool({"rigid.engine=spook"}).rigid.engine, "spook");
}

}  // namespace millrace::scene_test
