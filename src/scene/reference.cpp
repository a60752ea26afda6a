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
    if (key.not_empty) {
        text += "at least one";
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
    return {key.choices.empty() ? "name" : "text", value.empty() ? "" : code(Json(value).dump())};
}

Words words(const Key& key, const Vector& value) {
    std::string text;
    for (const double x : value) {
        text += (text.empty() ? "" : ", ") + number_text(x);
    }
    return {key.shape == Shape::space ? "three numbers" : "vector", code("[" + text + "]")};
}

Words words(const Key&, const Box&) {
    return {"box", ""};
}

Words words(const Key&, const std::optional<Box>&) {
    return {"box", "none"};
}

template <Described S>
Words words(const Key&, const std::optional<S>&) {
    return {"object", "none"};
}

Words words(const Key&, const std::vector<std::string>& value) {
    std::string text;
    for (const std::string& word : value) {
        text += (text.empty() ? "" : ", ") + Json(word).dump();
    }
    return {"list of texts", code("[" + text + "]")};
}

template <Described S>
Words words(const Key&, const std::vector<S>&) {
    return {"list of objects", code("[]")};
}

template <Described S>
Words words(const Key&, const S&) {
    return {"object", code("{}")};
}

std::string row(const Key& key, const Words& words) {
    std::string value = words.value;
    if (key.required) {
        value = "required";
    }
    if (!key.only_with.key.empty()) {
        value += (value.empty() ? "" : "; ") + std::string("only with ") + code(key.only_with.key);
        for (const std::string_view word : key.only_with.values) {
            value.append(" ").append(code(word));
        }
    }
    std::string cells = "|";
    for (const std::string& cell : {code(key.name), words.type, std::string(key.unit), value,
                                    limits_text(key), std::string(key.help)}) {
        cells.append(" ").append(cell).append(cell.empty() ? "|" : " |");
    }
    return cells + "\n";
}

template <Described S>
std::string tables(const std::string& path);

/// The tables below a member: those of its struct, if it has one of its own.
template <class T>
std::string tables_of(const std::string&, const T&) {
    return "";
}
std::string tables_of(const std::string&, const Box&) {
    return "";
}
template <Described S>
std::string tables_of(const std::string& path, const S&) {
    return tables<S>(path);
}
template <class T>
std::string tables_of(const std::string& path, const std::optional<T>&) {
    return tables_of(path, T{});
}
template <Described S>
std::string tables_of(const std::string& path, const std::vector<S>&) {
    return tables<S>(path + "[]");
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
};

template <Described S>
std::string tables(const std::string& path) {
    TableMaker<S> maker{path};
    if (std::is_same_v<S, Scene>) {
        maker.rows += row(k_version_key, {"whole number", ""}) + row(k_schema_key, {"text", ""});
    }
    describe(maker, static_cast<const S*>(nullptr));
    return "### " + (path.empty() ? "The scene" : code(path)) +
           "\n\n| key | type | unit | default | limits | meaning |\n|---|---|---|---|---|---|\n" +
           maker.rows + "\n" + maker.below;
}

}  // namespace
}  // namespace scene_file

std::string scene_reference_tables() {
    using namespace scene_file;
    std::string text = tables<Scene>("");
    text +=
        "### Not in this version\n\nThese are part of the format; for now they give an error:\n";
    for (const std::string_view entry : k_not_available) {
        text += "\n- " + code(entry);
    }
    return text + "\n";
}

}  // namespace millrace
