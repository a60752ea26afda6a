#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "millrace/scene.hpp"

// The stages from the text of a scene file to a Scene and back. `file` stands in messages; every
// problem is an InputError.
namespace millrace::scene_file {

using Json = nlohmann::ordered_json;

enum class ParseProblem { none, syntax, not_finite, duplicate_key, too_deep };

/// JSON with comments into `value`; where that fails, `message` says why in one line.
ParseProblem parse_json(std::string_view text, Json& value, std::string& message);

/// What the user wrote, for the end of a message.
std::string shown(const Json& value);

/// Puts "key.path=value" into a scene file.
void apply_override(Json& root, const std::string& override_text, const std::string& file);

/// A scene from its file: types, limits and the checks below; every default filled in.
Scene read_scene(const Json& root, const std::string& file);

/// A scene that a program has built: what its file would be refused for, found without one.
void check_struct(Scene scene, const std::string& file);

/// The rules between keys.
void check_scene(const Scene& scene, const std::string& file);

/// A scene file with every key written out. What a valid scene cannot hold (a third component in
/// 2D, a step length without its mode) is written too, so that reading refuses it.
Json write_scene(const Scene& scene);

/// Indented text, lists of numbers and words on one line.
std::string json_text(const Json& value);

}  // namespace millrace::scene_file
