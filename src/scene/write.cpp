#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "scene/keys.hpp"
#include "scene/scene_json.hpp"

namespace millrace::scene_file {

namespace {

Json write_vector(const Vector& vector, Shape shape, int dimension, std::string_view type);

/// Numbers, truth values, texts and lists of texts, as they are.
template <class T>
Json write_value(const T& value, int) {
    return value;
}

/// A point of a list.
Json write_value(const Vector& point, int dimension) {
    return write_vector(point, Shape::point, dimension, "");
}

template <Described S>
Json write_value(const S& object, int dimension);

template <class T>
requires(!std::is_same_v<T, std::string> && !std::is_same_v<T, double>) Json
    write_value(const std::vector<T>& list, int dimension) {
    Json value = Json::array();
    for (const T& entry : list) {
        value.push_back(write_value(entry, dimension));
    }
    return value;
}

Json write_vector(const Vector& vector, Shape shape, int dimension, std::string_view type) {
    bool others_are_missing = true;
    const std::vector<int> used = components(shape, dimension, type);
    for (int component = 0; component < 3; ++component) {
        others_are_missing =
            others_are_missing && (std::ranges::find(used, component) != used.end() ||
                                   vector[component] == missing_component(shape));
    }
    if (!others_are_missing) {
        return vector;
    }
    if (shape == Shape::spin && used.size() == 1) {
        return vector[used[0]];
    }
    Json value = Json::array();
    for (const int component : used) {
        value.push_back(vector[component]);
    }
    return value;
}

/// Visits the keys of a struct and puts each into a JSON object.
template <class S>
class ObjectWriter {
  public:
    ObjectWriter(const S& object, int dimension) : object_(object), dimension_(dimension) {}

    template <class T>
    void operator()(const Key& key, T S::*member) {
        const T& value = object_.*member;
        const bool is_default = value == defaults_.*member;
        if constexpr (std::is_same_v<T, std::string>) {
            given_[key.name] = value;
            if (value.empty() && !key.required) {
                return;  // such as a name, made up by the reader
            }
        } else {
            given_[key.name] = is_default ? "" : "given";
        }
        // what means nothing here is left out; where it was set, reading will refuse it
        const bool is_used = applies(key, given_) && key.one_of.what.empty() &&
                             is_known_in(key, dimension_) && key.count == 0;
        if (is_default && !is_used && !is_required(key, given_)) {
            return;
        }
        Json& place = json[std::string(key.name)];
        if constexpr (std::is_same_v<T, Vector>) {
            place = write_vector(value, key.shape, dimension_, given_["type"]);
        } else {
            place = write_value(value, dimension_);
        }
    }

    template <class T>
    void operator()(const Key& key, std::optional<T> S::*member) {
        given_[key.name] = object_.*member ? "given" : "";
        if (object_.*member) {
            json[std::string(key.name)] = write_value(*(object_.*member), dimension_);
        }
    }

    template <class Variant, class T>
    void operator()(const Key& key, Alternative<S, Variant, T> alternative) {
        const T* held = std::get_if<T>(&(object_.*alternative.member));
        if (held && (is_known_in(key, dimension_) || !key.has_twin)) {
            given_[key.name] = "given";
            json[std::string(key.name)] = write_value(*held, dimension_);
        }
    }

    Json json = Json::object();

  private:
    const S& object_;
    const S defaults_{};
    int dimension_;
    Given given_;
};

template <Described S>
Json write_value(const S& object, int dimension) {
    ObjectWriter<S> writer(object, dimension);
    describe(writer, &object);
    return std::move(writer.json);
}

void append_text(const Json& value, const std::string& indent, std::string& text) {
    const auto is_plain = [](const Json& entry) { return !entry.is_structured(); };
    const auto dump = [](const Json& entry) {
        return entry.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (is_plain(value) || value.empty()) {
        text += dump(value);
        return;
    }
    const bool one_line = value.is_array() && std::all_of(value.begin(), value.end(), is_plain);
    const std::string inner = indent + "  ";
    text += value.is_array() ? '[' : '{';
    const char* separator = "";
    for (const auto& item : value.items()) {
        text += separator;
        text += one_line ? "" : "\n" + inner;
        if (value.is_object()) {
            text += dump(Json(item.key())) + ": ";
        }
        append_text(item.value(), inner, text);
        separator = one_line ? ", " : ",";
    }
    text += one_line ? "" : "\n" + indent;
    text += value.is_array() ? ']' : '}';
}

}  // namespace

Json write_scene(const Scene& scene) {
    Json root;
    root[std::string(k_version_key.name)] = k_format_version;
    root.update(write_value(scene, scene.dimension));
    return root;
}

std::string json_text(const Json& value) {
    std::string text;
    append_text(value, "", text);
    return text + "\n";
}

}  // namespace millrace::scene_file
