#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// What a key of the scene file may hold and where it may stand.
namespace millrace::scene_file {

/// Which numbers of a Vector the file holds.
enum class Shape {
    point,        ///< x, y and, in 3D, z
    space,        ///< always three
    rectangle,    ///< always two: width and height
    scale,        ///< as a point, or one number for all; what is missing is 1
    axis,         ///< of a motion or a joint: as a point; of what turns, always three
    spin,         ///< three; in 2D one number, about z
    probe_place,  ///< a point; for a probe of type "height" [x, z] in 3D and [x] in 2D
};

/// Words that live as long as the expression in which they are written, as does a Key.
using WordList = std::initializer_list<std::string_view>;

/// Certain values of a text beside a key; without values: the other key is given at all.
struct Beside {
    std::string_view key = {};
    WordList values = {};
};

/// Keys of which an object has exactly one; the word stands for them in messages.
struct OneOf {
    std::string_view what = {};
};
inline constexpr OneOf k_shape{"shape"};
inline constexpr OneOf k_opening{"opening"};

struct Key {
    std::string_view name;
    std::string_view help;
    std::string_view unit = {};
    bool required = false;  ///< together with only_with: required there
    double above = -std::numeric_limits<double>::infinity();
    double at_least = -std::numeric_limits<double>::infinity();
    double below = std::numeric_limits<double>::infinity();
    double at_most = std::numeric_limits<double>::infinity();
    bool not_zero = false;  ///< of a vector its length, of a scale each number
    WordList choices = {};  ///< of a text; a text without them is a name
    bool path = false;      ///< of a text: a file, not a name
    std::size_t least = 0;  ///< of a list: so many entries at least
    std::size_t count = 0;  ///< of a list: so many entries, if it is given
    Shape shape = Shape::point;
    int only_in = 0;  ///< 2 or 3: a dimension; 0: in both
    OneOf one_of = {};
    bool has_twin = false;           ///< in the other dimension another key stands for the same
    Beside only_with = {};           ///< elsewhere the key means nothing
    Beside required_with = {};       ///< elsewhere the key has a default
    std::string_view not_with = {};  ///< a key that excludes this one
};

/// One of the things that a variant may hold, which has a key of its own.
template <class S, class Variant, class T>
struct Alternative {
    Variant S::*member;
};
template <class T, class S, class Variant>
constexpr Alternative<S, Variant, T> as(Variant S::*member) {
    return {member};
}

/// What the keys of an object hold that were visited so far: a text itself, "given" for anything
/// else that is given, nothing for what is not.
using Given = std::map<std::string_view, std::string>;

inline bool holds(const Beside& beside, const Given& given) {
    const auto other = given.find(beside.key);
    const std::string_view value = other == given.end() ? "" : std::string_view(other->second);
    return beside.values.size() == 0
               ? !value.empty()
               : std::ranges::find(beside.values, value) != beside.values.end();
}

inline bool is_known_in(const Key& key, int dimension) {
    return key.only_in == 0 || key.only_in == dimension;
}

/// Whether a key means something beside the others.
inline bool applies(const Key& key, const Given& given) {
    return (key.only_with.key.empty() || holds(key.only_with, given)) &&
           (key.not_with.empty() || !holds({key.not_with, {}}, given));
}

inline bool is_required(const Key& key, const Given& given) {
    return (key.required && applies(key, given)) ||
           (!key.required_with.key.empty() && holds(key.required_with, given));
}

inline bool is_height(Shape shape, std::string_view type) {
    return shape == Shape::probe_place && type == "height";
}

/// The components of a Vector that the file holds; `type` is the text of that name beside it.
inline std::vector<int> components(Shape shape, int dimension, std::string_view type) {
    if (is_height(shape, type)) {
        return dimension == 2 ? std::vector{0} : std::vector{0, 2};
    }
    if (shape == Shape::spin && dimension == 2) {
        return {2};
    }
    const bool turns = shape == Shape::axis && (type == "hinge" || type == "rotate");
    const bool two =
        shape == Shape::rectangle || (dimension == 2 && shape != Shape::space && !turns);
    return two ? std::vector{0, 1} : std::vector{0, 1, 2};
}

/// The value of the others.
inline double missing_component(Shape shape) {
    return shape == Shape::scale ? 1 : 0;
}

}  // namespace millrace::scene_file
