#include "scene/schema.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "scene/keys.hpp"
#include "scene/name_rule.hpp"
#include "scene/scene_json.hpp"

namespace millrace {

namespace scene_file {
namespace {

Json texts(WordList words) {
    Json list = Json::array();
    for (const std::string_view word : words) {
        list.push_back(std::string(word));
    }
    return list;
}

/// 2 rather than 2.0.
Json short_number(double x) {
    return x == std::floor(x) && std::abs(x) < 1e9 ? Json(static_cast<long>(x)) : Json(x);
}

void add_limits(const Key& key, Json& schema) {
    const auto add = [&](const char* word, double limit) {
        if (std::isfinite(limit)) {
            schema[word] = short_number(limit);
        }
    };
    add("exclusiveMinimum", key.above);
    add("minimum", key.at_least);
    add("exclusiveMaximum", key.below);
    add("maximum", key.at_most);
}

/// name_problem() as a regular expression.
std::string name_pattern() {
    std::string forbidden = "\\u0000-\\u001f\\u007f";
    for (const char c : k_not_in_names) {
        forbidden += c == '\\' ? "\\\\" : c == '/' ? "\\/" : std::string(1, c);
    }
    return "^[^." + forbidden + "][^" + forbidden + "]*$";
}

void add_type(const Key& key, double value, Json& schema) {
    schema["type"] = "number";
    add_limits(key, schema);
    schema["default"] = short_number(value);
}

template <std::integral Integer>
void add_type(const Key& key, Integer value, Json& schema) {
    schema["type"] = "integer";
    add_limits(key, schema);
    schema["default"] = value;
}

void add_type(const Key&, bool value, Json& schema) {
    schema["type"] = "boolean";
    schema["default"] = value;
}

void add_type(const Key& key, const std::string& value, Json& schema) {
    schema["type"] = "string";
    if (key.path) {
        schema["minLength"] = 1;
    } else if (key.choices.size() == 0) {
        schema["pattern"] = name_pattern();
        schema["maxLength"] = k_longest_name;
    } else {
        schema["enum"] = texts(key.choices);
    }
    if (!value.empty()) {
        schema["default"] = value;
    }
}

void add_type(const Key& key, const Vector& value, Json& schema) {
    Json number{{"type", "number"}};
    add_limits(key, number);
    const Json zero{{"const", 0}};
    const bool scale = key.shape == Shape::scale, spin = key.shape == Shape::spin;
    if (scale) {
        number["not"] = zero;
    }
    Json list;
    list["type"] = "array";
    list["items"] = number;
    list["minItems"] = key.shape == Shape::space || spin ? 3
                       : key.shape == Shape::probe_place ? 1
                                                         : 2;
    list["maxItems"] = key.shape == Shape::rectangle ? 2 : 3;
    if (key.not_zero && !scale) {
        list["not"] = {{"items", zero}};
    }
    if (scale || spin) {
        schema["anyOf"] = Json::array({number, list});
    } else {
        schema.update(list);
    }
    schema["default"] = Json::array();
    for (const double x : value) {
        schema["default"].push_back(short_number(x));
    }
}

void add_count(const Key& key, Json& schema) {
    if (key.count > 0) {
        schema["minItems"] = schema["maxItems"] = key.count;
    }
}

void add_type(const Key& key, const std::vector<std::string>& value, Json& schema) {
    schema["type"] = "array";
    if (key.choices.size() == 0) {
        add_type(key, std::string(), schema["items"]);
    } else {
        schema["items"] = {{"enum", texts(key.choices)}};
        schema["default"] = value;
    }
    schema["uniqueItems"] = true;
    add_count(key, schema);
}

void add_type(const Key& key, const std::vector<double>&, Json& schema) {
    schema["type"] = "array";
    schema["items"] = {{"type", "number"}};
    add_count(key, schema);
}

void add_type(const Key& key, const std::optional<double>&, Json& schema) {
    add_type(key, 0.0, schema);
    schema.erase("default");
}

void add_type(const Key& key, const std::optional<Vector>&, Json& schema) {
    add_type(key, Vector{}, schema);
    schema.erase("default");
}

template <Described S>
void add_type(const Key& key, const S& defaults, Json& schema);

template <Described S>
void add_type(const Key& key, const std::optional<S>&, Json& schema) {
    add_type(key, S{}, schema);
}

template <class S>
requires(Described<S> || std::is_same_v<S, Vector>) void add_type(const Key& key,
                                                                  const std::vector<S>&,
                                                                  Json& schema) {
    schema["type"] = "array";
    if (key.least > 0) {
        schema["minItems"] = key.least;
    }
    Json entry;
    add_type(key, S{}, entry);
    entry.erase("default");
    schema["items"] = std::move(entry);
}

/// The schemas of the keys of an object, and which keys go together.
class ObjectSchema {
  public:
    Json& start(const Key& key) {
        const std::string unit = key.unit.empty() ? "" : " [" + std::string(key.unit) + "]";
        Json& schema = properties[std::string(key.name)];
        schema["description"] = std::string(key.help) + unit;
        return schema;
    }

    void finish(const Key& key, Json& schema) {
        const std::string name(key.name);
        if (key.required || !key.one_of.what.empty()) {
            schema.erase("default");
        }
        if (!key.one_of.what.empty()) {
            one_of.push_back({{"required", Json::array({name})}});
        }
        if (!key.only_with.key.empty()) {
            add_condition(key.only_with, key.required, name, true);
        } else if (key.required) {
            required.push_back(name);
        }
        if (!key.required_with.key.empty()) {
            add_condition(key.required_with, true, name, false);
        }
        if (!key.not_with.empty()) {
            conditions.push_back(
                {{"not", {{"required", Json::array({std::string(key.not_with), name})}}}});
        }
    }

    Json properties = Json::object();
    Json required = Json::array();
    Json one_of = Json::array();
    Json conditions = Json::array();

  private:
    /// Beside certain values of another key one is required; elsewhere, perhaps, forbidden.
    void add_condition(const Beside& beside, bool needed, const std::string& name, bool only) {
        const std::string other(beside.key);
        Json condition;
        const Json values = texts(beside.values);
        if (!values.empty()) {
            condition["if"] = {{"properties", {{other, {{"enum", values}}}}}};
        }
        const Json value = properties[other].value("default", Json());
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            condition["if"]["required"] = Json::array({other});
        }
        if (needed) {
            condition["then"] = {{"required", Json::array({name})}};
        }
        if (only) {
            condition["else"] = {{"properties", {{name, false}}}};
        }
        conditions.push_back(std::move(condition));
    }
};

/// Visits the keys of a struct and collects their schemas.
template <Described S>
struct Collect {
    const S& defaults;
    ObjectSchema& object;
    template <class T>
    void operator()(const Key& key, T S::*member) {
        Json& schema = object.start(key);
        add_type(key, defaults.*member, schema);
        object.finish(key, schema);
    }
    template <class Variant, class T>
    void operator()(const Key& key, Alternative<S, Variant, T>) {
        Json& schema = object.start(key);
        add_type(key, T{}, schema);
        object.finish(key, schema);
    }
};

template <Described S>
void add_type(const Key&, const S& defaults, Json& schema) {
    ObjectSchema object;
    Collect<S> collect{defaults, object};
    describe(collect, &defaults);
    schema["type"] = "object";
    schema["properties"] = std::move(object.properties);
    if (!object.required.empty()) {
        schema["required"] = std::move(object.required);
    }
    if (!object.one_of.empty()) {
        schema["oneOf"] = std::move(object.one_of);
    }
    if (!object.conditions.empty()) {
        schema["allOf"] = std::move(object.conditions);
    }
    schema["additionalProperties"] = false;
}

}  // namespace
}  // namespace scene_file

std::string scene_schema() {
    using namespace scene_file;
    Json scene;
    add_type(Key{}, Scene{}, scene);

    Json properties;
    properties[std::string(k_version_key.name)] = {{"description", k_version_key.help},
                                                   {"const", k_format_version}};
    properties[std::string(k_schema_key.name)] = {{"description", k_schema_key.help},
                                                  {"type", "string"}};
    properties.update(scene["properties"]);
    scene["properties"] = std::move(properties);
    scene["required"].insert(scene["required"].begin(), k_version_key.name);

    Json root;
    root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    root["title"] = "Millrace scene";
    root["description"] = "Made from src/scene/keys.hpp. In 2D vectors have two components.";
    root.update(scene);
    return json_text(root);
}

}  // namespace millrace
