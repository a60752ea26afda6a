// Shapes, motions, emitters and sinks: what a scene may hold besides boxes at rest.
#include <filesystem>

#include "scene/scene_test.hpp"

namespace millrace::scene_test {

namespace {

/// The pool with one boundary.
std::vector<std::string> wall(const std::string& keys) {
    return {"boundaries=[{" + keys + "}]"};
}
std::vector<std::string> fill(const std::string& keys) {
    return {"fluids[0].fill=[{" + keys + "}]"};
}
std::vector<std::string> emitter(const std::string& keys) {
    return {R"(fluids[0].emitters=[{"position": [1, 2, 3], )" + keys + "}]"};
}
/// A box with a motion.
std::vector<std::string> motion(const std::string& keys) {
    return {"boundaries[0].motion={" + keys + "}"};
}

const std::string k_box = R"("box": {"min": [0, 0, 0], "max": [1, 1, 1]})";
const std::string k_sphere = R"("sphere": {"center": [1, 2, 3], "radius": 0.5})";
const std::string k_mesh = R"("mesh": {"file": "ship.obj"})";

}  // namespace

TEST(SceneShapes, Fills) {
    EXPECT_EQ(std::get<Sphere>(pool(fill(k_sphere)).fluids[0].fill[0].shape),
              (Sphere{{1, 2, 3}, 0.5}));
    const Scene scene = pool(fill(R"("mesh": {"file": "a b/Ship.obj", "position": [1, 2, 3],
        "rotation": {"axis": [0, 2, 0], "angle": 90}, "scale": [1, 2, -3]})"));
    EXPECT_EQ(std::get<MeshFile>(scene.fluids[0].fill[0].shape),
              (MeshFile{"a b/Ship.obj", {1, 2, -3}, {{0, 2, 0}, 90}, {1, 2, 3}}));
    EXPECT_EQ(std::get<MeshFile>(pool(fill(k_mesh)).fluids[0].fill[0].shape),
              (MeshFile{"ship.obj", {1, 1, 1}, {}, {}}));

    EXPECT_EQ(refusal(fill("\"jitter\": 0")),
              "pool.json: fluids[0].fill[0]: needs one of box, sphere, mesh, points");
    EXPECT_EQ(refusal(fill(k_box + "," + k_sphere)),
              "pool.json: fluids[0].fill[0]: has both box and sphere; only one shape is allowed");
    EXPECT_EQ(refusal(fill(R"("sphere": {"center": [0, 0, 0], "radius": 0})")),
              "pool.json: fluids[0].fill[0].sphere.radius: must be greater than 0, got 0");
    EXPECT_EQ(refusal(fill(R"("sphere": {"radius": 1})")),
              "pool.json: fluids[0].fill[0].sphere.center: missing; required: its centre [m]");
    EXPECT_EQ(refusal(fill(R"("sphere": {"center": [0, 0, 0], "radius": 0.04})")),
              "pool.json: fluids[0].fill[0].sphere: no particle fits: the sphere is 0.08 m wide, "
              "less than the spacing 0.1 m");
    EXPECT_EQ(refusal_2d(fill(R"("sphere": {"center": [0, 0], "radius": 1})")),
              "pool.json: fluids[0].fill[0].sphere: is available in 3D only; in 2D: box, circle, "
              "polygon");
    EXPECT_EQ(
        refusal_2d(fill(k_mesh)),
        "pool.json: fluids[0].fill[0].mesh: is available in 3D only; in 2D: box, circle, polygon");
}

TEST(SceneShapes, Paths) {
    EXPECT_EQ(refusal(fill(R"("mesh": {"file": ""})")),
              "pool.json: fluids[0].fill[0].mesh.file: must not be empty, got ''");
    EXPECT_EQ(
        refusal(fill(R"("mesh": {"file": "a\nb"})")),
        "pool.json: fluids[0].fill[0].mesh.file: must not have control characters, got 'a b'");
    EXPECT_EQ(refusal(fill(R"("mesh": {})")),
              "pool.json: fluids[0].fill[0].mesh.file: missing; required: OBJ, PLY, STL, glTF or "
              "GLB; relative to the scene file");
    EXPECT_EQ(refusal(fill(R"("mesh": {"file": "../a,b:c/d.obj"})")), "");
}

TEST(SceneShapes, Scales) {
    const auto scaled = [](const std::string& scale) {
        return fill(R"("mesh": {"file": "ship.obj", "scale": )" + scale + "}");
    };
    EXPECT_EQ(std::get<MeshFile>(pool(scaled("2")).fluids[0].fill[0].shape).scale,
              (Vector{2, 2, 2}));
    const std::string place = "pool.json: fluids[0].fill[0].mesh.scale";
    EXPECT_EQ(refusal(scaled("0")), place + ": must not be 0");
    EXPECT_EQ(refusal(scaled("[1, 0, 1]")), place + "[1]: must not be 0");
    EXPECT_EQ(refusal(scaled("[1, 1]")), place + ": must have 3 numbers in 3D, got 2");
    EXPECT_EQ(refusal(scaled("\"big\"")),
              place + ": must be a number or a list of 3 numbers, got 'big'");
    EXPECT_EQ(pool_2d({"boundaries[0].scale=2"}).boundaries[0].scale, (Vector{2, 2, 1}));
    EXPECT_EQ(pool_2d({"boundaries[0].scale=[2, 3]"}).boundaries[0].scale, (Vector{2, 3, 1}));
}

TEST(SceneShapes, Boundaries) {
    EXPECT_EQ(std::get<Sphere>(pool(wall(k_sphere)).boundaries[0].shape), (Sphere{{1, 2, 3}, 0.5}));
    EXPECT_EQ(std::get<Cylinder>(
                  pool(wall(R"("cylinder": {"from": [0, 0, 0], "to": [0, 1, 0], "radius": 2},
                                "inside": true)"))
                      .boundaries[0]
                      .shape),
              (Cylinder{{0, 0, 0}, {0, 1, 0}, 2}));
    EXPECT_EQ(std::get<Plane>(pool(wall(R"("plane": {"point": [0, 1, 0]})")).boundaries[0].shape),
              (Plane{{0, 1, 0}, {0, 1, 0}}));
    const Scene scene = pool(wall(k_mesh + R"(, "position": [1, 2, 3], "scale": 2,
        "rotation": {"angle": 45}, "friction": 2, "restitution": 1, "color": [1, 0, 0])"));
    EXPECT_EQ(std::get<MeshFile>(scene.boundaries[0].shape).file, "ship.obj");
    EXPECT_EQ(scene.boundaries[0].rotation, (Rotation{{0, 0, 1}, 45}));
    EXPECT_EQ(scene.boundaries[0].position, (Vector{1, 2, 3}));
    EXPECT_EQ(scene.boundaries[0].scale, (Vector{2, 2, 2}));
    EXPECT_EQ(scene.boundaries[0].friction, 2);

    EXPECT_EQ(refusal(wall("")),
              "pool.json: boundaries[0]: needs one of box, sphere, cylinder, plane, mesh");
    EXPECT_EQ(refusal(wall(k_mesh + "," + k_box)),
              "pool.json: boundaries[0]: has both box and mesh; only one shape is allowed");
    EXPECT_EQ(refusal(wall(k_sphere + R"(, "open": ["+y"])")),
              "pool.json: boundaries[0].open: used only with box");
    EXPECT_EQ(refusal(wall(R"("plane": {"point": [0, 1, 0]}, "inside": true)")),
              "pool.json: boundaries[0].inside: cannot be given together with plane");
    EXPECT_EQ(refusal(wall(R"("plane": {"point": [0, 1, 0], "normal": [0, 0, 0]})")),
              "pool.json: boundaries[0].plane.normal: must not be 0 in every direction");
    EXPECT_EQ(refusal(wall(R"("cylinder": {"from": [0, 1, 0], "to": [0, 1, 0], "radius": 2})")),
              "pool.json: boundaries[0].cylinder.to: must differ from from");
    EXPECT_EQ(refusal({R"(boundaries[0].rotation={"axis": [0, 0, 0], "angle": 1})"}),
              "pool.json: boundaries[0].rotation.axis: must not be 0 in every direction");
    EXPECT_EQ(refusal({"boundaries[0].restitution=1.5"}),
              "pool.json: boundaries[0].restitution: must be at most 1, got 1.5");
    EXPECT_EQ(refusal({"boundaries[0].friction=-1"}),
              "pool.json: boundaries[0].friction: must be at least 0, got -1");
    EXPECT_EQ(pool_2d({"boundaries[0].position=[1, 2]"}).boundaries[0].position, (Vector{1, 2, 0}));
}

TEST(SceneShapes, Motions) {
    const Scene scene = pool(motion(R"("type": "sine", "axis": [0, 0, 1], "amplitude": 0.2,
        "period": 1.5, "phase": 90, "from": 1, "until": 2)"));
    EXPECT_EQ(scene.boundaries[0].motion->amplitude, 0.2);
    EXPECT_EQ(scene.boundaries[0].motion->axis, (Vector{0, 0, 1}));
    EXPECT_EQ(pool(motion(R"("type": "rotate", "rpm": 30)")).boundaries[0].motion->rpm, 30);
    EXPECT_EQ(
        pool(motion(R"("type": "linear", "velocity": [1, 2, 3])")).boundaries[0].motion->velocity,
        (Vector{1, 2, 3}));
    const Scene keyed = pool(motion(R"("type": "keyframes", "center": [1, 0, 0], "keyframes":
        [{"time": 0}, {"time": 1, "position": [1, 2, 3], "rotation": {"angle": 90}}])"));
    EXPECT_EQ(keyed.boundaries[0].motion->keyframes.at(1),
              (Keyframe{1, {1, 2, 3}, {{0, 0, 1}, 90}}));

    const std::string place = "pool.json: boundaries[0].motion";
    EXPECT_EQ(refusal(motion(R"("type": "shake")")),
              place + ".type: must be one of sine, linear, rotate, keyframes; got 'shake'");
    EXPECT_EQ(refusal(motion(R"("type": "sine", "period": 1)")),
              place +
                  ".amplitude: missing; required where type is 'sine': way from the middle to "
                  "the end [m]");
    EXPECT_EQ(refusal(motion(R"("type": "sine", "amplitude": 1, "period": 0)")),
              place + ".period: must be greater than 0, got 0");
    EXPECT_EQ(refusal(motion(R"("type": "linear", "velocity": [0, 1, 0], "rpm": 3)")),
              place + ".rpm: used only with type rotate; here type is 'linear'");
    EXPECT_EQ(refusal(motion(R"("type": "linear", "velocity": [0, 1, 0], "axis": [1, 0, 0])")),
              place + ".axis: used only with type sine, rotate; here type is 'linear'");
    EXPECT_EQ(refusal(motion(R"("type": "rotate", "rpm": 3, "axis": [0, 0, 0])")),
              place + ".axis: must not be 0 in every direction");
    EXPECT_EQ(refusal(motion(R"("type": "rotate", "rpm": 3, "from": 2, "until": 2)")),
              place + ".until: must be after from (2), got 2");
    EXPECT_EQ(refusal(motion(R"("type": "keyframes", "keyframes": [])")),
              place + ".keyframes: must have at least one entry");
    EXPECT_EQ(refusal(motion(R"("type": "keyframes", "keyframes": [{"time": 1}, {"time": 1}])")),
              place + ".keyframes[1].time: must be after that of the keyframe before (1), got 1");
    EXPECT_EQ(refusal_2d(motion(R"("type": "sine", "axis": [1, 0], "amplitude": 1, "period": 1)")),
              "");
    EXPECT_EQ(refusal_2d(motion(R"("type": "linear", "velocity": [1, 0])")), "");
}

TEST(SceneShapes, Emitters) {
    const Scene scene = pool(emitter(R"("radius": 0.2, "direction": [0, -1, 0], "speed": 2,
        "from": 1, "until": 2, "max_particles": 1000)"));
    const Emitter& jet = scene.fluids[0].emitters.at(0);
    EXPECT_EQ(jet.name, "emitter_0");
    EXPECT_EQ(jet.radius, 0.2);
    EXPECT_EQ(jet.max_particles, 1000u);
    EXPECT_EQ(pool(emitter(R"("size": [0.5, 0.25])")).fluids[0].emitters[0].size,
              (Vector{0.5, 0.25, 0}));
    EXPECT_EQ(refusal({R"(fluids=[{"emitters": [{"position": [0, 0, 0], "radius": 1}]}])"}), "");
    EXPECT_EQ(refusal_2d({R"(fluids=[{"emitters": [{"position": [0, 0], "radius": 1,
                              "direction": [1, 0]}]}])"}),
              "");

    const std::string place = "pool.json: fluids[0].emitters[0]";
    EXPECT_EQ(refusal(emitter("\"speed\": 1")), place + ": needs one of radius, size");
    EXPECT_EQ(refusal(emitter(R"("radius": 1, "size": [1, 1])")),
              place + ": has both radius and size; only one opening is allowed");
    EXPECT_EQ(refusal(emitter(R"("size": [1, 1, 1])")),
              place + ".size: must have 2 numbers, got 3");
    EXPECT_EQ(refusal(emitter(R"("size": [1, 0])")),
              place + ".size[1]: must be greater than 0, got 0");
    EXPECT_EQ(refusal(emitter(R"("size": [1, 0.05])")),
              place +
                  ".size: no particle fits: the opening is 0.05 m wide, less than the spacing "
                  "0.1 m");
    EXPECT_EQ(refusal(emitter(R"("radius": 1, "up": [0, 0, 1])")),
              place + ".up: used only with size");
    EXPECT_EQ(refusal(emitter(R"("size": [1, 1], "direction": [0, 2, 0])")),
              place +
                  ".up: must not be along direction; the height of the opening is measured "
                  "along it");
    EXPECT_EQ(refusal(emitter(R"("radius": 1, "speed": 0)")),
              place + ".speed: must be greater than 0, got 0");
    EXPECT_EQ(refusal(emitter(R"("radius": 1, "direction": [0, 0, 0])")),
              place + ".direction: must not be 0 in every direction");
    EXPECT_EQ(refusal(emitter(R"("radius": 1, "from": 2, "until": 1)")),
              place + ".until: must be after from (2), got 1");
    EXPECT_EQ(refusal(emitter(R"("radius": 1, "body": "ship")")),
              place + ".body: there is no body 'ship'; the scene has no bodies");
    EXPECT_EQ(refusal(emitter(R"("name": "a", "radius": 1},
                                 {"name": "a", "position": [0, 0, 0], "radius": 1)")),
              "pool.json: fluids[0].emitters[1].name: 'a' is already the name of "
              "fluids[0].emitters[0]");
    EXPECT_EQ(refusal_2d({R"(fluids=[{"emitters": [{"position": [0, 0], "size": [1, 1]}]}])"}),
              place + ".size: is available in 3D only; in 2D: radius");
}

TEST(SceneShapes, Sinks) {
    const Scene scene = pool({"sinks=[{" + k_box + "}]"});
    EXPECT_EQ(scene.sinks.at(0).name, "sink_0");
    EXPECT_EQ(scene.sinks[0].box.max, (Vector{1, 1, 1}));
    EXPECT_EQ(refusal({"sinks=[{}]"}),
              "pool.json: sinks[0].box: missing; required: fluid that comes here is removed and "
              "counted");
    EXPECT_EQ(refusal({R"(sinks=[{"box": {"min": [0, 0, 0], "max": [1, 0, 1]}}])"}),
              "pool.json: sinks[0].box: min must be less than max along y, got 0 and 0");
}

// load_scene looks for the meshes beside the scene.
TEST(SceneShapes, MeshFilesAreRelativeToTheScene) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / "scene_meshes";
    fs::remove_all(folder);
    fs::create_directories(folder / "meshes");
    std::ofstream(folder / "meshes/ship.obj") << "# a ship\n";
    std::string text = k_pool_3d;
    text.insert(text.rfind('}'), R"(, "bodies": [{"mesh": {"file": "meshes/ship.obj"}}])");
    const std::string file = folder / "pool.json";
    std::ofstream(file) << text;
    const auto refusal_with = [&](const std::vector<std::string>& overrides) -> std::string {
        try {
            load_scene(file, overrides);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    const Scene scene = load_scene(file);
    EXPECT_EQ(std::get<BodyMesh>(scene.bodies.at(0).shape).file, folder / "meshes/ship.obj");
    EXPECT_EQ(std::get<BodyMesh>(parse_scene(text).bodies.at(0).shape).file, "meshes/ship.obj");
    EXPECT_EQ(refusal_with({"bodies[0].mesh.file=ship.obj"}),
              file + ": bodies[0].mesh.file: cannot be read: No such file or directory (ship.obj)");
    EXPECT_EQ(refusal_with({"bodies[0].mesh.file=meshes"}),
              file + ": bodies[0].mesh.file: cannot be read: Is a directory (meshes)");
    EXPECT_EQ(
        refusal_with({R"(boundaries[0]={"mesh": {"file": "a.obj"}})"}),
        file + ": boundaries[0].mesh.file: cannot be read: No such file or directory (a.obj)");
    fs::remove_all(folder);
}

}  // namespace millrace::scene_test
