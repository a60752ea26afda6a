#include "scene/splishsplash.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "math/portable.hpp"
#include "scene/splishsplash_object.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file {

namespace splishsplash {

namespace {

/// Numbers of `simulationMethod`, and the blocks with their parameters.
struct Method {
    const char* block;
    const char* ours;
    bool same;
};
constexpr Method k_methods[] = {{"WCSPH", "wcsph", true}, {"PCISPH", "pcisph", true},
                                {"PBF", "dfsph", false},  {"IISPH", "iisph", true},
                                {"DFSPH", "dfsph", true}, {"Projective Fluids", "dfsph", false},
                                {"ICSPH", "dfsph", false}};
constexpr int k_dfsph = 4;

/// A tenth of the speed of sound that the stiffness 50 and the exponent 7 give in water [m/s].
const double k_wcsph_speed = std::sqrt(50 * 7 / 1000.0) / 10;

/// Their solvers know no limit for single particles.
constexpr double k_max_error = 0.05;

/// p = stiffness ((rho / rho0)^exponent - 1), as sound of the speed c:
/// c^2 = stiffness exponent / rho0; ours is ten times the speed that is expected.
void read_stiffness(Object& solver, Pressure& pressure) {
    constexpr double k_water = 1000, k_largest_gamma = 10;
    const double exponent = solver.number("exponent", pressure.gamma);
    pressure.gamma = std::clamp(exponent, 1.0, k_largest_gamma);
    if (pressure.gamma != exponent) {
        solver.warn("exponent", "taken as " + number_text(pressure.gamma) + ": it is from 1 to 10");
    }
    if (!solver.has("stiffness")) {
        return;
    }
    const double stiffness = solver.number("stiffness", 0);
    if (stiffness > 0) {
        pressure.expected_speed = std::sqrt(stiffness * exponent / k_water) / 10;
    } else {
        pressure.expected_speed = 0;
        solver.warn("stiffness", "ignored: here fluid is never without pressure");
    }
}

/// Parameters of the pressure solvers: since 2.16 in a block of the method, before beside the
/// others.
void read_solver(Object& solver, const Method& method, Pressure& pressure) {
    solver.skip(
        {"iterations", "iterationsV", "velocityUpdateMethod", "lambda", "pressureClamping"});
    pressure.min_iterations = std::max(0, solver.whole("minIterations", pressure.min_iterations));
    pressure.max_iterations = std::max(1, solver.whole("maxIterations", pressure.max_iterations));
    pressure.min_iterations = std::min(pressure.min_iterations, pressure.max_iterations);
    const double percent = solver.number("maxError", 100 * pressure.avg_error);
    if (!(percent > 0)) {
        solver.fail("maxError", "must be greater than 0, got " + number_text(percent));
    }
    pressure.avg_error = method.same ? percent / 100 : pressure.avg_error;
    pressure.max_error = std::max(k_max_error, pressure.avg_error);
    const int most = solver.whole("maxIterationsV", pressure.divergence_iterations);
    const double percent_v = solver.number("maxErrorV", 100 * pressure.divergence_error);
    const bool divergence = solver.flag("enableDivergenceSolver", true);
    if (pressure.method == "dfsph" && method.same) {
        pressure.divergence_iterations = divergence ? std::max(0, most) : 0;
        pressure.divergence_error = percent_v > 0 ? percent_v / 100 : pressure.divergence_error;
    }
    if (pressure.method == "wcsph") {
        read_stiffness(solver, pressure);
    } else {
        solver.know({"exponent", "stiffness"});
    }
}

void read_pressure(Object& configuration, const Json& json, Pressure& pressure, Log& log) {
    const int number = configuration.whole("simulationMethod", k_dfsph);
    if (number < 0 || number >= static_cast<int>(std::size(k_methods))) {
        configuration.fail("simulationMethod",
                           "must be a number from 0 to 6, got " + std::to_string(number));
    }
    const Method& method = k_methods[number];
    pressure.method = method.ours;
    pressure.avg_error = 1e-4;  // 0.01 %
    pressure.expected_speed = number == 0 ? k_wcsph_speed : 0;
    pressure.min_iterations = number == 1 ? 3 : 2;
    if (number == k_dfsph) {
        pressure.divergence_error = 1e-3;  // 0.1 %
    }
    if (!method.same) {
        configuration.warn("simulationMethod",
                           std::string(method.block) + " is not available; dfsph is used");
    }
    read_solver(configuration, method, pressure);
    for (const Method& other : k_methods) {
        const Json& block = configuration.value(other.block);
        if (block.is_null()) {
            continue;
        }
        if (&other == &method) {
            Object solver(json.at(other.block), join_path(configuration.place(), other.block), log);
            read_solver(solver, method, pressure);
            solver.finish();
        } else {
            configuration.skip({other.block});
        }
    }
}

void read_time_step(Object& configuration, TimeStep& step) {
    const int method = configuration.whole("cflMethod", 1);
    const double dt = configuration.number("timeStepSize", 0.001);
    const double factor = configuration.number("cflFactor", 0.5);
    step.min = configuration.number("cflMinTimeStepSize", 1e-4);
    step.max = configuration.number("cflMaxTimeStepSize", 5e-3);
    step.min = std::min(step.min, step.max);
    step.cfl = std::min(1.0, 0.4 * factor);  // dt = factor 0.4 d / v: a way of 0.4 factor d
    if (0.4 * factor > 1) {
        configuration.warn("cflFactor", "a particle goes no farther than its spacing in a step");
    }
    if (method == 0) {
        step.mode = "fixed";
        step.dt = dt;
    } else if (method == 2) {
        configuration.warn("cflMethod", "taken as 1: iterations do not shorten the step here");
    }
}

void read_output(Object& configuration, Output& output) {
    output.fps = configuration.number("dataExportFPS", 25);
    const std::string attributes = configuration.text("particleAttributes", "velocity");
    output.fields = {"velocity", "density", "id"};
    for (std::size_t at = 0; at <= attributes.size();) {
        const std::size_t end = std::min(attributes.find(';', at), attributes.size());
        const std::string field = attributes.substr(at, end - at);
        at = end + 1;
        if (field == "pressure") {
            output.fields.push_back(field);
        } else if (!field.empty() && field != "velocity" && field != "density" && field != "id") {
            configuration.warn("particleAttributes", "ignored: " + in_quotes(field));
        }
    }
}

}  // namespace

void read_configuration(const Json& root, Scene& scene, Log& log) {
    const Json json = root.contains("Configuration") ? root.at("Configuration") : Json::object();
    Object configuration(json, "Configuration", log);
    const double radius = configuration.number("particleRadius", 0.025);
    if (!(radius > 0)) {
        configuration.fail("particleRadius", "must be greater than 0, got " + number_text(radius));
    }
    scene.spacing = 2 * radius;
    scene.dimension = configuration.flag("sim2D", false) ? 2 : 3;
    scene.gravity = configuration.vector("gravitation", scene.gravity);
    const double stop = configuration.number("stopAt", -1);
    if (stop > 0) {
        scene.end = stop;
    } else {
        configuration.warn("stopAt", "not given; " + number_text(scene.end) + " s are simulated");
    }
    read_pressure(configuration, json, scene.pressure, log);
    read_time_step(configuration, scene.time_step);
    read_output(configuration, scene.output);
    if (configuration.has("cameraPosition") || configuration.has("cameraLookat")) {
        Camera camera;
        camera.position = configuration.vector("cameraPosition", {0, 3, 8});
        camera.target = configuration.vector("cameraLookat", {0, 0, 0});
        camera.fov = 60;
        if (camera.position != camera.target) {
            scene.camera = camera;
        }
    }
    for (const char* key : {"kernel", "gradKernel"}) {
        const int kernel = configuration.whole(key, 0);
        if (kernel != 0 && kernel != 4) {
            configuration.warn(key, "the cubic spline is used");
        }
    }
    configuration.skip({"pause",
                        "pauseAt",
                        "numberOfStepsPerRenderUpdate",
                        "renderWalls",
                        "enablePartioExport",
                        "enableVTKExport",
                        "enableRigidBodyExport",
                        "enableRigidBodyOBJExport",
                        "enableRigidBodyPLYExport",
                        "enableRigidBodyVTKExport",
                        "enableStateExport",
                        "stateExportFPS",
                        "enableAsyncExport",
                        "enableObjectSplitting",
                        "enableZSort",
                        "stepsPerZSort",
                        "boundaryHandlingMethod",
                        "colorMapType",
                        "density0",
                        "renderMaxValue",
                        "renderMinValue",
                        "colorField"});
    if (!configuration.text("scriptFile", "").empty()) {
        configuration.warn("scriptFile", "ignored: scripts are not run");
    }
    configuration.finish();
}

namespace {

void check_sections(const Json& root, Log& log) {
    static const std::vector<std::string_view> k_sections = {"Configuration",
                                                             "Materials",
                                                             "FluidBlocks",
                                                             "FluidModels",
                                                             "Emitters",
                                                             "RigidBodies",
                                                             "HingeJoints",
                                                             "SliderJoints",
                                                             "DistanceJoints",
                                                             "TargetVelocityMotorHingeJoints",
                                                             "TargetVelocityMotorSliderJoints"};
    static const std::vector<std::string_view> k_others = {"AnimationFields",
                                                           "Simulation",
                                                           "TriangleModels",
                                                           "TetModels",
                                                           "BallJoints",
                                                           "BallOnLineJoints",
                                                           "UniversalJoints",
                                                           "RigidBodyParticleBallJoints",
                                                           "RigidBodySprings",
                                                           "DamperJoints",
                                                           "TargetAngleMotorHingeJoints",
                                                           "TargetPositionMotorSliderJoints"};
    for (const auto& item : root.items()) {
        const std::string& key = item.key();
        if (std::ranges::find(k_sections, key) != k_sections.end() || key == "comment") {
            continue;
        }
        const bool known = std::ranges::find(k_others, key) != k_others.end();
        if (known && item.value().empty()) {
            continue;
        }
        const std::string_view guess = known ? "" : nearest(key, k_sections);
        log.warn(key, known ? "ignored: not available"
                            : "ignored: unknown key" +
                                  (guess.empty() ? std::string()
                                                 : "; did you mean " + in_quotes(guess) + "?"));
    }
}

/// The fastest speed at the start, or that of a fall from the highest fluid to the lowest wall, as
/// far as boxes tell [m/s].
double fastest_speed(const Scene& scene) {
    double top = -1e300, bottom = 1e300, fastest = 0;  // heights times |gravity|
    const auto height = [&](const Vector& x) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            sum -= scene.gravity[k] * x[k];
        }
        return sum;
    };
    for (const Fluid& fluid : scene.fluids) {
        const Vector& v = fluid.velocity;
        fastest = std::max(fastest, portable::hypot(v[0], v[1], v[2]));
        for (const Fill& fill : fluid.fill) {
            if (const Box* box = std::get_if<Box>(&fill.shape)) {
                top = std::max({top, height(box->min), height(box->max)});
            }
        }
        for (const Emitter& emitter : fluid.emitters) {
            fastest = std::max(fastest, emitter.speed);
            top = std::max(top, height(emitter.position));
        }
    }
    for (const Boundary& wall : scene.boundaries) {
        const Box* box = std::get_if<Box>(&wall.shape);
        if (box && wall.rotation == Rotation{}) {
            bottom = std::min({bottom, height(box->min), height(box->max)});
        }
    }
    return std::sqrt(fastest * fastest + 2 * std::max(0.0, top - bottom));
}

/// Fluid that is faster than a tenth of its sound flies through walls.
void stiffen(Scene& scene, Log& log) {
    const double least = rounded(fastest_speed(scene));
    double& speed = scene.pressure.expected_speed;
    if (scene.pressure.method == "wcsph" && speed > 0 && speed < least) {
        log.warn("Configuration.WCSPH.stiffness",
                 "so soft a fluid would fly through walls: sound of " +
                     number_text(rounded(10 * least)) + " m/s is taken instead of " +
                     number_text(rounded(10 * speed)));
        speed = least;
    }
}

/// In 2D nothing has a third component.
void drop_z(Scene& scene) {
    scene.gravity[2] = 0;
    for (Fluid& fluid : scene.fluids) {
        fluid.velocity[2] = 0;
    }
}

}  // namespace

}  // namespace splishsplash

bool is_splishsplash_scene(const Json& root) {
    if (!root.is_object() || root.contains("millrace")) {
        return false;
    }
    const char* const sections[] = {"Configuration", "Materials", "FluidBlocks",
                                    "FluidModels",   "Emitters",  "RigidBodies"};
    return std::ranges::any_of(sections, [&](const char* key) { return root.contains(key); });
}

Scene import_splishsplash(const Json& root, const std::string& path,
                          std::vector<std::string>& warnings) {
    using namespace splishsplash;
    Log log{path, warnings};
    Scene scene;
    scene.name = clean_name(std::filesystem::path(path).stem().string(), scene.name);
    check_sections(root, log);
    read_configuration(root, scene, log);
    read_fluids(root, path, scene, log);
    read_rigid_bodies(root, path, scene, log);
    stiffen(scene, log);
    if (scene.dimension == 2) {
        drop_z(scene);
    }
    if (!log.without_effect.empty()) {
        const std::vector<std::string_view> keys(log.without_effect.begin(),
                                                 log.without_effect.end());
        log.warn("keys without effect here", list_text(keys));
    }
    return scene;
}

}  // namespace millrace::scene_file
