// The resolved scene and scenes built in code.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "scene/scene_test.hpp"

namespace millrace::scene_test {

namespace {

/// Every member differs from its default.
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
                     .fill = {{box, 0}, {box, 0.1}},
                     .viscosity = {"none", 0.25},
                     .surface_tension = {},
                     .color = {0, 0.5, 1}},
                    {.fill = {{box, 0.05}}, .viscosity = {}, .surface_tension = {}}};
    scene.boundaries = {{"tank", box, true, {"+y"}}, {"block", box, false, {}}};
    scene.pressure = {.avg_error = 1e-4,
                      .max_error = 2e-4,
                      .min_iterations = 0,
                      .max_iterations = 7,
                      .warm_start = false,
                      .relaxation = 0.3};
    scene.time_step = {.mode = "fixed", .cfl = 0.3, .min = 1e-5, .max = 0.004, .dt = 0.00123};
    scene.output = {.fps = 24, .particles = {}, .fields = {"id"}};
    scene.probes = {{"level", "height", {0.5, 0, flat ? 0 : 0.25}},
                    {.name = "p", .type = "pressure", .at = {1, 2, 0}, .interval = 0.1},
                    {.name = "v", .type = "velocity", .at = {1, 2, 0}},
                    {.name = "f", .type = "front", .axis = 1},
                    {.name = "e", .type = "energy"}};
    scene.camera = {{1, 2, 3}, {4, 5, 6}, 50};
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
    for (const Scene& scene : {pool(), pool_2d(), rich_scene(2), rich_scene(3),
                               load_scene(MILLRACE_SOURCE_DIR "/scenes/dam_break.json")}) {
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

TEST(SceneWrite, VectorsTakeOneLine) {
    EXPECT_NE(scene_to_json(pool()).find("\n  \"gravity\": [0.0, -9.81, 0.0],\n"),
              std::string::npos);
}

TEST(SceneValidate, AcceptsScenesBuiltInCode) {
    EXPECT_EQ(refusal_of(rich_scene(2)), "");
    EXPECT_EQ(refusal_of(rich_scene(3)), "");
    Scene scene = rich_scene(3);
    scene.boundaries[0].name.clear();  // found a name when the scene is read
    EXPECT_EQ(refusal_of(scene), "");
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
    EXPECT_EQ(refusal_with([](Scene& s) { s.fluids[0].fill[1].box->max[0] = 0.11; }),
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
    EXPECT_EQ(refusal_with([](Scene& s) { s.pressure.method = "spook"; }),
              "built: pressure.method: 'spook' is not available in this version; available: wcsph, "
              "pcisph, iisph, dfsph");
}

}  // namespace millrace::scene_test
