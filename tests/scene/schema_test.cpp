// The files made from the description of the keys, and the page around them.
#include "scene/schema.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "scene/scene_test.hpp"
#include "support/paths.hpp"

namespace millrace::scene_test {

namespace {
const std::string k_reference = millrace::in_sources("docs/scene-reference.md");
}

// MILLRACE_UPDATE=1 in the environment rewrites the committed files.
class SceneDescription : public testing::Test {
  protected:
    const bool update = std::getenv("MILLRACE_UPDATE") != nullptr;
    const std::string remedy = "run the tests with MILLRACE_UPDATE=1 and commit the result";
};

TEST_F(SceneDescription, SchemaFileIsCurrent) {
    const std::string path = millrace::in_sources("scenes/scene.schema.json");
    if (update) {
        std::ofstream(path) << scene_schema();
    }
    EXPECT_EQ(file_text(path), scene_schema()) << remedy;
}

TEST_F(SceneDescription, ReferenceTablesAreCurrent) {
    const std::string begin = "<!-- key tables: begin, made from src/scene/keys.hpp -->\n";
    const std::string end = "<!-- key tables: end -->\n";
    std::string page = file_text(k_reference);
    const std::size_t from = page.find(begin);
    const std::size_t to = page.find(end);
    ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to) << k_reference;
    const std::string expected =
        page.substr(0, from) + begin + "\n" + scene_reference_tables() + "\n" + page.substr(to);
    if (update) {
        std::ofstream(k_reference) << expected;
        page = expected;
    }
    EXPECT_EQ(page, expected) << remedy;
}

TEST_F(SceneDescription, SchemaIsStrict) {
    const auto schema = nlohmann::json::parse(scene_schema());
    EXPECT_EQ(schema["additionalProperties"], false);
    EXPECT_EQ(schema["required"], (nlohmann::json{"millrace", "spacing", "fluids"}));
    const auto& fluid = schema["properties"]["fluids"]["items"];
    EXPECT_EQ(fluid["properties"]["density"]["exclusiveMinimum"], 0);
    EXPECT_EQ(fluid["properties"]["density"]["default"], 1000);
    const auto& fill = fluid["properties"]["fill"]["items"];
    EXPECT_EQ(fill["oneOf"][1]["required"], nlohmann::json{"sphere"});
    EXPECT_EQ(fill["oneOf"].size(), 6u);
    const auto& joint = schema["properties"]["joints"]["items"];
    EXPECT_EQ(joint["properties"]["bodies"]["minItems"], 2);
}

TEST_F(SceneDescription, ScenesOfTheReferenceLoad) {
    const std::string page = file_text(k_reference);
    const std::string fence = "```json\n";
    int count = 0;
    for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
        at += fence.size();
        EXPECT_EQ(refusal_of(page.substr(at, page.find("```", at) - at)), "");
        ++count;
    }
    EXPECT_GE(count, 2);
}

}  // namespace millrace::scene_test
