// The text of a scene file: files, syntax, structure, versions, unknown keys.
#include <filesystem>

#include "scene/scene_test.hpp"
#include "support/paths.hpp"

namespace millrace::scene_test {

TEST(SceneParse, MinimalSceneGetsEveryDefault) {
    const Scene scene = pool();
    EXPECT_EQ(scene.name, "scene");
    EXPECT_EQ(scene.dimension, 3);
    EXPECT_EQ(scene.spacing, 0.1);
    EXPECT_EQ(scene.support, 2);
    EXPECT_EQ(scene.gravity, (Vector{0, -9.81, 0}));
    EXPECT_FALSE(scene.domain);
    EXPECT_EQ(scene.end, 5);
    EXPECT_EQ(scene.seed, 1u);
    ASSERT_EQ(scene.fluids.size(), 1u);
    EXPECT_EQ(scene.fluids[0].name, "water");
    EXPECT_EQ(scene.fluids[0].density, 1000);
    EXPECT_EQ(std::get<Box>(scene.fluids[0].fill.at(0).shape).max, (Vector{1, 1, 1}));
    EXPECT_EQ(scene.fluids[0].fill[0].jitter, 0.01);
    EXPECT_EQ(scene.fluids[0].viscosity, Viscosity{});
    ASSERT_EQ(scene.boundaries.size(), 1u);
    EXPECT_EQ(scene.boundaries[0].name, "boundary_0");
    EXPECT_TRUE(scene.boundaries[0].inside);
    EXPECT_EQ(scene.pressure, Pressure{});
    EXPECT_EQ(scene.time_step, TimeStep{});
    EXPECT_EQ(scene.output, Output{});
    EXPECT_TRUE(scene.probes.empty());
    EXPECT_FALSE(scene.camera);
}

TEST(SceneParse, VectorsHaveTwoComponentsIn2D) {
    const Scene scene = pool_2d({"fluids[0].velocity=[1, 2]"});
    EXPECT_EQ(scene.gravity, (Vector{0, -9.81, 0}));
    EXPECT_EQ(scene.fluids[0].velocity, (Vector{1, 2, 0}));
    EXPECT_EQ(std::get<Box>(scene.fluids[0].fill.at(0).shape).max, (Vector{1, 1, 0}));
}

TEST(SceneParse, EveryExampleLoads) {
    int count = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(millrace::in_sources("scenes"))) {
        if (entry.path().extension() != ".json" || entry.path().filename() == "scene.schema.json") {
            continue;
        }
        ++count;
        EXPECT_NO_THROW(load_scene(entry.path().string())) << entry.path();
    }
    EXPECT_GT(count, 0);
}

TEST(SceneParse, MissingFileIsNamed) {
    try {
        load_scene("no/such/pool.json");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_STREQ(e.what(), "no/such/pool.json: cannot be read: No such file or directory");
    }
    EXPECT_THROW(load_scene(millrace::in_sources("scenes")), InputError);
}

TEST(SceneParse, CommentsAreAllowed) {
    EXPECT_EQ(refusal_of("// a pool\n/* of\nwater */" + k_pool_3d + "// end"), "");
}

TEST(SceneParse, SyntaxErrorsTellLineAndColumn) {
    EXPECT_EQ(refusal_of("{\n  \"millrace\": 1,\n  \"spacing\": x\n}"),
              "pool.json: line 3, column 14: syntax error in value: invalid literal");
    EXPECT_EQ(refusal_of("{\"millrace\": 1,}"),
              "pool.json: line 1, column 16: syntax error in object key: unexpected '}'; expected "
              "string literal");
    EXPECT_EQ(refusal_of("{\"millrace\": 1\n \"spacing\": 2}"),
              "pool.json: line 2, column 10: syntax error in object: unexpected string literal; "
              "expected '}'");
    EXPECT_EQ(refusal_of(""),
              "pool.json: line 1, column 1: syntax error in value: unexpected end of input; "
              "expected '[', '{', or a literal");
    EXPECT_EQ(refusal_of("{\n\"name\": \"pool\n}"),
              "pool.json: line 2, column 14: syntax error in value: invalid string: control "
              "character U+000A (LF) must be escaped to \\u000A or \\n");
    EXPECT_EQ(refusal_of("{} x"),
              "pool.json: line 1, column 4: syntax error in value: invalid literal; expected end "
              "of input");
    EXPECT_EQ(refusal_of("{ /* "),
              "pool.json: line 1, column 6: syntax error in object key: invalid comment; missing "
              "closing '*/'; expected string literal");
}

TEST(SceneParse, NumbersMustBeFinite) {
    EXPECT_EQ(refusal_of("{\"millrace\": 1, \"spacing\": NaN}"),
              "pool.json: line 1, column 28: syntax error: 'NaN' is not a number in JSON");
    EXPECT_EQ(refusal_of("{\"spacing\":\n-Infinity}"),
              "pool.json: line 2, column 2: syntax error: 'Infinity' is not a number in JSON");
    EXPECT_EQ(refusal_of("{\"spacing\": 1e999}"),
              "pool.json: line 1, column 17: the number '1e999' is too large, it must be finite");
}

TEST(SceneParse, DuplicateKeysAreRefused) {
    EXPECT_EQ(refusal_of(R"({"millrace": 1, "millrace": 1})"),
              "pool.json: millrace: duplicate key");
    EXPECT_EQ(refusal_of(R"({"fluids": [{}, {"density": 1, "name": "a", "density": 2}]})"),
              "pool.json: fluids[1].density: duplicate key");
    EXPECT_EQ(refusal_of(R"({"fluids": [[0, {"a": {"b": {}, "b": 1}}]]})"),
              "pool.json: fluids[0][1].a.b: duplicate key");
}

TEST(SceneParse, TopMustBeAnObject) {
    EXPECT_EQ(refusal_of("[1, 2]"), "pool.json: must be an object, got a list");
    EXPECT_EQ(refusal_of("7"), "pool.json: must be an object, got 7");
}

TEST(SceneParse, VersionIsCheckedFirst) {
    EXPECT_EQ(refusal_of(R"({"millrace": 2, "new_key": 1})"),
              "pool.json: millrace: format version 2 is not supported; this version reads 1");
    EXPECT_EQ(refusal_of(R"({"millrace": "one"})"),
              "pool.json: millrace: format version 'one' is not supported; this version reads 1");
    EXPECT_EQ(refusal_of(R"({"spacing": 0.1, "fluids":
                             [{"fill": [{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}]})"),
              "pool.json: millrace: missing; required: version of this format: 1");
}

TEST(SceneParse, RequiredKeys) {
    EXPECT_EQ(refusal_of(R"({"millrace": 1})"),
              "pool.json: spacing: missing; required: distance of neighbouring particles at rest "
              "[m]");
    EXPECT_EQ(refusal_of(R"({"millrace": 1, "spacing": 1})"),
              "pool.json: fluids: missing; required: the fluids");
    EXPECT_EQ(refusal({"fluids=[]"}), "pool.json: fluids: must have at least one entry");
    EXPECT_EQ(refusal({"fluids[0].fill=[]"}), "pool.json: fluids[0]: needs fill or emitters");
    EXPECT_EQ(refusal({"fluids=[{}]"}), "pool.json: fluids[0]: needs fill or emitters");
    EXPECT_EQ(refusal({"fluids[0].fill[0]={}"}),
              "pool.json: fluids[0].fill[0]: needs one of box, sphere, mesh, points");
    EXPECT_EQ(refusal({"boundaries[0]={}"}),
              "pool.json: boundaries[0]: needs one of box, sphere, cylinder, plane, mesh");
    EXPECT_EQ(refusal({"domain={\"min\": [0, 0, 0]}"}),
              "pool.json: domain.max: missing; required: upper corner [m]");
}

TEST(SceneParse, UnknownKeysSuggestTheNearest) {
    EXPECT_EQ(refusal({"fluids[0].densty=900"}),
              "pool.json: fluids[0].densty: unknown key; did you mean 'density'?");
    EXPECT_EQ(refusal({"timestep={}"}),
              "pool.json: timestep: unknown key; did you mean 'time_step'?");
    EXPECT_EQ(refusal({"Gravity=[0, 0, 0]"}),
              "pool.json: Gravity: unknown key; did you mean 'gravity'?");
    EXPECT_EQ(
        refusal({"fluids[0].fill[0].xob={}"}),
        "pool.json: fluids[0].fill[0].xob: unknown key; valid keys: box, sphere, mesh, points, "
        "circle, polygon, jitter");
    EXPECT_EQ(refusal({"fluids[0].fill[0].bxo={}"}),
              "pool.json: fluids[0].fill[0].bxo: unknown key; did you mean 'box'?");
    EXPECT_EQ(refusal({"output.temperature=1"}),
              "pool.json: output.temperature: unknown key; valid keys: fps, particles, fields, "
              "surface, diffuse");
    // a misspelt required key is a misspelling, not a missing key
    EXPECT_EQ(refusal_of(R"({"millrace": 1, "spaceing": 0.1})"),
              "pool.json: spaceing: unknown key; did you mean 'spacing'?");
    EXPECT_EQ(refusal_of(R"({"milrace": 1})"),
              "pool.json: milrace: unknown key; did you mean 'millrace'?");
    EXPECT_LT(refusal_of("{\"" + std::string(100000, 'x') + "\": 1}").size(), 500u);
    EXPECT_EQ(refusal_of("{\"a\\nb\": 1}").find("pool.json: a b: unknown key"), 0u);
}

TEST(SceneParse, TheSchemaKeyIsForEditors) {
    EXPECT_EQ(refusal({"$schema=scene.schema.json"}), "");
}

TEST(SceneParse, SurfacesAndFoamAreAskedForByAnObject) {
    const Scene plain = parse_scene(k_pool_3d, "pool.json");
    EXPECT_FALSE(plain.output.surface || plain.output.diffuse);
    const Scene asked =
        parse_scene(k_pool_3d, "pool.json", {"output.surface={}", "output.diffuse={\"rate\": 7}"});
    ASSERT_TRUE(asked.output.surface && asked.output.diffuse);
    EXPECT_EQ(*asked.output.surface, SurfaceOutput());
    EXPECT_EQ(asked.output.diffuse->rate, 7);
    EXPECT_EQ(refusal({"output.surface={\"cell\": 0.1}"}),
              "pool.json: output.surface.cell: must be at least 0.25, got 0.1");
    EXPECT_EQ(refusal({"output.surface={\"keep\": 0}"}),
              "pool.json: output.surface.keep: must be greater than 0, got 0");
}

// Whatever a user's file lost, the answer is a scene or one line.
TEST(SceneParse, DamagedFilesNeverDoMoreThanThrowInputError) {
    const std::string text = file_text(millrace::in_sources("scenes/dam_break.json"));
    ASSERT_FALSE(text.empty());
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string without = text;
        without.erase(i, 1);
        std::string other = text;
        other[i] = static_cast<char>(other[i] ^ (1 << i % 8));
        for (const std::string& damaged : {text.substr(0, i), without, other}) {
            EXPECT_NO_THROW(refusal_of(damaged)) << damaged;
        }
    }
}

TEST(SceneParse, DeepNestingIsNoProblem) {
    EXPECT_NE(refusal_of(std::string(200000, '[')), "");
    EXPECT_NE(refusal_of(std::string(200000, '[') + std::string(200000, ']')), "");
    std::string nested;
    for (int i = 0; i < 100000; ++i) {
        nested += "{\"a\":";
    }
    EXPECT_LT(refusal_of(nested + R"({"b": 1, "b": 2)").size(), 2000u);
}

TEST(SceneParse, BracketsWithinBracketsAreRefused) {
    const std::string deep(1'000'000, '[');
    EXPECT_EQ(refusal_of("{\"millrace\": 1, \"fluids\": " + deep),
              "pool.json: lists and objects lie within each other, more than 200 deep");
    EXPECT_EQ(refusal_of(k_pool_3d, {"fluids=" + deep}).find("pool.json: --set fluids=[[["), 0u);
}

}  // namespace millrace::scene_test
