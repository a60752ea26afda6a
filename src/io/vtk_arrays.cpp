#include "io/vtk_arrays.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "exec/host_loops.hpp"
#include "io/base64.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

using Bytes = std::vector<std::byte>;

// VTK splits an array into blocks of this size (the last may be shorter), each compressed by
// itself.
constexpr std::size_t k_block_bytes = 32768;
constexpr int k_compression_level = 1;
constexpr std::size_t k_header_words = 3;
// Deflate cannot shrink data by more than this factor: a larger claim is a damaged file.
constexpr std::size_t k_largest_ratio = 1032;

Bytes compress_block(std::span<const std::byte> block) {
    uLongf size = compressBound(static_cast<uLong>(block.size()));
    Bytes packed(size);
    const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(block.data()),
                                 static_cast<uLong>(block.size()), k_compression_level);
    packed.resize(status == Z_OK ? size : 0);
    return packed;
}

/// Writes the base64 form of the threes of bytes that begin in block b of all blocks in a row.
void encode_block(char* text, const std::vector<Bytes>& blocks,
                  const std::vector<std::size_t>& starts, std::size_t b) {
    const auto next_three = [](std::size_t byte) { return (byte + 2) / 3 * 3; };
    const std::size_t first = next_three(starts[b]), own_end = starts[b + 1];
    const bool is_last = b + 1 == blocks.size();
    const std::size_t end = is_last ? own_end : own_end / 3 * 3;
    const std::span<const std::byte> own(blocks[b]);
    encode_base64(text + first / 3 * 4, own.subspan(first - starts[b], end - first));
    if (is_last || end == own_end)
        return;
    std::byte three[3];  // the rest is in the next block
    for (std::size_t k = 0; k < 3; ++k)
        three[k] = end + k < own_end ? own[end + k - starts[b]] : blocks[b + 1][end + k - own_end];
    encode_base64(text + end / 3 * 4, three);
}

/// Appends the inline form of an array: the base64 of the header (number of blocks, block size,
/// size of a last partial block or 0, every compressed size), then the base64 of all blocks.
void append_compressed(std::string& xml, std::span<const std::byte> bytes) {
    const std::size_t blocks = (bytes.size() + k_block_bytes - 1) / k_block_bytes;
    std::vector<Bytes> packed(blocks);
    // few are not worth the waking of threads
    parallel_for(blocks, {.grain = 4, .alone_to = 8}, [&](std::size_t b) {
        const std::size_t begin = b * k_block_bytes;
        packed[b] =
            compress_block(bytes.subspan(begin, std::min(k_block_bytes, bytes.size() - begin)));
    });

    std::vector<std::uint32_t> header{static_cast<std::uint32_t>(blocks),
                                      static_cast<std::uint32_t>(k_block_bytes),
                                      static_cast<std::uint32_t>(bytes.size() % k_block_bytes)};
    std::vector<std::size_t> starts{0};
    for (const Bytes& block : packed) {
        if (block.size() < 3)
            throw RunError("zlib cannot compress a block: out of memory");
        header.push_back(static_cast<std::uint32_t>(block.size()));
        starts.push_back(starts.back() + block.size());
    }
    append_base64(xml, std::as_bytes(std::span(header)));
    const std::size_t begin = xml.size();
    xml.resize(begin + base64_length(starts.back()));
    parallel_for(blocks, {.grain = 4, .alone_to = 8},
                 [&](std::size_t b) { encode_block(xml.data() + begin, packed, starts, b); });
}

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

}  // namespace

template <>
const char* vtk_type<float>() {
    return "Float32";
}
template <>
const char* vtk_type<double>() {
    return "Float64";
}
template <>
const char* vtk_type<std::uint32_t>() {
    return "UInt32";
}
template <>
const char* vtk_type<std::int32_t>() {
    return "Int32";
}
template <>
const char* vtk_type<std::uint8_t>() {
    return "UInt8";
}

std::string vtk_start(const std::string& kind) {
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + kind +
           "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\" "
           "compressor=\"vtkZLibDataCompressor\">\n<" +
           kind + ">\n";
}

XmlElement vtk_root(std::string_view xml, const std::string& kind) {
    const XmlElement root = XmlElement::parse(xml, "VTKFile");
    if (root.attribute("type") != kind || root.attribute("compressor") != "vtkZLibDataCompressor" ||
        root.attribute("header_type") != "UInt32" || root.attribute("byte_order") != "LittleEndian")
        reject("not a file of this program (another kind of VTK file)");
    return root;
}

template <class T>
void append_vtk_array(std::string& xml, const std::string& name, int components,
                      const std::vector<T>& data, const char* more_attributes) {
    xml += "<DataArray type=\"" + std::string(vtk_type<T>()) + "\" Name=\"" + xml_escaped(name) +
           "\" NumberOfComponents=\"" + std::to_string(components) + "\"" + more_attributes +
           " format=\"binary\">\n";
    append_compressed(xml, std::as_bytes(std::span(data)));
    xml += "\n</DataArray>\n";
}

template <class T>
std::vector<T> read_vtk_array(const XmlElement& element, std::size_t count) {
    if (element.attribute("type") != vtk_type<T>() || element.attribute("format") != "binary")
        reject("array " + element.attribute("Name") + ": not as this program writes it");
    return decode_array<T>(element, count);
}

std::size_t read_vtk_count(const XmlElement& piece, const char* attribute) {
    const std::string text = piece.attribute(attribute);
    if (text.empty() || text.size() > 10 ||
        text.find_first_not_of("0123456789") != std::string::npos)
        reject(std::string("no valid ") + attribute);
    return std::stoull(text);
}

#define MILLRACE_VTK_ARRAYS_OF(T)                                            \
    template void append_vtk_array<T>(std::string&, const std::string&, int, \
                                      const std::vector<T>&, const char*);   \
    template std::vector<T> read_vtk_array<T>(const XmlElement&, std::size_t);
MILLRACE_VTK_ARRAYS_OF(float)
MILLRACE_VTK_ARRAYS_OF(double)
MILLRACE_VTK_ARRAYS_OF(std::uint32_t)
MILLRACE_VTK_ARRAYS_OF(std::int32_t)
MILLRACE_VTK_ARRAYS_OF(std::uint8_t)
#undef MILLRACE_VTK_ARRAYS_OF

}  // namespace millrace
