#include <algorithm>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "scene/keys.hpp"
#include "scene/scene_json.hpp"
#include "scene/value_checks.hpp"

namespace millrace::scene_file {

std::string shown(const Json& value) {
    switch (value.type()) {
        case Json::value_t::object:
            return "an object";
        case Json::value_t::array:
            return "a list";
        case Json::value_t::string:
            return in_quotes(value.get_ref<const std::string&>());
        case Json::value_t::number_float:
            return number_text(value.get<double>());
        default:
            return value.dump();
    }
}

namespace {

void read_value(const Target& target, const Json& value, double& x) {
    if (!value.is_number()) {
        target.wrong_type("a number", shown(value));
    }
    x = value.get<double>();
    check_number(target, x, [&] { return shown(value); });
}

/// int and std::uint64_t; 2.0 and 1e3 are whole numbers too.
template <std::integral Integer>
void read_value(const Target& target, const Json& value, Integer& n) {
    const double x = value.is_number() ? value.get<double>() : 0.5;
    if (x != std::floor(x) || !std::isfinite(x)) {
        target.wrong_type("a whole number", shown(value));
    }
    check_limits(target, x, [&] { return shown(value); });
    const bool fits = value.is_number_unsigned()
                          ? std::in_range<Integer>(value.get<std::uint64_t>())
                      : value.is_number_integer()
                          ? std::in_range<Integer>(value.get<std::int64_t>())
                          : std::abs(x) < std::ldexp(1.0, std::numeric_limits<Integer>::digits);
    if (!fits) {
        target.fail("must be at most " + std::to_string(std::numeric_limits<Integer>::max()) +
                    " in size, got " + shown(value));
    }
    n = value.get<Integer>();
}

void read_value(const Target& target, const Json& value, bool& flag) {
    if (!value.is_boolean()) {
        target.wrong_type("true or false", shown(value));
    }
    flag = value.get<bool>();
}

void read_value(const Target& target, const Json& value, std::string& text) {
    if (!value.is_string()) {
        target.wrong_type("a text", shown(value));
    }
    text = value.get<std::string>();
    check_text(target, text);
}

/// A scale as one number.
void read_even_scale(const Target& target, const Json& value, Vector& vector) {
    double factor = 1;
    read_value(target, value, factor);
    if (factor == 0) {
        target.fail("must not be 0");
    }
    vector = {factor, factor, factor};
    if (target.dimension == 2) {
        vector[2] = 1;
    }
}

void read_value(const Target& target, const Json& value, Vector& vector) {
    if (target.key.shape == Shape::scale && value.is_number()) {
        return read_even_scale(target, value, vector);
    }
    if (target.key.shape == Shape::spin && target.dimension == 2) {
        return read_value(target, value, vector[2]);
    }
    if (!value.is_array()) {
        target.wrong_type(
            (target.key.shape == Shape::scale ? "a number or a list of " : "a list of ") +
                expected_numbers(target),
            shown(value));
    }
    check_vector_size(target, value.size());
    take_components(target, vector, [&](const Target& number, std::size_t i) {
        double x = 0;
        read_value(number, value[i], x);
        return x;
    });
}

template <Described S>
void read_value(const Target& target, const Json& value, S& object);

template <class T>
void read_value(const Target& target, const Json& value, std::optional<T>& optional) {
    read_value(target, value, optional.emplace());
}

template <class T>
void read_value(const Target& target, const Json& value, std::vector<T>& list) {
    if (!value.is_array()) {
        target.wrong_type("a list", shown(value));
    }
    check_list_size(target, value.size());
    list.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string place = entry(target.place, i);
        const Target one{target.file, place, target.key, target.dimension};
        read_value(one, value[i], list.emplace_back());
        if constexpr (std::is_same_v<T, std::string>) {
            check_not_listed(one, list);
        }
    }
}

/// Visits the keys of a struct and takes each from the file.
template <class S>
struct ObjectReader {
    ObjectKeys keys;
    const Json& file;
    S& object;

    template <class T>
    void operator()(const Key& key, T S::*member) {
        const auto found = file.find(std::string(key.name));
        if (keys.ask(key, found != file.end())) {
            read_value(keys.target(key), *found, object.*member);
        }
        if constexpr (std::is_same_v<T, std::string>) {
            keys.set_text(key, object.*member);
        }
        if constexpr (std::is_same_v<S, Scene>) {
            keys.set_dimension(object.dimension);
        }
    }

    template <class Variant, class T>
    void operator()(const Key& key, Alternative<S, Variant, T> alternative) {
        const auto found = file.find(std::string(key.name));
        if (keys.ask(key, found != file.end())) {
            T held;
            read_value(keys.target(key), *found, held);
            object.*alternative.member = std::move(held);
        }
    }
};

template <Described S>
void read_value(const Target& target, const Json& value, S& object) {
    if (!value.is_object()) {
        target.wrong_type("an object", shown(value));
    }
    KeyNames known{target.dimension};
    if (std::is_same_v<S, Scene>) {
        known.names = {k_version_key.name, k_schema_key.name};
    }
    describe(known, static_cast<const S*>(nullptr));
    for (const auto& item : value.items()) {
        if (std::ranges::find(known.names, item.key()) != known.names.end()) {
            continue;
        }
        const std::string place = join_path(target.place, item.key());
        const std::string_view guess = nearest(item.key(), known.names);
        fail(target.file, place,
             "unknown key; " + (guess.empty() ? "valid keys: " + list_text(known.names)
                                              : "did you mean " + in_quotes(guess) + "?"));
    }
    const bool has_one = has_one_of(
        target, known, [&](std::string_view name) { return value.contains(std::string(name)); });
    ObjectReader<S> reader{ObjectKeys(target, known), value, object};
    describe(reader, static_cast<const S*>(nullptr));
    if (!has_one) {  // now that one of the other dimension would be refused
        target.fail("needs one of " + list_text(known.one_of));
    }
}

/// What the scene is before its keys are read: the defaults of its engine.
Scene scene_to_start_from(const Json& root) {
    const auto engine = root.is_object() ? root.find("engine") : root.end();
    return root.is_object() && engine != root.end() && engine->is_string()
               ? default_scene(engine->get<std::string>())
               : Scene();
}

/// The version comes first: another one may have other keys.
void check_version(const Json& root, const std::string& file) {
    const std::string name(k_version_key.name);
    const std::string supported = std::to_string(k_format_version);
    if (root.contains(name) && root[name] != k_format_version) {
        fail(file, name,
             "format version " + shown(root[name]) + " is not supported; this version reads " +
                 supported);
    }
}

}  // namespace

Scene read_scene(const Json& root, const std::string& file) {
    Scene scene = scene_to_start_from(root);
    const std::string top;
    const Key key;
    if (root.is_object()) {
        check_version(root, file);
    }
    read_value(Target{file, top, key, scene.dimension}, root, scene);
    if (!root.contains(k_version_key.name)) {
        fail(file, k_version_key.name, "missing; required: " + std::string(k_version_key.help));
    }
    name_entries(scene);
    check_scene(scene, file);
    return scene;
}

}  // namespace millrace::scene_file
