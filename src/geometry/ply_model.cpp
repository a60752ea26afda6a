#include "geometry/ply_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "geometry/face_triangles.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

struct Type {
    std::string_view name, other_name;
    std::size_t bytes;
};
constexpr Type k_types[] = {{"char", "int8", 1},     {"uchar", "uint8", 1},   {"short", "int16", 2},
                            {"ushort", "uint16", 2}, {"int", "int32", 4},     {"uint", "uint32", 4},
                            {"float", "float32", 4}, {"double", "float64", 8}};

struct Property {
    std::string name;
    const Type* type = nullptr;
    const Type* count = nullptr;  ///< of a list, the type of its length
};

struct Element {
    std::string name;
    std::size_t rows = 0;
    std::vector<Property> properties;
};

enum class Format { text, little_endian, big_endian };

struct Header {
    Format format = Format::text;
    std::vector<Element> elements;
};

[[noreturn]] void reject(const std::string& what) {
    throw InputError(what + "; save or copy it again");
}

[[noreturn]] void reject_end() {
    reject("ends too early");
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    constexpr std::string_view k_space = " \t\r";
    while ((line.remove_prefix(std::min(line.find_first_not_of(k_space), line.size())),
            !line.empty())) {
        const std::size_t end = std::min(line.find_first_of(k_space), line.size());
        words.emplace_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return words;
}

const Type* type_of(const std::string& name) {
    const auto* found = std::ranges::find_if(
        k_types, [&](const Type& t) { return t.name == name || t.other_name == name; });
    if (found == std::end(k_types))
        reject("has a property of an unknown type in its header");
    return found;
}

std::size_t row_count(const std::string& text) {
    std::size_t rows = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
    if (error != std::errc() || end != text.data() + text.size())
        reject("has no valid number of elements in its header");
    return rows;
}

Format format_of(const std::vector<std::string>& words) {
    const std::string name = words.size() > 1 ? words[1] : "";
    if (name != "ascii" && name != "binary_little_endian" && name != "binary_big_endian")
        reject("has an unknown format in its header");
    return name == "ascii"                  ? Format::text
           : name == "binary_little_endian" ? Format::little_endian
                                            : Format::big_endian;
}

void read_property(const std::vector<std::string>& words, Header& header) {
    const bool is_list = words.size() == 5 && words[1] == "list";
    if (header.elements.empty() || (!is_list && words.size() != 3))
        reject("has a property in its header that makes no sense");
    header.elements.back().properties.push_back(
        is_list ? Property{words[4], type_of(words[3]), type_of(words[2])}
                : Property{words[2], type_of(words[1]), nullptr});
}

/// Takes the header off the bytes.
Header read_header(std::string_view& bytes) {
    Header header;
    bool has_format = false;
    for (std::size_t number = 0;; ++number) {
        const std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos)
            reject(number == 0 ? "is no PLY file" : "ends in its header");
        const std::vector<std::string> words = words_of(bytes.substr(0, end));
        bytes.remove_prefix(end + 1);
        const std::string key = words.empty() ? "" : words[0];
        if (number == 0 && (key != "ply" || words.size() != 1))
            reject("is no PLY file");
        if (key == "format") {
            header.format = format_of(words);
            has_format = true;
        } else if (key == "element") {
            if (words.size() != 3)
                reject("has an element in its header that makes no sense");
            header.elements.push_back({words[1], row_count(words[2]), {}});
        } else if (key == "property") {
            read_property(words, header);
        } else if (key == "end_header") {
            break;
        } else if (number > 0 && !key.empty() && key != "comment" && key != "obj_info") {
            reject("has a line in its header that makes no sense");
        }
    }
    if (!has_format)
        reject("has no format in its header");
    return header;
}

/// The numbers behind the header, one after the other.
class Numbers {
  public:
    Numbers(std::string_view bytes, Format format) : rest_(bytes), format_(format) {}

    /// Throws unless so many numbers of so many bytes in all can be left: before memory is taken.
    void expect(std::size_t rows, std::size_t numbers_a_row, std::size_t bytes_a_row) const {
        // a number of a text takes a digit, and a space but for the last one
        const std::size_t row = format_ == Format::text ? 2 * numbers_a_row : bytes_a_row;
        if (row > 0 && rows > (rest_.size() + 1) / row)
            reject_end();
    }

    double next(const Type& type) {
        return format_ == Format::text ? next_word() : next_binary(type);
    }

  private:
    double next_word() {
        constexpr std::string_view k_space = " \t\r\n";
        rest_.remove_prefix(std::min(rest_.find_first_not_of(k_space), rest_.size()));
        const std::size_t end = std::min(rest_.find_first_of(k_space), rest_.size());
        std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        if (word.empty())
            reject_end();
        word.remove_prefix(word.front() == '+' ? 1 : 0);
        double value = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error == std::errc::result_out_of_range)
            return std::numeric_limits<double>::infinity();
        if (error != std::errc() || stop != word.data() + word.size())
            reject("has '" + std::string(word.substr(0, 20)) + "' where a number should be");
        return value;
    }

    template <class T>
    T taken() {
        std::array<char, sizeof(T)> bytes;
        if (rest_.size() < sizeof(T))
            reject_end();
        std::memcpy(bytes.data(), rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        static_assert(std::endian::native == std::endian::little);
        if (format_ == Format::big_endian)
            std::ranges::reverse(bytes);
        return std::bit_cast<T>(bytes);
    }

    double next_binary(const Type& type) {
        switch (&type - k_types) {
            case 0:
                return taken<std::int8_t>();
            case 1:
                return taken<std::uint8_t>();
            case 2:
                return taken<std::int16_t>();
            case 3:
                return taken<std::uint16_t>();
            case 4:
                return taken<std::int32_t>();
            case 5:
                return taken<std::uint32_t>();
            case 6:
                return static_cast<double>(taken<float>());
            default:
                return taken<double>();
        }
    }

    std::string_view rest_;
    Format format_;
};

/// A number that counts: whole, from 0 to below `end`.
std::optional<std::size_t> as_count(double number, double end) {
    if (!(number >= 0 && number < end && number == std::floor(number)))
        return {};
    return static_cast<std::size_t>(number);
}

/// Reads the elements into a mesh.
class Reader {
  public:
    Reader(const Header& header, std::string_view body) : numbers_(body, header.format) {
        for (const Element& element : header.elements)
            if (element.name == "vertex" && !element.properties.empty())
                vertices_ = element.rows;
        if (vertices_ > std::numeric_limits<std::uint32_t>::max())
            reject("names more vertices than a mesh can have");
        for (const Element& element : header.elements)
            read(element);
        add_polygons();
    }

    TriangleMesh mesh;

  private:
    void read(const Element& element) {
        std::size_t bytes = 0;
        for (const Property& property : element.properties)
            bytes += (property.count ? property.count : property.type)->bytes;
        numbers_.expect(element.rows, element.properties.size(), bytes);
        for (std::size_t row = 0; row < element.rows && !element.properties.empty(); ++row)
            read_row(element, row);
    }

    void read_row(const Element& element, std::size_t row) {
        Vec3d place = Vec3d::all(0);
        const bool is_vertex = element.name == "vertex";
        for (const Property& property : element.properties) {
            if (property.count) {
                read_list(element, property, row);
                continue;
            }
            const double number = numbers_.next(*property.type);
            if (is_vertex && property.name.size() == 1 && property.name[0] >= 'x' &&
                property.name[0] <= 'z')
                place[property.name[0] - 'x'] = number;
        }
        if (is_vertex)
            mesh.vertices.push_back(place);
    }

    void read_list(const Element& element, const Property& property, std::size_t row) {
        const double length = numbers_.next(*property.count);
        const auto size = as_count(length, 4294967296.);
        if (!size)
            reject("has a list of an impossible length");
        numbers_.expect(*size, 1, property.type->bytes);
        const bool has_corners =
            property.name == "vertex_indices" || property.name == "vertex_index";
        const bool is_face = has_corners && element.name == "face";
        const bool is_strip = has_corners && element.name == "tristrips";
        const std::string where = "face " + std::to_string(row) + ": ";
        if (is_face && (*size < 1 || *size > k_most_corners))
            reject(where + "has " + std::to_string(*size) + " corners");
        std::vector<std::uint32_t> corners;
        for (std::size_t i = 0; i < *size; ++i) {
            const double number = numbers_.next(*property.type);
            if (is_strip && number == -1) {
                add_strip(corners);
                corners.clear();
            } else if (is_face || is_strip) {
                const auto corner = as_count(number, static_cast<double>(vertices_));
                if (!corner)
                    reject(where + "names a vertex that is not there (of " +
                           std::to_string(vertices_) + ")");
                corners.push_back(static_cast<std::uint32_t>(*corner));
            }
        }
        if (is_strip)
            add_strip(corners);
        if (is_face && *size >= 3) {
            polygon_ends_.push_back(polygon_corners_.size() + corners.size());
            polygon_corners_.insert(polygon_corners_.end(), corners.begin(), corners.end());
        }
    }

    void add_strip(const std::vector<std::uint32_t>& corners) {
        for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
            const std::uint32_t a = corners[i], b = corners[i + 1], c = corners[i + 2];
            if (a != b && b != c && c != a)  // those without an area turn the strip
                mesh.triangles.push_back({a, i % 2 ? c : b, i % 2 ? b : c});
        }
    }

    /// After all vertices are there: the file may have them behind the faces.
    void add_polygons() {
        std::size_t begin = 0;
        for (const std::size_t end : polygon_ends_) {
            add_polygon(mesh, std::span(polygon_corners_).subspan(begin, end - begin));
            begin = end;
        }
    }

    Numbers numbers_;
    std::size_t vertices_ = 0;
    std::vector<std::uint32_t> polygon_corners_;
    std::vector<std::size_t> polygon_ends_;
};

}  // namespace

TriangleMesh mesh_from_ply_model(std::string_view bytes) {
    const Header header = read_header(bytes);
    return Reader(header, bytes).mesh;
}

}  // namespace millrace
