#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/scene.hpp"
#include "scene/key.hpp"
#include "scene/text.hpp"

// What a value of a scene must be, wherever it comes from: a file, or a struct that a program has
// filled. Every problem is an InputError.
namespace millrace::scene_file {

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
    [[noreturn]] void wrong_type(const std::string& expected, const std::string& shown) const {
        fail("must be " + expected + ", got " + shown);
    }
};

/// Gives a value as the user wrote it; called for messages only.
using Show = std::function<std::string()>;

void check_limits(const Target& target, double x, const Show& show);
/// The limits, and that it is a finite number of a size that a float holds.
void check_number(const Target& target, double x, const Show& show);
/// One of the choices, or else a name or a path.
void check_text(const Target& target, const std::string& text);
void check_list_size(const Target& target, std::size_t size);
/// The last text of a list is none of those before it; `target` is that of the entry.
void check_not_listed(const Target& target, const std::vector<std::string>& list);

/// "2 numbers", "1 number [x]".
std::string expected_numbers(const Target& target);
void check_vector_size(const Target& target, std::size_t size);

/// The numbers of a vector that are given, as take(target of the number, its place in the list)
/// returns them, already checked; then what is asked of all of them.
template <class Take>
void take_components(const Target& target, Vector& vector, const Take& take) {
    const std::vector<int> used = components(target.key.shape, target.dimension, target.type);
    vector.fill(missing_component(target.key.shape));
    bool zero = true;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const std::string place = entry(target.place, i);
        const Target number{target.file, place, target.key, target.dimension};
        vector[used[i]] = take(number, i);
        if (target.key.not_zero && target.key.shape == Shape::scale && vector[used[i]] == 0) {
            number.fail("must not be 0");
        }
        zero = zero && vector[used[i]] == 0;
    }
    if (target.key.not_zero && zero) {
        target.fail("must not be 0 in every direction");
    }
}

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

/// Whether an object has one of the keys of which it needs one; more are refused here.
bool has_one_of(const Target& target, const KeyNames& known,
                const std::function<bool(std::string_view)>& is_given);

/// The keys of an object, as they are asked for one after the other.
class ObjectKeys {
  public:
    ObjectKeys(const Target& object, const KeyNames& known)
        : object_(object), dimension_(object.dimension), known_(known) {}

    /// Refuses a key that is given and means nothing here, and one that is missing; returns
    /// `is_given`.
    bool ask(const Key& key, bool is_given);
    /// Of the key that was asked for last.
    Target target(const Key& key) {
        return {object_.file, place_, key, dimension_, given_["type"]};
    }

    void set_text(const Key& key, const std::string& text) { given_[key.name] = text; }
    void set_dimension(int dimension) { dimension_ = dimension; }

  private:
    [[noreturn]] void refuse_missing(const Target& target);
    void check_use(const Target& target);
    std::string chosen(const Beside& beside);

    const Target& object_;
    int dimension_;
    const KeyNames& known_;
    std::string place_;
    Given given_;
};

/// What has no name is called after its place in its list, or the first free number after it.
void name_entries(Scene& scene);

}  // namespace millrace::scene_file
