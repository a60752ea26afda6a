#include "layers/layers.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string_view>

namespace millrace::layers {

namespace {

namespace fs = std::filesystem;

/// The public headers, which all may include.
constexpr std::string_view k_public = "millrace";

std::string without_blanks(std::string_view text) {
    std::string rest(text);
    std::erase_if(rest, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '`'; });
    return rest;
}

std::vector<std::string> split(const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);)
        parts.push_back(part);
    return parts;
}

/// The cells of a line of a table; empty where it is none.
std::vector<std::string> cells_of(const std::string& line) {
    if (!line.starts_with("|"))
        return {};
    std::vector<std::string> cells = split(line, '|');
    cells.erase(cells.begin());
    return cells;
}

std::string folder_name(std::string name) {
    if (name.ends_with("/"))
        name.pop_back();
    return name;
}

/// The names between commas; none for a dash.
std::set<std::string> names_in(const std::string& cell) {
    std::set<std::string> names;
    for (const std::string& name : split(cell, ','))
        if (name != "-")
            names.insert(folder_name(name));
    return names;
}

/// The rows of three cells under a header, without blanks.
std::vector<std::vector<std::string>> table_of(const std::string& page, const std::string& header) {
    std::vector<std::vector<std::string>> rows;
    bool inside = false;
    for (const std::string& line : split(page, '\n')) {
        const std::string packed = without_blanks(line);
        const std::vector<std::string> cells = cells_of(packed);
        if (packed == header)
            inside = true;
        else if (cells.size() < 3)
            inside = false;
        else if (inside && !cells[0].starts_with("-"))
            rows.push_back(cells);
    }
    return rows;
}

/// What may stand in the lines of one folder only, blanks left out.
struct Place {
    std::string_view folder, part;
};
constexpr Place k_places[] = {
    {"platform", "#include<arpa/"},
    {"platform", "#include<csignal>"},
    {"platform", "#include<dirent.h>"},
    {"platform", "#include<dlfcn.h>"},
    {"platform", "#include<fcntl.h>"},
    {"platform", "#include<io.h>"},
    {"platform", "#include<malloc.h>"},
    {"platform", "#include<netinet/"},
    {"platform", "#include<poll.h>"},
    {"platform", "#include<process.h>"},
    {"platform", "#include<pthread.h>"},
    {"platform", "#include<sched.h>"},
    {"platform", "#include<signal.h>"},
    {"platform", "#include<spawn.h>"},
    {"platform", "#include<sys/"},
    {"platform", "#include<termios.h>"},
    {"platform", "#include<unistd.h>"},
    {"platform", "#include<windows.h>"},
    {"platform", "\"/proc/"},
    {"exec", "#include<omp.h>"},
    {"exec", "#pragmaomp"},
};

/// The names between quotes after #include.
std::vector<std::string> quoted_includes(const std::string& text) {
    std::vector<std::string> names;
    for (const std::string& line : split(text, '\n')) {
        const std::string packed = without_blanks(line);
        constexpr std::string_view k_start = "#include\"";
        if (packed.starts_with(k_start))
            names.push_back(packed.substr(k_start.size(), packed.rfind('"') - k_start.size()));
    }
    return names;
}

/// The folder of a name such as "math/vec.hpp"; empty for a file that CMake makes.
std::string folder_of(const std::string& name) {
    const std::size_t end = name.find('/');
    return end == std::string::npos ? "" : name.substr(0, end);
}

}  // namespace

std::vector<Source> read_sources(const fs::path& root) {
    std::vector<Source> sources;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
        const fs::path inside = entry.path().lexically_relative(root);
        const std::string ending = inside.extension().string();
        if (ending != ".cpp" && ending != ".hpp")
            continue;
        const bool is_deep = std::distance(inside.begin(), inside.end()) > 1;
        std::ifstream file(entry.path());
        sources.push_back({.folder = (is_deep ? *inside.begin() : root.filename()).string(),
                           .path = (root.filename() / inside).string(),
                           .text = {std::istreambuf_iterator<char>(file), {}}});
    }
    std::ranges::sort(sources, {}, &Source::path);
    return sources;
}

std::vector<Row> read_table(const std::string& page) {
    std::vector<Row> rows;
    for (const std::vector<std::string>& cells : table_of(page, "|folder|what|mayinclude|"))
        rows.push_back({folder_name(cells[0]), names_in(cells[2])});
    return rows;
}

std::vector<Layer> read_layers(const std::string& page) {
    std::vector<Layer> layers;
    for (const std::vector<std::string>& cells : table_of(page, "|layer|folders|needs|"))
        layers.push_back({cells[0], names_in(cells[1])});
    return layers;
}

std::vector<std::string> layer_problems(const std::vector<Row>& rows,
                                        const std::vector<Layer>& layers) {
    std::vector<std::string> found;
    std::map<std::string, std::size_t> layer_of;
    for (std::size_t k = 0; k < layers.size(); ++k)
        for (const std::string& folder : layers[k].folders)
            if (!layer_of.emplace(folder, k).second)
                found.push_back("folder " + folder + ": is in two layers");
    for (const Row& row : rows) {
        const auto own = layer_of.find(row.folder);
        if (own == layer_of.end()) {
            found.push_back("folder " + row.folder + ": is in no layer");
            continue;
        }
        for (const std::string& name : row.may_include)
            if (const auto other = layer_of.find(name);
                other != layer_of.end() && other->second > own->second)
                found.push_back("row " + row.folder + ": names " + name + " of the later layer " +
                                layers[other->second].name);
    }
    for (const auto& [folder, layer] : layer_of)
        if (std::ranges::find(rows, folder, &Row::folder) == rows.end())
            found.push_back("layer " + layers[layer].name + ": there is no folder " + folder);
    return found;
}

std::vector<std::string> misplaced_lines(const std::vector<Source>& sources) {
    std::vector<std::string> found;
    for (const Source& source : sources)
        for (const std::string& line : split(source.text, '\n')) {
            const std::string packed = without_blanks(line);
            for (const Place& place : k_places)
                if (source.folder != place.folder && packed.find(place.part) != std::string::npos)
                    found.push_back(source.path + ": '" + line + "' is for " +
                                    std::string(place.folder));
        }
    return found;
}

std::vector<std::string> foreign_headers(const std::vector<Source>& sources,
                                         const std::set<std::string>& core) {
    std::vector<std::string> found;
    for (const Source& source : sources) {
        if (!core.contains(source.folder) || source.folder == "platform" || source.folder == "exec")
            continue;
        for (const std::string& line : split(source.text, '\n')) {
            const std::string packed = without_blanks(line);
            // those of the standard library have no ending and no folder
            if (packed.starts_with("#include<") && packed.find_first_of("./") < packed.find('>'))
                found.push_back(source.path + ": '" + line + "' is not of the standard library");
        }
    }
    return found;
}

std::vector<std::string> circle_of(const Graph& graph) {
    std::vector<std::string> way;  // from where the search began
    std::set<std::string> done;
    const std::function<bool(const std::string&)> visit = [&](const std::string& folder) {
        const auto seen = std::ranges::find(way, folder);
        const bool is_circle = seen != way.end();
        if (is_circle)
            way.erase(way.begin(), seen);
        way.push_back(folder);
        if (is_circle)
            return true;
        if (const auto found = graph.find(folder); found != graph.end() && !done.contains(folder))
            for (const std::string& next : found->second)
                if (visit(next))
                    return true;
        done.insert(folder);
        way.pop_back();
        return false;
    };
    for (const auto& [folder, includes] : graph)
        if (visit(folder))
            return way;
    return {};
}

std::vector<std::string> problems(const std::vector<Source>& sources,
                                  const std::vector<Row>& rows) {
    std::vector<std::string> found;
    std::map<std::string, const Row*> row_of;
    for (const Row& row : rows) {
        for (const std::string& name : row.may_include)
            if (!row_of.contains(name))
                found.push_back("row " + row.folder + ": names " + name +
                                ", which has no row above");
        if (!row_of.emplace(row.folder, &row).second)
            found.push_back("row " + row.folder + ": is there twice");
    }

    Graph graph;
    for (const Source& source : sources) {
        std::set<std::string>& includes = graph[source.folder];
        const auto row = row_of.find(source.folder);
        for (const std::string& name : quoted_includes(source.text)) {
            const std::string folder = folder_of(name);
            if (folder.empty() || folder == k_public || folder == source.folder)
                continue;
            includes.insert(folder);
            if (row != row_of.end() && !row->second->may_include.contains(folder))
                found.push_back(source.path + ": includes " + name + ", but the row of " +
                                source.folder + " does not name " + folder);
        }
    }
    for (const auto& [folder, includes] : graph)
        if (!row_of.contains(folder))
            found.push_back("folder " + folder + ": has no row");
    for (const Row& row : rows) {
        const auto folder = graph.find(row.folder);
        if (folder == graph.end()) {
            found.push_back("row " + row.folder + ": there is no such folder");
            continue;
        }
        for (const std::string& name : row.may_include)
            if (!folder->second.contains(name))
                found.push_back("row " + row.folder + ": names " + name +
                                ", which no file there includes");
    }
    if (const std::vector<std::string> circle = circle_of(graph); !circle.empty()) {
        std::string line = "a circle: " + circle[0];
        for (std::size_t k = 1; k < circle.size(); ++k)
            line += " -> " + circle[k];
        found.push_back(line);
    }
    return found;
}

}  // namespace millrace::layers
