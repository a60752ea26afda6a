#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "scene/scene_json.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file {

namespace {

/// One part of a key path: `density`, `0` or `[0]`.
struct Step {
    std::string text;
    bool bracket = false;

    std::optional<std::size_t> index() const {
        std::size_t value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
    }
};

/// "fluids[0].density" and "fluids.0.density" give fluids, 0, density; nothing if malformed.
std::vector<Step> split_path(std::string_view path) {
    std::vector<Step> steps;
    while (!path.empty()) {
        const bool bracket = path.front() == '[';
        const std::size_t end = bracket ? path.find(']') : path.find_first_of(".[");
        const std::size_t begin = bracket ? 1 : 0;
        if (bracket && end == std::string_view::npos) {
            return {};
        }
        steps.push_back({std::string(path.substr(begin, end - begin)), bracket});
        if (steps.back().text.empty() || (bracket && !steps.back().index())) {
            return {};
        }
        path.remove_prefix(end == std::string_view::npos ? path.size() : end + begin);
        if (path.starts_with('.')) {
            path.remove_prefix(1);
            if (path.empty() || path.front() == '[') {
                return {};
            }
        } else if (bracket && !path.empty() && path.front() != '[') {
            return {};
        }
    }
    return steps;
}

}  // namespace

void apply_override(Json& root, const std::string& override_text, const std::string& file) {
    const std::string place = "--set " + override_text;
    const std::size_t equals = override_text.find('=');
    if (equals == std::string::npos) {
        fail(file, place, "must be key.path=value, such as spacing=0.02");
    }
    const std::vector<Step> steps = split_path(override_text.substr(0, equals));
    if (steps.empty()) {
        fail(file, place, "the key must be a path such as spacing or fluids[0].density");
    }

    Json* target = &root;
    std::string path;
    for (const Step& step : steps) {
        const std::optional<std::size_t> index = step.index();
        const std::string here = path.empty() ? "the scene" : path;
        path = index ? path + "[" + step.text + "]" : join_path(path, step.text);
        if (index && target->is_array()) {
            if (*index >= target->size()) {
                fail(file, place,
                     path + ": index out of range, " + here + " has " +
                         std::to_string(target->size()) +
                         (target->size() == 1 ? " entry" : " entries"));
            }
            target = &(*target)[*index];
        } else if (index) {
            fail(file, place,
                 path + ": index out of range, " + here +
                     (target->is_null() ? " is not given" : " is not a list"));
        } else if (target->is_array()) {
            fail(file, place, here + " is a list, give an index such as " + here + "[0]");
        } else if (target->is_object() || target->is_null()) {
            target = &(*target)[step.text];
        } else {
            fail(file, place, here + " is a single value, it has no key " + in_quotes(step.text));
        }
    }

    const std::string text = override_text.substr(equals + 1);
    Json value;
    std::string message;
    switch (parse_json(text, value, message)) {
        case ParseProblem::none:
            *target = std::move(value);
            break;
        case ParseProblem::syntax:
            *target = text;
            break;
        default:
            fail(file, place, message);
    }
}

}  // namespace millrace::scene_file
