#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

// What the folders of src/ include, and what docs/architecture.md lets them include.
namespace millrace::layers {

struct Source {
    std::string folder;  ///< in which it lies, or the one in src/ that holds that
    std::string path;    ///< for messages
    std::string text;
};

/// All files of C++ in a folder and those inside it.
std::vector<Source> read_sources(const std::filesystem::path& root);

struct Row {
    std::string folder;
    std::set<std::string> may_include;
};

/// The rows of the table `| folder | what | may include |` in a page, in their order.
std::vector<Row> read_table(const std::string& page);

struct Layer {
    std::string name;
    std::set<std::string> folders;
};

/// The rows of the table `| layer | folders | needs |`, in their order.
std::vector<Layer> read_layers(const std::string& page);

/// What is wrong with the layers, a line each: a folder in none or in two, one that there is not, a
/// folder that may include one of a later layer.
std::vector<std::string> layer_problems(const std::vector<Row>& rows,
                                        const std::vector<Layer>& layers);

/// What is wrong, a line each: a folder without a row, a row without a folder, an include that the
/// row does not name, a name that no include needs, a name of a row that does not lie above, a
/// circle of folders that include one another.
std::vector<std::string> problems(const std::vector<Source>& sources, const std::vector<Row>& rows);

/// Lines that only one folder may have, elsewhere: headers and files of an operating system, which
/// are for platform/, and OpenMP, which is for exec/.
std::vector<std::string> misplaced_lines(const std::vector<Source>& sources);

/// Headers between angle brackets in a folder of the core that are not of the standard library; in
/// platform/ and exec/, which reach below it, all are let through.
std::vector<std::string> foreign_headers(const std::vector<Source>& sources,
                                         const std::set<std::string>& core);

/// The folders that every folder includes, besides itself.
using Graph = std::map<std::string, std::set<std::string>>;

/// Folders that include one another in a circle, the first one again at the end; empty: none.
std::vector<std::string> circle_of(const Graph& graph);

}  // namespace millrace::layers
