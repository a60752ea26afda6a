#include "scene/splishsplash_object.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numbers>

#include "files/whole_file.hpp"
#include "scene/name_rule.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file::splishsplash {

namespace fs = std::filesystem;

Object::Object(const Json& value, std::string place, Log& log)
    : json_(value), place_(std::move(place)), log_(log) {
    if (!json_.is_object()) {
        scene_file::fail(log_.file, place_, "must be an object, got " + shown(json_));
    }
}

const Json& Object::value(std::string_view key) {
    static const Json k_null;
    known_.push_back(key);
    const auto found = json_.find(std::string(key));
    return found == json_.end() ? k_null : *found;
}

bool Object::has(std::string_view key) {
    return !value(key).is_null();
}

double Object::number(std::string_view key, double missing) {
    const Json& found = value(key);
    if (!found.is_null() && !found.is_number()) {
        fail(key, "must be a number, got " + shown(found));
    }
    return found.is_null() ? missing : found.get<double>();
}

int Object::whole(std::string_view key, int missing) {
    const double x = number(key, missing);
    if (x != std::floor(x) || std::abs(x) > 2e9) {
        fail(key, "must be a whole number, got " + number_text(x));
    }
    return static_cast<int>(x);
}

bool Object::flag(std::string_view key, bool missing) {
    const Json& found = value(key);
    if (found == 0 || found == 1) {
        return found == 1;  // as in some of its examples
    }
    if (!found.is_null() && !found.is_boolean()) {
        fail(key, "must be true or false, got " + shown(found));
    }
    return found.is_null() ? missing : found.get<bool>();
}

std::string Object::text(std::string_view key, const std::string& missing) {
    const Json& found = value(key);
    if (!found.is_null() && !found.is_string()) {
        fail(key, "must be a text, got " + shown(found));
    }
    return found.is_null() ? missing : found.get<std::string>();
}

Vector Object::vector(std::string_view key, const Vector& missing) {
    const Json& found = value(key);
    if (found.is_null()) {
        return missing;
    }
    const auto is_number = [](const Json& entry) { return entry.is_number(); };
    if (!found.is_array() || found.size() < 3 || !std::ranges::all_of(found, is_number)) {
        fail(key, "must be a list of 3 numbers, got " + shown(found));
    }
    return {found[0].get<double>(), found[1].get<double>(), found[2].get<double>()};
}

void Object::skip(std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (has(key)) {
            log_.without_effect.emplace(key);
        }
    }
}

void Object::know(std::initializer_list<std::string_view> keys) {
    known_.insert(known_.end(), keys.begin(), keys.end());
}

void Object::warn(std::string_view key, const std::string& text) {
    log_.warn(join_path(place_, key), text);
}

void Object::fail(std::string_view key, const std::string& problem) const {
    scene_file::fail(log_.file, join_path(place_, key), problem);
}

void Object::finish() {
    for (const auto& item : json_.items()) {
        const std::string& key = item.key();
        if (std::ranges::find(known_, key) != known_.end() || key == "comment") {
            continue;
        }
        const std::string_view guess = nearest(key, known_);
        log_.warn(join_path(place_, key),
                  "ignored: unknown key" +
                      (guess.empty() ? "" : "; did you mean " + in_quotes(guess) + "?"));
    }
}

std::vector<Object> objects(const Json& root, const std::string& name, Log& log) {
    std::vector<Object> list;
    const auto found = root.find(name);
    if (found == root.end()) {
        return list;
    }
    if (!found->is_array()) {
        fail(log.file, name, "must be a list, got " + shown(*found));
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
        list.emplace_back((*found)[i], entry(name, i), log);
    }
    return list;
}

Rotation rotation(Object& object) {
    Rotation turned;
    const Vector axis = object.vector("rotationAxis", turned.axis);
    turned.angle = object.number("rotationAngle", 0) * 180 / std::numbers::pi;
    if (axis != Vector{}) {
        turned.axis = axis;
    } else if (turned.angle != 0) {
        object.fail("rotationAxis", "must not be 0 in every direction");
    }
    // 90, not 90.00000000000001: the file has a rounded pi
    const double whole = std::round(turned.angle);
    turned.angle = std::abs(turned.angle - whole) < 1e-3 ? whole : turned.angle;
    return turned.angle == 0 ? Rotation{} : turned;
}

double rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::strtod(text, nullptr);
}

std::string clean_name(const std::string& text, const std::string& missing) {
    std::string name = text.substr(0, k_longest_name);
    for (char& c : name) {
        const bool bad = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
                         k_not_in_names.find(c) != std::string_view::npos;
        c = bad ? '_' : c;
    }
    return name_problem(name).empty() ? name : missing;
}

std::string mesh_path(Object& object, std::string_view key, const std::string& scene_path) {
    const std::string file = object.text(key, "");
    const fs::path path = (fs::absolute(scene_path).parent_path() / file).lexically_normal();
    const std::string problem = file_problem(path);
    if (!problem.empty()) {
        object.fail(key, "cannot be read: " + problem + " (" + file + ")");
    }
    return path.string();
}

bool is_unit_box(const std::string& file) {
    const std::size_t slash = file.find_last_of("/\\");
    std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
    stem = stem.substr(0, stem.find('.'));
    std::ranges::transform(stem, stem.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return stem == "unitbox" || stem == "unit_box";
}

}  // namespace millrace::scene_file::splishsplash
