// Scenes of SPlisHSPlasH.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "scene/scene_test.hpp"

namespace millrace::scene_test {

namespace {

namespace fs = std::filesystem;

class SceneSplishSplash : public testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    Scene load(const std::string& text, const std::vector<std::string>& overrides = {}) {
        std::ofstream(file) << text;
        warnings.clear();
        const Scene scene = load_scene(file, overrides, &warnings);
        EXPECT_EQ(parse_scene(scene_to_json(scene)), scene);
        return scene;
    }
    std::string refusal(const std::string& text) {
        try {
            load(text);
        } catch (const InputError& e) {
            return std::string(e.what()).substr(folder.string().size() + 1);
        }
        return "";
    }
    /// Whether a warning is "FILE: text".
    bool warned(const std::string& text) const {
        return std::find(warnings.begin(), warnings.end(), file + ": " + text) != warnings.end();
    }

    const fs::path folder = fs::path(testing::TempDir()) /
                            (std::string("splishsplash_") +
                             testing::UnitTest::GetInstance()->current_test_info()->name());
    const std::string file = folder / "scene.json";
    std::vector<std::string> warnings;
};

const std::string k_tank = R"({"geometryFile": "../models/UnitBox.obj", "translation": [0, 2, 0],
    "rotationAxis": [1, 0, 0], "rotationAngle": 0, "scale": [4, 4, 2], "isDynamic": false,
    "isWall": true, "mapInvert": true, "mapThickness": 0.0, "mapResolution": [20, 20, 20]})";
const std::string k_block = R"({"start": [-2, 0, -1], "end": [-1, 1, 1], "denseMode": 0,
    "translation": [0.5, 0, 0], "scale": [1, 2, 1]})";

std::string scene_of(const std::string& configuration, const std::string& sections = "") {
    return R"({"Configuration": {"stopAt": 2, )" + configuration + R"(}, "RigidBodies": [)" +
           k_tank + R"(], "FluidBlocks": [)" + k_block + "]" + sections + "}";
}

}  // namespace

TEST_F(SceneSplishSplash, DamBreak) {
    const Scene scene = load(scene_of(R"("particleRadius": 0.02, "gravitation": [0, -5, 0],
        "simulationMethod": 3, "cflMethod": 1, "cflFactor": 1, "cflMinTimeStepSize": 0.0001,
        "cflMaxTimeStepSize": 0.004, "dataExportFPS": 50, "particleAttributes": "velocity;pressure",
        "cameraPosition": [0, 3, 10], "cameraLookat": [0, 1, 0],
        "IISPH": {"minIterations": 4, "maxIterations": 50, "maxError": 0.1})"));
    EXPECT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(warned("keys without effect here: mapResolution, mapThickness"));
    EXPECT_EQ(scene.name, "scene");
    EXPECT_EQ(scene.dimension, 3);
    EXPECT_EQ(scene.spacing, 0.04);
    EXPECT_EQ(scene.end, 2);
    EXPECT_EQ(scene.gravity, (Vector{0, -5, 0}));
    EXPECT_EQ(scene.pressure.method, "iisph");
    EXPECT_EQ(scene.pressure.avg_error, 0.001);
    EXPECT_EQ(scene.pressure.min_iterations, 4);
    EXPECT_EQ(scene.pressure.max_iterations, 50);
    EXPECT_EQ(scene.time_step.mode, "cfl");
    EXPECT_EQ(scene.time_step.cfl, 0.4);
    EXPECT_EQ(scene.time_step.max, 0.004);
    EXPECT_EQ(scene.output.fps, 50);
    EXPECT_EQ(scene.output.fields.back(), "pressure");
    EXPECT_EQ(scene.camera->position, (Vector{0, 3, 10}));
    ASSERT_EQ(scene.boundaries.size(), 1u);
    EXPECT_EQ(std::get<Box>(scene.boundaries[0].shape), (Box{{-2, 0, -1}, {2, 4, 1}}));
    EXPECT_TRUE(scene.boundaries[0].inside);
    ASSERT_EQ(scene.fluids.size(), 1u);
    EXPECT_EQ(scene.fluids[0].name, "Fluid");
    EXPECT_EQ(scene.fluids[0].viscosity, (Viscosity{"standard", 0.01, "slip", 0.1}));
    EXPECT_EQ(std::get<Box>(scene.fluids[0].fill.at(0).shape), (Box{{-1.5, 0, -1}, {-0.5, 2, 1}}));
}

TEST_F(SceneSplishSplash, OverridesApplyToTheConvertedScene) {
    EXPECT_EQ(load(scene_of("\"sim2D\": false"), {"fluids[0].density=900"}).fluids[0].density, 900);
    EXPECT_EQ(refusal(scene_of("\"particleRadius\": 1")).find("scene.json (converted): fluids[0]"),
              0u);
}

TEST_F(SceneSplishSplash, In2D) {
    const Scene scene = load(scene_of(R"("sim2D": true, "cflMethod": 0, "timeStepSize": 0.002)",
                                      R"(, "Emitters": [{"width": 8, "height": 6, "velocity": 2,
        "translation": [1, 2, 3], "rotationAxis": [0, 1, 0], "rotationAngle": 3.14159265}])"));
    EXPECT_EQ(scene.dimension, 2);
    EXPECT_EQ(std::get<Box>(scene.boundaries.at(0).shape), (Box{{-2, 0, 0}, {2, 4, 0}}));
    EXPECT_EQ(std::get<Box>(scene.fluids.at(0).fill.at(0).shape),
              (Box{{-1.5, 0, 0}, {-0.5, 2, 0}}));
    EXPECT_EQ(scene.time_step.mode, "fixed");
    EXPECT_EQ(scene.time_step.dt, 0.002);
    const Emitter& emitter = scene.fluids[0].emitters.at(0);
    EXPECT_EQ(emitter.position, (Vector{1, 2, 0}));
    EXPECT_EQ(emitter.direction, (Vector{-1, 0, 0}));
    EXPECT_DOUBLE_EQ(emitter.radius, 3 * 0.05);
    EXPECT_EQ(emitter.max_particles, 10000u);
}

TEST_F(SceneSplishSplash, DynamicBodies) {
    std::ofstream(folder / "ship.obj") << "# a ship\n";
    const Scene scene = load(R"({"Configuration": {"stopAt": 1}, "FluidBlocks": [)" + k_block +
                             R"(], "RigidBodies": [)" + k_tank + R"(,
        {"id": 1, "geometryFile": "unitbox.obj", "isDynamic": true, "density": 300,
         "scale": [1, 2, 3], "translation": [0, 3, 0], "rotationAxis": [0, 1, 0],
         "rotationAngle": 1.57079632679, "velocity": [1, 0, 0], "angularVelocity": [0, 2, 0],
         "friction": 0.3, "restitution": 0.5, "color": [0.1, 0.2, 0.3, 1], "collisionObjectType": 2},
        {"id": 2, "geometryFile": "ship.obj", "isDynamic": 1, "scale": [1, 1, 2]},
        {"id": 3, "geometryFile": "ship.obj", "isDynamic": true, "density": 500},
        {"id": 4, "geometryFile": "ship.obj", "isAnimated": true, "mapInvert": true,
         "translation": [1, 2, 3], "rotationAxis": [1, 0, 0], "rotationAngle": 1}]})");
    ASSERT_EQ(scene.bodies.size(), 3u);
    const Body& box = scene.bodies[0];
    EXPECT_EQ(box.name, "body_1");
    EXPECT_EQ(std::get<BodyBox>(box.shape), BodyBox({1, 2, 3}));
    EXPECT_EQ(box.density, 300);
    EXPECT_EQ(box.position, (Vector{0, 3, 0}));
    EXPECT_EQ(box.rotation, (Rotation{{0, 1, 0}, 90}));
    EXPECT_EQ(box.velocity, (Vector{1, 0, 0}));
    EXPECT_EQ(box.angular_velocity, (Vector{0, 2, 0}));
    EXPECT_EQ(box.friction, 0.3);
    EXPECT_EQ(box.restitution, 0.5);
    EXPECT_EQ(box.color, (Vector{0.1, 0.2, 0.3}));
    EXPECT_EQ(std::get<BodyMesh>(scene.bodies[1].shape),
              (BodyMesh{folder / "ship.obj", {1, 1, 2}}));
    EXPECT_EQ(scene.bodies[1].density, 1);
    EXPECT_TRUE(warned("RigidBodies[2].density: not given; 1 kg/m^3, as there"));
    ASSERT_EQ(scene.boundaries.size(), 2u);
    EXPECT_EQ(std::get<MeshFile>(scene.boundaries[1].shape).file, folder / "ship.obj");
    EXPECT_TRUE(scene.boundaries[1].inside);
    EXPECT_EQ(scene.boundaries[1].position, (Vector{1, 2, 3}));
    EXPECT_NEAR(scene.boundaries[1].rotation.angle, 180 / std::numbers::pi, 1e-9);
    EXPECT_TRUE(warned("RigidBodies[4].isAnimated: ignored: it does not move"));
    EXPECT_EQ(refusal(R"({"RigidBodies": [{"geometryFile": "boat.obj"}]})"),
              "scene.json: RigidBodies[0].geometryFile: cannot be read: No such file or directory "
              "(boat.obj)");
}

TEST_F(SceneSplishSplash, TurnedBoxesAndTanksWithoutMapInvert) {
    const Scene scene = load(R"({"Configuration": {"stopAt": 1}, "FluidBlocks": [)" + k_block +
                             R"(], "RigidBodies": [
        {"geometryFile": "UnitBox.obj", "scale": [8, 8, 8]},
        {"geometryFile": "UnitBox.obj", "scale": [1, 2, 1], "translation": [3, 0, 0],
         "rotationAxis": [0, 0, 1], "rotationAngle": 0.5}]})");
    EXPECT_TRUE(scene.boundaries.at(0).inside);
    EXPECT_TRUE(warned("RigidBodies[0].mapInvert: taken as true: the box holds fluid"));
    EXPECT_FALSE(scene.boundaries.at(1).inside);
    EXPECT_EQ(std::get<Box>(scene.boundaries[1].shape), (Box{{-0.5, -1, -0.5}, {0.5, 1, 0.5}}));
    EXPECT_EQ(scene.boundaries[1].position, (Vector{3, 0, 0}));
}

TEST_F(SceneSplishSplash, Emitters) {
    const Scene scene = load(R"({"Configuration": {"stopAt": 1, "particleRadius": 0.05},
        "Materials": [{"id": "Fluid", "maxEmitterParticles": 6000}],
        "Emitters": [
        {"type": 0, "width": 8, "height": 4, "translation": [0, 1, 0], "rotationAxis": [0, 0, 1],
         "rotationAngle": 1.5707963267948966, "velocity": 2, "emitStartTime": 1, "emitEndTime": 3},
        {"type": 1, "width": 6.9, "velocity": 1}, {"velocity": 0}]})");
    ASSERT_EQ(scene.fluids.size(), 1u);
    ASSERT_EQ(scene.fluids[0].emitters.size(), 2u);
    const Emitter& slit = scene.fluids[0].emitters[0];
    EXPECT_DOUBLE_EQ(slit.size[0], 0.8);
    EXPECT_DOUBLE_EQ(slit.size[1], 0.4);
    EXPECT_EQ(slit.direction, (Vector{0, 1, 0}));
    EXPECT_EQ(slit.up, (Vector{-1, 0, 0}));
    EXPECT_EQ(slit.speed, 2);
    EXPECT_EQ(slit.from, 1);
    EXPECT_EQ(slit.until, 3);
    EXPECT_EQ(slit.max_particles, 3000u);
    EXPECT_DOUBLE_EQ(scene.fluids[0].emitters[1].radius, 0.3);
    EXPECT_TRUE(warned("Emitters[1].width: taken as 6 particles, as there"));
    EXPECT_TRUE(warned("Emitters[2].velocity: the emitter is left out: nothing comes from it"));
}

TEST_F(SceneSplishSplash, MotorHinge) {
    const std::string paddle = R"({"Configuration": {"stopAt": 1}, "FluidBlocks": [)" + k_block +
                               R"(], "RigidBodies": [)" + k_tank + R"(,
        {"id": 1, "geometryFile": "UnitBox.obj", "isDynamic": true, "density": 1000,
         "scale": [1, 0.1, 0.2]},
        {"id": 2, "geometryFile": "UnitBox.obj", "isDynamic": true, "density": 1000}], )";
    const Scene scene = load(paddle + R"("TargetVelocityMotorHingeJoints": [{"bodyID1": 1,
        "bodyID2": 0, "position": [0, 1, 0], "axis": [0, 1, 0], "target": -6}],
        "HingeJoints": [{"bodyID1": 1, "bodyID2": 2, "position": [1, 0, 0], "axis": [0, 0, 1]}],
        "SliderJoints": [{"bodyID1": 2, "bodyID2": 1, "axis": [1, 0, 0]}],
        "DistanceJoints": [{"bodyID1": 1, "bodyID2": 2, "position1": [0, 0, 0],
                            "position2": [1, 0, 0]}],
        "BallJoints": [{"bodyID1": 1, "bodyID2": 2, "position": [0, 0, 0]}]})");
    ASSERT_EQ(scene.joints.size(), 4u);
    EXPECT_EQ(scene.joints[0].type, "hinge");
    EXPECT_FALSE(scene.joints[0].motor);
    EXPECT_EQ(scene.joints[1].type, "slider");
    EXPECT_EQ(scene.joints[2].anchor_b, (Vector{1, 0, 0}));
    const Joint& motor = scene.joints[3];
    EXPECT_EQ(motor.bodies, (std::vector<std::string>{"body_1", "world"}));
    EXPECT_EQ(motor.anchor, (Vector{0, 1, 0}));
    EXPECT_EQ(motor.axis, (Vector{0, 1, 0}));
    EXPECT_EQ(motor.motor->speed, 6);  // their target is that of the world against the body
    EXPECT_TRUE(motor.motor->max_torque);
    EXPECT_TRUE(warned("BallJoints: ignored: not available"));
    EXPECT_EQ(refusal(paddle + R"("HingeJoints": [{"bodyID1": 1, "bodyID2": 9}]})"),
              "scene.json: HingeJoints[0].bodyID2: there is no rigid body with this id");
}

TEST_F(SceneSplishSplash, MotorsWithASequenceAreWallsThatMove) {
    const std::string paddle = R"({"Configuration": {"stopAt": 3}, "FluidBlocks": [)" + k_block +
                               R"(], "RigidBodies": [)" + k_tank + R"(,
        {"id": 1, "geometryFile": "UnitBox.obj", "isDynamic": true, "density": 1000,
         "scale": [1, 0.1, 0.2], "translation": [0, 1, 0]}], )";
    const Scene scene = load(paddle + R"("TargetVelocityMotorHingeJoints": [{"bodyID1": 1,
        "bodyID2": 0, "position": [0, 0, 0], "axis": [0, 2, 0], "repeatSequence": 1,
        "targetSequence": [0, -5, 1, 5, 2, -5]}]})");
    EXPECT_TRUE(scene.bodies.empty());
    EXPECT_TRUE(scene.joints.empty());
    const Boundary& wall = scene.boundaries.at(1);
    EXPECT_EQ(std::get<Box>(wall.shape), (Box{{-0.5, -0.05, -0.1}, {0.5, 0.05, 0.1}}));
    EXPECT_EQ(wall.position, (Vector{0, 1, 0}));
    ASSERT_TRUE(wall.motion);
    // the speed of the body is 5 - 10 t in the first second, then 10 t - 15, then from anew: its
    // angle is 5 t - 5 t^2, 0 after a second, and 0 again after two
    for (const Keyframe& key : wall.motion->keyframes) {
        const double t = std::fmod(key.time, 2), u = t - 1;
        const double angle = t < 1 ? 5 * t - 5 * t * t : -5 * u + 5 * u * u;
        ASSERT_NEAR(key.rotation.angle * std::numbers::pi / 180, angle, 1e-3) << key.time;
    }
    EXPECT_GE(wall.motion->keyframes.back().time, scene.end);
    const Scene slider = load(paddle + R"("TargetVelocityMotorSliderJoints": [{"bodyID1": 0,
        "bodyID2": 1, "axis": [0, 2, 0], "targetSequence": [0, 1, 1, 1]}]})");
    const Keyframe last = slider.boundaries.at(1).motion->keyframes.back();
    EXPECT_NEAR(last.position[1], last.time, 1e-9);
}

TEST_F(SceneSplishSplash, TwoPhases) {
    const Scene scene = load(R"({"Configuration": {"stopAt": 1},
        "Materials": [{"id": "Oil", "density0": 800}, {"id": "Water", "density0": 1000}],
        "FluidBlocks": [
        {"id": "Water", "start": [0, 0, 0], "end": [1, 1, 1]},
        {"id": "Oil", "start": [0, 1, 0], "end": [1, 2, 1], "initialVelocity": [1, 0, 0]},
        {"id": "Water", "start": [2, 0, 0], "end": [3, 1, 1]},
        {"id": "Water", "start": [4, 0, 0], "end": [5, 1, 1], "initialVelocity": [0, 2, 0]}]})");
    ASSERT_EQ(scene.fluids.size(), 3u);
    EXPECT_EQ(scene.fluids[0].name, "Water");
    EXPECT_EQ(scene.fluids[0].fill.size(), 2u);
    EXPECT_EQ(scene.fluids[1].density, 800);
    EXPECT_EQ(scene.fluids[1].velocity, (Vector{1, 0, 0}));
    EXPECT_EQ(scene.fluids[2].name, "Water_2");
    EXPECT_EQ(scene.fluids[2].velocity, (Vector{0, 2, 0}));
    EXPECT_TRUE(
        warned("FluidBlocks[3]: a fluid starts with one velocity; this part of 'Water' is "
               "called 'Water_2'"));
}

TEST_F(SceneSplishSplash, Materials) {
    const auto fluid = [&](const std::string& material) {
        return load(scene_of("\"sim2D\": false",
                             R"(, "Materials": [{"id": "Fluid", )" + material + "}]"))
            .fluids.at(0);
    };
    const Fluid honey = fluid(R"("viscosityMethod": 6, "Weiler et al. 2018": {"viscosity": 5,
                 "viscosityBoundary": 5, "viscoMaxIter": 200})");
    EXPECT_EQ(honey.viscosity.method, "implicit");
    EXPECT_EQ(honey.viscosity.nu, 5);
    EXPECT_EQ(honey.viscosity.walls, "no-slip");
    EXPECT_EQ(fluid(R"("viscosityMethod": 1, "viscosity": 0.02)").viscosity,
              (Viscosity{"standard", 0.02, "slip", 0.1}));
    EXPECT_EQ(fluid(R"("viscosityMethod": 1)").viscosity.nu, 0.01);
    EXPECT_EQ(fluid(R"("density0": 900)").viscosity.method, "standard");
    EXPECT_EQ(fluid(R"("density0": 900)").viscosity.nu, 0.01);
    EXPECT_EQ(fluid(R"("viscosityMethod": 0, "XSPH": {"xsph": 0.2})").viscosity.strength, 0.2);
    const Fluid takahashi = fluid(R"x("viscosityMethod": 5, "density0": 1000,
                 "Takahashi et al. 2015 (improved)": {"viscosity": 20})x");
    EXPECT_EQ(takahashi.viscosity, (Viscosity{"implicit", 20, "no-slip", 0.1}));
    // k_block is a metre thick: (1 / 0.5 - 1) (1 m / pi)^2 / 5 ms
    const Fluid goo =
        fluid(R"("viscosityMethod": 2, "Bender and Koschier 2017": {"viscosity": 0.5})");
    EXPECT_NEAR(goo.viscosity.nu, 1 / (std::numbers::pi * std::numbers::pi * 0.005), 0.1);
    EXPECT_TRUE(
        warned("Materials[0].viscosityMethod: Bender and Koschier 2017: implicit is used with nu = "
               "20.3 m^2/s, which calms a layer of 1 m as fast"));
    // and 2 m high: the mean of both for a method that solves for the whole fluid
    const Fluid global = fluid(R"("viscosityMethod": 3, "Peer et al. 2015": {"viscosity": 0.5})");
    EXPECT_NEAR(global.viscosity.nu / goo.viscosity.nu, 2, 0.01);
    fluid(R"("vorticityMethod": 3, "dragMethod": 2, "elasticityMethod": 3)");
    EXPECT_TRUE(warned("Materials[0].vorticityMethod: ignored: Liu et al. 2021 is not available"));
    EXPECT_TRUE(warned("Materials[0].dragMethod: ignored: drag of the air is not available"));
    EXPECT_TRUE(warned("Materials[0].elasticityMethod: ignored: elasticity is not available"));
}

TEST_F(SceneSplishSplash, Whirls) {
    const auto vorticity = [&](const std::string& material) {
        return load(scene_of("\"sim2D\": true",
                             R"(, "Materials": [{"id": "Fluid", )" + material + "}]"))
            .fluids.at(0)
            .vorticity;
    };
    const Vorticity spinning = vorticity(R"("vorticityMethod": 1, "Bender et al. 2017":
        {"vorticity": 0.3, "viscosityOmega": 0.2, "inertiaInverse": 0.25})");
    EXPECT_EQ(spinning.method, "micropolar");
    EXPECT_EQ(spinning.nu_t, 0.3);
    EXPECT_EQ(spinning.inertia, 4);
    EXPECT_DOUBLE_EQ(spinning.smoothing, 0.05);
    EXPECT_EQ(vorticity(R"("vorticityMethod": 1, "vorticity": 0.2)").nu_t, 0.2);
    EXPECT_EQ(vorticity(R"("vorticityMethod": 1)").smoothing, 0.05);
    const Vorticity confined =
        vorticity(R"("vorticityMethod": 2, "Vorticity confinement": {"vorticity": 0.4})");
    EXPECT_EQ(confined.method, "confinement");
    EXPECT_EQ(confined.strength, 0.4);
    EXPECT_EQ(vorticity(R"("density0": 1000)"), Vorticity{});
}

TEST_F(SceneSplishSplash, SurfaceTensionIsInNewtonsPerMetre) {
    const auto fluid = [&](const std::string& material) {
        return load(scene_of("\"particleRadius\": 0.02",
                             R"(, "Materials": [{"id": "Fluid", )" + material + "}]"))
            .fluids.at(0);
    };
    // k / (2 V^(2/3)) with V = 0.8 d^3, d = 0.04 m
    const Fluid zorilla = fluid(R"("surfaceTensionMethod": 5,
        "Zorilla, Ritter, et al. 2020": {"surfaceTension": 0.1, "surfTZRd-offset": 3})");
    EXPECT_EQ(zorilla.surface_tension.method, "cohesion");
    EXPECT_NEAR(zorilla.surface_tension.sigma, 0.05 / std::pow(0.8 * 0.04 * 0.04 * 0.04, 2.0 / 3),
                0.1);
    const Fluid jeske = fluid(R"("viscosityMethod": 0, "surfaceTensionMethod": 4,
        "Jeske et al. 2023": {"surfaceTension": 12000, "surfaceTensionBoundary": 5,
                              "surfaceTensionViscosity": 0.05})");
    EXPECT_NEAR(jeske.surface_tension.sigma, 12000 * 0.0516, 3);
    EXPECT_EQ(jeske.viscosity.method, "implicit");
    EXPECT_EQ(jeske.viscosity.nu, 0.05);
    EXPECT_TRUE(
        warned("Materials[0].surfaceTensionBoundary: ignored: walls do not attract the fluid"));
    EXPECT_TRUE(
        warned("Materials[0].surfaceTensionMethod: Jeske et al. 2023: cohesion is used with "
               "sigma = " +
               std::to_string(static_cast<int>(jeske.surface_tension.sigma)) + " N/m"));
}

TEST_F(SceneSplishSplash, OtherSolvers) {
    EXPECT_EQ(load(scene_of("\"simulationMethod\": 2")).pressure.method, "dfsph");
    EXPECT_TRUE(warned("Configuration.simulationMethod: PBF is not available; dfsph is used"));
    const Pressure dfsph =
        load(scene_of(R"("maxError": 0.05, "maxErrorV": 0.2, "enableDivergenceSolver": false)"))
            .pressure;
    EXPECT_EQ(dfsph.avg_error, 0.0005);
    EXPECT_EQ(dfsph.divergence_error, 0.002);
    EXPECT_EQ(dfsph.divergence_iterations, 0);
    const Pressure wcsph =
        load(scene_of(R"("simulationMethod": 0, "WCSPH": {"stiffness": 50000, "exponent": 7})"))
            .pressure;
    EXPECT_EQ(wcsph.method, "wcsph");
    // k_block falls 2 m: faster than a tenth of the sound that the stiffness gives
    EXPECT_NEAR(wcsph.expected_speed, std::sqrt(2 * 9.81 * 2), 0.01);
    EXPECT_TRUE(
        warned("Configuration.WCSPH.stiffness: so soft a fluid would fly through walls: sound of "
               "62.6 m/s is taken instead of 18.7"));
    const std::string stiff = R"("simulationMethod": 0, "stiffness": 5e6, "exponent": 7)";
    EXPECT_NEAR(load(scene_of(stiff)).pressure.expected_speed, std::sqrt(35000.0) / 10, 1e-9);
}

TEST_F(SceneSplishSplash, WhatHasNoLikeHereIsSaid) {
    EXPECT_EQ(load(scene_of(R"("simulationMethod": 0, "WCSPH": {"stiffness": 0, "exponent": 20})"))
                  .pressure.expected_speed,
              0);
    EXPECT_TRUE(warned("Configuration.WCSPH.exponent: taken as 10: it is from 1 to 10"));
    EXPECT_TRUE(
        warned("Configuration.WCSPH.stiffness: ignored: here fluid is never without pressure"));
    EXPECT_EQ(load(scene_of("\"cflMethod\": 2")).time_step.mode, "cfl");
    EXPECT_TRUE(
        warned("Configuration.cflMethod: taken as 1: iterations do not shorten the step here"));
}

TEST_F(SceneSplishSplash, UnknownKeysAreReported) {
    load(scene_of(R"("particleRadiu": 0.1, "pause": true)",
                  R"(, "Materials": [{"id": "Fluid", "viscosty": 1,
                     "Standard viscosity": {"viscosityBondary": 1}}], "FluidBlock": [],
                     "AnimationFields": [{}], "TetModels": [])"));
    EXPECT_TRUE(warned(
        "Configuration.particleRadiu: ignored: unknown key; did you mean 'particleRadius'?"));
    EXPECT_TRUE(warned("Materials[0].viscosty: ignored: unknown key; did you mean 'viscosity'?"));
    EXPECT_TRUE(
        warned("Materials[0].Standard viscosity.viscosityBondary: ignored: unknown key; "
               "did you mean 'viscosityBoundary'?"));
    EXPECT_TRUE(warned("FluidBlock: ignored: unknown key; did you mean 'FluidBlocks'?"));
    EXPECT_TRUE(warned("AnimationFields: ignored: not available"));
    EXPECT_TRUE(warned("keys without effect here: mapResolution, mapThickness, pause"));
    load(R"({"FluidBlocks": [)" + k_block + "]}");
    EXPECT_TRUE(warned("Configuration.stopAt: not given; 5 s are simulated"));
}

TEST_F(SceneSplishSplash, TheLastOfTwoKeysCounts) {
    EXPECT_EQ(load(scene_of(R"("particleRadius": 0.1, "particleRadius": 0.2)")).spacing, 0.4);
    EXPECT_TRUE(warned("Configuration.particleRadius: duplicate key; the last one counts"));
}

TEST_F(SceneSplishSplash, WrongTypesAreRefused) {
    EXPECT_EQ(refusal(scene_of("\"particleRadius\": \"small\"")),
              "scene.json: Configuration.particleRadius: must be a number, got 'small'");
    EXPECT_EQ(refusal(R"({"FluidBlocks": [{"start": [0, 0]}]})"),
              "scene.json: FluidBlocks[0].start: must be a list of 3 numbers, got a list");
    EXPECT_EQ(refusal(R"({"FluidBlocks": {}})"),
              "scene.json: FluidBlocks: must be a list, got an object");
    EXPECT_EQ(refusal(R"({"Configuration": 7})"),
              "scene.json: Configuration: must be an object, got 7");
    EXPECT_EQ(refusal(R"({"RigidBodies": [{"isDynamic": 2}]})"),
              "scene.json: RigidBodies[0].isDynamic: must be true or false, got 2");
    EXPECT_EQ(refusal(scene_of("\"simulationMethod\": 9")),
              "scene.json: Configuration.simulationMethod: must be a number from 0 to 6, got 9");
    EXPECT_EQ(refusal(R"({"FluidModels": [{"particleFile": "bunny.bgeo"}]})"),
              "scene.json: FluidModels[0].particleFile: cannot be read: No such file or directory "
              "(bunny.bgeo)");
}

TEST_F(SceneSplishSplash, FluidModels) {
    std::ofstream(folder / "bunny.obj") << "# a bunny\n";
    const Scene scene = load(R"({"Configuration": {"stopAt": 1}, "FluidModels":
        [{"particleFile": "bunny.obj", "translation": [0, 1, 0], "rotationAxis": [0, 1, 0],
          "rotationAngle": 3.1415926535, "scale": [2, 2, 2], "denseMode": 1}]})");
    EXPECT_EQ(std::get<MeshFile>(scene.fluids.at(0).fill.at(0).shape),
              (MeshFile{folder / "bunny.obj", {2, 2, 2}, {{0, 1, 0}, 180}, {0, 1, 0}}));
    EXPECT_TRUE(warned("FluidModels[0].denseMode: ignored: particles start on a cubic lattice"));
    std::ofstream(folder / "bunny.bgeo") << "any";
    const Scene points = load(R"({"Configuration": {"stopAt": 1}, "FluidModels":
        [{"particleFile": "bunny.bgeo", "translation": [0, 1, 0], "scale": [2, 2, 2]}]})");
    EXPECT_EQ(std::get<PointFile>(points.fluids.at(0).fill.at(0).shape),
              (PointFile{folder / "bunny.bgeo", {2, 2, 2}, {}, {0, 1, 0}}));
}

}  // namespace millrace::scene_test
