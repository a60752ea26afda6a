#include <concepts>
#include <type_traits>

#include "scene/keys.hpp"
#include "scene/scene_json.hpp"
#include "scene/value_checks.hpp"
#include "scene/written_keys.hpp"

namespace millrace::scene_file {

namespace {

void check_value(const Target& target, double x) {
    check_number(target, x, [&] { return number_text(x); });
}

template <std::integral Integer>
void check_value(const Target& target, Integer n) {
    check_limits(target, static_cast<double>(n), [&] { return std::to_string(n); });
}

void check_value(const Target&, bool) {}

void check_value(const Target& target, const std::string& text) {
    check_text(target, text);
}

void check_value(const Target& target, Vector& vector) {
    const bool is_number = target.key.shape == Shape::spin && target.dimension == 2;
    if (!has_no_others(vector, target.key.shape, target.dimension, target.type)) {
        if (is_number) {
            target.wrong_type("a number", "a list");
        }
        check_vector_size(target, vector.size());
    }
    if (is_number) {
        return check_value(target, vector[2]);
    }
    const std::vector<int> used = components(target.key.shape, target.dimension, target.type);
    const Vector given = vector;
    take_components(target, vector, [&](const Target& number, std::size_t i) {
        check_value(number, given[used[i]]);
        return given[used[i]];
    });
}

template <Described S>
void check_value(const Target& target, S& object);

template <class T>
void check_value(const Target& target, std::optional<T>& optional) {
    check_value(target, *optional);
}

template <class T>
void check_value(const Target& target, std::vector<T>& list) {
    check_list_size(target, list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string place = entry(target.place, i);
        const Target one{target.file, place, target.key, target.dimension};
        check_value(one, list[i]);
        if constexpr (std::is_same_v<T, std::string>) {
            check_not_listed(one, {list.begin(), list.begin() + i + 1});
        }
    }
}

/// Visits the keys of a struct and notes those that its file would hold.
template <class S>
struct WrittenNames {
    WrittenKeys written;
    const S& object;
    const S defaults = {};
    std::vector<std::string_view> names = {};

    template <class T>
    void operator()(const Key& key, T S::*member) {
        if (written.hold(key, object.*member, defaults.*member)) {
            names.push_back(key.name);
        }
    }
    template <class Variant, class T>
    void operator()(const Key& key, Alternative<S, Variant, T> alternative) {
        if (written.held(key, object, alternative)) {
            names.push_back(key.name);
        }
    }
};

/// Visits the keys of a struct and checks each; a text that its file would not hold becomes the
/// default, as it would there.
template <class S>
struct ObjectChecker {
    ObjectKeys keys;
    WrittenKeys written;
    S& object;
    const S defaults = {};

    template <class T>
    void operator()(const Key& key, T S::*member) {
        T& value = object.*member;
        if (keys.ask(key, written.hold(key, value, defaults.*member))) {
            check_value(keys.target(key), value);
        } else if constexpr (std::is_same_v<T, std::string>) {
            value = defaults.*member;
        }
        if constexpr (std::is_same_v<T, std::string>) {
            keys.set_text(key, value);
        }
        if constexpr (std::is_same_v<S, Scene>) {
            keys.set_dimension(object.dimension);
        }
    }
    template <class Variant, class T>
    void operator()(const Key& key, Alternative<S, Variant, T> alternative) {
        if (keys.ask(key, written.held(key, object, alternative) != nullptr)) {
            check_value(keys.target(key), std::get<T>(object.*alternative.member));
        }
    }
};

template <Described S>
void check_value(const Target& target, S& object) {
    KeyNames known{target.dimension};
    describe(known, &object);
    WrittenNames<S> written{WrittenKeys(target.dimension), object};
    if (!known.one_of.empty()) {
        describe(written, &object);
    }
    const bool has_one = has_one_of(target, known, [&](std::string_view name) {
        return std::ranges::find(written.names, name) != written.names.end();
    });
    ObjectChecker<S> checker{ObjectKeys(target, known), WrittenKeys(target.dimension), object};
    describe(checker, &object);
    if (!has_one) {  // now that one of the other dimension would be refused
        target.fail("needs one of " + list_text(known.one_of));
    }
}

}  // namespace

void check_struct(Scene scene, const std::string& file) {
    const std::string top;
    const Key key;
    if (scene.pressure.method.empty()) {  // as in a file that does not say it
        scene.pressure.method = default_scene(scene.engine).pressure.method;
    }
    check_value(Target{file, top, key, scene.dimension}, scene);
    name_entries(scene);
    check_scene(scene, file);
}

}  // namespace millrace::scene_file
