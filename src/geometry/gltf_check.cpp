#include "geometry/gltf_check.hpp"

#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "files/whole_file.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t k_largest = std::uint64_t{1} << 40;  ///< of a number that counts
constexpr std::uint64_t k_most_without_bytes = 100'000'000;  ///< of an accessor of nothing but 0
constexpr int k_deepest_json = 50;
constexpr int k_deepest = 1000;  ///< of nodes below each other

[[noreturn]] void reject(const std::string& where, const std::string& problem) {
    throw InputError("is damaged: " + where + ": " + problem + "; save it again");
}

/// An object of the file and where it is, such as accessors[3].
struct Place {
    const Json& json;
    std::string name;

    bool has(const char* key) const { return json.contains(key); }

    /// A whole number that is not negative; `missing` where there is none.
    std::uint64_t number(const char* key, std::optional<std::uint64_t> missing = {}) const {
        const auto found = json.find(key);
        if (found == json.end() && missing)
            return *missing;
        if (found == json.end())
            reject(name, std::string("has no ") + key);
        if (!found->is_number_unsigned() || found->get<std::uint64_t>() > k_largest)
            reject(name + "." + key, "is not a number of this size");
        return found->get<std::uint64_t>();
    }

    Place object(const char* key) const {
        const auto found = json.find(key);
        if (found == json.end() || !found->is_object())
            reject(name, std::string("has no ") + key);
        return {*found, name + "." + key};
    }

    /// The objects of a list; none where there is no list.
    std::vector<Place> list(const char* key) const {
        std::vector<Place> places;
        const auto found = json.find(key);
        if (found == json.end())
            return places;
        const std::string where = name.empty() ? key : name + "." + key;
        if (!found->is_array())
            reject(where, "is not a list");
        for (std::size_t i = 0; i < found->size(); ++i) {
            places.push_back({(*found)[i], where + "[" + std::to_string(i) + "]"});
            if (!places.back().json.is_object())
                reject(places.back().name, "is not an object");
        }
        return places;
    }
};

/// The bytes of a text in base64, as far as it is one.
std::string from_base64(std::string_view text) {
    constexpr std::string_view k_digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        const std::size_t digit = k_digits.find(c);
        if (digit == std::string_view::npos)
            break;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes += static_cast<char>(bits >> held);
        }
    }
    return bytes;
}

class Check {
  public:
    Check(const Json& root, const fs::path& folder, std::optional<std::string_view> binary)
        : root_{root, ""}, folder_(folder), binary_(binary) {
        if (!root.is_object())
            reject("the file", "is not a JSON object");
        if (root.contains("asset") && root["asset"].is_object() &&
            root["asset"].value("version", Json()) == "1.0")
            throw InputError("is of glTF 1; save it as glTF 2");
        for (const Place& buffer : root_.list("buffers"))
            check_buffer(buffer);
        for (const Place& view : root_.list("bufferViews"))
            check_view(view);
        for (const Place& accessor : root_.list("accessors"))
            check_accessor(accessor);
        for (const Place& mesh : root_.list("meshes"))
            for (const Place& primitive : mesh.list("primitives"))
                check_primitive(primitive);
        check_nodes();
    }

  private:
    /// What a number of `place` leads to in a list of the file.
    Place target(const Place& place, const char* key, const char* list) const {
        return target(place.name + "." + key, place.number(key), list);
    }
    Place target(const std::string& where, std::uint64_t index, const char* list) const {
        const auto found = root_.json.find(list);
        const std::size_t size =
            found == root_.json.end() || !found->is_array() ? 0 : found->size();
        if (index >= size)
            reject(where, "is " + std::to_string(index) + ", but there are " +
                              std::to_string(size) + " " + list);
        return {(*found)[index], std::string(list) + "[" + std::to_string(index) + "]"};
    }

    void check_buffer(const Place& buffer) {
        const std::uint64_t promised = buffer.number("byteLength");
        const auto uri = buffer.json.find("uri");
        if (uri == buffer.json.end() && !binary_)
            reject(buffer.name, "has no uri");
        if (uri != buffer.json.end() && !uri->is_string())
            reject(buffer.name + ".uri", "is not a text");
        buffers_.push_back(uri == buffer.json.end()
                               ? std::string(*binary_)
                               : bytes_at(uri->get_ref<const std::string&>(), buffer));
        if (const std::size_t there = buffers_.back().size(); there < promised)
            reject(buffer.name, "has " + std::to_string(there) + " bytes, not the " +
                                    std::to_string(promised) + " of byteLength");
    }

    std::string bytes_at(const std::string& uri, const Place& buffer) const {
        if (uri.starts_with("data:"))
            return from_base64(std::string_view(uri).substr(uri.find(',') + 1));
        const std::string problem = file_problem(folder_ / decoded(uri));
        if (!problem.empty())
            throw InputError(buffer.name + ".uri: " + uri + " cannot be read: " + problem);
        return whole_file(folder_ / decoded(uri));
    }

    /// %20 is a space.
    static std::string decoded(const std::string& uri) {
        std::string text;
        for (std::size_t i = 0; i < uri.size(); ++i) {
            const bool is_coded = uri[i] == '%' && i + 2 < uri.size() &&
                                  std::isxdigit(static_cast<unsigned char>(uri[i + 1])) &&
                                  std::isxdigit(static_cast<unsigned char>(uri[i + 2]));
            text +=
                is_coded ? static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16)) : uri[i];
            i += is_coded ? 2 : 0;
        }
        return text;
    }

    void check_view(const Place& view) const {
        const Place buffer = target(view, "buffer", "buffers");
        if (view.number("byteOffset", 0) + view.number("byteLength") > buffer.number("byteLength"))
            reject(view.name, "reaches past the end of " + buffer.name);
    }

    /// Bytes of an element of an accessor.
    static std::uint64_t element_bytes(const Place& accessor) {
        const std::uint64_t type = accessor.number("componentType");
        std::uint64_t bytes = 0;
        if (type == 5120 || type == 5121)
            bytes = 1;
        else if (type == 5122 || type == 5123)
            bytes = 2;
        else if (type == 5125 || type == 5126)
            bytes = 4;
        else
            reject(accessor.name + ".componentType", "is " + std::to_string(type));
        constexpr std::pair<const char*, int> k_types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3},
                                                           {"VEC4", 4},   {"MAT2", 4}, {"MAT3", 9},
                                                           {"MAT4", 16}};
        const std::string name = accessor.json.value("type", Json()).is_string()
                                     ? accessor.json["type"].get<std::string>()
                                     : "";
        for (const auto& [known, components] : k_types)
            if (name == known)
                return bytes * static_cast<std::uint64_t>(components);
        reject(accessor.name + ".type", "is unknown");
    }

    /// Whether `count` elements fit into the view that `place` names.
    void check_elements(const Place& place, std::uint64_t count, std::uint64_t bytes) const {
        const Place view = target(place, "bufferView", "bufferViews");
        const std::uint64_t stride = view.number("byteStride", bytes);
        if (stride < bytes || stride > 65536)
            reject(view.name + ".byteStride", "is " + std::to_string(stride));
        if (count > 0 && place.number("byteOffset", 0) + stride * (count - 1) + bytes >
                             view.number("byteLength"))
            reject(place.name, "reaches past the end of " + view.name);
    }

    void check_accessor(const Place& accessor) const {
        const std::uint64_t bytes = element_bytes(accessor), count = accessor.number("count");
        if (accessor.has("bufferView"))
            check_elements(accessor, count, bytes);
        else if (count > k_most_without_bytes)
            reject(accessor.name + ".count", "is " + std::to_string(count));
        if (!accessor.has("sparse"))
            return;
        const Place sparse = accessor.object("sparse");
        const std::uint64_t entries = sparse.number("count");
        if (entries > count)
            reject(sparse.name + ".count", "is more than that of " + accessor.name);
        const Place indices = sparse.object("indices");
        const std::uint64_t type = indices.number("componentType");
        if (type != 5121 && type != 5123 && type != 5125)
            reject(indices.name + ".componentType", "is " + std::to_string(type));
        check_elements(indices, entries, type == 5121 ? 1 : type == 5123 ? 2 : 4);
        check_elements(sparse.object("values"), entries, bytes);
    }

    /// Readers leave out a face that names a vertex that is not there: the mesh gets a hole.
    void check_indices(const Place& indices, std::size_t bytes, std::uint64_t vertices) const {
        if (!indices.has("bufferView") || indices.has("sparse"))
            return;
        const Place view = target(indices, "bufferView", "bufferViews");
        const std::uint64_t stride = view.number("byteStride", bytes);
        const char* first = buffers_[view.number("buffer")].data() + view.number("byteOffset", 0) +
                            indices.number("byteOffset", 0);
        const std::uint64_t count = indices.number("count");
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint32_t index = 0;
            static_assert(std::endian::native == std::endian::little);
            std::memcpy(&index, first + i * stride, bytes);
            if (index >= vertices)
                reject(indices.name, "names vertex " + std::to_string(index) + ", but there are " +
                                         std::to_string(vertices));
        }
    }

    void check_attributes(const Place& attributes) const {
        for (const auto& item : attributes.json.items())
            target(attributes, item.key().c_str(), "accessors");
    }

    void check_primitive(const Place& primitive) const {
        const Place attributes = primitive.object("attributes");
        check_attributes(attributes);
        if (attributes.has("POSITION")) {
            const Place places = target(attributes, "POSITION", "accessors");
            if (places.json["type"] != "VEC3" || places.json["componentType"] != 5126)
                reject(places.name, "are no places: they must be VEC3 of floats");
        }
        if (primitive.has("indices")) {
            const std::uint64_t vertices =
                attributes.has("POSITION")
                    ? target(attributes, "POSITION", "accessors").number("count")
                    : 0;
            const Place indices = target(primitive, "indices", "accessors");
            const std::uint64_t type = indices.number("componentType");
            if (indices.json["type"] != "SCALAR" || (type != 5121 && type != 5123 && type != 5125))
                reject(indices.name, "are no indices: they must be SCALAR of whole numbers");
            check_indices(indices, type == 5121 ? 1 : type == 5123 ? 2 : 4, vertices);
        }
        if (primitive.number("mode", 4) > 6)
            reject(primitive.name + ".mode", "is unknown");
        if (primitive.has("material"))
            target(primitive, "material", "materials");
        for (const Place& morph : primitive.list("targets"))
            check_attributes(morph);
    }

    void check_nodes() const {
        const std::vector<Place> nodes = root_.list("nodes");
        std::vector<std::optional<std::size_t>> parents(nodes.size());
        const auto each_node = [&](const Place& place, const char* key, const auto& visit) {
            const auto found = place.json.find(key);
            for (std::size_t i = 0; found != place.json.end() && i < found->size(); ++i) {
                const std::string where = place.name + "." + key + "[" + std::to_string(i) + "]";
                if (!found->is_array() || !(*found)[i].is_number_unsigned())
                    reject(where, "is no number of a node");
                const auto number = (*found)[i].get<std::uint64_t>();
                target(where, number, "nodes");
                visit(static_cast<std::size_t>(number), where);
            }
        };
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (nodes[n].has("mesh"))
                target(nodes[n], "mesh", "meshes");
            each_node(nodes[n], "children", [&](std::size_t child, const std::string& where) {
                if (parents[child] || child == n)
                    reject(where, "hangs below two nodes, or below itself");
                parents[child] = n;
            });
        }
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            int depth = 0;
            for (std::optional<std::size_t> at = n; at; at = parents[*at])
                if (++depth > k_deepest)
                    reject(nodes[n].name, "hangs below itself, or too deep");
        }
        for (const Place& scene : root_.list("scenes"))
            each_node(scene, "nodes", [](std::size_t, const std::string&) {});
        if (root_.has("scene"))
            target("scene", root_.number("scene"), "scenes");
    }

    Place root_;
    const fs::path& folder_;
    std::optional<std::string_view> binary_;  ///< the bytes of a buffer in the same file
    std::vector<std::string> buffers_;
};

void check_json(std::string_view text, const fs::path& folder,
                std::optional<std::string_view> binary) {
    Json root;
    bool is_deep = false;
    try {
        root = Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
            is_deep = is_deep || depth > k_deepest_json;
            return depth <= k_deepest_json;  // brackets take 200 times their size as memory
        });
    } catch (const Json::parse_error& e) {
        throw InputError("is damaged: no valid JSON at byte " + std::to_string(e.byte) +
                         "; save or copy it again");
    } catch (const Json::exception&) {
        throw InputError("is damaged: a number is too large; save it again");
    }
    if (is_deep)  // readers that call themselves for each level end the program
        reject("the file", "has lists and objects within each other, too deep");
    Check(root, folder, binary);
}

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

}  // namespace

void check_gltf(std::string_view json, const fs::path& folder) {
    check_json(json, folder, {});
}

// "glTF", the version, the length of the whole file; then chunks: length, kind, bytes.
void check_glb(std::string_view bytes, const fs::path& folder) {
    constexpr std::size_t k_start = 20;
    if (!bytes.starts_with("glTF"))
        throw InputError("is no glb file; save or copy it again");
    if (bytes.size() < k_start || bytes.size() < word_at(bytes, 8))
        throw InputError("ends too early; save or copy it again");
    const std::size_t json = word_at(bytes, 12);
    if (bytes.substr(16, 4) != "JSON" || json > bytes.size() - k_start)
        reject("the first chunk", "is no JSON, or longer than the file");
    const std::size_t rest = bytes.size() - k_start - json;
    std::string_view binary;
    if (rest >= 8) {
        const std::size_t size = word_at(bytes, k_start + json);
        if (size > rest - 8)
            reject("the second chunk", "is longer than the file");
        binary = bytes.substr(k_start + json + 8, size);
    }
    check_json(bytes.substr(k_start, json), folder, binary);
}

}  // namespace millrace
