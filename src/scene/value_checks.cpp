#include "scene/value_checks.hpp"

#include <algorithm>
#include <cmath>

#include "scene/name_rule.hpp"

namespace millrace::scene_file {

namespace {

/// Particles are kept in float32; beyond this their squares and products would overflow.
constexpr double k_largest_number = 1e15;

template <class T>
void name_list(std::vector<T>& list, const std::string& prefix) {
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

}  // namespace

void check_limits(const Target& target, double x, const Show& show) {
    const Key& key = target.key;
    const auto require = [&](bool holds, const char* relation, double limit) {
        if (!holds) {
            target.fail(std::string("must be ") + relation + " " + number_text(limit) + ", got " +
                        show());
        }
    };
    require(x > key.above, "greater than", key.above);
    require(x >= key.at_least, "at least", key.at_least);
    require(x < key.below, "less than", key.below);
    require(x <= key.at_most, "at most", key.at_most);
}

void check_number(const Target& target, double x, const Show& show) {
    if (!std::isfinite(x)) {
        target.wrong_type("a finite number", show());
    }
    check_limits(target, x, show);
    if (std::abs(x) > k_largest_number) {
        target.fail("must be at most " + number_text(k_largest_number) + " in size, got " + show());
    }
}

void check_text(const Target& target, const std::string& text) {
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

void check_list_size(const Target& target, std::size_t size) {
    if (size < target.key.least) {
        target.fail(target.key.least == 1
                        ? "must have at least one entry"
                        : "must have at least " + std::to_string(target.key.least) +
                              " entries, got " + std::to_string(size));
    }
    if (target.key.count > 0 && size != target.key.count) {
        target.fail("must have " + std::to_string(target.key.count) + " entries, got " +
                    std::to_string(size));
    }
}

void check_not_listed(const Target& target, const std::vector<std::string>& list) {
    if (std::find(list.begin(), list.end() - 1, list.back()) != list.end() - 1) {
        target.fail(in_quotes(list.back()) + " is listed twice");
    }
}

std::string expected_numbers(const Target& target) {
    const std::size_t count = components(target.key.shape, target.dimension, target.type).size();
    std::string expected = count == 1 ? "1 number" : std::to_string(count) + " numbers";
    if (is_height(target.key.shape, target.type)) {
        expected += count == 1 ? " [x]" : " [x, z]";
    }
    return expected;
}

void check_vector_size(const Target& target, std::size_t size) {
    if (size == components(target.key.shape, target.dimension, target.type).size()) {
        return;
    }
    const bool always = target.key.shape == Shape::space || target.key.shape == Shape::rectangle;
    target.fail("must have " + expected_numbers(target) +
                (always ? "" : " in " + std::to_string(target.dimension) + "D") + ", got " +
                std::to_string(size));
}

bool has_one_of(const Target& target, const KeyNames& known,
                const std::function<bool(std::string_view)>& is_given) {
    std::string_view first;
    for (const std::string_view name : known.one_of) {
        if (!is_given(name)) {
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

bool ObjectKeys::ask(const Key& key, bool is_given) {
    place_ = join_path(object_.place, key.name);
    if (!is_given && is_required(key, given_)) {
        refuse_missing(target(key));
    }
    if (is_given) {
        check_use(target(key));
    }
    given_[key.name] = is_given ? "given" : "";
    return is_given;
}

void ObjectKeys::refuse_missing(const Target& target) {
    const Key& key = target.key;
    const Beside& beside = key.required ? key.only_with : key.required_with;
    const std::string with = beside.key.empty() ? "" : " where " + chosen(beside);
    const std::string unit = key.unit.empty() ? "" : " [" + std::string(key.unit) + "]";
    target.fail("missing; required" + with + ": " + std::string(key.help) + unit);
}

/// Whether a key that is given has a meaning here.
void ObjectKeys::check_use(const Target& target) {
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
    std::string where(beside.key);
    if (beside.values.size() > 0) {
        where += " ";
        where += list_text(beside.values) + "; here " + chosen(beside);
    }
    target.fail("used only with " + where);
}

std::string ObjectKeys::chosen(const Beside& beside) {
    return std::string(beside.key) + " is " + in_quotes(given_[beside.key]);
}

void name_entries(Scene& scene) {
    for (Fluid& fluid : scene.fluids) {
        name_list(fluid.emitters, "emitter_");
    }
    name_list(scene.boundaries, "boundary_");
    name_list(scene.bodies, "body_");
    name_list(scene.joints, "joint_");
    name_list(scene.sinks, "sink_");
}

}  // namespace millrace::scene_file
