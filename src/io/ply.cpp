#include "io/ply.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr std::string_view k_format = "format binary_little_endian 1.0";
constexpr std::string_view k_corners = "property list uchar int vertex_indices";
constexpr std::string_view k_end = "end_header\n";
constexpr std::size_t k_longest_header = std::size_t{1} << 20;
constexpr std::size_t k_most_rows = 2147483647;  // corners are signed 32-bit numbers

[[noreturn]] void reject(const std::string& what) {
    throw InputError(what);
}

/// The words of a line; only single spaces are between them.
std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(' ', begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

std::size_t number_of_rows(std::string_view text) {
    std::size_t rows = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
    if (error != std::errc() || end != text.data() + text.size() || rows > k_most_rows)
        reject("no valid number of elements in the header");
    return rows;
}

PlyHeader parse_header(std::string_view text) {
    PlyHeader header;
    bool has_vertices = false, has_corners = false;
    for (int number = 0; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        const auto words = words_of(line);
        if (number < 2) {
            if (line != (number == 0 ? std::string_view("ply") : k_format))
                reject("not a binary, little-endian PLY file");
        } else if (words[0] == "comment") {
            header.comments.emplace_back(line.substr(std::min<std::size_t>(8, line.size())));
        } else if (words.size() == 3 && words[0] == "element" && words[1] == "vertex" &&
                   !has_vertices) {
            header.vertices = number_of_rows(words[2]);
            has_vertices = true;
        } else if (words.size() == 3 && words[0] == "element" && words[1] == "face" &&
                   has_vertices && !header.has_faces) {
            header.triangles = number_of_rows(words[2]);
            header.has_faces = true;
        } else if (words.size() == 3 && words[0] == "property" && has_vertices &&
                   !header.has_faces && (words[1] == "float" || words[1] == "uint")) {
            header.properties.push_back({std::string(words[1]), std::string(words[2])});
        } else if (header.has_faces && line == k_corners && !has_corners) {
            has_corners = true;
        } else {
            reject("a line in the header that this program does not write: " +
                   std::string(line.substr(0, 60)));
        }
    }
    if (!has_vertices || header.properties.empty() || header.has_faces != has_corners)
        reject("incomplete header");
    return header;
}

}  // namespace

std::string ply_header(const PlyHeader& header) {
    std::string text = "ply\n" + std::string(k_format) + "\n";
    for (const std::string& comment : header.comments)
        text += "comment " + comment + "\n";
    text += "element vertex " + std::to_string(header.vertices) + "\n";
    for (const PlyProperty& property : header.properties)
        text += "property " + property.type + " " + property.name + "\n";
    if (header.has_faces)
        text += "element face " + std::to_string(header.triangles) + "\n" + std::string(k_corners) +
                "\n";
    return text + std::string(k_end);
}

PlyParts split_ply(std::string_view bytes) {
    if (!bytes.starts_with("ply\n"))
        reject("not a PLY file");
    const std::size_t end = bytes.substr(0, k_longest_header).find(std::string("\n").append(k_end));
    if (end == std::string_view::npos)
        reject("the header has no end");
    PlyParts ply;
    ply.header = parse_header(bytes.substr(0, end + 1));
    bytes.remove_prefix(end + 1 + k_end.size());
    // neither product overflows: both counts are below 2^31, a row is shorter than the header
    const std::size_t rows = ply.header.vertices * ply.header.row_bytes();
    const std::size_t faces = ply.header.triangles * k_ply_triangle_bytes;
    if (bytes.size() != rows + faces)
        reject("is damaged: it has not the size that its header tells");
    ply.rows = bytes.substr(0, rows);
    ply.faces = bytes.substr(rows);
    return ply;
}

void put_ply_columns(char* rows, const PlyHeader& header, std::size_t first, const void* numbers,
                     std::size_t components) {
    const auto* in = static_cast<const char*>(numbers);
    const std::size_t row = header.row_bytes(), size = 4 * components;
    char* out = rows + 4 * first;
    for (std::size_t i = 0; i < header.vertices; ++i, out += row, in += size)
        std::memcpy(out, in, size);
}

void get_ply_columns(const PlyParts& ply, std::size_t first, void* numbers,
                     std::size_t components) {
    auto* out = static_cast<char*>(numbers);
    const std::size_t row = ply.header.row_bytes(), size = 4 * components;
    const char* in = ply.rows.data() + 4 * first;
    for (std::size_t i = 0; i < ply.header.vertices; ++i, out += size, in += row)
        std::memcpy(out, in, size);
}

void put_ply_triangles(char* out, std::span<const Triangle> triangles) {
    for (const Triangle& triangle : triangles) {
        *out = 3;
        std::memcpy(out + 1, triangle.data(), sizeof triangle);
        out += k_ply_triangle_bytes;
    }
}

std::vector<Triangle> get_ply_triangles(const PlyParts& ply) {
    std::vector<Triangle> triangles(ply.header.triangles);
    const char* in = ply.faces.data();
    for (Triangle& triangle : triangles) {
        std::memcpy(triangle.data(), in + 1, sizeof triangle);
        if (*in != 3)
            reject("has a face that is no triangle");
        if (std::any_of(triangle.begin(), triangle.end(),
                        [&](std::uint32_t v) { return v >= ply.header.vertices; }))
            reject("has a triangle with a corner that is not there");
        in += k_ply_triangle_bytes;
    }
    return triangles;
}

std::string ply_time_comment(double time) {
    char text[32];
    return "time " + std::string(text, std::to_chars(text, text + sizeof text, time).ptr);
}

double ply_time(const PlyHeader& header) {
    const std::string text = ply_comment(header, "time");
    double time = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (!text.empty() && (error != std::errc() || end != text.data() + text.size()))
        reject("no valid time");
    return time;
}

std::string ply_comment(const PlyHeader& header, std::string_view key) {
    for (const std::string& comment : header.comments)
        if (comment.starts_with(key) && comment.size() > key.size() && comment[key.size()] == ' ')
            return comment.substr(key.size() + 1);
    return {};
}

}  // namespace millrace
