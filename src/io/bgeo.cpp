#include "io/bgeo.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "files/big_endian.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr std::string_view k_magic = "BgeoV";
constexpr std::string_view k_other_magic = "\x7fNSJ";  // of Houdini 12 and later
constexpr std::uint32_t k_version = 5;
enum AttributeType : std::uint32_t { k_float = 0, k_integer = 1, k_vector = 5 };
constexpr char k_no_extra[2] = {0, '\xff'};
constexpr std::size_t k_point_words = 4;  // x, y, z, w

/// Names of fields that have others in Houdini.
constexpr std::pair<std::string_view, std::string_view> k_names[] = {{"velocity", "v"},
                                                                     {"lifetime", "life"}};

std::string houdini_name(const std::string& name) {
    for (const auto& [own, theirs] : k_names) {
        if (name == own)
            return std::string(theirs);
        if (name == theirs)
            throw RunError("a bgeo file cannot hold a field '" + name + "': the name means " +
                           std::string(own) + " there");
    }
    if (name.size() > 32767)
        throw RunError("a bgeo file cannot hold a field with so long a name");
    return name;
}

std::string own_name(const std::string& name) {
    for (const auto& [own, theirs] : k_names)
        if (name == theirs)
            return std::string(own);
    return name;
}

std::uint32_t swapped(std::uint32_t word) {
    static_assert(std::endian::native == std::endian::little);
    return __builtin_bswap32(word);
}

void append_word(std::string& bytes, std::uint32_t word) {
    word = swapped(word);
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
}

void append_half_word(std::string& bytes, std::size_t value) {
    bytes += static_cast<char>(value >> 8);
    bytes += static_cast<char>(value);
}

/// The entry of a dictionary: name, size, type, the default 0 of every component.
void append_definition(std::string& bytes, std::string_view name, int size, AttributeType type) {
    append_half_word(bytes, name.size());
    bytes += name;
    append_half_word(bytes, static_cast<std::size_t>(size));
    append_word(bytes, type);
    for (int k = 0; k < size; ++k)
        append_word(bytes, 0);
}

/// Copies `size` words of every row, with the order of their bytes turned round; the rows are
/// `out_row` and `in_row` words long.
void copy_columns(void* out, std::size_t out_row, const void* in, std::size_t in_row,
                  std::size_t rows, std::size_t size) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < size; ++k) {
            std::uint32_t word;
            std::memcpy(&word, static_cast<const char*>(in) + 4 * (i * in_row + k), 4);
            word = swapped(word);
            std::memcpy(static_cast<char*>(out) + 4 * (i * out_row + k), &word, 4);
        }
}

constexpr std::size_t k_longest_name = 256;

struct Definition {
    std::string name;
    std::size_t size = 1;
    std::uint32_t type = k_float;
};

std::vector<Definition> read_dictionary(BigEndianCursor& file, std::uint32_t count) {
    std::vector<Definition> dictionary;
    for (std::uint32_t a = 0; a < count; ++a) {
        Definition definition;
        definition.name = file.take(file.number(2));
        if (definition.name.size() > k_longest_name)
            throw InputError("is damaged: an attribute's name is " +
                             std::to_string(definition.name.size()) + " bytes long");
        definition.size = file.number(2);
        definition.type = static_cast<std::uint32_t>(file.number(4));
        if (definition.type != k_float && definition.type != k_integer &&
            definition.type != k_vector)
            throw InputError("the attribute " + definition.name + " is not a number");
        file.take(4 * definition.size);  // defaults
        dictionary.push_back(std::move(definition));
    }
    return dictionary;
}

struct Counts {
    std::uint32_t points, primitives, point_groups, primitive_groups;
    std::uint32_t point_attributes, vertex_attributes, primitive_attributes, detail_attributes;
};

Counts read_start(BigEndianCursor& file) {
    const std::string_view magic = file.take(k_magic.size());
    if (magic.starts_with(k_other_magic))
        throw InputError("is of Houdini 12 or later; save it there as .bhclassic");
    if (magic != k_magic || static_cast<std::uint32_t>(file.number(4)) != k_version)
        throw InputError("is not a classic Houdini geometry, version 5");
    std::uint32_t words[8];
    for (std::uint32_t& word : words)
        word = static_cast<std::uint32_t>(file.number(4));
    const Counts counts = std::bit_cast<Counts>(words);
    if (counts.primitives || counts.point_groups || counts.primitive_groups ||
        counts.vertex_attributes || counts.primitive_attributes)
        throw InputError("has more than points: it is not a particle frame");
    return counts;
}

/// The time of a frame as a double, which the format does not know: its two halves.
void read_details(BigEndianCursor& file, std::uint32_t count, ParticleFrame& frame) {
    for (const Definition& detail : read_dictionary(file, count)) {
        BigEndianCursor values(file.take(4 * detail.size));
        if (detail.name == "time" && detail.type == k_float && detail.size == 1)
            frame.time = std::bit_cast<float>(static_cast<std::uint32_t>(values.number(4)));
        else if (detail.name == "time_bits" && detail.type == k_integer && detail.size == 2) {
            const std::uint64_t high = static_cast<std::uint32_t>(values.number(4));
            frame.time =
                std::bit_cast<double>(high << 32 | static_cast<std::uint32_t>(values.number(4)));
        } else if (detail.name == "dimension" && detail.type == k_integer && detail.size == 1)
            frame.dimension = static_cast<int>(static_cast<std::uint32_t>(values.number(4)));
    }
    if (frame.dimension != 2 && frame.dimension != 3)
        throw InputError("the dimension is neither 2 nor 3");
}

}  // namespace

std::string particles_to_bgeo(const ParticleFrame& frame) {
    const std::size_t n = frame.count();
    std::string bytes(k_magic);
    for (const std::size_t word :
         {std::size_t{k_version}, n, std::size_t{0}, std::size_t{0}, std::size_t{0},
          frame.fields.size(), std::size_t{0}, std::size_t{0}, std::size_t{3}})
        append_word(bytes, static_cast<std::uint32_t>(word));
    std::size_t row = k_point_words;
    for (const Field& field : frame.fields) {
        const bool integers = std::holds_alternative<std::vector<std::uint32_t>>(field.data);
        append_definition(bytes, houdini_name(field.name), field.components,
                          integers                ? k_integer
                          : field.components == 3 ? k_vector
                                                  : k_float);
        row += static_cast<std::size_t>(field.components);
    }

    const std::size_t start = bytes.size();
    bytes.resize(start + 4 * n * row);
    char* points = bytes.data() + start;
    copy_columns(points, row, frame.positions.data(), 3, n, 3);
    const float one = 1;
    copy_columns(points + 12, row, &one, 0, n, 1);
    char* column = points + 4 * k_point_words;
    for (const Field& field : frame.fields) {
        const auto size = static_cast<std::size_t>(field.components);
        std::visit([&](const auto& data) { copy_columns(column, row, data.data(), size, n, size); },
                   field.data);
        column += 4 * size;
    }

    append_definition(bytes, "time", 1, k_float);
    append_definition(bytes, "time_bits", 2, k_integer);
    append_definition(bytes, "dimension", 1, k_integer);
    const auto bits = std::bit_cast<std::uint64_t>(frame.time);
    append_word(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(frame.time)));
    append_word(bytes, static_cast<std::uint32_t>(bits >> 32));
    append_word(bytes, static_cast<std::uint32_t>(bits));
    append_word(bytes, static_cast<std::uint32_t>(frame.dimension));
    bytes.append(k_no_extra, sizeof k_no_extra);
    return bytes;
}

ParticleFrame particles_from_bgeo(std::string_view bytes) {
    BigEndianCursor file(bytes);
    const Counts counts = read_start(file);
    const auto dictionary = read_dictionary(file, counts.point_attributes);
    std::size_t row = k_point_words;
    for (const Definition& attribute : dictionary) {
        if (attribute.size != 1 && attribute.size != 3)
            throw InputError("the attribute " + attribute.name + " has neither 1 nor 3 components");
        row += attribute.size;
    }
    const std::size_t n = counts.points;
    if (n > file.left() / (4 * row))  // before memory is taken
        throw InputError("is incomplete");
    const char* points = file.take(4 * n * row).data();

    ParticleFrame frame;
    frame.positions.resize(3 * n);
    copy_columns(frame.positions.data(), 3, points, row, n, 3);
    const char* column = points + 4 * k_point_words;
    for (const Definition& attribute : dictionary) {
        Field& field = frame.fields.emplace_back();
        field.name = own_name(attribute.name);
        field.components = static_cast<int>(attribute.size);
        if (attribute.type == k_integer)
            field.data = std::vector<std::uint32_t>();
        std::visit(
            [&](auto& data) {
                data.resize(n * attribute.size);
                copy_columns(data.data(), attribute.size, column, row, n, attribute.size);
            },
            field.data);
        column += 4 * attribute.size;
    }
    read_details(file, counts.detail_attributes, frame);
    if (file.take(2) != std::string_view(k_no_extra, sizeof k_no_extra) || file.left() > 0)
        throw InputError("has something behind its end");
    return frame;
}

}  // namespace millrace
