#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The frame of binary, little-endian PLY files: a header in text, one row of 32-bit numbers a
// vertex, triangles. Errors are InputErrors without a file name.
namespace millrace {

struct PlyProperty {
    std::string type;  ///< "float" or "uint"
    std::string name;

    bool operator==(const PlyProperty&) const = default;
};

struct PlyHeader {
    std::vector<std::string> comments;
    std::size_t vertices = 0;
    std::vector<PlyProperty> properties;  ///< of a vertex
    bool has_faces = false;               ///< a surface, perhaps without triangles
    std::size_t triangles = 0;

    std::size_t row_bytes() const { return 4 * properties.size(); }  ///< of a vertex
};

/// The header as text, to its last line end.
std::string ply_header(const PlyHeader& header);

/// A file cut into its parts, all of whose sizes are those that the header promises.
struct PlyParts {
    PlyHeader header;
    std::string_view rows;   ///< of the vertices
    std::string_view faces;  ///< for read_ply_triangles
};
PlyParts split_ply(std::string_view bytes);

/// Writes `components` numbers a vertex, each of 4 bytes, into the rows from property `first` on.
void put_ply_columns(char* rows, const PlyHeader& header, std::size_t first, const void* numbers,
                     std::size_t components);
void get_ply_columns(const PlyParts& ply, std::size_t first, void* numbers, std::size_t components);

using Triangle = std::array<std::uint32_t, 3>;
constexpr std::size_t k_ply_triangle_bytes = 13;
void put_ply_triangles(char* out, std::span<const Triangle> triangles);
std::vector<Triangle> get_ply_triangles(const PlyParts& ply);

/// The time in the comment that ply_time_comment makes; 0 without one.
std::string ply_time_comment(double time);
double ply_time(const PlyHeader& header);

/// The rest of the first comment that starts with `key` and a space; empty if there is none.
std::string ply_comment(const PlyHeader& header, std::string_view key);

}  // namespace millrace
