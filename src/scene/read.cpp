#include <algorithm>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "scene/keys.hpp"
#include "scene/name_rule.hpp"
#include "scene/scene_json.hpp"
#include "scene/text.hpp"

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

/// Particles are kept in float32; beyond this their squares and products would overflow.
constexpr double k_largest_number = 1e15;

/// The keys of a struct.
struct KeyNames {
    int dimension;
    std::vector<std::string_view> names = {};
    std::vector<std::string_view> one_of = {};  ///< of which it has exactly one
    std::string_view what = {};                 ///< and the word for them
    template <class Member>
    void operator()(const Key& key, Member) {
        names.push_back(key.name);
        if (!key.one_of.what.empty() && is_known_in(key, dimension)) {
            one_of.push_back(key.name);
            what = key.one_of.what;
        }
    }
};

/// Where a value is and what it must be.
struct Target {
    const std::string& file;
    const std::string& place;
    const Key& key;
    int dimension;
    std::string_view type = {};  ///< the text of that name in the same object

    [[noreturn]] void fail(const std::string& problem) const {
        scene_file::fail(file, place, problem);
    }
    [[noreturn]] void wrong_type(const std::string& expected, const Json& value) const {
        fail("must be " + expected + ", got " + shown(value));
    }
};

void check_limits(const Target& target, double x, const Json& value) {
    const Key& key = target.key;
    const auto require = [&](bool holds, const char* relation, double limit) {
        if (!holds) {
            target.fail(std::string("must be ") + relation + " " + number_text(limit) + ", got " +
                        shown(value));
        }
    };
    require(x > key.above, "greater than", key.above);
    require(x >= key.at_least, "at least", key.at_least);
    require(x < key.below, "less than", key.below);
    require(x <= key.at_most, "at most", key.at_most);
}

void read_value(const Target& target, const Json& value, double& x) {
    if (!value.is_number()) {
        target.wrong_type("a number", value);
    }
    x = value.get<double>();
    if (!std::isfinite(x)) {
        target.wrong_type("a finite number", value);
    }
    check_limits(target, x, value);
    if (std::abs(x) > k_largest_number) {
        target.fail("must be at most " + number_text(k_largest_number) + " in size, got " +
                    shown(value));
    }
}

/// int and std::uint64_t; 2.0 and 1e3 are whole numbers too.
template <std::integral Integer>
void read_value(const Target& target, const Json& value, Integer& n) {
    const double x = value.is_number() ? value.get<double>() : 0.5;
    if (x != std::floor(x) || !std::isfinite(x)) {
        target.wrong_type("a whole number", value);
    }
    check_limits(target, x, value);
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
        target.wrong_type("true or false", value);
    }
    flag = value.get<bool>();
}

void read_value(const Target& target, const Json& value, std::string& text) {
    if (!value.is_string()) {
        target.wrong_type("a text", value);
    }
    text = value.get<std::string>();
    const WordList choices = target.key.choices;
    if (choices.size() == 0) {
        const std::string problem = target.key.path ? path_problem(text) : name_problem(text);
        if (!problem.empty()) {
            target.fail(problem + ", got " + in_quotes(text));
        }
    } else if (std::ranges::find(choices, text) == choices.end()) {
        const std::string_view guess = nearest(text, choices);
        target.fail("must be one of " + list_text(choices) + "; got " + in_quotes(text) +
                    (guess.empty() ? "" : "; did you mean " + in_quotes(guess) + "?"));
    }
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
    const std::vector<int> used = components(target.key.shape, target.dimension, target.type);
    std::string expected = used.size() == 1 ? "1 number" : std::to_string(used.size()) + " numbers";
    if (is_height(target.key.shape, target.type)) {
        expected += used.size() == 1 ? " [x]" : " [x, z]";
    }
    if (!value.is_array()) {
        target.wrong_type(
            (target.key.shape == Shape::scale ? "a number or a list of " : "a list of ") + expected,
            value);
    }
    const bool always = target.key.shape == Shape::space || target.key.shape == Shape::rectangle;
    if (value.size() != used.size()) {
        target.fail("must have " + expected +
                    (always ? "" : " in " + std::to_string(target.dimension) + "D") + ", got " +
                    std::to_string(value.size()));
    }
    vector.fill(missing_component(target.key.shape));
    bool zero = true;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const std::string place = target.place + "[" + std::to_string(i) + "]";
        const Target number{target.file, place, target.key, target.dimension};
        read_value(number, value[i], vector[used[i]]);
        if (target.key.not_zero && target.key.shape == Shape::scale && vector[used[i]] == 0) {
            number.fail("must not be 0");
        }
        zero = zero && vector[used[i]] == 0;
    }
    if (target.key.not_zero && zero) {
        target.fail("must not be 0 in every direction");
    }
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
        target.wrong_type("a list", value);
    }
    if (value.size() < target.key.least) {
        target.fail(target.key.least == 1
                        ? "must have at least one entry"
                        : "must have at least " + std::to_string(target.key.least) +
                              " entries, got " + std::to_string(value.size()));
    }
    if (target.key.count > 0 && value.size() != target.key.count) {
        target.fail("must have " + std::to_string(target.key.count) + " entries, got " +
                    std::to_string(value.size()));
    }
    list.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string place = target.place + "[" + std::to_string(i) + "]";
        const Target entry{target.file, place, target.key, target.dimension};
        read_value(entry, value[i], list.emplace_back());
        if constexpr (std::is_same_v<T, std::string>) {
            if (std::find(list.begin(), list.end() - 1, list.back()) != list.end() - 1) {
                entry.fail(in_quotes(list.back()) + " is listed twice");
            }
        }
    }
}

/// The keys of an object in the file, as they are asked for one after the other.
class ObjectKeys {
  public:
    ObjectKeys(const Target& object, const Json& value, const KeyNames& known)
        : object_(object), dimension_(object.dimension), value_(value), known_(known) {}

    /// What the file holds for a key; null if it is not given.
    const Json* find(const Key& key) {
        place_ = join_path(object_.place, key.name);
        const auto found = value_.find(std::string(key.name));
        const bool is_given = found != value_.end();
        if (!is_given && is_required(key, given_)) {
            refuse_missing(target(key));
        }
        if (is_given) {
            check_use(target(key));
        }
        given_[key.name] = is_given ? "given" : "";
        return is_given ? &*found : nullptr;
    }

    /// Of the key that was asked for last.
    Target target(const Key& key) {
        return {object_.file, place_, key, dimension_, given_["type"]};
    }

    void set_text(const Key& key, const std::string& text) { given_[key.name] = text; }
    void set_dimension(int dimension) { dimension_ = dimension; }

  private:
    [[noreturn]] void refuse_missing(const Target& target) {
        const Key& key = target.key;
        const Beside& beside = key.required ? key.only_with : key.required_with;
        const std::string with = beside.key.empty() ? "" : " where " + chosen(beside);
        const std::string unit = key.unit.empty() ? "" : " [" + std::string(key.unit) + "]";
        target.fail("missing; required" + with + ": " + std::string(key.help) + unit);
    }

    /// Whether a key that is given has a meaning here.
    void check_use(const Target& target) {
        const Key& key = target.key;
        if (!is_known_in(key, dimension_)) {
            const std::string here = "; in " + std::to_string(dimension_) + "D: ";
            target.fail("is available in " + std::to_string(key.only_in) + "D only" +
                        (key.one_of.what.empty() ? "" : here + list_text(known_.one_of)));
        }
        if (applies(key, given_)) {
            return;
        }
        if (!key.not_with.empty()) {
            target.fail("cannot be given together with " + std::string(key.not_with));
        }
        const Beside& beside = key.only_with;
        target.fail("used only with " + std::string(beside.key) +
                    (beside.values.size() == 0
                         ? ""
                         : " " + list_text(beside.values) + "; here " + chosen(beside)));
    }

    std::string chosen(const Beside& beside) {
        return std::string(beside.key) + " is " + in_quotes(given_[beside.key]);
    }

    const Target& object_;
    int dimension_;
    const Json& value_;
    const KeyNames& known_;
    std::string place_;
    Given given_;
};

/// Visits the keys of a struct and takes each from the file.
template <class S>
struct ObjectReader {
    ObjectKeys keys;
    S& object;

    template <class T>
    void operator()(const Key& key, T S::*member) {
        if (const Json* value = keys.find(key)) {
            read_value(keys.target(key), *value, object.*member);
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
        if (const Json* value = keys.find(key)) {
            T held;
            read_value(keys.target(key), *value, held);
            object.*alternative.member = std::move(held);
        }
    }
};

/// An object has exactly one of certain keys; more are refused here.
bool has_one_of(const Target& target, const Json& value, const KeyNames& known) {
    std::string_view first;
    for (const std::string_view name : known.one_of) {
        if (!value.contains(std::string(name))) {
            continue;
        }
        if (!first.empty()) {
            target.fail("has both " + std::string(first) + " and " + std::string(name) +
                        "; only one " + std::string(known.what) + " is allowed");
        }
        first = name;
    }
    return known.one_of.empty() || !first.empty();
}

template <Described S>
void read_value(const Target& target, const Json& value, S& object) {
    if (!value.is_object()) {
        target.wrong_type("an object", value);
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
    const bool has_one = has_one_of(target, value, known);
    ObjectReader<S> reader{ObjectKeys(target, value, known), object};
    describe(reader, static_cast<const S*>(nullptr));
    if (!has_one) {  // now that one of the other dimension would be refused
        target.fail("needs one of " + list_text(known.one_of));
    }
}

/// What has no name is called after its place in the list, or the first free number after it.
template <class T>
void name_entries(std::vector<T>& list, const std::string& prefix) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::size_t number = i;
        while (list[i].name.empty()) {
            const std::string name = prefix + std::to_string(number++);
            if (std::ranges::find(list, name, &T::name) == list.end()) {
                list[i].name = name;
            }
        }
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
    for (Fluid& fluid : scene.fluids) {
        name_entries(fluid.emitters, "emitter_");
    }
    name_entries(scene.boundaries, "boundary_");
    name_entries(scene.bodies, "body_");
    name_entries(scene.joints, "joint_");
    name_entries(scene.sinks, "sink_");
    check_scene(scene, file);
    return scene;
}

}  // namespace millrace::scene_file
