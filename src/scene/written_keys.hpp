#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "millrace/scene.hpp"
#include "scene/key.hpp"

namespace millrace::scene_file {

/// Which keys of a struct its file holds. What means nothing where it stands is left out; where it
/// was set, it is in the file, and refused there.
class WrittenKeys {
  public:
    explicit WrittenKeys(int dimension) : dimension_(dimension) {}

    /// Asked for every key in its order.
    template <class T>
    bool hold(const Key& key, const T& value, const T& default_value) {
        const bool is_default = value == default_value;
        given_[key.name] = is_default ? "" : "given";
        return !is_default || is_used(key);
    }
    bool hold(const Key& key, const std::string& text, const std::string& default_text) {
        given_[key.name] = text;
        if (text.empty() && !key.required) {
            return false;  // such as a name, made up by the reader
        }
        return text != default_text || is_used(key);
    }
    template <class T>
    bool hold(const Key& key, const std::optional<T>& value, const std::optional<T>&) {
        given_[key.name] = value ? "given" : "";
        return value.has_value();
    }

    /// What a variant holds, where it is this key's; null: something else.
    template <class S, class Variant, class T>
    const T* held(const Key& key, const S& object, Alternative<S, Variant, T> alternative) {
        const T* value = std::get_if<T>(&(object.*alternative.member));
        const bool written = value && (is_known_in(key, dimension_) || !key.has_twin);
        given_[key.name] = written ? "given" : "";
        return written ? value : nullptr;
    }

    /// The text of that name, where it was asked for.
    std::string_view type() { return given_["type"]; }

  private:
    bool is_used(const Key& key) const {
        return (applies(key, given_) && key.one_of.what.empty() && is_known_in(key, dimension_) &&
                key.count == 0) ||
               is_required(key, given_);
    }

    int dimension_;
    Given given_;
};

/// Whether a vector holds no other components than those that the file holds.
inline bool has_no_others(const Vector& vector, Shape shape, int dimension, std::string_view type) {
    const std::vector<int> used = components(shape, dimension, type);
    for (int component = 0; component < 3; ++component) {
        if (std::ranges::find(used, component) == used.end() &&
            vector[component] != missing_component(shape)) {
            return false;
        }
    }
    return true;
}

}  // namespace millrace::scene_file
