#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "scene/keys.hpp"
#include "scene/scene_json.hpp"
#include "scene/schema.hpp"
#include "scene/text.hpp"

namespace millrace {

namespace scene_file {
namespace {

std::string code(std::string_view text) {
    return std::string("`").append(text).append("`");
}

std::string limits_text(const Key& key) {
    std::string text;
    const auto add = [&](const char* relation, double limit) {
        if (std::isfinite(limit)) {
            text += (text.empty() ? "" : ", ") + std::string(relation) + " " + number_text(limit);
        }
    };
    add(">", key.above);
    add("≥", key.at_least);
    add("<", key.below);
    add("≤", key.at_most);
    for (const std::string_view choice : key.choices) {
        text += (text.empty() ? "" : ", ") + code(choice);
    }
    if (key.least > 0) {
        text += "at least " + (key.least == 1 ? "one" : std::to_string(key.least));
    }
    if (key.not_zero) {
        text += "not 0";
    }
    if (key.count > 0) {
        text += std::to_string(key.count) + " entries";
    }
    return text;
}

/// The type and the default of a member.
struct Words {
    std::string type;
    std::string value;
};

Words words(const Key&, double value) {
    return {"number", code(number_text(value))};
}

template <std::integral Integer>
Words words(const Key&, Integer value) {
    return {"whole number", code(std::to_string(value))};
}

Words words(const Key&, bool value) {
    return {"true or false", code(value ? "true" : "false")};
}

Words words(const Key& key, const std::string& value) {
    return {key.path                  ? "path of a file"
            : key.choices.size() == 0 ? "name"
                                      : "text",
            value.empty() ? "" : code(Json(value).dump())};
}

Words words(const Key& key, const Vector& value) {
    std::string text;
    for (const double x : value) {
        text += (text.empty() ? "" : ", ") + number_text(x);
    }
    switch (key.shape) {
        case Shape::space:
            return {"three numbers", code("[" + text + "]")};
        case Shape::rectangle:
            return {"two numbers", ""};
        case Shape::scale:
            return {"number or vector", code("1")};
        case Shape::spin:
            return {"three numbers, in 2D one", code("[" + text + "]")};
        default:
            return {"vector", code("[" + text + "]")};
    }
}

Words words(const Key&, const std::optional<double>&) {
    return {"number", "none"};
}

Words words(const Key& key, const std::optional<Vector>&) {
    return {words(key, Vector{}).type, "none"};
}

Words words(const Key&, const std::vector<Vector>&) {
    return {"list of vectors", "none"};
}

Words words(const Key&, const std::vector<double>&) {
    return {"list of numbers", "none"};
}

Words words(const Key& key, const std::vector<std::string>& value) {
    std::string text;
    for (const std::string& word : value) {
        text += (text.empty() ? "" : ", ") + Json(word).dump();
    }
    return {key.choices.size() == 0 ? "list of names" : "list of texts", code("[" + text + "]")};
}

/// What several keys hold has a name, and a table of its own.
template <class S>
constexpr const char* k_common_name = nullptr;
template <>
constexpr const char* k_common_name<Box> = "box";
template <>
constexpr const char* k_common_name<Rotation> = "rotation";
template <>
constexpr const char* k_common_name<Sphere> = "sphere or circle";
template <>
constexpr const char* k_common_name<Cylinder> = "cylinder";
template <>
constexpr const char* k_common_name<Polygon> = "polygon";
template <>
constexpr const char* k_common_name<Chain> = "chain";
template <>
constexpr const char* k_common_name<Plane> = "plane";
template <>
constexpr const char* k_common_name<MeshFile> = "mesh";
template <>
constexpr const char* k_common_name<PointFile> = "point file";

template <Described S>
Words words(const Key&, const S&) {
    return {k_common_name<S> ? k_common_name<S> : "object", code("{}")};
}

template <Described S>
Words words(const Key& key, const std::optional<S>&) {
    return {words(key, S{}).type, "none"};
}

template <Described S>
Words words(const Key&, const std::vector<S>&) {
    return {"list of objects", code("[]")};
}

std::string row(const Key& key, const Words& words) {
    std::string value = words.value;
    if (key.required) {
        value = "required";
    }
    if (!key.one_of.what.empty()) {
        value = "exactly one " + std::string(key.one_of.what);
    }
    const auto add = [&](const char* what, const Beside& beside) {
        if (beside.key.empty()) {
            return;
        }
        value += (value.empty() ? "" : "; ") + std::string(what) + code(beside.key);
        for (const std::string_view word : beside.values) {
            value.append(" ").append(code(word));
        }
    };
    add("only with ", key.only_with);
    add("required with ", key.required_with);
    add("not with ", {key.not_with, {}});
    if (key.only_in > 0) {
        value += (value.empty() ? "" : "; ") + std::to_string(key.only_in) + "D only";
    }
    std::string cells = "|";
    for (const std::string& cell : {code(key.name), words.type, std::string(key.unit), value,
                                    limits_text(key), std::string(key.help)}) {
        cells.append(" ").append(cell).append(cell.empty() ? "|" : " |");
    }
    return cells + "\n";
}

template <Described S>
std::string tables(const std::string& title, const std::string& path);

/// The tables below a member: those of its struct, if it has one of its own.
template <class T>
std::string tables_of(const std::string&, const T&) {
    return "";
}
template <Described S>
std::string tables_of(const std::string& path, const S&) {
    return k_common_name<S> ? "" : tables<S>(code(path), path);
}
template <Described S>
std::string tables_of(const std::string& path, const std::optional<S>&) {
    return tables_of(path, S{});
}
template <Described S>
std::string tables_of(const std::string& path, const std::vector<S>&) {
    return tables_of(path + "[]", S{});
}

/// Visits the keys of a struct and collects its rows and the tables below it.
template <Described S>
struct TableMaker {
    std::string path;
    std::string rows = {};
    std::string below = {};

    template <class T>
    void operator()(const Key& key, T S::*member) {
        const T value = S{}.*member;
        rows += row(key, words(key, value));
        below += tables_of(join_path(path, key.name), value);
    }
    template <class Variant, class T>
    void operator()(const Key& key, Alternative<S, Variant, T>) {
        rows += row(key, {words(key, T{}).type, "none"});
        below += tables_of(join_path(path, key.name), T{});
    }
};

template <Described S>
std::string tables(const std::string& title, const std::string& path) {
    TableMaker<S> maker{path};
    if (std::is_same_v<S, Scene>) {
        maker.rows += row(k_version_key, {"whole number", ""}) + row(k_schema_key, {"text", ""});
    }
    describe(maker, static_cast<const S*>(nullptr));
    return "### " + title +
           "\n\n| key | type | unit | default | limits | meaning |\n|---|---|---|---|---|---|\n" +
           maker.rows + "\n" + maker.below;
}

template <Described... S>
std::string common_tables() {
    return (tables<S>(std::string("A ") + k_common_name<S>, "") + ...);
}

}  // namespace
}  // namespace scene_file

std::string scene_reference_tables() {
    using namespace scene_file;
    return tables<Scene>("The scene", "") + common_tables<Box, Rotation, Sphere, Cylinder, Polygon,
                                                          Chain, Plane, MeshFile, PointFile>();
}

}  // namespace millrace
