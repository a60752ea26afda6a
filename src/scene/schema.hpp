#pragma once

#include <string>

namespace millrace {

/// The JSON Schema (draft 2020-12) of a scene file, as kept at scenes/scene.schema.json.
std::string scene_schema();

/// The key tables of docs/scene-reference.md, in Markdown.
std::string scene_reference_tables();

}  // namespace millrace
