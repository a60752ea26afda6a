#include "io/vtu.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "io/atomic_file.hpp"
#include "io/vtk_arrays.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr int k_vtk_vertex = 1;

std::string to_xml(const ParticleFrame& frame) {
    const std::size_t n = frame.count();
    const std::string count = std::to_string(n);
    std::string xml;
    xml.reserve(64 * n + 4096);
    xml += vtk_start("UnstructuredGrid");
    xml += "<FieldData>\n";
    append_vtk_array(xml, "TimeValue", 1, std::vector<double>{frame.time}, " NumberOfTuples=\"1\"");
    append_vtk_array(xml, "Dimension", 1, std::vector<std::int32_t>{frame.dimension},
                     " NumberOfTuples=\"1\"");
    for (const auto& [name, number] : frame.numbers)
        append_vtk_array(xml, name, 1, std::vector<double>{number}, " NumberOfTuples=\"1\"");
    xml += "</FieldData>\n<Piece NumberOfPoints=\"" + count + "\" NumberOfCells=\"" + count +
           "\">\n<PointData>\n";
    for (const Field& field : frame.fields)
        std::visit(
            [&](const auto& data) { append_vtk_array(xml, field.name, field.components, data); },
            field.data);
    xml += "</PointData>\n<Points>\n";
    append_vtk_array(xml, "Points", 3, frame.positions);
    xml += "</Points>\n<Cells>\n";
    std::vector<std::int32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    append_vtk_array(xml, "connectivity", 1, numbers);
    std::iota(numbers.begin(), numbers.end(), 1);
    append_vtk_array(xml, "offsets", 1, numbers);
    append_vtk_array(xml, "types", 1, std::vector<std::uint8_t>(n, k_vtk_vertex));
    xml += "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    return xml;
}

Field read_field(const XmlElement& element, std::size_t n) {
    Field field;
    field.name = element.attribute("Name");
    const std::string components = element.attribute("NumberOfComponents");
    if (components != "1" && components != "3")
        throw InputError("array " + field.name + ": 1 or 3 components expected, found " +
                         components);
    field.components = components == "3" ? 3 : 1;
    const std::size_t count = n * static_cast<std::size_t>(field.components);
    if (element.attribute("type") == vtk_type<std::uint32_t>())
        field.data = read_vtk_array<std::uint32_t>(element, count);
    else
        field.data = read_vtk_array<float>(element, count);
    return field;
}

ParticleFrame from_xml(std::string_view xml) {
    const XmlElement root = vtk_root(xml, "UnstructuredGrid");
    const XmlElement grid = root.child("UnstructuredGrid");
    const XmlElement piece = grid.child("Piece");
    const std::size_t n = read_vtk_count(piece, "NumberOfPoints");

    ParticleFrame frame;
    for (const XmlElement& array : grid.child("FieldData").children("DataArray")) {
        if (array.attribute("Name") == "TimeValue")
            frame.time = read_vtk_array<double>(array, 1)[0];
        else if (array.attribute("Name") == "Dimension")
            frame.dimension = read_vtk_array<std::int32_t>(array, 1)[0];
        else
            frame.numbers[array.attribute("Name")] = read_vtk_array<double>(array, 1)[0];
    }
    if (frame.dimension != 2 && frame.dimension != 3)
        throw InputError("Dimension is neither 2 nor 3");
    frame.positions = read_vtk_array<float>(piece.child("Points").child("DataArray"), 3 * n);
    for (const XmlElement& array : piece.child("PointData").children("DataArray"))
        frame.fields.push_back(read_field(array, n));
    return frame;
}

}  // namespace

std::size_t Field::size() const {
    return std::visit([](const auto& numbers) { return numbers.size(); }, data);
}

const Field* ParticleFrame::find(const std::string& name) const {
    const auto it = std::find_if(fields.begin(), fields.end(),
                                 [&](const Field& field) { return field.name == name; });
    return it == fields.end() ? nullptr : &*it;
}

void check_frame(const ParticleFrame& frame) {
    const std::size_t n = frame.count();
    if (frame.positions.size() != 3 * n || (frame.dimension != 2 && frame.dimension != 3))
        throw std::logic_error("a frame has three coordinates a particle, dimension 2 or 3");
    for (const Field& field : frame.fields) {
        if ((field.components != 1 && field.components != 3) ||
            field.size() != n * static_cast<std::size_t>(field.components))
            throw std::logic_error("a frame's field " + field.name + " has the wrong size");
    }
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw RunError("more particles than a file of ours can hold");
}

void write_vtu(const std::filesystem::path& path, const ParticleFrame& frame) {
    check_frame(frame);
    write_file(path, to_xml(frame));
}

double vtu_size(const ParticleFrame& frame) {
    return static_cast<double>(to_xml(frame).size());
}

ParticleFrame read_vtu(const std::filesystem::path& path) {
    const std::string xml = read_file(path);
    try {
        return from_xml(xml);
    } catch (const InputError& e) {
        throw InputError(path.string() + ": " + e.what());
    }
}

}  // namespace millrace
