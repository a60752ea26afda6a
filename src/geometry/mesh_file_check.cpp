#include "geometry/mesh_file_check.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "files/whole_file.hpp"
#include "geometry/gltf_check.hpp"
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

/// More than programs that make models can handle.
constexpr std::uint64_t k_largest_mesh_bytes = std::uint64_t{1} << 31;

}  // namespace

std::string mesh_format(const std::string& path) {
    std::string format = fs::path(path).extension().string();
    std::transform(format.begin(), format.end(), format.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return format;
}

std::string checked_mesh_file(const std::string& path) {
    std::error_code error;
    if (!fs::exists(path, error))
        throw InputError(path + ": there is no such file");
    if (fs::is_directory(path, error))
        throw InputError(path + ": is a folder; name the mesh file in it");
    const std::string format = mesh_format(path);
    if (format != ".obj" && format != ".ply" && format != ".stl" && format != ".gltf" &&
        format != ".glb")
        throw InputError(path + ": unknown format; use .obj, .ply, .stl, .gltf or .glb");
    std::string data = whole_file(path, k_largest_mesh_bytes);
    if (data.empty())
        throw InputError(path + ": is empty");
    if (format == ".stl" && !whole_stl(data))
        throw InputError(path + ": ends too early or is no stl file; save or copy it again");
    try {
        if (format == ".gltf")
            check_gltf(data, fs::path(path).parent_path());
        else if (format == ".glb")
            check_glb(data, fs::path(path).parent_path());
    } catch (const InputError& e) {
        throw InputError(path + ": " + e.what());
    }
    return data;
}

}  // namespace millrace
