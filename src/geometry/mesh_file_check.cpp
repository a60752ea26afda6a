#include "geometry/mesh_file_check.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "millrace/error.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

std::uint32_t number_at(std::string_view data, std::size_t offset) {
    std::uint32_t number;
    std::memcpy(&number, data.data() + offset, sizeof number);
    return number;
}

std::size_t count(std::string_view text, std::string_view word) {
    std::size_t n = 0;
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size()))
        ++n;
    return n;
}

// A binary file is a header of 80 bytes, the number of triangles and 50 bytes for each of them.
bool whole_stl(std::string_view data) {
    const std::size_t text_start = data.find_first_not_of(" \t\r\n");
    const bool text = text_start != data.npos && data.substr(text_start, 5) == "solid";
    if (data.size() >= 84 && data.size() >= 84 + std::uint64_t(50) * number_at(data, 80) &&
        !(text && count(data, "endsolid")))
        return true;
    return text && count(data, "endsolid") >= 1 && count(data, "endfacet") >= 1;
}

std::size_t bytes_of(const std::string& type) {
    if (type == "char" || type == "uchar" || type == "int8" || type == "uint8")
        return 1;
    if (type == "short" || type == "ushort" || type == "int16" || type == "uint16")
        return 2;
    return type == "double" || type == "float64" ? 8 : 4;
}

// What the elements of the header take at least: as bytes, or as lines of a text file.
bool whole_ply(std::string_view data) {
    constexpr std::string_view k_end = "end_header";
    const std::size_t end = data.find(k_end);
    if (end == data.npos)
        return false;
    std::istringstream header{std::string(data.substr(0, end))};
    bool text = false;
    std::uint64_t elements = 0, n = 0, bytes = 0;
    for (std::string line; std::getline(header, line);) {
        std::istringstream words(line);
        std::string key, type, name;
        words >> key >> type;
        if (key == "format") {
            text = type == "ascii";
        } else if (key == "element") {
            words >> n;
            elements += n;
        } else if (key == "property" && type == "list") {
            std::string count_type, entry_type;
            words >> count_type >> entry_type >> name;
            const bool face = name == "vertex_indices" || name == "vertex_index";
            bytes += n * (bytes_of(count_type) + (face ? 3 * bytes_of(entry_type) : 0));
        } else if (key == "property") {
            bytes += n * bytes_of(type);
        }
    }
    std::string_view body = data.substr(end + k_end.size());
    body.remove_prefix(std::min(body.find('\n') + 1, body.size()));
    if (!text)
        return body.size() >= bytes;
    const bool unended = !body.empty() && body.back() != '\n';
    return count(body, "\n") + unended >= elements;
}

// "glTF", the version, the length of the whole file.
bool whole_glb(std::string_view data) {
    return data.size() >= 20 && data.substr(0, 4) == "glTF" && data.size() >= number_at(data, 8);
}

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

void check_mesh_file(const std::string& path) {
    std::error_code error;
    if (!fs::exists(path, error))
        throw InputError(path + ": there is no such file");
    if (fs::is_directory(path, error))
        throw InputError(path + ": is a folder; name the mesh file in it");
    const std::string format = lower_case(fs::path(path).extension().string());
    if (format != ".obj" && format != ".ply" && format != ".stl" && format != ".gltf" &&
        format != ".glb")
        throw InputError(path + ": unknown format; use .obj, .ply, .stl, .gltf or .glb");
    std::ifstream file(path, std::ios::binary);
    const std::string data{std::istreambuf_iterator<char>(file), {}};
    if (!file)
        throw InputError(path + ": cannot be opened; check who may read it");
    if (data.empty())
        throw InputError(path + ": is empty");
    const bool whole = format == ".stl"   ? whole_stl(data)
                       : format == ".ply" ? whole_ply(data)
                       : format == ".glb" ? whole_glb(data)
                                          : true;
    if (!whole)
        throw InputError(path + ": ends too early or is no " + format.substr(1) +
                         " file; save or copy it again");
}

}  // namespace millrace
