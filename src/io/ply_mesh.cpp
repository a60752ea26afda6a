#include "io/ply_mesh.hpp"

#include <algorithm>

#include "io/ply.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

static_assert(sizeof(Vec3) == 3 * sizeof(float));

struct Part {
    std::vector<Vec3> SurfaceMesh::*vectors;
    const char* letters;  ///< of its properties, before the axis
};
constexpr Part k_parts[] = {{&SurfaceMesh::vertices, ""},
                            {&SurfaceMesh::normals, "n"},
                            {&SurfaceMesh::velocities, "v"},
                            {&SurfaceMesh::vorticities, "w"}};

std::vector<PlyProperty> properties_of(const Part& part) {
    std::vector<PlyProperty> properties;
    for (const char axis : {'x', 'y', 'z'})
        properties.push_back({"float", std::string(part.letters) + axis});
    return properties;
}

const PlyProperty k_fluid{"uint", "fluid"};

}  // namespace

std::string mesh_to_ply(const SurfaceFrame& surface) {
    const SurfaceMesh& mesh = surface.mesh;
    PlyHeader header;
    header.comments = {"millrace surface", ply_time_comment(surface.time)};
    header.vertices = mesh.vertices.size();
    header.has_faces = true;
    header.triangles = mesh.triangles.size();
    for (const Part& part : k_parts)
        if ((mesh.*part.vectors).size() == header.vertices)
            for (const PlyProperty& property : properties_of(part))
                header.properties.push_back(property);
    if (!mesh.fluids.empty())
        header.properties.push_back(k_fluid);

    std::string bytes = ply_header(header);
    const std::size_t start = bytes.size();
    const std::size_t rows = header.vertices * header.row_bytes();
    bytes.resize(start + rows + header.triangles * k_ply_triangle_bytes);
    char* out = bytes.data() + start;
    std::size_t first = 0;
    for (const Part& part : k_parts)
        if (const auto& vectors = mesh.*part.vectors; vectors.size() == header.vertices) {
            put_ply_columns(out, header, first, vectors.data(), 3);
            first += 3;
        }
    if (!mesh.fluids.empty())
        put_ply_columns(out, header, first, mesh.fluids.data(), 1);
    put_ply_triangles(out + rows, mesh.triangles);
    return bytes;
}

SurfaceFrame mesh_from_ply(std::string_view bytes) {
    const PlyParts ply = split_ply(bytes);
    if (!ply.header.has_faces)
        throw InputError("has no faces: it is not a surface");
    SurfaceFrame surface;
    surface.time = ply_time(ply.header);
    SurfaceMesh& mesh = surface.mesh;
    const auto& properties = ply.header.properties;
    std::size_t first = 0;
    for (const Part& part : k_parts) {
        const auto wanted = properties_of(part);
        if (first + 3 > properties.size() ||
            !std::equal(wanted.begin(), wanted.end(), properties.begin() + first))
            continue;
        auto& vectors = mesh.*part.vectors;
        vectors.resize(ply.header.vertices);
        get_ply_columns(ply, first, vectors.data(), 3);
        first += 3;
    }
    if (first < properties.size() && properties[first] == k_fluid) {
        mesh.fluids.resize(ply.header.vertices);
        get_ply_columns(ply, first, mesh.fluids.data(), 1);
        ++first;
    }
    if (first != properties.size() || mesh.vertices.size() != ply.header.vertices)
        throw InputError("its vertices have other properties than a surface of this program");
    mesh.triangles = get_ply_triangles(ply);
    return surface;
}

bool ply_has_faces(std::string_view bytes) {
    return split_ply(bytes).header.has_faces;
}

}  // namespace millrace
