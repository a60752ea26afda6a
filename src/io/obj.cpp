#include "io/obj.hpp"

#include <charconv>

namespace millrace {
namespace {

constexpr std::size_t k_longest_number = 16;  // -1.23456789e-38 and ten digits of a corner

template <class T>
char* put_number(char* out, T value) {
    *out = ' ';
    return std::to_chars(out + 1, out + 1 + k_longest_number, value).ptr;
}

void append_vectors(std::string& text, const char* key, const std::vector<Vec3>& vectors) {
    char line[4 * (k_longest_number + 1)];
    for (const Vec3& vector : vectors) {
        char* end = line;
        for (int k = 0; k < 3; ++k)
            end = put_number(end, vector[k]);
        *end++ = '\n';
        text += key;
        text.append(line, end);
    }
}

void append_triangles(std::string& text, const SurfaceMesh& mesh) {
    char line[8 * (k_longest_number + 1)];
    for (const auto& triangle : mesh.triangles) {
        char* end = line;
        *end++ = 'f';
        for (const std::uint32_t corner : triangle) {
            const char* start = end;
            end = put_number(end, corner + 1);  // the first one is 1
            if (mesh.normals.empty())
                continue;
            const std::string_view number(start + 1, end);
            *end++ = '/';
            *end++ = '/';
            end += number.copy(end, number.size());
        }
        *end++ = '\n';
        text.append(line, end);
    }
}

}  // namespace

std::string mesh_to_obj(const SurfaceFrame& surface) {
    const SurfaceMesh& mesh = surface.mesh;
    char time[32];
    std::string text = "# millrace, time [s]: ";
    text.append(time, std::to_chars(time, time + sizeof time, surface.time).ptr);
    text += "\no surface\n";
    text.reserve(40 * (mesh.vertices.size() + mesh.normals.size()) + 50 * mesh.triangles.size());
    append_vectors(text, "v", mesh.vertices);
    append_vectors(text, "vn", mesh.normals);
    append_triangles(text, mesh);
    return text;
}

}  // namespace millrace
