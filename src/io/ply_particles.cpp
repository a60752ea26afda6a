#include "io/ply_particles.hpp"

#include <algorithm>
#include <cctype>

#include "io/ply.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr const char* k_kind = "millrace particles";
constexpr std::string_view k_field = "field ";

bool has_integers(const Field& field) {
    return std::holds_alternative<std::vector<std::uint32_t>>(field.data);
}

const void* numbers_of(const Field& field) {
    return std::visit([](const auto& data) -> const void* { return data.data(); }, field.data);
}

/// One word, for the name of a property.
std::string as_word(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isgraph(c); }, '_');
    return name;
}

void append_properties(std::vector<PlyProperty>& properties, const Field& field) {
    const std::string type = has_integers(field) ? "uint" : "float";
    const std::string name = as_word(field.name);
    if (field.components == 1)
        properties.push_back({type, name});
    else
        for (const char axis : {'x', 'y', 'z'})
            properties.push_back(
                {type, field.name == "velocity" ? std::string("v") + axis : name + "_" + axis});
}

PlyHeader header_for(const ParticleFrame& frame) {
    PlyHeader header;
    header.comments = {k_kind, ply_time_comment(frame.time),
                       "dimension " + std::to_string(frame.dimension)};
    header.vertices = frame.count();
    header.properties = {{"float", "x"}, {"float", "y"}, {"float", "z"}};
    for (const Field& field : frame.fields) {
        if (std::any_of(field.name.begin(), field.name.end(),
                        [](unsigned char c) { return std::iscntrl(c); }))
            throw RunError("a PLY file cannot hold a field with a line break in its name");
        header.comments.push_back(std::string(k_field) +
                                  (has_integers(field) ? "uint " : "float ") +
                                  std::to_string(field.components) + " " + field.name);
        append_properties(header.properties, field);
    }
    return header;
}

/// An empty field as its comment describes it: "float 3 velocity".
Field described_field(std::string_view text) {
    Field field;
    if (text.starts_with("uint "))
        field.data = std::vector<std::uint32_t>();
    else if (!text.starts_with("float "))
        throw InputError("no valid field");
    text.remove_prefix(text.find(' ') + 1);
    if (!text.starts_with("1 ") && !text.starts_with("3 "))
        throw InputError("a field has neither 1 nor 3 components");
    field.components = text[0] - '0';
    field.name = text.substr(2);
    return field;
}

}  // namespace

std::string particles_to_ply(const ParticleFrame& frame) {
    const PlyHeader header = header_for(frame);
    std::string bytes = ply_header(header);
    const std::size_t start = bytes.size();
    bytes.resize(start + header.vertices * header.row_bytes());
    put_ply_columns(bytes.data() + start, header, 0, frame.positions.data(), 3);
    std::size_t first = 3;
    for (const Field& field : frame.fields) {
        const auto components = static_cast<std::size_t>(field.components);
        put_ply_columns(bytes.data() + start, header, first, numbers_of(field), components);
        first += components;
    }
    return bytes;
}

ParticleFrame particles_from_ply(std::string_view bytes) {
    const PlyParts ply = split_ply(bytes);
    const PlyHeader& header = ply.header;
    if (header.has_faces)
        throw InputError("is a surface, not particles");
    if (header.comments.empty() || header.comments[0] != k_kind)
        throw InputError("are not particles of this program");
    ParticleFrame frame;
    frame.time = ply_time(header);
    const std::string dimension = ply_comment(header, "dimension");
    if (dimension != "2" && dimension != "3")
        throw InputError("the dimension is neither 2 nor 3");
    frame.dimension = dimension[0] - '0';
    std::vector<PlyProperty> expected = {{"float", "x"}, {"float", "y"}, {"float", "z"}};
    for (const std::string& comment : header.comments)
        if (comment.starts_with(k_field)) {
            frame.fields.push_back(
                described_field(std::string_view(comment).substr(k_field.size())));
            append_properties(expected, frame.fields.back());
        }
    if (header.properties != expected)
        throw InputError("its properties are not those of its fields");

    frame.positions.resize(3 * header.vertices);
    get_ply_columns(ply, 0, frame.positions.data(), 3);
    std::size_t first = 3;
    for (Field& field : frame.fields) {
        const auto components = static_cast<std::size_t>(field.components);
        std::visit(
            [&](auto& data) {
                data.resize(components * header.vertices);
                get_ply_columns(ply, first, data.data(), components);
            },
            field.data);
        first += components;
    }
    return frame;
}

}  // namespace millrace
