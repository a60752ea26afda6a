// The folders of src/ include what docs/architecture.md says, and the test can fail.
#include "layers/layers.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/paths.hpp"

namespace millrace::layers {
namespace {

using Lines = std::vector<std::string>;

const std::string k_page = R"(
| another | table | here |
|---|---|---|
| `cellar/` | not of folders | wall |

| folder | what | may include |
|---|---|---|
| `math/` | numbers | - |
| `wall/` | a [page](wall.md) | math |
| `house/` | both | math, wall |

Text.
)";

Source source(const std::string& folder, const std::string& text) {
    return {folder, "src/" + folder + "/a.cpp", text};
}

/// What fits k_page.
std::vector<Source> good_sources() {
    return {source("math", "#include <cmath>\n#include \"millrace/error.hpp\"\n"),
            source("wall",
                   "#include \"wall/a.hpp\"\n#include \"made_by_cmake.hpp\"\n"
                   "  #  include \"math/vec.hpp\"\n"),
            source("house", "#include \"math/vec.hpp\"\n#include \"wall/a.hpp\"\n")};
}

Lines problems_with(const Source& more) {
    std::vector<Source> sources = good_sources();
    sources.push_back(more);
    return problems(sources, read_table(k_page));
}

std::string file_text(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Layers, TheSourcesIncludeWhatThePageSays) {
    const std::vector<Source> sources = read_sources(in_sources("src"));
    const std::vector<Row> rows = read_table(file_text(in_sources("docs/architecture.md")));
    EXPECT_GT(sources.size(), 300u);
    EXPECT_GT(rows.size(), 20u);
    EXPECT_EQ(problems(sources, rows), Lines());
}

TEST(Layers, TheFoldersFollowTheirLayers) {
    const std::string page = file_text(in_sources("docs/architecture.md"));
    const std::vector<Layer> layers = read_layers(page);
    ASSERT_EQ(layers.size(), 6u);
    EXPECT_EQ(layer_problems(read_table(page), layers), Lines());
    EXPECT_EQ(layers[0].name, "core");
    EXPECT_EQ(foreign_headers(read_sources(in_sources("src")), layers[0].folders), Lines());
}

TEST(Layers, FoldersInTheWrongLayerAreFound) {
    const std::vector<Row> rows{{"math", {}}, {"wall", {"math"}}, {"house", {"wall"}}};
    const std::vector<Layer> good{{"core", {"math"}}, {"town", {"wall", "house"}}};
    EXPECT_EQ(layer_problems(rows, good), Lines());
    EXPECT_EQ(layer_problems(rows, {{"core", {"math", "house"}}, {"town", {"wall"}}}),
              Lines{"row house: names wall of the later layer town"});
    EXPECT_EQ(layer_problems(rows, {{"core", {"math"}}, {"town", {"wall", "math", "attic"}}}),
              (Lines{"folder math: is in two layers", "folder house: is in no layer",
                     "layer town: there is no folder attic"}));
}

TEST(Layers, AForeignHeaderInTheCoreIsFound) {
    const std::string text = "#include <vector>\n#include <box2d/box2d.h>\n";
    EXPECT_EQ(foreign_headers({source("io", text), source("exec", text)}, {"exec", "math"}),
              Lines());
    EXPECT_EQ(foreign_headers({source("math", text)}, {"exec", "math"}),
              Lines{"src/math/a.cpp: '#include <box2d/box2d.h>' is not of the standard library"});
}

TEST(Layers, WhatSystemsDifferInAndOpenMPHaveTheirFolders) {
    for (const char* folder : {"src", "apps", "bench"}) {
        const std::vector<Source> sources = read_sources(in_sources(folder));
        EXPECT_FALSE(sources.empty()) << folder;
        EXPECT_EQ(misplaced_lines(sources), Lines());
    }
}

TEST(Layers, AHeaderOfASystemIsFoundElsewhere) {
    const std::string text = "#include <cmath>\n  # include <sys/stat.h>\n";
    EXPECT_EQ(misplaced_lines({source("platform", text)}), Lines());
    EXPECT_EQ(misplaced_lines({source("io", text)}),
              Lines{"src/io/a.cpp: '  # include <sys/stat.h>' is for platform"});
    EXPECT_EQ(misplaced_lines({source("io", "open(\"/proc/meminfo\");")}).size(), 1u);
}

TEST(Layers, OpenMPIsFoundElsewhere) {
    const std::string text = "#pragma omp parallel for\n#include <omp.h>\n";
    EXPECT_EQ(misplaced_lines({source("exec", text)}), Lines());
    EXPECT_EQ(misplaced_lines({source("io", text)}),
              (Lines{"src/io/a.cpp: '#pragma omp parallel for' is for exec",
                     "src/io/a.cpp: '#include <omp.h>' is for exec"}));
}

TEST(Layers, TheTableIsRead) {
    const std::vector<Row> rows = read_table(k_page);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].folder, "math");
    EXPECT_EQ(rows[0].may_include, std::set<std::string>());
    EXPECT_EQ(rows[2].folder, "house");
    EXPECT_EQ(rows[2].may_include, (std::set<std::string>{"math", "wall"}));
}

TEST(Layers, NothingIsWrongWithGoodSources) {
    EXPECT_EQ(problems(good_sources(), read_table(k_page)), Lines());
}

TEST(Layers, AnIncludeThatTheRowDoesNotNameIsFound) {
    const Lines found = problems_with(source("math", "\n#include \"wall/a.hpp\"\n"));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0],
              "src/math/a.cpp: includes wall/a.hpp, but the row of math does not name wall");
    EXPECT_EQ(found[1], "a circle: math -> wall -> math");
}

TEST(Layers, AFolderWithoutARowIsFound) {
    EXPECT_EQ(problems_with(source("attic", "")), Lines{"folder attic: has no row"});
}

TEST(Layers, ARowWithoutAFolderIsFound) {
    std::vector<Source> sources = good_sources();
    sources.pop_back();
    EXPECT_EQ(problems(sources, read_table(k_page)), Lines{"row house: there is no such folder"});
}

TEST(Layers, ANameThatNobodyNeedsIsFound) {
    std::vector<Source> sources = good_sources();
    sources[2].text = "#include \"wall/a.hpp\"\n// #include \"math/vec.hpp\"\n";
    EXPECT_EQ(problems(sources, read_table(k_page)),
              Lines{"row house: names math, which no file there includes"});
}

TEST(Layers, ANameOfARowBelowIsFound) {
    const std::string page =
        "| folder | what | may include |\n|---|---|---|\n| `a/` | | b |\n| `b/` | | a |\n";
    const std::vector<Source> sources{source("a", "#include \"b/b.hpp\"\n"),
                                      source("b", "#include \"a/a.hpp\"\n")};
    EXPECT_EQ(problems(sources, read_table(page)),
              (Lines{"row a: names b, which has no row above", "a circle: a -> b -> a"}));
}

TEST(Layers, ALongCircleIsFoundBehindOtherFolders) {
    const Graph graph{{"a", {"b"}}, {"b", {"c", "d"}}, {"c", {}}, {"d", {"e"}}, {"e", {"b", "c"}}};
    EXPECT_EQ(circle_of(graph), (Lines{"b", "d", "e", "b"}));
    EXPECT_EQ(circle_of({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}), Lines());
}

}  // namespace
}  // namespace millrace::layers
