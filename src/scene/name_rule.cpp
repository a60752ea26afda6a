#include "scene/name_rule.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace millrace::scene_file {

namespace {

bool is_utf8(std::string_view text) {
    try {
        (void)nlohmann::json(text).dump();
        return true;
    } catch (const nlohmann::json::exception&) {
        return false;
    }
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

std::string name_problem(std::string_view name) {
    if (name.empty()) {
        return "must not be empty";
    }
    if (name.size() > k_longest_name) {
        return "must not be longer than " + std::to_string(k_longest_name) + " bytes";
    }
    if (!is_utf8(name)) {
        return "must be UTF-8";
    }
    const auto forbidden = [](char c) {
        return is_control(c) || k_not_in_names.find(c) != std::string_view::npos;
    };
    if (name.front() == '.' || std::ranges::any_of(name, forbidden)) {
        return "must not start with a dot nor have control characters or any of " +
               std::string(k_not_in_names);
    }
    return "";
}

std::string path_problem(std::string_view path) {
    if (path.empty()) {
        return "must not be empty";
    }
    if (!is_utf8(path)) {
        return "must be UTF-8";
    }
    return std::ranges::any_of(path, is_control) ? "must not have control characters" : "";
}

}  // namespace millrace::scene_file
