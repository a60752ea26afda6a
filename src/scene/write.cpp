#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "scene/keys.hpp"
#include "scene/scene_json.hpp"
#include "scene/written_keys.hpp"

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

template <class T>
Json write_value(const std::optional<T>& value, int dimension) {
    return write_value(*value, dimension);
}

Json write_vector(const Vector& vector, Shape shape, int dimension, std::string_view type) {
    if (!has_no_others(vector, shape, dimension, type)) {
        return vector;
    }
    const std::vector<int> used = components(shape, dimension, type);
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
    ObjectWriter(const S& object, int dimension)
        : object_(object), dimension_(dimension), written_(dimension) {}

    template <class T>
    void operator()(const Key& key, T S::*member) {
        const T& value = object_.*member;
        if (!written_.hold(key, value, defaults_.*member)) {
            return;
        }
        Json& place = json[std::string(key.name)];
        if constexpr (std::is_same_v<T, Vector>) {
            place = write_vector(value, key.shape, dimension_, written_.type());
        } else if constexpr (std::is_same_v<T, std::optional<Vector>>) {
            place = write_vector(*value, key.shape, dimension_, written_.type());
        } else {
            place = write_value(value, dimension_);
        }
    }

    template <class Variant, class T>
    void operator()(const Key& key, Alternative<S, Variant, T> alternative) {
        if (const T* held = written_.held(key, object_, alternative)) {
            json[std::string(key.name)] = write_value(*held, dimension_);
        }
    }

    Json json = Json::object();

  private:
    const S& object_;
    const S defaults_{};
    int dimension_;
    WrittenKeys written_;
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
