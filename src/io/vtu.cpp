#include "io/vtu.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>

#include "io/atomic_file.hpp"
#include "io/base64.hpp"
#include "io/xml.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

using Bytes = std::vector<std::byte>;

// VTK splits an array into blocks of this size (the last may be shorter), each compressed by
// itself.
constexpr std::size_t k_block_bytes = 32768;
constexpr int k_compression_level = 1;
constexpr int k_vtk_vertex = 1;
constexpr std::size_t k_header_words = 3;
// Deflate cannot shrink data by more than this factor: a larger claim is a damaged file.
constexpr std::size_t k_largest_ratio = 1032;

template <class T>
constexpr const char* vtk_type();
template <>
constexpr const char* vtk_type<float>() {
    return "Float32";
}
template <>
constexpr const char* vtk_type<double>() {
    return "Float64";
}
template <>
constexpr const char* vtk_type<std::uint32_t>() {
    return "UInt32";
}
template <>
constexpr const char* vtk_type<std::int32_t>() {
    return "Int32";
}
template <>
constexpr const char* vtk_type<std::uint8_t>() {
    return "UInt8";
}

Bytes compress_block(std::span<const std::byte> block) {
    uLongf size = compressBound(static_cast<uLong>(block.size()));
    Bytes packed(size);
    const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(block.data()),
                                 static_cast<uLong>(block.size()), k_compression_level);
    packed.resize(status == Z_OK ? size : 0);
    return packed;
}

/// Appends the inline form of an array: the base64 of the header (number of blocks, block size,
/// size of a last partial block or 0, every compressed size), then the base64 of all blocks.
void append_compressed(std::string& xml, std::span<const std::byte> bytes) {
    const std::size_t blocks = (bytes.size() + k_block_bytes - 1) / k_block_bytes;
    std::vector<Bytes> packed(blocks);
#pragma omp parallel for schedule(dynamic, 4) if (blocks > 8)  // waking threads takes time too
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t begin = b * k_block_bytes;
        packed[b] =
            compress_block(bytes.subspan(begin, std::min(k_block_bytes, bytes.size() - begin)));
    }

    std::vector<std::uint32_t> header{static_cast<std::uint32_t>(blocks),
                                      static_cast<std::uint32_t>(k_block_bytes),
                                      static_cast<std::uint32_t>(bytes.size() % k_block_bytes)};
    Bytes all;
    for (const Bytes& block : packed) {
        if (block.empty())
            throw RunError("zlib cannot compress a block: out of memory");
        header.push_back(static_cast<std::uint32_t>(block.size()));
        all.insert(all.end(), block.begin(), block.end());
    }
    append_base64(xml, std::as_bytes(std::span(header)));
    append_base64(xml, all);
}

template <class T>
void append_array(std::string& xml, const std::string& name, int components,
                  const std::vector<T>& data, const char* more_attributes = "") {
    xml += "<DataArray type=\"" + std::string(vtk_type<T>()) + "\" Name=\"" + xml_escaped(name) +
           "\" NumberOfComponents=\"" + std::to_string(components) + "\"" + more_attributes +
           " format=\"binary\">\n";
    append_compressed(xml, std::as_bytes(std::span(data)));
    xml += "\n</DataArray>\n";
}

void check(const ParticleFrame& frame) {
    const std::size_t n = frame.count();
    if (frame.positions.size() != 3 * n || (frame.dimension != 2 && frame.dimension != 3))
        throw std::logic_error("write_vtu: three coordinates a particle, dimension 2 or 3");
    for (const Field& field : frame.fields) {
        if (field.size() != n * static_cast<std::size_t>(field.components))
            throw std::logic_error("write_vtu: field " + field.name + " has the wrong size");
    }
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw RunError("more particles than a VTU file of ours can hold");
}

std::string to_xml(const ParticleFrame& frame) {
    const std::size_t n = frame.count();
    const std::string count = std::to_string(n);
    std::string xml;
    xml.reserve(64 * n + 4096);
    xml +=
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt32\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n";
    xml += "<FieldData>\n";
    append_array(xml, "TimeValue", 1, std::vector<double>{frame.time}, " NumberOfTuples=\"1\"");
    append_array(xml, "Dimension", 1, std::vector<std::int32_t>{frame.dimension},
                 " NumberOfTuples=\"1\"");
    for (const auto& [name, number] : frame.numbers)
        append_array(xml, name, 1, std::vector<double>{number}, " NumberOfTuples=\"1\"");
    xml += "</FieldData>\n<Piece NumberOfPoints=\"" + count + "\" NumberOfCells=\"" + count +
           "\">\n<PointData>\n";
    for (const Field& field : frame.fields)
        std::visit([&](const auto& data) { append_array(xml, field.name, field.components, data); },
                   field.data);
    xml += "</PointData>\n<Points>\n";
    append_array(xml, "Points", 3, frame.positions);
    xml += "</Points>\n<Cells>\n";
    std::vector<std::int32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    append_array(xml, "connectivity", 1, numbers);
    std::iota(numbers.begin(), numbers.end(), 1);
    append_array(xml, "offsets", 1, numbers);
    append_array(xml, "types", 1, std::vector<std::uint8_t>(n, k_vtk_vertex));
    xml += "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    return xml;
}

/// Thrown inside the reader; read_vtu adds the path.
[[noreturn]] void reject(const std::string& what) {
    throw InputError(what);
}

/// The array in the text of a DataArray element, which must hold exactly `count` numbers.
template <class T>
std::vector<T> decode_array(const XmlElement& element, std::size_t count) {
    const std::string where = "array " + element.attribute("Name") + ": ";
    const std::string_view text = element.text();
    // the first three words tell how long the whole header is
    std::uint32_t start[k_header_words];
    const auto head = decode_base64(text.substr(0, base64_length(sizeof start)));
    if (!head || head->size() != sizeof start)
        reject(where + "damaged or incomplete data");
    std::memcpy(start, head->data(), sizeof start);
    const std::size_t blocks = start[0], block_size = start[1], partial = start[2];
    if (blocks == 0 && count == 0)
        return {};
    const std::size_t header_length = base64_length((k_header_words + blocks) * sizeof start[0]);
    if (header_length > text.size())
        reject(where + "damaged or incomplete data");
    const auto header = decode_base64(text.substr(0, header_length));
    const auto packed = decode_base64(text.substr(header_length));
    if (!header || !packed)
        reject(where + "damaged or incomplete data");
    std::vector<std::uint32_t> sizes(blocks);
    std::memcpy(sizes.data(), header->data() + sizeof start, blocks * sizeof sizes[0]);

    const std::size_t total = count * sizeof(T);
    const std::size_t claimed = blocks == 0    ? 0
                                : partial == 0 ? blocks * block_size
                                               : (blocks - 1) * block_size + partial;
    const std::size_t packed_total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    if (claimed != total || partial > block_size || packed_total != packed->size() ||
        total / k_largest_ratio > packed_total)
        reject(where + "sizes that contradict each other");

    std::vector<T> data(count);
    auto* out = reinterpret_cast<Bytef*>(data.data());
    const auto* in = reinterpret_cast<const Bytef*>(packed->data());
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t expected = b + 1 == blocks && partial != 0 ? partial : block_size;
        uLongf size = static_cast<uLongf>(expected);
        if (uncompress(out, &size, in, sizes[b]) != Z_OK || size != expected)
            reject(where + "damaged compressed data");
        out += expected;
        in += sizes[b];
    }
    return data;
}

template <class T>
std::vector<T> read_array(const XmlElement& element, std::size_t count) {
    if (element.attribute("type") != vtk_type<T>() || element.attribute("format") != "binary")
        reject("array " + element.attribute("Name") + ": not as this program writes it");
    return decode_array<T>(element, count);
}

std::size_t particle_count(const XmlElement& piece) {
    const std::string text = piece.attribute("NumberOfPoints");
    if (text.empty() || text.size() > 10 ||
        text.find_first_not_of("0123456789") != std::string::npos)
        reject("no valid NumberOfPoints");
    return std::stoull(text);
}

Field read_field(const XmlElement& element, std::size_t n) {
    Field field;
    field.name = element.attribute("Name");
    const std::string components = element.attribute("NumberOfComponents");
    if (components != "1" && components != "3")
        reject("array " + field.name + ": 1 or 3 components expected, found " + components);
    field.components = components == "3" ? 3 : 1;
    const std::size_t count = n * static_cast<std::size_t>(field.components);
    if (element.attribute("type") == vtk_type<std::uint32_t>())
        field.data = read_array<std::uint32_t>(element, count);
    else
        field.data = read_array<float>(element, count);
    return field;
}

ParticleFrame from_xml(std::string_view xml) {
    const XmlElement root = XmlElement::parse(xml, "VTKFile");
    if (root.attribute("type") != "UnstructuredGrid" ||
        root.attribute("compressor") != "vtkZLibDataCompressor" ||
        root.attribute("header_type") != "UInt32" || root.attribute("byte_order") != "LittleEndian")
        reject("not a particle frame of this program (another kind of VTK file)");
    const XmlElement grid = root.child("UnstructuredGrid");
    const XmlElement piece = grid.child("Piece");
    const std::size_t n = particle_count(piece);

    ParticleFrame frame;
    for (const XmlElement& array : grid.child("FieldData").children("DataArray")) {
        if (array.attribute("Name") == "TimeValue")
            frame.time = read_array<double>(array, 1)[0];
        else if (array.attribute("Name") == "Dimension")
            frame.dimension = read_array<std::int32_t>(array, 1)[0];
        else
            frame.numbers[array.attribute("Name")] = read_array<double>(array, 1)[0];
    }
    if (frame.dimension != 2 && frame.dimension != 3)
        reject("Dimension is neither 2 nor 3");
    frame.positions = read_array<float>(piece.child("Points").child("DataArray"), 3 * n);
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

void write_vtu(const std::filesystem::path& path, const ParticleFrame& frame) {
    check(frame);
    write_file(path, to_xml(frame));
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
