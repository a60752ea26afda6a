#include "io/vtp.hpp"

#include <algorithm>
#include <cstring>

#include "io/vtk_arrays.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr const char* k_kind = "PolyData";

struct Part {
    std::vector<Vec3> SurfaceMesh::*vectors;
    const char* name;
};
constexpr Part k_parts[] = {{&SurfaceMesh::normals, "normals"},
                            {&SurfaceMesh::velocities, "velocity"},
                            {&SurfaceMesh::vorticities, "vorticity"}};

std::vector<float> numbers_of(const std::vector<Vec3>& vectors) {
    static_assert(sizeof(Vec3) == 3 * sizeof(float));
    std::vector<float> numbers(3 * vectors.size());
    if (!numbers.empty())
        std::memcpy(numbers.data(), vectors.data(), numbers.size() * sizeof(float));
    return numbers;
}

std::vector<Vec3> read_vectors(const XmlElement& element, std::size_t count) {
    const std::vector<float> numbers = read_vtk_array<float>(element, 3 * count);
    std::vector<Vec3> vectors(count);
    if (count > 0)
        std::memcpy(vectors.data(), numbers.data(), numbers.size() * sizeof(float));
    return vectors;
}

XmlElement named_array(const XmlElement& parent, const std::string& name) {
    for (const XmlElement& array : parent.children("DataArray"))
        if (array.attribute("Name") == name)
            return array;
    throw InputError("no array " + name);
}

std::vector<std::array<std::uint32_t, 3>> read_triangles(const XmlElement& polygons,
                                                         std::size_t count, std::size_t vertices) {
    const auto corners =
        read_vtk_array<std::int32_t>(named_array(polygons, "connectivity"), 3 * count);
    const auto ends = read_vtk_array<std::int32_t>(named_array(polygons, "offsets"), count);
    std::vector<std::array<std::uint32_t, 3>> triangles(count);
    for (std::size_t t = 0; t < count; ++t) {
        if (ends[t] != static_cast<std::int64_t>(3 * t + 3))
            throw InputError("has a face that is no triangle");
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t corner = corners[3 * t + k];
            if (corner < 0 || static_cast<std::size_t>(corner) >= vertices)
                throw InputError("has a triangle with a corner that is not there");
            triangles[t][k] = static_cast<std::uint32_t>(corner);
        }
    }
    return triangles;
}

}  // namespace

std::string mesh_to_vtp(const SurfaceFrame& surface) {
    const SurfaceMesh& mesh = surface.mesh;
    const std::size_t n = mesh.vertices.size(), triangles = mesh.triangles.size();
    std::string xml;
    xml.reserve(64 * n + 20 * triangles + 4096);
    xml += vtk_start(k_kind) + "<FieldData>\n";
    append_vtk_array(xml, "TimeValue", 1, std::vector<double>{surface.time},
                     " NumberOfTuples=\"1\"");
    xml += "</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(n) +
           "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
           std::to_string(triangles) + "\">\n<PointData Normals=\"normals\">\n";
    for (const Part& part : k_parts)
        if (const auto& vectors = mesh.*part.vectors; vectors.size() == n)
            append_vtk_array(xml, part.name, 3, numbers_of(vectors));
    if (!mesh.fluids.empty())
        append_vtk_array(xml, "fluid", 1, mesh.fluids);
    xml += "</PointData>\n<Points>\n";
    append_vtk_array(xml, "Points", 3, numbers_of(mesh.vertices));
    xml += "</Points>\n<Polys>\n";
    std::vector<std::int32_t> numbers;
    numbers.reserve(3 * triangles);
    for (const auto& triangle : mesh.triangles)
        numbers.insert(numbers.end(), triangle.begin(), triangle.end());
    append_vtk_array(xml, "connectivity", 1, numbers);
    numbers.resize(triangles);
    for (std::size_t t = 0; t < triangles; ++t)
        numbers[t] = static_cast<std::int32_t>(3 * t + 3);
    append_vtk_array(xml, "offsets", 1, numbers);
    xml += "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n";
    return xml;
}

SurfaceFrame mesh_from_vtp(std::string_view xml) {
    const XmlElement data = vtk_root(xml, k_kind).child(k_kind);
    const XmlElement piece = data.child("Piece");
    const std::size_t n = read_vtk_count(piece, "NumberOfPoints");
    SurfaceFrame surface;
    surface.time = read_vtk_array<double>(named_array(data.child("FieldData"), "TimeValue"), 1)[0];
    SurfaceMesh& mesh = surface.mesh;
    mesh.vertices = read_vectors(piece.child("Points").child("DataArray"), n);
    for (const XmlElement& array : piece.child("PointData").children("DataArray")) {
        const std::string name = array.attribute("Name");
        const auto part = std::find_if(std::begin(k_parts), std::end(k_parts),
                                       [&](const Part& p) { return p.name == name; });
        if (part != std::end(k_parts))
            mesh.*part->vectors = read_vectors(array, n);
        else if (name == "fluid")
            mesh.fluids = read_vtk_array<std::uint32_t>(array, n);
        else
            throw InputError("array " + name + ": not of a surface of this program");
    }
    mesh.triangles =
        read_triangles(piece.child("Polys"), read_vtk_count(piece, "NumberOfPolys"), n);
    return surface;
}

}  // namespace millrace
